import { asArray, z, type Hit } from "../../connector.ts"

/** What is asked for of each document; it stands for an entity, of whose entry these tell. */
export const FIELDS =
  "pdb_id,title,experimental_method,resolution,entry_organism_scientific_name,organism_scientific_name,release_year,status"

/** `field:value`, of the names that have a blank in them or are one word; ranges, phrases and wildcards may follow. */
const FIELDED =
  /(?:^|[\s(+!-])(?:\*|[a-z]+(?:_[a-zA-Z]+)+|title|text|resolution|status|journal|genus|superkingdom|family|spacegroup):(?=\S)/
const OPERATOR = /(?:^|\s)(?:AND|OR|NOT)(?:\s|$)/

/**
 * Plain words must all be there, in the field that all text is copied to (PDBeurope/PDBe-MCP-Servers, search_tools); what Solr reserves is
 * escaped in them, and quotes make a phrase. A query in Solr's own language is passed through.
 */
export function solrQuery(query: string): string {
  if (FIELDED.test(query) || OPERATOR.test(query)) return query
  const words = (query.match(/"[^"]+"|\S+/g) ?? []).map((word) =>
    /^".+"$/.test(word) ? phrase(word.slice(1, -1)) : escape(word),
  )
  const text = `text:(${words.join(" AND ")})`
  return /^[1-9][0-9a-z]{3}$/i.test(query) ? `pdb_id:${query.toLowerCase()} OR ${text}` : text
}

/** By the exact scientific name, which begins with a capital letter, or by taxon id; neither includes strains. */
export function organismFilter(organism: string): string {
  if (/^\d+$/.test(organism)) return `tax_id:${organism}`
  return `organism_scientific_name:${phrase(organism.charAt(0).toUpperCase() + organism.slice(1))}`
}

/** solr.apache.org/guide/solr/latest/query-guide/standard-query-parser.html, "Escaping Special Characters" */
function escape(word: string): string {
  return word.replace(/[+\-&|!(){}[\]^"~*?:\\/]/g, "\\$&")
}

function phrase(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`
}

/** A field may hold one value or several. */
const WORDS = z.lazy(() => z.union([z.string(), z.array(z.string())]).optional())

const DOCUMENT = z.lazy(() =>
  z.object({
    title: z.string().optional(),
    experimental_method: WORDS,
    resolution: z.number().optional(),
    entry_organism_scientific_name: WORDS,
    organism_scientific_name: WORDS,
    release_year: z.number().optional(),
    status: z.string().optional(),
  }),
)

const GROUP = z.lazy(() => z.object({ groupValue: z.string(), doclist: z.object({ docs: z.array(DOCUMENT) }) }))

export const GROUPED = z.lazy(() =>
  z.object({
    grouped: z.object({ pdb_id: z.object({ ngroups: z.number(), groups: z.array(GROUP) }) }),
  }),
)

export function hitOf({ groupValue: id, doclist }: z.infer<typeof GROUP>): Hit {
  const [first = {}] = doclist.docs
  const { title = id, experimental_method, resolution, release_year, status } = first
  const organisms = asArray(first.entry_organism_scientific_name ?? first.organism_scientific_name)
  const facts = [
    [...asArray(experimental_method), ...(resolution === undefined ? [] : [`${resolution} Å`])].join(" "),
    [...new Set(organisms)].slice(0, 3).join(", "),
    release_year === undefined ? "" : `released ${release_year}`,
  ]
  return {
    id,
    title,
    summary: facts.filter((fact) => fact !== "").join(" · "),
    ...(status === undefined || status === "REL" ? {} : { marks: [`not released: ${status}`] }),
  }
}
