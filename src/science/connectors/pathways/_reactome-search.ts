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
import { modelOrganism, taxonOf } from "../_model-organisms.ts"
import { ACCESSION } from "../_uniprot.ts"

/** An address of the content service, of a path that was made with `url`. */
export const content = (path: string) => `https://reactome.org/ContentService${path}`

/** Molecules by their accession: the pathways that they take part in are another call than the search for words. */
const MOLECULES: [resource: string, id: RegExp][] = [
  ["UniProt", new RegExp(`^(?:uniprot(?:kb)?:)?(${ACCESSION}(?:-\\d+)?)$`, "i")],
  ["ChEBI", /^chebi:(\d+)$/i],
  ["ENSEMBL", /^(?:ensembl:)?(ENS[A-Z]*[GTP]\d{11})(?:\.\d+)?$/i],
]

export async function search(query: string, options: SearchOptions, http: Http): Promise<SearchPage> {
  const start = offsetOf(options.cursor)
  for (const [resource, pattern] of MOLECULES) {
    const id = pattern.exec(query)?.[1]
    if (id !== undefined) return await pathwaysOf(resource, id.toUpperCase(), start, options, http)
  }
  return await entries(query, start, options, http)
}

const Entry = z.lazy(() =>
  z.object({
    id: z.string(),
    stId: z.string().optional(),
    name: z.string(),
    exactType: z.string().optional(),
    species: z.array(z.string()).optional(),
    compartmentNames: z.array(z.string()).optional(),
    summation: z.string().optional(),
    isDisease: z.boolean().optional(),
  }),
)

const Found = z.lazy(() =>
  z.object({
    results: z.array(z.object({ entries: z.array(Entry), entriesCount: z.number().optional() })),
  }),
)

/**
 * Words. The answer comes in groups by type, each with its own page of `rows`, molecules before pathways: one type is asked for, so that there
 * is one group, which can be paged.
 */
async function entries(query: string, start: number, options: SearchOptions, http: Http): Promise<SearchPage> {
  const { words, type } = readType(query)
  const { limit, organism } = options
  const answer = await http.json(content("/search/query"), {
    query: {
      query: expression(words),
      species: organism === undefined ? undefined : nameOf(organism),
      types: type,
      cluster: true,
      "Start row": start,
      rows: limit,
    },
    // A wrong address is a 404 too, with another message.
    miss: ({ status, head }) => status === 404 && /No entries found/.test(head),
  })
  const groups = answer === undefined ? [] : pick(Found, answer).results
  const counts = groups.flatMap(({ entriesCount }) => entriesCount ?? [])
  const total = counts.length === groups.length ? counts.reduce((sum, count) => sum + count, 0) : undefined
  const hits = groups.flatMap((group) => group.entries).map(hitOf)
  const more = total === undefined ? hits.length >= limit : start + limit < total
  return {
    hits,
    ...(total === undefined ? {} : { total }),
    ...(more ? { next: String(start + limit) } : {}),
    notes:
      type === "Pathway" && words === query
        ? ["pathways only: type:Reaction, type:Complex, type:Protein or another type in the query finds those"]
        : [],
  }
}

/** `type:Reaction apoptosis`; a stable id is looked for among all types. */
function readType(query: string): { words: string; type?: string } {
  const [whole = "", quoted, bare] = /(?:^|\s)types?:(?:"([^"]+)"|(\S+))/i.exec(query) ?? []
  const type = quoted ?? bare
  const words = query.replace(whole, " ").trim()
  if (type !== undefined && words === "")
    throw new Failure("invalid_query", `Reactome needs words beside type:${type}; say what to look for.`)
  if (type?.includes(",")) throw new Failure("invalid_query", "Reactome pages one type at a time; name one.")
  if (type !== undefined) return { words, type: type.charAt(0).toUpperCase() + type.slice(1) }
  return /^R-[A-Z]{3}-\d+/i.test(query) ? { words: query } : { words: query, type: "Pathway" }
}

/** What is left as it is: operators, phrases, wildcards, fields. */
const SYNTAX = /(?:^|[\s(])(?:AND|OR|NOT)(?=[\s)]|$)|"[^"]+"|\w\*(?=[\s)]|$)|(?:^|[\s(+-])[a-z]\w*:\S|(?:^|\s)[-+]\w/

/** Not in the index, so that no entry has them (stopwords.txt beside the configuration). */
const STOPWORDS =
  /^(?:an?|and|are|as|at|be|but|by|for|from|if|in|into|is|it|no|not|of|on|or|such|that|the|then|this|to|via|was|will|with)$/i

/** The service is satisfied with any of the words (q.op in solrconfig.xml, github.com/reactome/search-indexer). */
function expression(words: string): string {
  if (SYNTAX.test(words)) return words
  const all = words.split(/\s+/)
  const telling = all.filter((word) => /[\p{L}\p{N}]/u.test(word) && !STOPWORDS.test(word))
  return (telling.length > 0 ? telling : all)
    .map((word) => word.replace(/[!(){}[\]^"~*?:\\/]|^[-+]|&&|\|\|/g, "\\$&"))
    .join(" AND ")
}

function hitOf(entry: z.infer<typeof Entry>): Hit {
  const { id, stId = id, name, exactType, species = [], compartmentNames = [], summation } = entry
  const facts = [exactType, species.join(", "), compartmentNames.join(", "), summation].filter(Boolean)
  return {
    id: stId,
    title: name,
    ...(facts.length > 0 ? { summary: facts.join(" · ") } : {}),
    ...(entry.isDisease ? { marks: ["disease"] } : {}),
  }
}

const Pathways = z.lazy(() =>
  z.array(
    z.object({
      stId: z.string(),
      displayName: z.string(),
      speciesName: z.string().optional(),
      isInferred: z.boolean().optional(),
      isInDisease: z.boolean().optional(),
    }),
  ),
)

/**
 * The lowest pathways that a molecule takes part in, all at once. A small molecule is of no species, and without one the service takes
 * human (MappingController in github.com/reactome/content-service).
 */
async function pathwaysOf(
  resource: string,
  id: string,
  start: number,
  { limit, organism = resource === "ChEBI" ? "9606" : undefined }: SearchOptions,
  http: Http,
): Promise<SearchPage> {
  const known = organism === undefined ? undefined : modelOrganism(organism)
  const species = organism === undefined ? undefined : (known?.taxa[0] ?? taxonOf(organism) ?? organism.trim())
  const answer = await http.json(content(url`/data/mapping/${resource}/${id}/pathways`), {
    query: { species },
    miss: ({ status, head }) => status === 404 && /No pathways found/.test(head),
  })
  const all = answer === undefined ? [] : pick(Pathways, answer)
  const end = start + limit
  return {
    hits: all.slice(start, end).map(({ stId, displayName, speciesName, isInferred, isInDisease }) => ({
      id: stId,
      title: displayName,
      summary: [speciesName, isInferred ? "inferred by orthology" : ""].filter(Boolean).join(" · "),
      ...(isInDisease ? { marks: ["disease"] } : {}),
    })),
    total: all.length,
    ...(end < all.length ? { next: String(end) } : {}),
    notes: [
      `pathways${species === undefined ? "" : ` of ${known?.name ?? species}`} that ${resource} ${id} takes part in`,
    ],
  }
}

/** The search wants a species by its name and finds nothing for a number. */
function nameOf(organism: string): string {
  const known = modelOrganism(organism)
  if (known) return known.name
  if (taxonOf(organism) === undefined) return organism.trim()
  throw new Failure(
    "invalid_query",
    `Reactome searches by the species' name, and taxon ${organism} is not in its list: give the scientific name.`,
  )
}
