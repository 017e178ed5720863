/**
 * Holds the connectors against recorded answers of the real services, through the real tools and a loopback replay.
 *
 *   bun script/conformance.ts --recorded DIR [DB …]
 *
 * Each recording is first asked for as a user would ask for it (search, record, file). Where no such call reaches it (another endpoint,
 * an odd spelling), every request of such a call is answered with it: then it must not be misread, an error never being a miss and a miss
 * never a record. Prints a table and every wrong row; exits 1 when there is one.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { parseArgs } from "node:util"
import { z } from "zod"
import { toolsOf } from "../src/create.ts"
import { connectors } from "../src/science/connectors/index.ts"
import type { Connector } from "../src/science/connector.ts"
import { isObject, readJson } from "../src/science/json.ts"
import { createScience } from "../src/science/science.ts"
import type { ToolResult } from "../src/tool/context.ts"
import { loopback } from "../test/support/loopback.ts"
import { noPace, requiredKeys } from "../test/support/world.ts"

const { values, positionals } = parseArgs({ options: { recorded: { type: "string" } }, allowPositionals: true })
const recorded = path.resolve(values.recorded ?? "../shared/recorded")

const Recording = z.object({
  name: z.string(),
  db: z.string(),
  operation: z.enum(["search", "fetch", "file", "miss", "error", "ratelimit"]),
  id: z.string().optional(),
  query: z.string().optional(),
  format: z.string().optional(),
  request: z.looseObject({ method: z.string().optional(), url: z.string(), body: z.unknown().optional() }),
  response: z.object({ status: z.number(), headers: z.record(z.string(), z.string()).optional() }),
  fidelity: z.string().optional(),
  note: z.string().optional(),
  bodyPath: z.string(),
})
type Recording = z.infer<typeof Recording>

interface Call {
  tool: "science_search" | "science_fetch"
  args: { db: string; query?: string; id?: string; format?: string; limit?: number; cursor?: string; organism?: string }
}

/** Recorders that took an answer out of its envelope changed its form: it must then be refused, never read as "no such record". */
const RESHAPED = /unwrapped|inner XML|content of result|[Tt]he body is|one element of|only result|took \S+ out of/

type Verdict = { row: "right" | "wrong" | "not reached"; why?: string }

const replay = await import(path.join(recorded, "../tools/replay.mjs"))
const ours = new Set(connectors.map(({ id }) => id))
const all = z.array(Recording).parse(replay.load([recorded]).filter(({ db }: { db: string }) => ours.has(db)))

const table = new Map<string, Record<Verdict["row"], number>>()
const wrong: string[] = []
for (const connector of connectors) {
  if (positionals.length > 0 && !positionals.includes(connector.id)) continue
  for (const recording of all.filter(({ db }) => db === connector.id)) {
    const verdict = await judge(connector, recording)
    const key = `${connector.id.padEnd(22)}${recording.operation.padEnd(11)}`
    const row = table.get(key) ?? { right: 0, wrong: 0, "not reached": 0 }
    row[verdict.row]++
    table.set(key, row)
    if (verdict.row !== "right")
      console.log(`${verdict.row.padEnd(12)}${recording.name}${verdict.why ? `: ${verdict.why}` : ""}`)
    if (verdict.row === "wrong") wrong.push(recording.name)
  }
}

console.log(`\n${"database".padEnd(22)}${"operation".padEnd(11)}right  wrong  no natural call`)
for (const [key, row] of table)
  console.log(
    `${key}${String(row.right).padStart(5)}${String(row.wrong).padStart(7)}${String(row["not reached"]).padStart(17)}`,
  )
const total = (row: Verdict["row"]) => [...table.values()].reduce((sum, each) => sum + each[row], 0)
console.log(
  `\n${total("right")} right, ${total("wrong")} wrong, ${total("not reached")} without a natural call and not misread when forced`,
)
if (wrong.length > 0) process.exitCode = 1

async function judge(connector: Connector, recording: Recording): Promise<Verdict> {
  // Of several answers to the same request only this one is served: the replay would choose for itself.
  const others = replay.load([path.join(recorded, connector.id)])
  const pool = others.filter((each: Recording) => recording.name.endsWith(each.name) || !sameRequest(each, recording))
  const served = await replay.serve(pool)
  const verdicts: Verdict[] = []
  try {
    for (const call of naturalCalls(connector, recording)) {
      const before = served.requests.length
      await run(served.url, call, async (result, directory) => {
        const seen: Request[] = served.requests.slice(before)
        const own = seen.find(({ matched }) => matched !== null && recording.name.endsWith(matched))
        if (own && sameQuestion(own, recording.request))
          verdicts.push(await weigh(recording, call, result, directory, seen.length > 1))
      })
      if (verdicts.some(({ row }) => row === "right")) return { row: "right" }
    }
  } finally {
    await served.close()
  }
  return verdicts[0] ?? (await force(connector, recording))
}

