/**
 * Measures what docs/performance.md quotes: ratios against something measured in the same run, and counts. Everything is on loopback.
 *
 *   bun script/bench.ts [--gigabytes 1]
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import http from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import { parseArgs } from "node:util"
import { toolsOf } from "../src/create.ts"
import { connectors } from "../src/science/connectors/index.ts"
import { createScience } from "../src/science/science.ts"
import type { ToolContext } from "../src/tool/context.ts"
import { noPace } from "../test/support/world.ts"
import { article, P53 } from "./bench-answers.ts"

const { values } = parseArgs({ options: { gigabytes: { type: "string", default: "1" } } })
const MB = 1024 * 1024

let requests = 0
const chunk = Buffer.alloc(MB, "ATOM      1  N   MET A   1      27.340  24.430   2.614  1.00  9.67           N  \n")
const server = http.createServer((request, response) => {
  requests++
  const url = new URL(request.url ?? "/", "http://x")
  if (url.pathname.includes("efetch")) {
    const ids = (url.searchParams.get("id") ?? "").split(",")
    response.setHeader("content-type", "text/xml")
    return response.end(`<?xml version="1.0"?><PubmedArticleSet>${ids.map(article).join("")}</PubmedArticleSet>`)
  }
  if (url.pathname.endsWith(".cif")) return void stream(response, Number(values.gigabytes) * 1024)
  response.setHeader("content-type", "application/json")
  return response.end(P53)
})
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
const address = server.address()
const origin = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`

async function stream(response: http.ServerResponse, megabytes: number) {
  const head = "data_1A8O\n#\n"
  response.setHeader("content-length", megabytes * MB + head.length)
  response.write(head)
  for (let i = 0; i < megabytes; i++)
    if (!response.write(chunk)) await new Promise((resolve) => response.once("drain", resolve))
  response.end()
}

const directory = await mkdtemp(path.join(tmpdir(), "bench-"))
const context: ToolContext = {
  directory,
  worktree: directory,
  signal: new AbortController().signal,
  ask: async () => undefined,
}
const fetchTool = () => {
  const science = createScience({
    connectors,
    env: {},
    pace: noPace(),
    mirrors: { "*": `${origin}/{host}` },
    place: { directory },
  })
  const tool = toolsOf(science).find(({ id }) => id === "science_fetch")
  if (!tool) throw new Error("no science_fetch")
  return (args: Record<string, string>) => tool.run(args, context)
}

/** The median of many runs, in milliseconds. */
async function median(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let i = 0; i < times; i++) {
    const began = performance.now()
    await work()
    taken.push(performance.now() - began)
  }
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)] ?? 0
}

const row = (what: string, figure: string) => console.log(`${what.padEnd(72)}${figure}`)

const url = `${origin}/rest.uniprot.org/uniprotkb/P04637.json`
const bare = async () => JSON.parse(await (await fetch(url)).text())
const throughTool = () => fetchTool()({ db: "uniprot", id: "P04637" })
await median(50, bare)
await median(50, throughTool)
const bareMs = await median(300, bare)
const toolMs = await median(300, throughTool)
row(
  `a ${Math.round(P53.length / 1024)} KB record through science_fetch / bare fetch and JSON.parse`,
  `${(toolMs / bareMs).toFixed(1)} ×`,
)

const again = fetchTool()
const { metadata } = await again({ db: "uniprot", id: "P04637" })
if (metadata["disposition"] !== "inline") throw new Error(`the record was not shown: ${JSON.stringify(metadata)}`)
requests = 0
await again({ db: "uniprot", id: "P04637" })
row("requests of a repeated fetch", String(requests))
const cachedMs = await median(300, () => again({ db: "uniprot", id: "P04637" }))
row("a repeated fetch / bare fetch and JSON.parse", `${(cachedMs / bareMs).toFixed(1)} ×`)

requests = 0
const ids = Array.from({ length: 100 }, (_, i) => String(30_000_000 + i)).join("\n")
const many = await fetchTool()({ db: "pubmed", id: ids })
row(`requests for 100 PubMed ids (${many.metadata["count"]} records)`, String(requests))

const before = process.memoryUsage.rss()
let peak = before
const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20)
const spillMs = await median(1, async () => {
  const { metadata } = await fetchTool()({ db: "rcsb-pdb", id: "1A8O", format: "cif" })
  if (typeof metadata["path"] !== "string") throw new Error(`the file was not saved: ${JSON.stringify(metadata)}`)
})
clearInterval(watch)
row(
  `peak memory while a ${values.gigabytes} GB file spills, over that before`,
  `${((peak - before) / MB).toFixed(0)} MB`,
)
const drain = await median(1, async () => {
  const response = await fetch(`${origin}/x.cif`)
  for await (const part of response.body ?? []) void part
})
row(`the same file through science_fetch / only received`, `${(spillMs / drain).toFixed(1)} ×`)

/** Processor time of a process that loads a bundle, as a host loads the plugin: what else runs on the machine does not count. */
async function loading(...imports: string[]): Promise<number> {
  const source = path.resolve(import.meta.dirname, "../src/science")
  const entry = path.join(directory, "entry.ts")
  await writeFile(entry, imports.map((name) => `import ${JSON.stringify(path.join(source, name))}\n`).join(""))
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    target: "node",
    outdir: path.join(directory, "bundle"),
    // As server.js is built.
    minify: { whitespace: true, syntax: true },
  })
  const times = Array.from(
    { length: 15 },
    () => Number(Bun.spawnSync([process.execPath, outputs[0]?.path ?? ""]).resourceUsage.cpuTime.total) / 1000,
  )
  return times.sort((a, b) => a - b)[7] ?? 0
}

const framework = await loading("science.ts")
const withConnectors = await loading("science.ts", "connectors/index.ts")
row(
  `loading ${connectors.length} connectors over loading the framework alone, built`,
  `${(withConnectors - framework).toFixed(0)} ms of processor time (${(withConnectors / framework).toFixed(2)} ×)`,
)

server.closeAllConnections()
server.close()
await rm(directory, { recursive: true, force: true })
