/**
 * Records what the live services answer, for maintainers with a network: one search, one record, every file format and one missing id of each
 * database, as pairs NAME.json (the exchange) and NAME.body (its bytes). Keys are left out of what is written.
 *
 *   bun script/record.ts --out DIR [--upstream URL] [DB …]
 *
 * `--upstream http://127.0.0.1:8080/{host}` asks a mirror instead of the services themselves.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import http from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import { parseArgs } from "node:util"
import { connectors } from "../src/science/connectors/index.ts"
import type { Connector } from "../src/science/connector.ts"
import { memoryCache } from "../src/science/http/cache.ts"
import { createMirror } from "../src/science/http/mirror.ts"
import { createScience } from "../src/science/science.ts"
import { safeName } from "../src/science/spill/index.ts"

const { values, positionals } = parseArgs({
  options: { out: { type: "string" }, upstream: { type: "string" } },
  allowPositionals: true,
})
if (!values.out) {
  console.error("record.ts needs --out DIR: where the recordings go.")
  process.exit(2)
}
const out = path.resolve(values.out)
const unknown = positionals.filter((db) => !connectors.some(({ id }) => id === db))
if (unknown.length > 0) {
  console.error(`There is no database ${unknown.join(", ")}; there are ${connectors.map(({ id }) => id).join(", ")}.`)
  process.exit(2)
}

/** What is being asked, so that an exchange can be filed under it. */
interface Asked {
  connector: Connector
  operation: "search" | "fetch" | "file" | "miss"
  id?: string
  query?: string
  format?: string
}

const upstream = createMirror(values.upstream ? { "*": values.upstream } : {})
const keyNames = new Set(connectors.flatMap(({ key }) => (key ? [key.name.toLowerCase()] : [])))
const count = new Map<string, number>()
let asked: Asked | undefined

/** Passes a request on to the real service, notes the exchange, and hands the answer back, redirects as they are. */
const recorder = http.createServer(async (request, response) => {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString("utf8")
  const [, host = "", rest = "/"] = /^\/([^/?]+)(.*)$/.exec(request.url ?? "") ?? []
  const target = new URL(`https://${host}${rest || "/"}`)
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      typeof value === "string" && !["host", "connection", "content-length"].includes(name) ? [[name, value]] : [],
    ),
  )
  try {
    const answer = await fetch(upstream.to(target), {
      method: request.method ?? "GET",
      headers,
      redirect: "manual",
      ...(body ? { body } : {}),
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    if (asked)
      await note(
        asked,
        { method: request.method ?? "GET", url: withoutKeys(target), body, type: headers["content-type"] },
        answer,
        bytes,
      )
    // The body has been decoded: its coding and length are the recorder's own.
    const passed = [...answer.headers].filter(
      ([name]) => !["content-encoding", "content-length", "transfer-encoding", "connection"].includes(name),
    )
    response.writeHead(answer.status, Object.fromEntries(passed)).end(bytes)
  } catch (error) {
    console.error(`${target.host}: ${error instanceof Error ? error.message : error}`)
    response.destroy()
  }
})

function withoutKeys(url: URL): string {
  const clean = new URL(url)
  for (const name of [...clean.searchParams.keys()])
    if (keyNames.has(name.toLowerCase())) clean.searchParams.delete(name)
  return clean.href
}

async function note(
  { connector, operation, id, query, format }: Asked,
  request: { method: string; url: string; body: string; type: string | undefined },
  answer: Response,
  bytes: Uint8Array,
) {
  const stem = [operation, safeName(id ?? query ?? ""), ...(format ? [format.replaceAll(".", "-")] : [])].join("-")
  const turn = (count.get(`${connector.id}/${stem}`) ?? 0) + 1
  count.set(`${connector.id}/${stem}`, turn)
  const name = turn === 1 ? stem : `${stem}-${turn}`
  const folder = path.join(out, connector.id)
  await mkdir(folder, { recursive: true })
  const exchange = {
    db: connector.id,
    operation,
    ...(id === undefined ? {} : { id }),
    ...(query === undefined ? {} : { query }),
    ...(format === undefined ? {} : { format }),
    request: {
      method: request.method,
      url: request.url,
      ...(request.body ? { body: request.type === "application/json" ? JSON.parse(request.body) : request.body } : {}),
    },
    response: {
      status: answer.status,
      headers: Object.fromEntries([...answer.headers].filter(([header]) => header !== "set-cookie")),
    },
    body: `${name}.body`,
    source: { recorded: new Date().toISOString().slice(0, 10) },
    fidelity: "raw",
  }
  await writeFile(path.join(folder, `${name}.body`), bytes)
  await writeFile(path.join(folder, `${name}.json`), `${JSON.stringify(exchange, null, 1)}\n`)
}

await new Promise<void>((resolve) => recorder.listen(0, "127.0.0.1", resolve))
const address = recorder.address()
const mirror = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/{host}`
const directory = await mkdtemp(path.join(tmpdir(), "record-"))
const science = createScience({
  connectors,
  cache: memoryCache(),
  mirrors: { "*": mirror },
  retry: { attempts: 1 },
  place: { directory },
})
const { signal } = new AbortController()

for (const connector of connectors.filter(({ id }) => positionals.length === 0 || positionals.includes(id))) {
  const { id: db, probe, ids, files } = connector
  const id = probe.id ?? ids.examples[0]
  asked = { connector, operation: "search", query: probe.query }
  await science.search(db, { query: probe.query, limit: 5, signal })
  asked = { connector, operation: "fetch", id }
  await science.fetch(db, [id], signal)
  for (const format of Object.keys(files)) {
    asked = { connector, operation: "file", id, format }
    await science.fetchFiles(db, [id], { format, ask: async () => undefined, signal })
  }
  asked = { connector, operation: "miss", id: probe.missing }
  await science.fetch(db, [probe.missing], signal)
  const made = [...count].filter(([name]) => name.startsWith(`${db}/`)).reduce((sum, [, n]) => sum + n, 0)
  console.log(`${db.padEnd(22)}${made} exchanges`)
}

recorder.closeAllConnections()
recorder.close()
await rm(directory, { recursive: true, force: true })
