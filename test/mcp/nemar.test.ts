import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import path from "node:path"
import { z } from "zod"
import { isPreset, presetOf } from "../../src/mcp/presets/index.ts"
import { nemarServer, PNG } from "./servers/nemar.ts"
import type { Listening } from "./servers/http.ts"
import { mcpWorld } from "./world.ts"

const TOOLS = [
  "nemar_search_datasets",
  "nemar_describe_dataset",
  "nemar_list_recordings",
  "nemar_get_events",
  "nemar_render_overview",
  "nemar_read_window",
]

let server: Listening
beforeAll(async () => {
  server = await nemarServer()
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => {
  server.asked.length = 0
})

const world = (options = {}) => mcpWorld({ nemar: { url: server.url } }, options)
const recording = { dataset_id: "nm000001", recording: "sub-01" }

const Listed = z.object({
  result: z.object({ tools: z.array(z.looseObject({ name: z.string(), inputSchema: z.unknown() })) }),
})

describe("a stateless server of the 2026-07-28 revision", () => {
  test("gives its six tools under its prefix, with the schemas as it sent them", async () => {
    await using w = await world()
    const tools = await w.mcp.tools()
    expect(tools.map(({ id }) => id)).toEqual(TOOLS)
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    }
    const sent = await fetch(server.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/list",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: meta } }),
    })
    const { result } = Listed.parse(await sent.json())
    // As text: the order of keys is part of what the model reads.
    expect(JSON.stringify(tools.map(({ schema }) => schema))).toBe(
      JSON.stringify(result.tools.map(({ inputSchema }) => inputSchema)),
    )
    expect(w.lines).toEqual([])
  })

  test("costs two requests to load and one for each call, and no session", async () => {
    await using w = await world()
    await w.call("nemar_search_datasets", { query: "rest" })
    await Promise.all([w.call("nemar_get_events", recording), w.call("nemar_read_window", recording)])
    await w.mcp.close()
    expect(server.lines()).toEqual([
      "POST server/discover",
      "POST tools/list",
      "POST tools/call",
      "POST tools/call",
      "POST tools/call",
    ])
    for (const { headers } of server.asked) {
      expect(headers["mcp-protocol-version"]).toBe("2026-07-28")
      expect(headers["mcp-session-id"]).toBeUndefined()
      expect(headers.origin).toBeUndefined()
    }
  })

  test("is reached also where it speaks nothing else", async () => {
    await using modern = await nemarServer("reject")
    await using w = await mcpWorld({ nemar: { url: modern.url } })
    expect(await w.mcp.tools()).toHaveLength(6)
  })

  test("is found where only the host is given, by what the host says of its endpoint", async () => {
    await using w = await mcpWorld({ nemar: { url: server.base } })
    expect(await w.mcp.tools()).toHaveLength(6)
    await w.call("nemar_search_datasets", {})
    expect(server.asked.at(-1)?.path).toBe("/mcp")
  })

  test("is sent the arguments untouched, and what is absent stays absent", async () => {
    await using w = await world()
    const args = { query: "é\u0000", extra: { "": null, deep: [1e21, -0.5, "null"] }, limit: 1 }
    await w.call("nemar_search_datasets", args)
    expect(server.asked.at(-1)?.body).toMatchObject({ params: { name: "search_datasets", arguments: args } })
    await w.call("nemar_search_datasets", {})
    expect(server.asked.at(-1)?.body).toMatchObject({ params: { arguments: {} } })
  })

  test("refuses in words that come back as text, for its own reasons and for its schema's", async () => {
    await using w = await world()
    const unknown = await w.call("nemar_describe_dataset", { dataset_id: "nm999999" })
    expect(unknown.output).toBe(
      'nemar refused: Dataset "nm999999" was not found among the public datasets here. Use search_datasets to find one.',
    )
    expect(unknown.metadata).toMatchObject({ error: "refused" })
    expect((await w.call("nemar_describe_dataset", {})).output).toMatch(/^nemar refused: .*dataset_id/s)
    expect((await w.call("nemar_describe_dataset", "nm000001")).output).toContain("takes an object")
  })

  test("says what is only in its structured content, and nothing twice", async () => {
    await using w = await world()
    const taste = await w.call("nemar_read_window", { ...recording, taste: true })
    expect(taste.output).toStartWith("taste of 1 channel\n{")
    expect(taste.output).toContain("0.25")
    const { output } = await w.call("nemar_describe_dataset", { dataset_id: "nm000001" })
    expect(JSON.parse(output)).toMatchObject({ license: "CC0", zarr_verify_status: null })
  })
})

