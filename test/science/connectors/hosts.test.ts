import { expect, test } from "bun:test"
import { connectors } from "../../../src/science/connectors/index.ts"
import { paces } from "../../../src/science/http/pace.ts"
import { notedPace } from "../../support/starts.ts"
import { single } from "../../support/things.ts"
import { world } from "../../support/world.ts"

const stated = [...paces(connectors, {})]

/**
 * Dozens of hosts are measured at once on one thread, which may hold a start back after its turn came, so that the gap behind it looks
 * shorter. What a busy machine did once it does not do three times; a pace that is too fast is so each time.
 */
const HELD_BACK = 0.6
const MEASURED = { timeout: 20_000, retry: 2 }

test.concurrent.each(stated.map(([host, pace]) => [host, pace] as const))(
  "%s is asked no faster than its databases state",
  async (host, pace) => {
    const asked = {
      ...single,
      hosts: { [host]: pace },
      fetch: (id: string, http: Parameters<typeof single.fetch>[1]) => http.json(`https://${host}/${id}`),
    }
    const { pace: noted, gaps } = notedPace()
    await using w = await world(({ path }) => JSON.stringify({ id: path.slice(1) }), {
      connectors: [asked],
      pace: noted,
    })
    // Three seconds between two requests are measured once, tenths of a second twice.
    const ids = pace.perSecond < 1 ? ["T1", "T2"] : ["T1", "T2", "T3"]
    const { outcomes } = await w.fetch("things", ...ids)
    expect(outcomes.map(({ kind }) => kind)).toEqual(ids.map(() => "record"))
    expect(gaps()).toHaveLength(ids.length - 1)
    for (const gap of gaps()) expect(gap).toBeGreaterThan((1000 / pace.perSecond) * HELD_BACK)
  },
  MEASURED,
)

test("hosts that several databases share have one pace", () => {
  const shared = stated
    .filter(([host]) => connectors.filter(({ hosts }) => host in hosts).length > 1)
    .map(([host]) => host)
  expect(shared).toContain("eutils.ncbi.nlm.nih.gov")
  expect(shared).toContain("www.ebi.ac.uk")
  for (const [host, { perSecond }] of stated)
    for (const { hosts } of connectors) if (hosts[host]) expect(perSecond).toBeLessThanOrEqual(hosts[host].perSecond)
})

test("a key raises the pace of its host", () => {
  const raised = paces(connectors, { NCBI_API_KEY: "key" }).get("eutils.ncbi.nlm.nih.gov")
  expect(raised?.perSecond).toBe(10)
  expect(paces(connectors, {}).get("eutils.ncbi.nlm.nih.gov")?.perSecond).toBe(3)
})
