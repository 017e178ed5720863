/** Asking Europe PMC: its grammar (europepmc.org/searchsyntax), how one article is found, and what its answers look like. */
import { Failure, keep, pick, z } from "../../connector.ts"
import type { Http, Json } from "../../connector.ts"
import { DOI } from "./_doi.ts"
import { Article, idsOf } from "./_europepmc-article.ts"

export const REST = "https://www.ebi.ac.uk/europepmc/webservices/rest"

const FIELDS = [
  "TITLE ABSTRACT TITLE_ABS AUTH AUTHORID AUTH_\\w+ AFF JOURNAL E?ISSN ISBN VOLUME ISSUE PAGE_INFO PUB_\\w+ \\w+_I?DATE LANG LICENSE",
  "SRC DOI EXT_ID PMCID ID OPEN_ACCESS HAS_\\w+ IN_\\w+ MESH MESH_\\w+ KW KEYWORD GRANT_\\w+ CITES CITED REFFED_BY PUBLISHER ED BOOK_ID",
  "ORGANISM\\w* DISEASE\\w* GENE_PROTEIN GOTERM\\w* CHEM\\w* EXPERIMENTAL_METHOD\\w* ACCESSION_\\w+ ANNOTATION_\\w+ \\w+_PUBS",
  "INTRO METHODS RESULTS DISCUSS CONCL CASE FIG TABLE SUPPL REF ACK_FUND APPENDIX BODY PREPRINT_COMMUNITY sort_date sort_cited",
]

/** Any other word with a colon in it (NM_000546.5:c.215C>G) would be read as a field that is not there. */
const FIELD = new RegExp(`(?:^|[\\s(!+-])(?:${FIELDS.join(" ").replaceAll(" ", "|")}):`)

/**
 * A query with a field in it is Europe PMC's own syntax. Of any other, words that its grammar would not read as words are quoted. Words side
 * by side are joined by AND.
 */
export function asSyntax(query: string): string {
  if (FIELD.test(query)) return query
  const tokens = query.match(/"[^"]*"|[()]|[^\s()"]+/g) ?? []
  const grouped = tokens.filter((token) => token === "(").length === tokens.filter((token) => token === ")").length
  const terms = tokens.flatMap((token) => {
    if (token === "(" || token === ")") return grouped ? [token] : []
    if (!/[\p{L}\p{N}]/u.test(token)) return []
    return /^"|^[^:[\]{}^~\\/!]+$/.test(token) ? [token] : [`"${token.replaceAll("\\", " ").trim()}"`]
  })
  return terms.join(" ").replaceAll("( ", "(").replaceAll(" )", ")") || query
}

/**
 * The query that finds one article. A bare number is never sent: 10508479 finds PMC10508479 first, which is another paper. The PMC id of an
 * article that has a PMID is only in a field: SRC:PMC would not find it.
 */
export function queryOf(id: string): string {
  if (DOI.test(id)) return `DOI:"${id.replaceAll(/["\\]/g, "\\$&")}"`
  const [source = "", own = ""] = id.split("/")
  return source === "PMC" ? `PMCID:${own}` : `EXT_ID:${own} AND SRC:${source}`
}

/** The mark of the first page, or of one after it. */
export const CURSOR = /^(?:\*|[A-Za-z0-9+/]{8,}={0,2})$/

const Page = z.lazy(() =>
  z.object({
    hitCount: z.number(),
    nextCursorMark: z.string().optional(),
    resultList: z.object({ result: z.array(z.unknown()) }),
  }),
)

interface Query {
  query: string
  resultType: "lite" | "core"
  pageSize: number
  cursorMark?: string
}

export async function ask(http: Http, query: Query): Promise<{ page: z.infer<typeof Page>; articles: Json[] }> {
  const answer = await http.json(`${REST}/search`, { query: { ...query, format: "json" }, inspect, miss: () => false })
  return { page: pick(Page, answer), articles: keep(Page, answer).resultList.result }
}

/** Errors come with status 200, as a code (404 among them) or as an answer without anything in it; neither means "no hits". */
function inspect(body: string): Failure | undefined {
  const [, code, reason = ""] =
    /^\s*\{\s*"errCode"\s*:\s*(\d+)\s*,\s*"errMsg"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body) ?? []
  if (code !== undefined)
    return Number(code) >= 500
      ? new Failure("unavailable", `Europe PMC failed (${code}: ${reason}); try again in a minute.`)
      : new Failure("invalid_query", `Europe PMC does not accept this query: ${reason}`)
  if (!body.trimStart().startsWith("{") || body.includes('"hitCount"')) return undefined
  return new Failure(
    "bad_response",
    "Europe PMC answered without a count of hits, which is no answer; try again or put the query differently.",
  )
}

/** The articles by the asked ids, in one request. What comes back counts only for the ids that it carries itself. */
export async function articlesOf(ids: string[], http: Http): Promise<Map<string, Json>> {
  const query = ids.length === 1 ? ids.map(queryOf).join() : ids.map((id) => `(${queryOf(id)})`).join(" OR ")
  // A DOI may have several records: PubMed's and Agricola's, versions of a preprint.
  const { articles } = await ask(http, { query, resultType: "core", pageSize: ids.length === 1 ? 25 : 1000 })
  const read = articles.map((article) => ({ article, ...pick(Article, article) }))
  const own = (id: string) => {
    const named = read.filter((each) => idsOf(each).some((other) => other.toLowerCase() === id.toLowerCase()))
    return (named.find(({ source }) => source === "MED") ?? named[0])?.article
  }
  return new Map(ids.map((id) => [id, own(id)]))
}
