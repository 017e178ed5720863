/**
 * Against the real servers: off unless OPENCODE_SCIENCE_NETWORK=1 says that there is a network. Reactome's is a server of one's own, which
 * REACTOME_MCP_URL or REACTOME_MCP_SERVER names.
 */
import { describe, expect, test } from "bun:test"
import { mcpWorld } from "./world.ts"

const env = Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
const network = env["OPENCODE_SCIENCE_NETWORK"] === "1"
const reactome = network && Boolean(env["REACTOME_MCP_URL"] || env["REACTOME_MCP_SERVER"])
const limits = { timeouts: { connectMs: 30_000 } }

describe.skipIf(!network)("NEMAR", () => {
  test("has its six tools, answers a search, and describes what it found", async () => {
    await using w = await mcpWorld({ nemar: limits })
    const ids = (await w.mcp.tools()).map(({ id }) => id)
    for (const tool of [
      "search_datasets",
      "describe_dataset",
      "list_recordings",
      "get_events",
      "render_overview",
      "read_window",
    ])
      expect(ids).toContain(`nemar_${tool}`)
    const found = await w.call("nemar_search_datasets", { query: "oddball", limit: 2 })
    const id = /\b(?:nm|on)\d{6}\b/.exec(found.output)?.[0] ?? ""
    expect(id).not.toBe("")
    expect((await w.call("nemar_describe_dataset", { dataset_id: id })).output).toContain("zarr_status")
    expect((await w.call("nemar_describe_dataset", { dataset_id: "nm999999" })).output).toMatch(/^nemar refused: /)
  }, 90_000)
})

describe.skipIf(!reactome)("Reactome", () => {
  test("has its usual tools and finds a pathway", async () => {
    await using w = await mcpWorld({ reactome: limits }, { env })
    expect((await w.mcp.tools()).length).toBeGreaterThan(5)
    expect((await w.call("reactome_search", { query: "apoptosis" })).output).toContain("R-HSA-")
  }, 90_000)
})