describe("a picture", () => {
  test("goes to a host that shows it, named in the text", async () => {
    await using w = await world()
    const { output, images } = await w.call("nemar_render_overview", recording, { showsImages: true })
    expect(images).toEqual([{ mediaType: "image/png", data: PNG }])
    expect(output).toStartWith("[image, image/png, ")
    expect(output).toContain('"lossy": true')
    expect(await w.files()).toEqual([])
  })

  test("is saved where the host shows none, and not in plan mode", async () => {
    await using w = await world()
    const { output } = await w.call("nemar_render_overview", recording)
    const saved = /saved to (\S+)/.exec(output)?.[1] ?? ""
    expect((await readFile(path.join(w.directory, saved))).toString("base64")).toBe(PNG)
    await using plan = await world({ mode: "plan" })
    expect((await plan.call("nemar_render_overview", recording)).output).toContain(
      "not saved, denied: Denied by plan mode",
    )
    expect(await plan.files()).toEqual([])
  })
})

describe("an answer that is too long", () => {
  const everything = { query: "everything" }

  test("is saved after asking, with a line in the manifest, and outlined", async () => {
    await using w = await world()
    const { output, metadata } = await w.call("nemar_search_datasets", everything)
    expect(output).toMatch(
      /^search_datasets answered \d+ KB, too long to show here · saved to \.openscience\/fetch\/mcp-nemar\/search_datasets-/,
    )
    expect(output).toContain("results: array of 900 objects {dataset_id, name, has_zarr}")
    expect(w.asked.map(({ permission, patterns }) => [permission, patterns])).toEqual([
      ["nemar_search_datasets", ["nemar:search_datasets"]],
      ["edit", [String(metadata["path"])]],
    ])
    const file = await readFile(path.join(w.directory, String(metadata["path"])), "utf8")
    expect(JSON.parse(file).results).toHaveLength(900)
    expect(file.split("\n").length).toBeGreaterThan(900)
    const [line] = (await readFile(path.join(w.directory, ".openscience/fetch/manifest.jsonl"), "utf8")).split("\n")
    expect(JSON.parse(line ?? "")).toMatchObject({ db: "mcp-nemar", path: metadata["path"], url: server.url })
  })

  test("is outlined and nothing is written in plan mode", async () => {
    await using w = await world({ mode: "plan" })
    const { output, metadata } = await w.call("nemar_search_datasets", everything)
    expect(output).toContain("not saved, denied: Denied by plan mode")
    expect(output).toContain("results: array of 900 objects")
    expect(metadata).toMatchObject({ error: "denied", truncated: false })
    expect(await w.files()).toEqual([])
  })

  test("is measured by the host's bound", async () => {
    await using w = await world()
    const { output } = await w.call("nemar_search_datasets", { query: "rest" }, { limits: { bytes: 200, lines: 10 } })
    expect(output).toContain("saved to")
    expect(output.length).toBeLessThan(200)
  })
})

test("a rule for the tool forbids the call, and the server is not asked", async () => {
  await using w = await world({ permission: { "nemar_*": "deny" } })
  await w.mcp.tools()
  const before = server.asked.length
  expect((await w.call("nemar_search_datasets", {})).output).toMatch(/^denied: /)
  expect(server.asked).toHaveLength(before)
})

describe("the shipped guide", () => {
  const guide = presetOf("nemar")?.guide ?? ""

  test("comes with the first tool, and each of its lines is true of what is offered", async () => {
    await using w = await world()
    const [first, ...rest] = await w.mcp.tools()
    expect(first?.description).toStartWith(guide.trim())
    expect(rest.some(({ description }) => description.includes("cheapest"))).toBe(false)
    await using few = await mcpWorld({ nemar: { url: server.url, prefix: "eeg", tools: ["describe_*", "get_events"] } })
    const [only] = await few.mcp.tools()
    expect(only?.description).toContain("2. eeg_describe_dataset: ")
    expect(only?.description).not.toMatch(/search_datasets|nemar_/)
  })

  test("names exactly the tools that the loader yields, from the cheapest up", () => {
    expect(isPreset("nemar")).toBe(true)
    expect(Array.from(guide.matchAll(/^\d\. (nemar_\w+):/gm), ([, name]) => name)).toEqual(TOOLS)
    expect(Array.from(guide.matchAll(/nemar_\w+/g), ([name]) => name).filter((name) => !TOOLS.includes(name))).toEqual(
      [],
    )
  })

  test("shows ids as the tools take them, no others, and the page of a dataset", () => {
    const ids = guide.match(/\b[a-z]{2}\d{6}\b/g) ?? []
    expect(ids.length).toBeGreaterThan(1)
    for (const id of ids) expect(id).toMatch(/^(nm|on)\d{6}$/)
    expect(guide).toContain("https://nemar.org/dataset/<id>")
  })

  test("says what is to be told of the streaming copy", () => {
    for (const word of [
      "lossy",
      "effective_rate_hz",
      "source_rate_hz",
      "zarr_verify_status null",
      "filled_ranges",
      "note",
    ])
      expect(guide).toContain(word)
  })
})
