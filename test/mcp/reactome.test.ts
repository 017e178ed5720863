import { describe, expect, test } from "bun:test"
import { presetOf } from "../../src/mcp/presets/index.ts"
import { settingsOf } from "../../src/mcp/settings.ts"
import { reactomeServer } from "./servers/reactome.ts"
import { mcpWorld } from "./world.ts"

describe("a server that issues sessions", () => {
  test("is kept as one session for all calls, which sends its id each time and is ended with DELETE", async () => {
    await using server = await reactomeServer()
    await using w = await mcpWorld({ reactome: { url: server.url } })
    await Promise.all([w.call("reactome_species"), w.call("reactome_search", { query: "cell" })])
    expect((await w.call("reactome_get_pathway", { id: "R-HSA-69278" })).output).toBe("# R-HSA-69278")
    expect(server.open()).toBe(1)
    await w.mcp.close()
    await w.mcp.close()
    expect(server.open()).toBe(0)
    const lines = server.lines()
    expect(lines.filter((line) => line === "POST initialize")).toHaveLength(1)
    expect(lines.filter((line) => line === "DELETE")).toHaveLength(1)
    const after = server.asked.slice(server.asked.findIndex(({ rpc }) => rpc === "notifications/initialized"))
    const ids = new Set(after.map(({ headers }) => headers["mcp-session-id"]))
    expect(ids.size).toBe(1)
    expect(ids.has(undefined)).toBe(false)
  })

  test("has names that begin with its prefix already, and they are not doubled; on the wire they are its own", async () => {
    await using server = await reactomeServer()
    await using w = await mcpWorld({ reactome: { url: server.url } })
    expect((await w.call("reactome_search", { query: "cell" })).output).toContain("Results for cell")
    expect(server.asked.at(-1)?.body).toMatchObject({ params: { name: "reactome_search" } })
  })

  test("may stream: what comes before the answer is passed over", async () => {
    await using server = await reactomeServer()
    await using w = await mcpWorld({ reactome: { url: server.url } })
    const { output } = await w.call("reactome_analyze_identifiers", { identifiers: ["TP53", "BRCA1"] })
    expect(output).toBe("token TOKEN for 2")
  })

  test.each([404, 400] as const)(
    "that forgot the session (%p) is connected anew once, and the call is made",
    async (status) => {
      await using server = await reactomeServer()
      await using w = await mcpWorld({ reactome: { url: server.url } })
      await w.call("reactome_species")
      server.forget(status)
      expect((await w.call("reactome_species")).output).toBe("Homo sapiens")
      expect(server.lines().filter((line) => line === "POST initialize")).toHaveLength(2)
    },
  )

  test("that wants to ask the person is told that nobody can be asked, and its words come back", async () => {
    await using server = await reactomeServer()
    await using w = await mcpWorld({ reactome: { url: server.url, tools: ["*"] } })
    const { output, metadata } = await w.call("reactome_ask")
    expect(output).toMatch(/^reactome refused: /)
    expect(metadata).toMatchObject({ error: "refused" })
  })
})

describe("the preset", () => {
  const at = (env: Record<string, string>) => settingsOf("reactome", true, env).link

  test("takes the URL over the command where both are set, and a base address as its own client does", () => {
    const both = { REACTOME_MCP_URL: "http://127.0.0.1:4320", REACTOME_MCP_SERVER: "/opt/reactome/dist/index.js" }
    expect(at(both)).toMatchObject({ kind: "http", url: new URL("http://127.0.0.1:4320/mcp") })
    expect(at({ REACTOME_MCP_URL: "https://r.example.org/other" })).toMatchObject({
      url: new URL("https://r.example.org/other"),
    })
    expect(at({ REACTOME_MCP_SERVER: "/opt/r/dist/index.js" })).toMatchObject({
      command: "node",
      args: ["/opt/r/dist/index.js"],
    })
    expect(at({ REACTOME_MCP_SERVER: "npx -y reactome-mcp" })).toMatchObject({
      command: "npx",
      args: ["-y", "reactome-mcp"],
    })
  })

  test("says what to set where nothing is, and takes no tools from there", async () => {
    await using w = await mcpWorld({ reactome: true })
    expect(await w.mcp.tools()).toEqual([])
    expect(w.lines).toEqual([
      expect.stringMatching(/^MCP server "reactome": set REACTOME_MCP_URL .* or REACTOME_MCP_SERVER/),
    ])
  })

  test("offers the usual tools, whose names its guide gives; all of them where the list says so", async () => {
    await using server = await reactomeServer()
    await using w = await mcpWorld({ reactome: true }, { env: { REACTOME_MCP_URL: server.base } })
    const ids = (await w.mcp.tools()).map(({ id }) => id)
    const { guide, tools } = presetOf("reactome") ?? { guide: "", tools: [] }
    expect(ids.toSorted()).toEqual((tools ?? []).toSorted())
    const named = new Set(guide.match(/reactome_\w+/g))
    expect([...named].toSorted()).toEqual(ids.toSorted())
    expect(guide).toMatch(/\bR-HSA-\d+\b/)
    expect(guide).toContain("https://reactome.org/content/detail/<id>")
    await using all = await mcpWorld({ reactome: { url: server.url, tools: ["*"] } })
    expect((await all.mcp.tools()).map(({ id }) => id)).toContain("reactome_export_pdf")
  })
})
