import { defineConnector, Failure, pick, z } from "../../connector.ts"
import type { AnswerHead, Http, SearchOptions, SearchPage } from "../../connector.ts"
import { parametersOf } from "./_parameters.ts"
import { ANY_ID, hitOf, idsOf, normalize, Paper, paperUrl } from "./_s2-paper.ts"
import { ALL, IN_LIST, linked, paperOf, papersOf, under } from "./_s2-records.ts"

export default defineConnector({
  id: "semantic-scholar",
  name: "Semantic Scholar",
  domain: "literature",
  description: "papers, citations, summaries",
  homepage: "https://www.semanticscholar.org",
  license:
    "Semantic Scholar API licence (semanticscholar.org/product/api/license); abstracts: their publishers' copyright",
  cite: "Kinney R et al. The Semantic Scholar Open Data Platform. arXiv:2301.10140 (2023)",
  ids: {
    curie: "s2",
    pattern: ANY_ID,
    examples: ["CorpusId:470667", "10.1038/nature12373", "arXiv:1706.03762", "PMID:19872477"],
    normalize,
  },
  probe: { query: "attention is all you need", missing: "CorpusId:999999999999" },
  // Without a key all the world shares one allowance, and refusals are common; with one it is a request a second over all endpoints.
  hosts: { "api.semanticscholar.org": { perSecond: 0.5, concurrent: 1 } },
  key: {
    env: "SEMANTIC_SCHOLAR_API_KEY",
    in: "header",
    name: "x-api-key",
    host: "api.semanticscholar.org",
    signup: "https://www.semanticscholar.org/product/api#api-key-form",
    raises: { perSecond: 1 },
  },
  // Sends CorpusIds on to their papers (unverified since 2023).
  url: "https://api.semanticscholar.org/{id}",
  page: (id) => (/^[0-9a-f]{40}$/.test(id) ? `https://www.semanticscholar.org/paper/${id}` : undefined),

  missing,
  failure,
  identify: (record) => idsOf(pick(Paper, record)),
  // Every other id than the paper's own is one of it.
  relation: () => undefined,

  search,
  fetch: paperOf,
  fetchMany: { atOnce: 100, fetch: papersOf },

  files: {
    references: linked("references", "referenceCount"),
    citations: linked("citations", "citationCount"),
    recommendations: under(
      (id) => `https://api.semanticscholar.org/recommendations/v1/papers/forpaper/${id}?fields=${IN_LIST}&limit=100`,
    ),
    embedding: under((id) => `${paperUrl(id)}?fields=embedding.specter_v2`),
    json: under((id) => `${paperUrl(id)}?fields=${ALL}`),
  },
})

/** Or a good answer that has nothing in it: no embedding, nothing to recommend. */
function missing({ status, head, operation }: AnswerHead): boolean {
  if (status === 404) return /^\s*\{\s*"error"\s*:\s*"Paper with id .* not found/.test(head)
  return operation === "file" && /"embedding"\s*:\s*null|^\s*\{\s*"recommendedPapers"\s*:\s*\[\s*\]/.test(head)
}

function failure({ status, head }: AnswerHead): Failure | undefined {
  const key = "SEMANTIC_SCHOLAR_API_KEY"
  if (status === 429)
    return new Failure(
      "rate_limited",
      `Semantic Scholar asks for fewer requests (429), as it often does of those without a key: try again in a minute, or set ${key}; openalex answers the same questions.`,
    )
  if (status === 403 && /"message"\s*:\s*"Forbidden"/.test(head))
    return new Failure("key_required", `Semantic Scholar does not accept the key in ${key}: correct it or unset it.`)
  return undefined
}

/** Further pages are refused. */
const REACHABLE_HITS = 1000

const Page = z.lazy(() => z.object({ total: z.number(), next: z.number().optional(), data: z.array(Paper).optional() }))

/** Beside words, e.g. `graph neural network&year=2022-&fieldsOfStudy=Chemistry`. */
const PARAMETERS = /year|publicationDateOrYear|venue|fieldsOfStudy|publicationTypes|minCitationCount|openAccessPdf/

async function search(query: string, { limit, cursor }: SearchOptions, http: Http): Promise<SearchPage> {
  const offset = offsetOf(cursor)
  const id = normalize(query)
  if (ANY_ID.test(id)) {
    const record = await http.json(paperUrl(id), { query: { fields: `${IN_LIST},tldr` }, miss: missing })
    return record === undefined ? { hits: [], total: 0 } : { hits: [hitOf(pick(Paper, record))], total: 1 }
  }
  const asked = parametersOf(query, "query", PARAMETERS)
  const words = asked["query"] ?? ""
  const sent = wordsOf(words)
  if (sent === "") throw new Failure("invalid_query", "Semantic Scholar needs words to search for, beside any filter.")
  const wanted = Math.min(limit, REACHABLE_HITS - offset)
  const answer = await http.json("https://api.semanticscholar.org/graph/v1/paper/search", {
    query: { ...asked, query: sent, fields: `${IN_LIST},tldr`, offset, limit: wanted },
  })
  const { total, next, data } = pick(Page, answer)
  // An empty search has no list at all.
  if (data === undefined && total > offset)
    throw new Failure("bad_response", "its answer has changed: data: there are hits, but no list of them")
  const more = next !== undefined && next < Math.min(total, REACHABLE_HITS) ? { next: String(next) } : {}
  return {
    hits: (data ?? []).map(hitOf),
    total,
    ...more,
    notes: [
      ...(sent === words ? [] : [`searched as ${sent}: there are no phrases, operators or hyphens here`]),
      ...(total > REACHABLE_HITS ? ["the total is an estimate, and pages end at 1,000"] : []),
    ],
  }
}

/** Only words are searched for: a hyphen within one finds nothing (api.semanticscholar.org/api-docs, paper relevance search). */
const wordsOf = (query: string) =>
  query
    .replace(/["()]|(?<=\p{L}|\p{N})[-‐‑](?=\p{L}|\p{N})/gu, " ")
    .replace(/\s+/g, " ")
    .trim()

function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0
  if (/^[1-9]\d{0,2}$/.test(cursor)) return Number(cursor)
  throw new Failure(
    "invalid_query",
    "This is no cursor of this search: give the one that the page before named, or none.",
  )
}
