import {
  offsetOf,
  Failure,
  keep,
  pick,
  plainText,
  url,
  z,
  type Http,
  type SearchOptions,
  type SearchPage,
} from "../../connector.ts"
import { modelOrganism } from "../_model-organisms.ts"
import { ACCESSION } from "../_uniprot.ts"

export const Info = z.lazy(() =>
  z.looseObject({
    wpid: z.string(),
    title: z.string(),
    organisms: z.array(z.string()),
    description: z.string().optional(),
    revision: z.string().optional(),
    "last-edited": z.string().optional(),
  }),
)

/** What the site is built from, in its repository: the site's own listings cut the description after 200 characters. */
export async function infoOf(id: string, http: Http) {
  const info = await http.json(
    url`https://raw.githubusercontent.com/wikipathways/wikipathways-database/main/pathways/${id}/${id}-info.json`,
    // The repository's answer for what is not there is a line of text; a page would be somebody else's.
    { miss: ({ status, html }) => status === 404 && !html },
  )
  return info === undefined ? undefined : keep(Info, info)
}

/** There is no search service: the site has listings of all pathways, to be searched by whoever fetches them. */
const LISTING = "https://www.wikipathways.org/json"

const Row = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    species: z.string(),
    description: z.string().optional(),
    datanodes: z.string().optional(),
    annotations: z.string().optional(),
  }),
)

type Row = z.infer<typeof Row>

export async function search(query: string, options: SearchOptions, http: Http): Promise<SearchPage> {
  const { limit, cursor, organism } = options
  const start = offsetOf(cursor)
  const { listing, found, note } = await matches(query, http)
  const name = organism === undefined ? undefined : (modelOrganism(organism)?.name ?? organism.trim())
  // One that no pathway is of may be another name of one that is there.
  if (name !== undefined && listing && !listing.some((row) => isOf(row, name)))
    throw new Failure(
      "invalid_query",
      `WikiPathways has no pathway of ${JSON.stringify(name)}: give the scientific name.`,
    )
  const hits = name === undefined ? found : found.filter((row) => isOf(row, name))
  const end = start + limit
  return {
    hits: hits.slice(start, end).map(({ id, name, species, description }) => ({
      id,
      title: plainText(name),
      summary: [species, description].filter(Boolean).join(" · "),
    })),
    total: hits.length,
    ...(end < hits.length ? { next: String(end) } : {}),
    notes: [note],
  }
}

interface Matches {
  /** All pathways, where they had to be fetched. */
  listing?: Row[]
  /** Best first. */
  found: Row[]
  note: string
}

async function matches(query: string, http: Http): Promise<Matches> {
  // A listing is several megabytes, and one pathway's description one kilobyte.
  if (/^WP[1-9]\d*$/i.test(query)) {
    const info = await infoOf(query.toUpperCase(), http)
    return { found: info === undefined ? [] : [rowOf(info)], note: "the pathway of this id" }
  }
  const wanted = crossReference(query)
  if (wanted === undefined) {
    const terms = termsOf(query)
    const rows = pick(Catalogue(Row), await http.json(`${LISTING}/findPathwaysByText.json`)).pathwayInfo
    const ranked = rows
      .map((row) => ({ row, rank: rankOf(row, terms, query) }))
      .filter(({ rank }) => rank !== undefined)
    ranked.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || numberOf(a.row) - numberOf(b.row))
    return {
      listing: rows,
      found: ranked.map(({ row }) => row),
      note: "all words, in name, nodes, ontology terms, description",
    }
  }
  const rows = pick(Catalogue(Linked), await http.json(`${LISTING}/findPathwaysByXref.json`)).pathwayInfo
  const found = rows.filter((row) => hasNode(row, wanted)).sort((a, b) => numberOf(a) - numberOf(b))
  return { listing: rows, found, note: `pathways with a node that is ${wanted}` }
}

const rowOf = ({ wpid, title, organisms, description }: z.infer<typeof Info>): Row => ({
  id: wpid,
  name: title,
  species: organisms.join(", "),
  ...(description === undefined ? {} : { description }),
})

/** Never empty: a site that was built wrongly is no "no hits". */
const Catalogue = <T extends Row>(row: z.ZodType<T>) => z.object({ pathwayInfo: z.array(row).min(1) })

/** The columns of ids besides; some values stand in another's column, so it is their own prefix that counts. */
const Linked = Row.and(z.record(z.string(), z.string()))

const numberOf = ({ id }: Row) => Number(id.replace(/\D/g, ""))

/** Ids of genes, proteins and metabolites as the nodes have them: `ncbigene:7157`, `ensembl:ENSG…`, `uniprot:P04637`, `chebi:15422`. */
function crossReference(query: string): string | undefined {
  const prefixed = /^(ncbigene|ensembl|hgnc(?:\.symbol)?|uniprot|wikidata|chebi|inchikey):(\S+)$/i.exec(query)
  if (prefixed) {
    const [, prefix = "", id = ""] = prefixed
    return `${prefix.toLowerCase().replace(/^hgnc$/, "hgnc.symbol")}:${id}`
  }
  const bare: [string, RegExp][] = [
    ["ensembl", /^ENS[A-Z]*[GTP]\d{11}$/i],
    ["uniprot", new RegExp(`^${ACCESSION}$`, "i")],
    ["inchikey", /^[A-Z]{14}-[A-Z]{10}-[A-Z]$/i],
  ]
  const [prefix] = bare.find(([, pattern]) => pattern.test(query)) ?? []
  return prefix === undefined ? undefined : `${prefix}:${query}`
}

/** The whole id: `ncbigene:715` is not in `ncbigene:7157`. */
function hasNode(row: Record<string, string>, wanted: string): boolean {
  return Object.values(row).some((column) =>
    column.split(/[;,]\s*/).some((id) => id.trim().toLowerCase() === wanted.toLowerCase()),
  )
}

/** Words, and phrases between quotes. A long word also finds longer ones (`inhibitor`: inhibitors), a symbol only itself (`ACE`: not ACE2). */
function termsOf(query: string): RegExp[] {
  const terms = (query.match(/"[^"]+"|[^\s"]+/g) ?? [])
    .map((term) => term.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""))
    .filter((term) => term !== "")
  if (terms.length === 0) throw new Failure("invalid_query", "WikiPathways needs a word to look for.")
  return terms.map((term) => {
    const text = term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+")
    return new RegExp(`(?<![\\p{L}\\p{N}])${text}${/^\p{L}{5,}$/u.test(term) ? "" : "(?![\\p{L}\\p{N}])"}`, "iu")
  })
}

/** Where all words are found: 0 the name itself or the id, 1 the name, 2 the nodes, 3 all fields together; undefined: not all. */
function rankOf(row: Row, terms: RegExp[], query: string): number | undefined {
  const { id, datanodes = "", annotations = "", description = "" } = row
  const name = plainText(row.name)
  const isIn = (text: string) => terms.every((term) => term.test(text))
  if ([id, name].some((each) => each.toLowerCase() === query.toLowerCase())) return 0
  if (isIn(name)) return 1
  if (isIn(datanodes)) return 2
  return isIn([id, name, datanodes, annotations, plainText(description)].join("\n")) ? 3 : undefined
}

const isOf = ({ species }: Row, name: string) =>
  species.split(/,\s*/).some((each) => each.toLowerCase() === name.toLowerCase())
