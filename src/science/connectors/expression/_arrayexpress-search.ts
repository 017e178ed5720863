import {
  offsetOf,
  Failure,
  pick,
  z,
  type Hit,
  type Http,
  type SearchOptions,
  type SearchPage,
} from "../../connector.ts"
import { ID, normalize } from "./_arrayexpress-ids.ts"
import { speciesOf } from "./_species.ts"

const ENDPOINT = "https://www.ebi.ac.uk/biostudies/api/v1/arrayexpress/search"
/** What one page may hold. */
const LARGEST_PAGE = 1000

const Found = z.lazy(() =>
  z.object({
    totalHits: z.number(),
    isTotalHitsExact: z.boolean(),
    expandedEfoTerms: z.array(z.string()).nullish(),
    expandedSynonyms: z.array(z.string()).nullish(),
    hits: z.array(
      z.object({
        accession: z.string(),
        title: z.string().nullish(),
        release_date: z.string().nullish(),
        files: z.number().nullish(),
        content: z.string().nullish(),
      }),
    ),
  }),
)

export async function search(query: string, options: SearchOptions, http: Http): Promise<SearchPage> {
  const { limit, cursor, organism } = options
  const from = offsetOf(cursor)
  const { page, pageSize } = pageOf(from, limit)
  const answer = await http.json(ENDPOINT, { query: { query: expression(query, organism), pageSize, page } })
  const { hits, totalHits: total, isTotalHitsExact: exact, expandedEfoTerms, expandedSynonyms } = pick(Found, answer)
  const own = hits.slice(from - (page - 1) * pageSize).slice(0, limit)
  const more = exact ? from + limit < total : own.length === limit
  const wider = [...new Set([...(expandedSynonyms ?? []), ...(expandedEfoTerms ?? [])])]
  return {
    hits: own.map(hitOf),
    total,
    ...(more ? { next: String(from + limit) } : {}),
    notes: [
      ...(exact ? [] : ["the total is an estimate, mostly too low"]),
      ...(wider.length > 0 ? [`also searched for: ${wider.slice(0, 10).join(", ")}`] : []),
    ],
  }
}

/** The smallest page that holds the whole window: pages are numbered, and another limit than before would shift them. */
function pageOf(from: number, limit: number): { page: number; pageSize: number } {
  for (let pageSize = limit; pageSize <= LARGEST_PAGE; pageSize++) {
    const page = Math.floor(from / pageSize) + 1
    if (from + limit <= page * pageSize) return { page, pageSize }
  }
  throw new Failure(
    "invalid_query",
    `no page of ArrayExpress begins at ${from}; take a cursor with the limit that it was given for.`,
  )
}

/** Lucene's grammar, in which a blank means OR: AND is set between whatever stands side by side. */
function expression(query: string, organism: string | undefined): string {
  const id = normalize(query)
  const own = ID.test(id) && !id.includes("/") ? `accession:${id}` : anded(query)
  if (organism === undefined) return own
  const species = speciesOf(organism)
  if (species === undefined)
    throw new Failure(
      "invalid_query",
      `ArrayExpress knows organisms by their Latin names: give that instead of ${organism}.`,
    )
  return `(${own}) AND organism:"${species.replace(/["\\]/g, "\\$&")}"`
}

const OPERATOR = /^(?:AND|OR|NOT|&&|\|\||!)$/
/** Phrases and ranges, with their field; parentheses; words. */
const TOKEN = /(?:[a-z_.]+:)?"[^"]*"|[a-z_.]+:\[[^\]]*\]|[()]|[^\s()]+/g

function anded(query: string): string {
  const tokens = query.match(TOKEN) ?? []
  if (!isBalanced(tokens))
    throw new Failure("invalid_query", "the parentheses of this query do not match; close each one that is opened.")
  const spoken = tokens.map(term)
  const joined = spoken.flatMap((token, i) => {
    const before = spoken[i - 1]
    // Only NOT may stand beside a term as it is; without a term before it, it would take away from nothing.
    if (before === undefined || before === "(") return token === "NOT" ? ["*:*", token] : [token]
    const open = OPERATOR.test(before) || token === ")" || OPERATOR.test(token)
    return open ? [token] : ["AND", token]
  })
  return joined.join(" ")
}

function isBalanced(tokens: string[]): boolean {
  let open = 0
  for (const token of tokens) {
    open += token === "(" ? 1 : token === ")" ? -1 : 0
    if (open < 0) return false
  }
  return open === 0
}

/** What is in the service's own syntax stays; in a word, what that syntax reserves is escaped. */
function term(token: string): string {
  if (token === "*") return "*:*"
  if (/^[()]$/.test(token) || OPERATOR.test(token) || /^\*:\*$/.test(token)) return token
  if (/^(?:[a-z_.]+:)?"[^"]*"$|^[a-z_.]+:\[/.test(token)) return token
  const [, field = "", word = ""] =
    /^((?:accession|title|organism|study_type|author|type|release_date|content):)?(.*)$/.exec(token) ?? []
  return field + word.replace(/^[-+!]|[+!(){}[\]^"~?:\\/]|&&|\|\|/g, "\\$&")
}

function hitOf({
  accession,
  title,
  release_date: released,
  files,
  content,
}: z.infer<typeof Found>["hits"][number]): Hit {
  const facts = [
    released && `released ${released}`,
    files != null && `${files} files`,
    // It begins with accession and title once more.
    content
      ?.replace(accession, "")
      .replace(title ?? "", "")
      .trim(),
  ]
  return { id: accession, title: title || accession, summary: facts.filter((fact) => !!fact).join(" · ") }
}
