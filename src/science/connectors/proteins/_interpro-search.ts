import {
  Failure,
  pick,
  url,
  z,
  type Hit,
  type Http,
  type SearchOptions,
  type SearchPage,
  offsetOf,
} from "../../connector.ts"
import { ACCESSION } from "../_uniprot.ts"
import { API, isEmpty } from "./_interpro.ts"

/** What tells the two databases apart in a search. */
export interface Searched {
  database: "interpro" | "pfam"
  accession: RegExp
}

/** What the API can list the entries by: a block of its path, or a parameter. */
interface Listing {
  block?: string[]
  query?: Record<string, string>
}

/**
 * Words go to EBI Search, as the web site's text box does: the API itself only looks for one piece of text in names. What has these entries
 * (a protein, a structure, a GO term, a clan) and an organism are the API's.
 */
export async function search(
  searched: Searched,
  query: string,
  { limit, cursor, organism }: SearchOptions,
  http: Http,
): Promise<SearchPage> {
  const listing = listingOf(searched, query)
  if (listing === undefined && organism === undefined) return await byWords(searched, query, { limit, cursor }, http)
  const { block = [], query: parameters = {} } = listing ?? { query: { search: query } }
  const taxon = organism === undefined ? [] : ["taxonomy", "uniprot", taxonOf(organism)]
  const page = await listed(
    ["entry", searched.database, ...block, ...taxon],
    { ...parameters, page_size: limit },
    cursor,
    http,
  )
  return { ...page, notes: listing === undefined ? [NAMES_ONLY] : [] }
}

const NAMES_ONLY = "with an organism only names are searched, for the query as one piece of text: use a single word"

const ONLY_PROTEIN = new RegExp(`^(?:uniprot(?:kb)?:)?(${ACCESSION})$`, "i")

function listingOf({ database }: Searched, query: string): Listing | undefined {
  const protein = ONLY_PROTEIN.exec(query)?.[1]
  if (protein) return { block: ["protein", "uniprot", protein.toUpperCase()] }
  // Only with its prefix: 4HBT is a family's name as well.
  const structure = /^pdb:([0-9][a-z0-9]{3})$/i.exec(query)?.[1]
  if (structure) return { block: ["structure", "pdb", structure.toLowerCase()] }
  // Pfam's entries carry no GO terms, InterPro's are in no clan.
  if (database === "interpro" && /^GO:\d{7}$/i.test(query)) return { query: { go_term: query.toUpperCase() } }
  if (database === "pfam" && /^CL\d{4}$/i.test(query)) return { block: ["set", "pfam", query.toUpperCase()] }
  return undefined
}

/** NCBI's numbers of the organisms that are asked for most; InterPro takes numbers only, and includes what is below them. */
const TAXA: Record<string, number> = {
  human: 9606,
  "homo sapiens": 9606,
  mouse: 10090,
  "mus musculus": 10090,
  rat: 10116,
  "rattus norvegicus": 10116,
  zebrafish: 7955,
  "danio rerio": 7955,
  "fruit fly": 7227,
  "drosophila melanogaster": 7227,
  "caenorhabditis elegans": 6239,
  "saccharomyces cerevisiae": 4932,
  yeast: 4932,
  "arabidopsis thaliana": 3702,
  "escherichia coli": 562,
}

function taxonOf(organism: string): string {
  const name = organism.trim().toLowerCase()
  const taxon = /^(?:\w+:)?(\d+)$/.exec(name)?.[1] ?? TAXA[name]
  if (taxon !== undefined) return String(taxon)
  throw new Failure("invalid_query", `InterPro takes an organism as its NCBI taxon id, such as 9606, not as a name.`)
}

const Found = z.lazy(() =>
  z.object({
    hitCount: z.number(),
    entries: z.array(
      z.object({
        id: z.string(),
        fields: z.object({ name: z.array(z.string()).optional(), type: z.array(z.string()).optional() }),
      }),
    ),
  }),
)