interface Request {
  matched: string | null
  url: string
  body?: string
}

function sameRequest(a: Recording, b: Recording): boolean {
  return a.request.url === b.request.url && (a.request.method ?? "GET") === (b.request.method ?? "GET")
}

/**
 * The replay takes retmode for incidental and compares bodies by their words: an answer in another form, or to a GraphQL query for other
 * fields than ours, is not an answer to this call.
 */
function sameQuestion(asked: Request, recorded: Recording["request"]): boolean {
  const form = (url: string) => new URL(url).searchParams.get("retmode") ?? ""
  if (form(asked.url) !== form(recorded.url)) return false
  const ours = fieldsOf(asked.body)
  const theirs = fieldsOf(recorded.body)
  return ours === undefined || (theirs !== undefined && [...ours].every((field) => theirs.has(field)))
}

/** The fields that a GraphQL query selects; undefined for any other body. */
function fieldsOf(body: unknown): Set<string> | undefined {
  const query = z.object({ query: z.string().regex(/^\s*(?:query\b|\{)/) }).safeParse(parsedBody(body)).data?.query
  const selection = query?.slice(query.indexOf("{")).replace(/\([^)]*\)/g, "")
  return selection === undefined ? undefined : new Set(selection.match(/\w+/g))
}

function parsedBody(body: unknown): unknown {
  return typeof body === "string" ? tryJson(body) : body
}

/** How a user would come to this recording: its id or ids as a record and in its format, its query as a search, its page of it. */
function naturalCalls(connector: Connector, { id, query, format, request }: Recording): Call[] {
  const db = connector.id
  const formats = Object.keys(connector.files)
  const files = format ? [...new Set([format, ...formats])].filter((each) => formats.includes(each)) : formats
  const ids = id && !id.startsWith("(") ? id : accessionsIn(request.body)
  const byId: Call[] = ids
    ? [
        ...(format ? files.map((each): Call => ({ tool: "science_fetch", args: { db, id: ids, format: each } })) : []),
        { tool: "science_fetch", args: { db, id: ids.replaceAll("+", "\n").replaceAll(",", "\n") } },
        ...(format ? [] : files.map((each): Call => ({ tool: "science_fetch", args: { db, id: ids, format: each } }))),
      ]
    : []
  const asked = new URL(request.url).searchParams
  const queries = [query, asked.get("query"), asked.get("search_query"), asked.get("term"), id].filter((each) => !!each)
  const limit = ["max_results", "retmax", "size", "rows"]
    .map((name) => Number(asked.get(name)))
    .find((n) => n >= 1 && n <= 100)
  const start = asked.get("start")
  const page = { ...(limit ? { limit } : {}), ...(start && start !== "0" ? { cursor: start } : {}) }
  const organisms = connector.organismFilter ? [{}, { organism: "human" }, { organism: "mouse" }] : [{}]
  const searches = [...new Set(queries)].flatMap((each) =>
    organisms.map((organism): Call => ({
      tool: "science_search",
      args: { db, query: each ?? "", ...page, ...organism },
    })),
  )
  return [...byId, ...searches]
}

/** Accessions that stand in a recorded POST body. */
function accessionsIn(body: unknown): string | undefined {
  const parsed = z.object({ accessions: z.array(z.string()) }).safeParse(parsedBody(body))
  return parsed.success ? parsed.data.accessions.join("\n") : undefined
}

function tryJson(text: string): unknown {
  try {
    return readJson(text)
  } catch {
    return undefined
  }
}

