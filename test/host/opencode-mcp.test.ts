import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { listen, type Listening } from "../mcp/servers/http.ts"
import { nemarServer } from "../mcp/servers/nemar.ts"
import { runOpencode, type OpencodeOptions } from "../support/opencode.ts"

const script = path.join(import.meta.dirname, "../mcp/servers/reactome-stdio.ts")

let nemar: Listening
beforeAll(async () => {
  nemar = await nemarServer()
})
afterAll(() => nemar[Symbol.asyncDispose]())

const run = (options: Omit<OpencodeOptions, "mirrors">, servers: Record<string, unknown> = {}) =>
  runOpencode({ mirrors: {}, pluginOptions: { mcp: { nemar: { url: nemar.url }, ...servers } }, ...options })
const calls = (...args: [name: string, args: Record<string, unknown>][]) => [
  { call: args.map(([name, args]) => ({ name, args })) },
  { say: "done" },
]

describe("in the real opencode", () => {
  test("an MCP server's tools are offered with its own schemas and the guide, and called", async () => {
    const recording = { dataset_id: "nm000001", recording: "sub-01" }
    await using r = await run({
      turns: calls(
        ["nemar_search_datasets", { query: "rest", limit: 1 }],
        ["nemar_describe_dataset", { dataset_id: "nm999999" }],
        ["nemar_render_overview", recording],
      ),
    })
    const offered = r.model.requests[0]?.tools?.map((tool) => tool.function) ?? []
    const search = offered.find(({ name }) => name === "nemar_search_datasets")
    expect(search?.description).toStartWith("NEMAR: public EEG")
    expect(search?.parameters).toMatchObject({
      type: "object",
      properties: { query: { type: "string" }, limit: { type: "integer", default: 20, minimum: 1, maximum: 100 } },
      additionalProperties: {},
    })
    expect(search?.parameters).not.toHaveProperty("required")
    expect(offered.filter(({ name }) => name.startsWith("nemar_"))).toHaveLength(6)
    const [found, refused, picture] = r.model.toolResults()
    expect(found).toContain('"dataset_id":"nm000001"')
    expect(refused).toMatch(/^nemar refused: Dataset "nm999999" was not found/)
    expect(picture).toMatch(/^\[image, image\/png, \d+ bytes: shown beside this text\]/)
    expect(JSON.stringify(r.model.requests[1]?.messages)).toContain("Attached media from tool result")
    expect(await r.files()).toEqual([])
  })

  test("the plan agent reads the outline of a long answer, of which nothing is written; the build agent gets its path", async () => {
    const turns = calls(["nemar_search_datasets", { query: "everything" }])
    await using plan = await run({ turns, args: ["--agent", "plan"] })
    expect(plan.model.toolResults()[0]).toContain("not saved, denied: Nothing was written.")
    expect(plan.model.toolResults()[0]).toContain("results: array of 900 objects")
    expect(await plan.files()).toEqual([])
    await using build = await run({ turns })
    expect(build.model.toolResults()[0]).toMatch(/saved to \.openscience\/fetch\/mcp-nemar\/search_datasets-\w+\.json/)
  })

  test("a server that is started there answers, and is gone with all that it started when the host ends", async () => {
    const pids = path.join(tmpdir(), `pids-${crypto.randomUUID()}`)
    const local = { command: process.execPath, args: [script], env: { PIDS: pids, GRANDCHILD: "1" } }
    await using r = await run({ turns: calls(["local_reactome_search", { query: "cell" }]) }, { local })
    expect(r.model.toolResults()[0]).toContain("Results for cell")
    const started = (await readFile(pids, "utf8")).split("\n").filter(Boolean)
    expect(started.length).toBeGreaterThanOrEqual(2)
    const alive = () =>
      started.filter((pid) => /^[RSD]/.test(Bun.spawnSync(["ps", "-o", "stat=", "-p", pid]).stdout.toString()))
    for (const until = Date.now() + 5_000; alive().length > 0 && Date.now() < until;) await Bun.sleep(100)
    expect(alive()).toEqual([])
    await rm(pids)
  })

  test("a rule of the host forbids a tool, and the server is not asked", async () => {
    const before = nemar.asked.filter(({ rpc }) => rpc === "tools/call").length
    await using r = await run({
      turns: calls(["nemar_get_events", { dataset_id: "nm000001", recording: "x" }]),
      config: { permission: { "nemar_*": { "nemar:get_*": "deny" } } },
    })
    expect(r.model.toolResults()[0]).toMatch(/^denied: /)
    expect(nemar.asked.filter(({ rpc }) => rpc === "tools/call")).toHaveLength(before)
  })

  test("servers that hang or refuse cost the start little, are a line in the log each, and nobody else's tools", async () => {
    await using hung = await listen(() => undefined)
    await using closed = await listen((_, response) => response.writeHead(401).end())
    await using r = await run(
      { turns: calls(["nemar_search_datasets", {}]), args: ["--print-logs"] },
      { hung: { url: hung.url, timeouts: { startMs: 500, connectMs: 1_500 } }, closed: { url: closed.url } },
    )
    const names = r.model.requests[0]?.tools?.map((tool) => tool.function.name) ?? []
    expect(names).toContain("nemar_search_datasets")
    expect(names).toContain("science_fetch")
    expect(r.stderr).toContain("Authentication failed (401 Unauthorized)")
    expect(r.stdout).not.toContain("MCP server")
    expect(r.exitCode).toBe(0)
  })
})
