import type { Connector } from "../../science/connector.ts"
import type { Failed } from "../../science/outcome.ts"
import type { Cost, Science } from "../../science/science.ts"

export const CHECKS = ["search", "record", "file", "miss"] as const

export type CheckName = (typeof CHECKS)[number]

/** How one question to a database went. */
export interface Check {
  name: CheckName
  asked: string
  /** `ok`, `none` where the database has no files, else what is wrong. */
  result: "ok" | "none" | "broken"
  /** Of a broken one: a failure's code and sentence, or what came instead. */
  why?: string
  ms: number
  bytes: number
}

export interface Examined {
  db: string
  checks: Check[]
  broken: boolean
}

/** Asks one database one search, one record, one file and one id that does not exist. Nothing is waited for but the answers. */
export async function examine(
  science: Science,
  { id: db, ids, files, probe }: Connector,
  signal: AbortSignal,
): Promise<Examined> {
  const id = probe.id ?? ids.examples[0]
  const format = probe.format ?? Object.keys(files)[0]
  const checks: Check[] = []
  const note = (name: CheckName, asked: string, cost: Cost, why: string | undefined) =>
    checks.push({
      name,
      asked,
      result: why === undefined ? "ok" : "broken",
      ...(why === undefined ? {} : { why }),
      ms: cost.ms,
      bytes: cost.bytes,
    })

  const search = await science.search(db, { query: probe.query, limit: 3, signal })
  note(
    "search",
    probe.query,
    search.cost,
    search.result.kind === "failure" ? said(search.result) : search.result.hits.length === 0 ? "no hits" : undefined,
  )

  const record = await science.fetch(db, [id], signal)
  note("record", id, record.cost, unlessKind("record", record.outcomes[0]))

  if (format === undefined) checks.push({ name: "file", asked: "", result: "none", ms: 0, bytes: 0 })
  else {
    const file = await science.fetchFiles(db, [id], { format, ask: async () => undefined, signal })
    note("file", `${id} as ${format}`, file.cost, unlessKind("file", file.outcomes[0]))
  }

  const miss = await science.fetch(db, [probe.missing], signal)
  note("miss", probe.missing, miss.cost, unlessKind("miss", miss.outcomes[0]))
  return { db, checks, broken: checks.some(({ result }) => result === "broken") }
}

const said = ({ failure: { code, message } }: Failed) => `${code}: ${message}`

type Outcome = { kind: "record" | "file"; id: string } | { kind: "miss"; id: string; reason?: string } | Failed

function unlessKind(wanted: Outcome["kind"], outcome: Outcome | undefined): string | undefined {
  if (outcome === undefined) return "nothing came back"
  if (outcome.kind === wanted) return undefined
  if (outcome.kind === "failure") return said(outcome)
  return outcome.kind === "miss"
    ? `no such record${outcome.reason ? ` (${outcome.reason})` : ""}`
    : `a ${outcome.kind} came, where a ${wanted} was to be expected`
}
