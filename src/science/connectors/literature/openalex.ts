import { defineConnector, Failure, pick, z } from "../../connector.ts"
import type { AnswerHead, Http, SearchOptions, SearchPage } from "../../connector.ts"
import { ANY_ID, idsOf, isOwn, Named, normalize } from "./_openalex-ids.ts"
import { addressOf, inspect, list, recordOf, recordsOf } from "./_openalex-records.ts"
import { hitOf, IN_BRIEF } from "./_openalex-work.ts"
import { parametersOf } from "./_parameters.ts"

export default defineConnector({
  id: "openalex",
  name: "OpenAlex",
  domain: "literature",
  description: "works of all fields, authors, citations",
  homepage: "https://openalex.org",
  license: "CC0 1.0",
  cite: "Priem J, Piwowar H, Orr R. OpenAlex: A fully-open index of scholarly works, authors, venues, institutions, and concepts. arXiv:2205.01833 (2022)",
  ids: {
    curie: "openalex",
    pattern: ANY_ID,
    examples: ["W2741809807", "10.7717/peerj.4375", "pmid:29456894", "A5023888391"],
    normalize,
  },
  probe: { query: "state of open access", missing: "W99999999999" },
  // 100 requests a second for everybody; what limits is the day's budget.
  hosts: { "api.openalex.org": { perSecond: 10, concurrent: 4 } },
  // Without a key an address has 0.10 USD a day, some 100 searches; with a free one 1 USD (developers.openalex.org, February 2026).
  key: {
    env: "OPENALEX_API_KEY",
    in: "query",
    name: "api_key",
    host: "api.openalex.org",
    signup: "https://openalex.org/settings/api",
  },
  url: "https://openalex.org/{id}",

  missing,
  failure,
  identify: (record) => idsOf(pick(Named, record)),
  relation: (asked, own) => (isOwn(asked) ? `${asked} is now ${own}` : `${asked} is ${own}`),
  remarks: (record) => (pick(Flags, record).is_retracted === true ? ["This work was retracted"] : []),

  search,
  fetch: recordOf,
  fetchMany: { atOnce: 100, fetch: recordsOf },

  // Texts are on publishers' hosts, or cost a key and money; citations come from crossref or datacite by the DOI.
  files: { json: { kind: "json", locate: addressOf } },
})

const Flags = z.lazy(() => z.object({ is_retracted: z.boolean().nullish() }))

/** The web framework's own page, or JSON as the documentation promises; any other page is a proxy's. */
function missing({ status, head }: AnswerHead): boolean {
  return status === 404 && (/The requested URL was not found on the server/.test(head) || /^\s*\{\s*"error"/.test(head))
}

function failure({ status, head }: Pick<AnswerHead, "status" | "head">): Failure | undefined {
  if (status === 401)
    return new Failure("key_required", "OpenAlex does not accept the key in OPENALEX_API_KEY: correct it or unset it.")
  const [, seconds] = /Insufficient budget[^]*"retryAfter"\s*:\s*(\d+)/.exec(head) ?? []
  if (status !== 429 || !head.includes("Insufficient budget")) return undefined
  return new Failure(
    "rate_limited",
    "OpenAlex's budget of this day is spent until midnight UTC; a free key in OPENALEX_API_KEY has ten times as much. Single works can still be fetched.",
    { retryable: false, ...(seconds === undefined ? {} : { retryAfterMs: Number(seconds) * 1000 }) },
  )
}

/** Beside words, e.g. `CRISPR&filter=publication_year:2024,type:article`. Semantic search costs a hundred times as much and is left out. */
const PARAMETERS = /search|filter|sort/

async function search(query: string, { limit, cursor = "*" }: SearchOptions, http: Http): Promise<SearchPage> {
  if (!/^(?:\*|[A-Za-z0-9+/_-]{8,}={0,2})$/.test(cursor))
    throw new Failure(
      "invalid_query",
      "This is no cursor of OpenAlex: give the one that the page before named, or none.",
    )
  const id = normalize(query)
  // W303 is a yeast, A549 a cell line; works have more digits.
  if (ANY_ID.test(id) && !/^(?:[A-V]|W\d{1,5}$)/.test(id)) {
    const work = await http.json(addressOf(id), { inspect, miss: missing })
    return work === undefined ? { hits: [], total: 0 } : { hits: [hitOf(work)], total: 1 }
  }
  const asked = parametersOf(query, "search", PARAMETERS)
  const sent = { ...asked, ...(asked["search"] === undefined ? {} : { search: withoutWildcards(asked["search"]) }) }
  if (sent.search === "") throw new Failure("invalid_query", "OpenAlex searches for words, not for wildcards alone.")
  const page = await list(http, { ...sent, per_page: limit, cursor, select: IN_BRIEF })
  const last = page.works.length < limit || page.works.length === page.total
  return {
    hits: page.works.map(hitOf),
    total: page.total,
    ...(last || !page.next ? {} : { next: page.next }),
    ...(sent.search === asked["search"] ? {} : { notes: [`searched as ${sent.search}`] }),
  }
}

/** A search with a `*` or a `?` in it, as every question has, is refused. */
const withoutWildcards = (words: string) => words.replace(/[*?]+/g, " ").replace(/\s+/g, " ").trim()
