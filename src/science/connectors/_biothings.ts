import {
  asArray,
  Failure,
  keep,
  Miss,
  pick,
  z,
  type Http,
  type Json,
  type SearchOptions,
  offsetOf,
} from "../connector.ts"

/**
 * MyGene.info and MyVariant.info are one engine (github.com/biothings/biothings.api, biothings/web): the same paging, batches, errors
 * and Lucene queries over Elasticsearch.
 */
export interface BioThings {
  name: string
  /** Without a slash at its end. */
  api: string
}

/** Every member of a document may be absent, one value, or a list of them: here it is always a list. */
export const listOf = <T>(each: z.ZodType<T>) =>
  z.preprocess((value) => (value === null ? [] : asArray(value)), z.array(each))

const Found = z.lazy(() => z.object({ hits: z.array(z.unknown()) }))
const Total = z.lazy(() => z.object({ total: z.number() }))

/** `from` and `size` together reach no further (max_result_window); beyond it there is only an unsorted scroll. */
const REACHABLE_HITS = 10_000

/** One page of a query; the cursor is the offset of its first hit. */
export async function queryPage(
  http: Http,
  { name, api }: BioThings,
  query: Record<string, string | undefined>,
  { limit, cursor }: SearchOptions,
) {
  const from = offsetOf(cursor, 10_000)
  if (from + limit > REACHABLE_HITS)
    throw new Failure("invalid_query", `${name} shows the first 10,000 hits only; narrow the query.`)
  const answer = await http.json(`${api}/query`, { query: { ...query, size: limit, from: from || undefined } })
  const { hits } = keep(Found, answer)
  const { total } = pick(Total, answer)
  const next = from + hits.length
  const isLast = hits.length === 0 || next >= total || next >= REACHABLE_HITS
  return { hits, total, ...(isLast ? {} : { next: String(next) }) }
}

const Rows = z.lazy(() => z.array(z.object({ query: z.coerce.string(), notfound: z.boolean().optional() })))

/** The documents of several ids by one POST. Its rows name the id that they answer; one id may have several. */
export async function batch(
  http: Http,
  address: string,
  ids: string[],
  query: Record<string, string>,
  miss: Miss,
): Promise<Map<string, Json | Miss>> {
  const answer = await http.json(address, { form: { ids: ids.join(","), ...query } })
  const rows = pick(Rows, answer)
  const documents = keep(z.array(z.unknown()), answer)
  return new Map(
    ids.map((id) => {
      const own = documents.filter((_, i) => rows[i]?.query === id && rows[i].notfound !== true)
      return [id, own.length === 0 ? miss : own.length === 1 ? own[0] : own]
    }),
  )
}

/** Its 500 "Too Many Matches." is about the id, not about the service (web/query/pipeline.py). */
export function bioThingsFailure({ status, head }: { status: number; head: string }): Failure | undefined {
  return status === 500 && head.includes("Too Many Matches")
    ? new Failure("invalid_id", "more than 1,000 documents have this id; search instead.")
    : undefined
}

/**
 * The words of a plain query, escaped; undefined where the query has Lucene's syntax already. They must be joined by AND: without it the
 * engine takes some fields' words for alternatives.
 */
export function plainWords(text: string): string[] | undefined {
  if (SYNTAX.some((sign) => sign.test(text))) return undefined
  const words = text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  if (words.length === 0) throw new Failure("invalid_query", "there is no word in this query; say what to look for.")
  return words.map((word) => word.replace(/[<>]/g, "").replace(/[-+=&|!(){}[\]^"~*?:\\/]/g, "\\$&"))
}

const SYNTAX = [
  /(?:^|[\s(+-])[a-z_][\w.*\\-]*:\S/i, // symbol:BRAF
  /(?:^|[\s)])(?:AND|OR|NOT)(?=[\s(])/,
  /"[^"]+"/,
  /\w\*/,
  /^[\w-]+\?[\w?*-]*$/, // CDK?
  /\\[-+=&|!(){}[\]^"~*?:\\/]/, // escaped already
]
