import { describe, expect, test } from "bun:test"
import { readdir } from "node:fs/promises"
import { DOMAINS } from "../../../src/science/connector.ts"
import { connectors } from "../../../src/science/connectors/index.ts"
import { guard } from "../../../src/science/http/guard.ts"
import { looksLikeOne, normalizeId } from "../../../src/science/ids.ts"
import { KINDS } from "../../../src/science/spill/index.ts"
import type { Reply } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

/** What a far side does that is no answer, whatever was asked. */
const OUTAGES: [string, Reply][] = [
  ["a 429", { status: 429, headers: { "content-type": "text/plain" }, body: "Too many requests" }],
  ["a 503", { status: 503, headers: { "content-type": "text/html" }, body: "<html><h1>503</h1></html>" }],
  ["a 500 in JSON", { status: 500, body: '{"error":"internal"}' }],
  [
    "an HTML page under 200",
    { headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><title>Just a moment</title>" },
  ],
  [
    "an HTML page under 404 for an API",
    { status: 404, headers: { "content-type": "text/html" }, body: "<html><h1>Not Found</h1></html>" },
  ],
  [
    "a body that is cut off",
    (_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "9000" })
      response.write("{")
      setTimeout(() => response.destroy(), 5)
    },
  ],
  ["a connection that is reset", (_, response) => void response.destroy()],
]

describe.each(connectors.map((connector) => [connector.id, connector] as const))("%s", (db, connector) => {
  const [id] = connector.ids.examples

  test("says who it is in the field's words", () => {
    expect(db).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(DOMAINS).toContain(connector.domain)
    expect(connector.description.length).toBeWithin(3, 61)
    expect(connector.license.length).toBeGreaterThan(2)
    expect(connector.cite.length).toBeGreaterThan(10)
    expect(connector.url).toContain("{id}")
    expect(new URL(connector.homepage).protocol).toBe("https:")
    if (connector.key) expect(Object.keys(connector.hosts)).toContain(connector.key.host)
  })

  test("its examples are ids of its own, with prefix, blanks and page address as well", () => {
    for (const example of connector.ids.examples) {
      const plain = normalizeId(connector, example)
      expect(looksLikeOne(connector, example)).toBe(true)
      expect(normalizeId(connector, ` ${example} `)).toBe(plain)
      expect(normalizeId(connector, `${connector.ids.curie}:${example}`)).toBe(plain)
    }
    expect(normalizeId(connector, connector.url.replace("{id}", id))).toBe(normalizeId(connector, id))
  })

  test("what the doctor asks is well-formed: its id, its missing id, its format", () => {
    const { query, missing, id: probed = id, format = Object.keys(connector.files)[0] } = connector.probe
    expect(query.trim().length).toBeGreaterThan(1)
    expect(looksLikeOne(connector, missing)).toBe(true)
    expect(looksLikeOne(connector, probed)).toBe(true)
    if (format !== undefined) expect(Object.keys(connector.files)).toContain(format)
  })

  test("no path, no markup and no control character looks like an id", () => {
    for (const hostile of [
      "../../etc/passwd",
      "%2e%2e%2fx",
      "..\\x",
      "<script>",
      "a\u0000b",
      "a\nb",
      "",
      " ",
      "\u202eABC",
    ])
      expect(connector.ids.pattern.test(normalizeId(connector, hostile))).toBe(false)
  })

  test("its formats are of known kinds", () => {
    for (const { kind } of Object.values(connector.files)) expect(Object.keys(KINDS)).toContain(kind)
  })

  test("every host has a pace, and every request goes to one of them", async () => {
    await using w = await world(() => ({ status: 503 }), { retry: { attempts: 1 } })
    await w.search(db, "insulin")
    await w.fetch(db, id)
    for (const format of Object.keys(connector.files)) await w.file(db, format, id)
    for (const { perSecond, concurrent } of Object.values(connector.hosts)) {
      expect(perSecond).toBeGreaterThan(0)
      expect(concurrent).toBeGreaterThanOrEqual(1)
    }
    expect(w.server.requests.length).toBeGreaterThan(0)
    for (const { host, path } of w.server.requests)
      expect(() => guard(`https://${host}${path}`, connector)).not.toThrow()
  })

  for (const [what, reply] of OUTAGES) {
    test(`${what} is a failure of search and record, never a miss and never "no hits"`, async () => {
      await using w = await world(() => reply, { retry: { attempts: 2, baseMs: 1, ceilingMs: 10 } })
      expect((await w.search(db, "insulin")).result.kind).toBe("failure")
      const { outcomes } = await w.fetch(db, id)
      expect(outcomes.map(({ kind }) => kind)).toEqual(["failure"])
    })
  }

  for (const [format, { kind }] of Object.entries(connector.files))
    test(`an outage is a failure of ${format}, with nothing on disk`, async () => {
      for (const [what, reply] of OUTAGES) {
        await using w = await world(() => reply, { retry: { attempts: 1 } })
        const { outcomes } = await w.file(db, format, id)
        // That this id has no such format may be known without asking.
        if (w.server.requests.length === 0) expect(["miss", "failure"]).toContain(outcomes[0]?.kind ?? "nothing")
        // A file's own 404 may be an HTML page: that one is the service's word that there is none.
        else if (what.includes("404")) expect(["failure", "miss"]).toContain(outcomes[0]?.kind ?? "nothing")
        // A page is what was asked for.
        else if (!(kind === "html" && what.includes("200")))
          expect(`${what}: ${outcomes[0]?.kind}`).toBe(`${what}: failure`)
        if (outcomes[0]?.kind !== "file") expect(await readdir(w.directory)).toEqual([])
      }
    })

  test("an abort in flight stops search, record and file", async () => {
    await using w = await world(() => () => undefined)
    const format = Object.keys(connector.files)[0] ?? ""
    const calls = [
      (signal: AbortSignal) => w.science.search(db, { query: "insulin", signal }),
      (signal: AbortSignal) => w.science.fetch(db, [id], signal),
      (signal: AbortSignal) => w.science.fetchFiles(db, [id], { format, ask: async () => undefined, signal }),
    ]
    for (const call of calls) {
      const controller = new AbortController()
      const running = call(controller.signal)
      setTimeout(() => controller.abort(new Error("enough")), 30)
      await expect(running).rejects.toThrow("enough")
    }
  })

  test("a query in any script reaches the service as it is, or is refused", async () => {
    for (const query of [
      "α-синуклеин 胰岛素",
      "Crohn's disease",
      "a & b = c?d#e",
      '100% "quoted" (x) [y] {z} \\',
      "café",
    ]) {
      await using w = await world(() => ({ status: 503 }), { retry: { attempts: 1 } })
      const { result } = await w.search(db, query)
      expect(result.kind).toBe("failure")
      for (const { path } of w.server.requests) expect(() => decodeURIComponent(path)).not.toThrow()
    }
  })

  test("a blank query is refused without a request", async () => {
    await using w = await world(() => "{}")
    expect((await w.search(db, "   ")).result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(0)
  })

  test("a cursor that is none of its own is refused, or passed on", async () => {
    await using w = await world(() => ({ status: 503 }), { retry: { attempts: 1 } })
    const { result } = await w.search(db, "insulin", { cursor: "../x" })
    expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(0)
  })
})

test("no two databases have one id", () => {
  const ids = connectors.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})
