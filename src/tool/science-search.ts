import { z } from "zod"
import { Failure } from "../science/failure.ts"
import type { Cost, Science } from "../science/science.ts"
import { SEARCH_LIMIT, type Hits, type SearchRequest } from "../science/search.ts"
import type { Failed } from "../science/outcome.ts"
import { askForTool } from "./ask.ts"
import { bound } from "./bound.ts"
import { hitsText } from "./hits.ts"
import { alternatives, sayFailure } from "./say.ts"
import prompt from "./science-search.txt" with { type: "text" }
import { failureMetadata, Tool } from "./tool.ts"

/** When several databases are asked at once, one that takes longer than this is a row that says so. */
const TOGETHER_MS = 25_000

export const scienceSearch = (science: Science, { togetherMs = TOGETHER_MS } = {}): Tool =>
  Tool.define({
    id: "science_search",
    description: prompt,
    readOnly: true,
    parameters: z.object({
      db: z.string(),
      query: z.string(),
      limit: z.number().int().min(1).max(SEARCH_LIMIT.max).optional().describe(`default ${SEARCH_LIMIT.default}`),
      cursor: z.string().optional().describe("the header's next"),
      organism: z.string().optional().describe("taxon id or name"),
    }),
    async execute({ db, query, limit, cursor, organism }, context) {
      const dbs = databasesOf(science, db)
      if (dbs.length > 1 && cursor)
        throw new Failure("invalid_query", "A cursor belongs to one database; name that one alone in db.")
      const answers = await Promise.all(
        dbs.map(async (each) => {
          try {
            await askForTool(context, "science_search", each, [query])
          } catch (error) {
            if (!(error instanceof Failure)) throw error
            return { result: { kind: "failure" as const, db: each, id: query, failure: error }, cost: undefined }
          }
          const request = { query, limit, cursor, organism, signal: context.signal }
          return await (dbs.length > 1
            ? searchInTime(science, each, request, togetherMs)
            : science.search(each, request))
        }),
      )
      const text = answers.map(({ result }) => section(science, result)).join("\n\n")
      const bounded = bound(text, context.limits)
      const results = answers.map(({ result }) => result)
      const found = results.reduce((sum, result) => sum + (result.kind === "hits" ? result.hits.length : 0), 0)
      const failures = results.filter((result) => result.kind === "failure")
      const total = costOf(answers.flatMap(({ cost }) => cost ?? []))
      const error = failures.length === results.length ? failures[0]?.failure : undefined
      return {
        title: `${dbs.join(", ")}: ${error ? error.code : `${found} hits`}`,
        output: bounded.text,
        metadata: {
          db: dbs.join(","),
          query,
          count: found,
          ...(results.length === 1 && results[0]?.kind === "hits"
            ? { total: results[0].total, next: results[0].next }
            : {}),
          ...(failures.length > 0 ? { failed: failures.map((each) => each.db) } : {}),
          ...(error ? failureMetadata(error) : {}),
          ...total,
          truncated: false,
        },
      }
    },
  })

/** One id, several with commas between, or a domain. */
function databasesOf({ registry }: Science, db: string): string[] {
  const parts = db.split(/[\s,;]+/).filter((part) => part !== "")
  const ids = parts.flatMap((part) => {
    const domain = registry.databases({ domain: part.toLowerCase() })
    return domain.length > 0 ? domain.map(({ id }) => id) : [registry.get(part).id]
  })
  return [...new Set(ids)]
}

async function searchInTime(science: Science, db: string, request: SearchRequest, limitMs: number) {
  const limit = new AbortController()
  const stop = () => limit.abort(request.signal.reason)
  request.signal.addEventListener("abort", stop, { once: true })
  const name = science.registry.get(db).name
  const timer = setTimeout(
    () => limit.abort(new Failure("timeout", `${name} took longer than ${limitMs / 1000} s; ask it alone.`)),
    limitMs,
  )
  try {
    return await science.search(db, { ...request, signal: limit.signal })
  } finally {
    clearTimeout(timer)
    request.signal.removeEventListener("abort", stop)
  }
}

function section({ registry }: Science, result: Hits | Failed): string {
  const connector = registry.get(result.db)
  if (result.kind === "hits") return hitsText(result, connector)
  return `${connector.name} · ${sayFailure(result.failure, alternatives(registry, result.db))}`
}

function costOf(costs: Cost[]) {
  return {
    requests: costs.reduce((sum, cost) => sum + cost.requests, 0),
    cached: costs.reduce((sum, cost) => sum + cost.cached, 0),
    ms: Math.max(0, ...costs.map(({ ms }) => ms)),
  }
}