async function run<T>(
  origin: string,
  call: Call,
  use: (result: ToolResult, directory: string) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(path.join(tmpdir(), "conformance-"))
  try {
    const science = createScience({
      connectors,
      env: requiredKeys,
      pace: noPace(),
      retry: { attempts: 2, baseMs: 1, ceilingMs: 10 },
      mirrors: { "*": `${origin}/{host}` },
      place: { directory },
    })
    const tool = toolsOf(science).find(({ id }) => id === call.tool)
    if (!tool) throw new Error(`no ${call.tool}`)
    const result = await tool.run(call.args, {
      directory,
      worktree: directory,
      signal: new AbortController().signal,
      ask: async () => undefined,
    })
    return await use(result, directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** A recording that was reached: what became of it must be what it is. */
async function weigh(
  { operation, ...recording }: Recording,
  { tool, args }: Call,
  { output, metadata }: ToolResult,
  directory: string,
  amongOthers: boolean,
): Promise<Verdict> {
  const { count, error } = metadata
  const told = `${tool} ${JSON.stringify(args)} → ${output.split("\n")[0]?.slice(0, 160)}`
  const expect = (good: boolean): Verdict => (good ? { row: "right" } : { row: "wrong", why: told })
  const whole = error === undefined && Number(count) > 0
  if (recording.fidelity === "processed-by-client" && RESHAPED.test(recording.note ?? ""))
    return expect(whole || error === "bad_response")
  // Whatever it was filed under.
  const answered = operation === "fetch" && recording.response.status === 404 ? "miss" : operation
  switch (answered) {
    case "error":
    case "ratelimit":
      return expect(typeof error === "string")
    case "miss":
      // A part that a record does not have is no failure of the record.
      return expect(error === undefined && (count === 0 || (amongOthers && metadata["incomplete"] === undefined)))
    case "search":
      return expect(whole)
    case "file": {
      if (typeof metadata["path"] !== "string" || !args.format) return expect(whole && !args.format)
      const same = (await readFile(path.join(directory, metadata["path"]))).equals(await readFile(recording.bodyPath))
      return same ? { row: "right" } : { row: "wrong", why: `${told}: other bytes` }
    }
    case "fetch": {
      // Only a record is the answer itself; a search or a file may have needed it on the way.
      if (!whole || tool === "science_search" || args.format) return expect(whole)
      const lost = await lostLeaves(recording.bodyPath, output, metadata, directory)
      return lost.length === 0
        ? { row: "right" }
        : { row: "wrong", why: `${told}: lost ${lost.slice(0, 3).join(", ")} (${lost.length})` }
    }
  }
}

/** Scalars of a recorded JSON answer that what came of it does not hold. Of a list of records, one that was chosen whole is enough. */
async function lostLeaves(
  bodyPath: string,
  output: string,
  metadata: Record<string, unknown>,
  directory: string,
): Promise<string[]> {
  const body = tryJson(await readFile(bodyPath, "utf8"))
  if (body === undefined) return []
  const text =
    typeof metadata["path"] === "string" ? await readFile(path.join(directory, metadata["path"]), "utf8") : output
  const held = new Set(["null", ...leavesOf(documentsIn(text))])
  const lost = (value: unknown) => [...new Set(leavesOf(value))].filter((leaf) => !held.has(leaf))
  const all = lost(body)
  return all.length > 0 && Array.isArray(body) && body.some((each) => isObject(each) && lost(each).length === 0)
    ? []
    : all
}

/** The JSON documents in a text that has headings between them. */
function documentsIn(text: string): unknown[] {
  const found: unknown[] = []
  let pending: string[] = []
  for (const line of text.split("\n")) {
    if (pending.length === 0 && !/^[[{]/.test(line)) continue
    pending.push(line)
    const whole = /^(?:[[{].*)?[\]}]$/.test(line) ? tryJson(pending.join("\n")) : undefined
    if (whole === undefined) continue
    found.push(whole)
    pending = []
  }
  return found
}

function leavesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (isObject(value) && !("isLosslessNumber" in value)) return Object.values(value).flatMap(leavesOf)
  return [String(value)]
}

/** A recording that no natural call reaches, as the answer to every request: it must not be misread. */
async function force(connector: Connector, recording: Recording): Promise<Verdict> {
  const body = new Uint8Array(await readFile(recording.bodyPath))
  const headers = Object.fromEntries(
    Object.entries(recording.response.headers ?? {}).filter(([name]) => /^(content-type|retry-after)$/i.test(name)),
  )
  await using server = await loopback(() => ({ status: recording.response.status, headers, body }))
  const db = connector.id
  const id = connector.ids.examples[0]
  const calls: Call[] = [
    { tool: "science_fetch", args: { db, id } },
    { tool: "science_search", args: { db, query: "something" } },
    ...Object.keys(connector.files).map((format): Call => ({ tool: "science_fetch", args: { db, id, format } })),
  ]
  for (const call of calls) {
    const why = await run(server.url, call, async ({ output, metadata }) => {
      const { count, error } = metadata
      const told = `forced: ${JSON.stringify(call.args)} → ${output.split("\n")[0]?.slice(0, 160)}`
      const bad =
        recording.operation === "ratelimit" || recording.response.status === 429 || recording.response.status >= 500
      if (bad && error === undefined) return told
      if (recording.operation === "error" && recording.response.status >= 400 && Number(count) > 0) return told
      if (recording.operation === "miss" && !call.args.format && Number(count) > 0) return told
      return undefined
    })
    if (why) return { row: "wrong", why }
  }
  return { row: "not reached", why: recording.request.url.slice(0, 110) }
}
