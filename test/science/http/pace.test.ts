import { describe, expect, test } from "bun:test"
import { createPace, paces } from "../../../src/science/http/pace.ts"
import { notedPace } from "../../support/starts.ts"
import { single, things } from "../../support/things.ts"
import { world } from "../../support/world.ts"

describe("the pace of a host", () => {
  test("requests to one host start evenly spaced, whoever makes them", async () => {
    const { pace, gaps } = notedPace()
    await using w = await world(({ path }) => JSON.stringify({ id: path.split("/").pop() }), {
      connectors: [single],
      pace,
    })
    await Promise.all([w.fetch("things", "T1", "T2", "T3"), w.fetch("things", "T4", "T5")])
    expect(w.server.requests).toHaveLength(5)
    expect(gaps()).toHaveLength(4)
    // 10 a second: 100 ms from start to start; a timer may be early by one or two.
    for (const gap of gaps()) expect(gap).toBeGreaterThan(95)
  })

  test("after a pause they do not come in a burst", async () => {
    const { pace, gaps } = notedPace()
    await using w = await world(({ path }) => JSON.stringify({ id: path.split("/").pop() }), {
      connectors: [single],
      pace,
    })
    await w.fetch("things", "T1")
    await Bun.sleep(180)
    await w.fetch("things", "T2", "T3", "T4")
    for (const gap of gaps()) expect(gap).toBeGreaterThan(95)
  })

  test("a key that is set raises it", async () => {
    const { pace, gaps } = notedPace()
    await using w = await world(({ path }) => JSON.stringify({ id: /T\d+/.exec(path)?.[0] }), {
      connectors: [single],
      pace,
      env: { THINGS_API_KEY: "secret-key" },
    })
    await w.fetch("things", "T1", "T2", "T3", "T4", "T5")
    // 50 a second in place of 10.
    for (const gap of gaps()) expect(gap).toBeGreaterThan(15)
    expect(gaps().toSorted((a, b) => a - b)[2]).toBeLessThan(90)
  })

  test("no more requests are under way at once than the host allows", async () => {
    let open = 0
    let most = 0
    const slow = {
      ...single,
      hosts: {
        "things.example.org": { perSecond: 1000, concurrent: 2 },
        "files.example.org": { perSecond: 1, concurrent: 1 },
      },
    }
    await using w = await world(
      () =>
        ({ path }, response) => {
          most = Math.max(most, ++open)
          setTimeout(() => {
            open--
            response.end(JSON.stringify({ id: path.split("/").pop() }))
          }, 60)
        },
      { connectors: [slow], pace: createPace() },
    )
    await w.fetch("things", "T1", "T2", "T3", "T4", "T5")
    expect(most).toBe(2)
  })

  test("a 429 holds back every request to that host, also those of other calls", async () => {
    let first = true
    await using w = await world(
      ({ path }) => {
        if (!first) return JSON.stringify({ id: path.split("/").pop() })
        first = false
        return { status: 429, headers: { "retry-after": "0.6" } }
      },
      { connectors: [single], pace: createPace() },
    )
    const [one] = await Promise.all([w.fetch("things", "T1"), Bun.sleep(80).then(() => w.fetch("things", "T2"))])
    expect(one.outcomes[0]?.kind).toBe("record")
    const [refused, ...later] = w.server.requests.map(({ at }) => at)
    for (const at of later) expect(at - (refused ?? 0)).toBeGreaterThan(550)
  })

  test("one who waits for a turn leaves at once when the call is aborted", async () => {
    const seldom = { ...single, hosts: { ...single.hosts, "things.example.org": { perSecond: 0.1, concurrent: 1 } } }
    await using w = await world(() => JSON.stringify({ id: "T1" }), { connectors: [seldom], pace: createPace() })
    await w.fetch("things", "T1")
    const controller = new AbortController()
    const began = performance.now()
    const waiting = w.science.fetch("things", ["T2"], controller.signal)
    setTimeout(() => controller.abort(new Error("enough")), 50)
    await expect(waiting).rejects.toThrow("enough")
    expect(performance.now() - began).toBeLessThan(1000)
    expect(w.server.requests).toHaveLength(1)
  })

  test("hosts of one pool share one pace", async () => {
    const shared = { perSecond: 10, concurrent: 1, pool: "things" }
    const pooled = { ...single, hosts: { "things.example.org": shared, "files.example.org": shared } }
    const { pace, gaps } = notedPace()
    await using w = await world(({ path }) => ({ body: path.endsWith(".txt") ? "text" : '{"id":"T1"}' }), {
      connectors: [pooled],
      pace,
    })
    await Promise.all([w.fetch("things", "T1"), w.file("things", "txt", "T1"), w.file("things", "txt", "T2")])
    expect(gaps()).toHaveLength(2)
    for (const gap of gaps()) expect(gap).toBeGreaterThan(95)
  })

  test("a host that several databases share has the slowest pace that one of them states", () => {
    const quick = { ...things, id: "quick", hosts: { "things.example.org": { perSecond: 100, concurrent: 9 } } }
    expect(paces([quick, things], {}).get("things.example.org")).toEqual({ perSecond: 10, concurrent: 2 })
  })
})
