import { describe, expect, test } from "bun:test"
import { rawServer, tool } from "./servers/raw.ts"
import { mcpWorld } from "./world.ts"

/** The names of the tools that come of pages, with the log. */
async function listed(pages: (cursor: string | undefined) => unknown, config: Record<string, unknown> = {}) {
  await using server = await rawServer(({ method, params }) => (method === "tools/list" ? pages(params.cursor) : {}))
  await using w = await mcpWorld({ raw: { url: server.url, ...config } })
  const tools = await w.mcp.tools()
  const asked = server.asked.filter(({ rpc }) => rpc === "tools/list").length
  return { names: tools.map(({ id }) => id), tools, lines: w.lines, asked }
}

describe("a malformed tool", () => {
  test.each([
    [{ name: "bad" }],
    [tool("bad", { inputSchema: null })],
    [tool("bad", { inputSchema: "object" })],
    [tool("bad", { inputSchema: { properties: {} } })],
    [tool("bad", { inputSchema: { type: ["object", "null"] } })],
    [tool(undefined)],
    [tool(7)],
    [tool("")],
    ["bad"],
    [null],
  ])("%j costs only itself, and a line", async (bad) => {
    const { names, lines } = await listed(() => ({ tools: [tool("one"), bad, tool("two")] }))
    expect(names).toEqual(["raw_one", "raw_two"])
    expect(lines).toEqual([expect.stringMatching(/^MCP server "raw": .* is left out: /)])
  })

  test.each([
    { description: null },
    { title: null },
    { annotations: { readOnlyHint: "yes" } },
    { outputSchema: { $ref: "#/nowhere" } },
    { inputSchema: { type: "object", properties: { raw: true } } },
  ])("is none where only %j is odd", async (more) => {
    const odd = tool("odd", more)
    const { names, tools } = await listed(() => ({ tools: [tool("one"), odd] }))
    expect(names).toEqual(["raw_one", "raw_odd"])
    expect(tools[1]?.schema).toEqual(odd.inputSchema)
  })
})

describe("pages", () => {
  test("are all read, with cursors given back as they came", async () => {
    const { names } = await listed((cursor) =>
      cursor === undefined ? { tools: [tool("a")], nextCursor: "x/+= y" } : { tools: [tool(`b${cursor.length}`)] },
    )
    expect(names).toEqual(["raw_a", "raw_b6"])
  })

  test.each([
    ["grow", (cursor: string | undefined) => `${cursor ?? ""}x`],
    ["repeat", () => "same"],
  ])("without an end are cut, and it is said (cursors that %s)", async (_, next) => {
    const { names, lines, asked } = await listed((cursor) => ({
      tools: [tool(`t${(cursor ?? "").length}`)],
      nextCursor: next(cursor),
    }))
    expect(names.length).toBeGreaterThan(0)
    expect(asked).toBeLessThanOrEqual(50)
    expect(lines).toEqual([expect.stringMatching(/its list of tools does not end/)])
  })

  test("that hold thousands of tools are cut at 500", async () => {
    const { names } = await listed(() => ({ tools: Array.from({ length: 3000 }, (_, i) => tool(`t${i}`)) }))
    expect(names).toHaveLength(500)
  })

  test("of which a later one fails give what came before, and it is said", async () => {
    const { names, lines } = await listed((cursor) =>
      cursor === undefined ? { tools: [tool("a")], nextCursor: "2" } : { tools: "broken" },
    )
    expect(names).toEqual(["raw_a"])
    expect(lines).toEqual([expect.stringMatching(/page 2 of its tools could not be had/)])
  })
})

test("a list of tools allows by the server's names or ours, with wildcards, and names what is not there", async () => {
  const page = () => ({ tools: [tool("get_a"), tool("get_b"), tool("put_a")] })
  const { names, lines } = await listed(page, { tools: ["get_*", "raw_put_a", "gone"] })
  expect(names).toEqual(["raw_get_a", "raw_get_b", "raw_put_a"])
  expect(lines).toEqual([expect.stringMatching(/it has no gone/)])
  expect((await listed(page, { tools: ["put_a"] })).names).toEqual(["raw_put_a"])
})