async function byWords(
  { database, accession }: Searched,
  query: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  http: Http,
): Promise<SearchPage> {
  const start = offsetOf(cursor)
  const answer = await http.json("https://www.ebi.ac.uk/ebisearch/ws/rest/interpro7", {
    query: {
      query: expression(query),
      // The parameter by another name is ignored without a word (measured by rcsb/rcsb-mcp).
      filter: `source_database:${database.toUpperCase()}`,
      fields: "name,type",
      format: "json",
      start,
      size: limit,
    },
  })
  const { hitCount, entries } = pick(Found, answer)
  const end = start + entries.length
  const more = entries.length > 0 && end < hitCount ? { next: String(end) } : {}
  const own = entries.filter(({ id }) => accession.test(id))
  const hits = own.map(({ id, fields }) => ({ id, title: fields.name?.[0] ?? id, ...kindOf(fields.type?.[0]) }))
  if (own.length === entries.length) return { hits, total: hitCount, ...more }
  return { hits, ...more, notes: ["EBI Search did not keep to this database: entries of others were left out here"] }
}

const kindOf = (type: string | undefined) => (type === undefined ? {} : { summary: type.replaceAll("_", " ") })

/** Plain words must all be there, and what Lucene reserves is escaped in them; a query in its own syntax is passed through. */
function expression(query: string): string {
  if (/(?:^|[\s(])(?:[a-z_]+:[\w("]|(?:AND|OR|NOT)(?=[\s(]))|^"[^"]+"$/.test(query)) return query
  const words = (query.match(/"[^"]+"|\S+/g) ?? []).filter((word) => /[\p{L}\p{N}]/u.test(word))
  if (words.length === 0) throw new Failure("invalid_query", "there is no word in this query to search for.")
  return words.map((word) => (/^".+"$/.test(word) ? word : escape(word))).join(" AND ")
}

const escape = (word: string) => word.replace(/[+\-!(){}[\]^"~*?:\\/&|]/g, "\\$&")

const Listed = z.lazy(() =>
  z.object({
    count: z.number(),
    next: z.string().nullish(),
    results: z.array(
      z.object({
        metadata: z.object({
          accession: z.string(),
          // A text in lists, as recorded in 2026; an object in a single entry.
          name: z.union([z.string(), z.object({ name: z.string() })]),
          type: z.string(),
          integrated: z.string().nullish(),
        }),
        proteins: z.array(placed()).optional(),
        structures: z.array(placed()).optional(),
      }),
    ),
  }),
)

/** Where the entry lies on one protein or chain: each location in one piece or in several. */
function placed() {
  return z.object({
    chain: z.string().optional(),
    entry_protein_locations: z
      .array(z.object({ fragments: z.array(z.object({ start: z.number(), end: z.number() })) }))
      .nullish(),
  })
}

async function listed(
  path: string[],
  parameters: Record<string, string | number>,
  cursor: string | undefined,
  http: Http,
): Promise<SearchPage> {
  const [, name, value] = /^(cursor|page)=([\w.:%+=-]+)$/.exec(cursor ?? "") ?? []
  if (cursor !== undefined && (name === undefined || value === undefined)) throw foreign()
  const answer = await http.json(`${API}/${path.map((part) => url`${part}`).join("/")}/`, {
    query: { ...parameters, ...(name === undefined ? {} : { [name]: value }) },
    miss: isEmpty,
  })
  if (answer === undefined) return { hits: [], total: 0 }
  const { count, next, results } = pick(Listed, answer)
  return { hits: results.map(hitOf), total: count, ...(next ? { next: cursorOf(next) } : {}) }
}

/** The address of the next page may name the site's private copy of the API, so only what it counts by is taken from it. */
function cursorOf(next: string): string {
  const asked = new URL(next, API).searchParams
  const name = ["cursor", "page"].find((each) => asked.has(each))
  if (name !== undefined) return `${name}=${asked.get(name) ?? ""}`
  throw new Failure("bad_response", "InterPro's answer has changed: its next page has neither cursor nor page")
}

function hitOf({ metadata, proteins, structures }: z.infer<typeof Listed>["results"][number]): Hit {
  const { accession: id, name, type, integrated } = metadata
  const places = [...(proteins ?? []), ...(structures ?? [])].map(({ chain, entry_protein_locations: all }) => {
    const ranges = (all ?? []).map(({ fragments }) => fragments.map(({ start, end }) => `${start}-${end}`).join("+"))
    return ranges.length === 0 ? "" : `${chain === undefined ? "at" : `${chain}:`} ${ranges.join(", ")}`
  })
  const facts = [type.replaceAll("_", " "), integrated ? `part of ${integrated}` : "", ...places]
  return {
    id,
    title: typeof name === "string" ? name : name.name,
    summary: facts.filter((fact) => fact !== "").join(" · "),
  }
}

const foreign = () =>
  new Failure("invalid_query", "this is not a cursor of this search; take the one that the page before gave.")
