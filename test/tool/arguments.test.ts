import { describe, expect, test } from "bun:test"
import type { Connector, SearchOptions } from "../../src/science/connector.ts"
import { single } from "../support/things.ts"
import { toolWorld } from "../support/tool-world.ts"

const hits = () => JSON.stringify({ total: 0, things: [] })
const open = (answer = hits) => toolWorld(answer, { connectors: [single] })

describe("arguments as models send them", () => {
  test("a number that came as text is a number, and every spelling of no value is no value", async () => {
    const seen: SearchOptions[] = []
    const recording: Connector = {
      ...single,
      organismFilter: true,
      search: async (_, options) => {
        seen.push(options)
        return { hits: [] }
      },
    }
    await using t = await toolWorld(hits, { connectors: [recording] })
    await t.call("science_search", { db: "things", query: "p53", limit: "5", cursor: "null", organism: "" })
    await t.call("science_search", { db: "things", query: "p53", limit: null, cursor: "undefined", organism: " None " })
    expect(seen).toEqual([{ limit: 5 }, { limit: 10 }])
  })

  test.each([
    [{ limit: "many" }, "limit"],
    [{ limit: 0 }, "limit"],
    [{ limit: 101 }, "limit"],
    [{ limit: 2.5 }, "limit"],
    [{ db: {} }, "db"],
  ])("%p is refused in one sentence that names %p, and nothing is asked", async (wrong, field) => {
    await using t = await open()
    const { output, metadata } = await t.call("science_search", { db: "things", query: "p53", ...wrong })
    expect(output).toContain(`\`${field}\``)
    expect(output.split("\n")).toHaveLength(1)
    expect(metadata["error"]).toBeString()
    expect(t.world.server.requests).toHaveLength(0)
  })

  test.each([
    [undefined],
    [null],
    ["uniprot"],
    [[]],
    [{}],
    [{ query: "x" }],
    [{ db: "things" }],
    [{ db: "things", query: "  " }],
  ])("%p is refused in plain words", async (args) => {
    await using t = await open()
    const { output, metadata } = await t.call("science_search", args)
    expect(metadata["error"]).toBeString()
    expect(output).toMatch(/db|query/)
    expect(t.world.server.requests).toHaveLength(0)
  })

  test("ids as a list or a number are understood", async () => {
    await using t = await toolWorld(({ path }) => JSON.stringify({ id: path.split("/").pop() }), {
      connectors: [{ ...single, ids: { ...single.ids, pattern: /^\d+$/, normalize: (id) => id } }],
    })
    expect((await t.call("science_fetch", { db: "things", id: [1, "2"] })).metadata["count"]).toBe(2)
    expect((await t.call("science_fetch", { db: "things", id: 3 })).metadata["count"]).toBe(1)
  })

  test("an argument that the tool does not have is said to be not used", async () => {
    await using t = await open()
    const { output } = await t.call("science_search", { db: "things", query: "x", taxon: 9606 })
    expect(output).toContain("note: science_search has no `taxon`: not used")
  })

  test("such a note does not lift a long answer over the bound", async () => {
    const many = {
      ...single,
      search: async () => ({ hits: Array.from({ length: 100 }, (_, i) => ({ id: `T${i}`, title: "x" })) }),
    }
    await using t = await toolWorld(hits, { connectors: [many] })
    const limits = { bytes: 100_000, lines: 101 }
    const { output, metadata } = await t.call(
      "science_search",
      { db: "things", query: "x", limit: 100, page: 2 },
      { limits },
    )
    expect(output.split("\n").length).toBeLessThanOrEqual(101)
    expect(metadata.truncated).toBe(true)
  })

  test("an unknown database is answered with what was probably meant", async () => {
    await using t = await open()
    const { output, metadata } = await t.call("science_fetch", { db: "thing", id: "T1" })
    expect(metadata["error"]).toBe("unknown_db")
    expect(output).toContain("did you mean things?")
  })
})
