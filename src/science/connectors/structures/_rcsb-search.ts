import { Failure, pick, z, type Http, type Json } from "../../connector.ts"

/**
 * Plain words go to the full-text service as they are: each further word narrows, quotes make a phrase (rcsb/rcsb-mcp, query_fulltext). A
 * query in the API's own language is passed through.
 */
export function queryNode(query: string): Json {
  if (!query.startsWith("{")) return { type: "terminal", service: "full_text", parameters: { value: query } }
  const node = NODE.safeParse(parseJson(query))
  if (node.success) return node.data
  throw new Failure(
    "invalid_query",
    'a query in JSON is one node, {"type":"terminal",…} or {"type":"group",…}, without return_type and request_options',
  )
}

const NODE = z.lazy(() => z.looseObject({ type: z.enum(["terminal", "group"]) }))

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : "syntax"
    throw new Failure("invalid_query", `the query begins like JSON but is none (${why})`)
  }
}

/** Through the lineage, so that a species finds its strains and a clade its species; the ids are strings there. */
export function organismNode(organism: string): Json {
  const attribute = `rcsb_entity_source_organism.taxonomy_lineage.${/^\d+$/.test(organism) ? "id" : "name"}`
  return { type: "terminal", service: "text", parameters: { attribute, operator: "exact_match", value: organism } }
}

export interface Facts {
  title: string
  summary: string
}

/** Titles and what lets one choose, of all hits in one request: the search answers with ids only. */
export async function factsOf(ids: string[], http: Http): Promise<Map<string, Facts>> {
  const answer = await http.json("https://data.rcsb.org/graphql", { body: { query: ENTRIES, variables: { ids } } })
  const { data, errors } = pick(ANSWER, answer)
  // An error comes under status 200.
  const error = errors?.[0]
  if (error) throw new Failure("bad_response", `RCSB PDB's GraphQL refused: ${error.message}`)
  const entries = (data?.entries ?? []).filter((entry) => entry !== null)
  return new Map(
    entries.map((entry) => [entry.rcsb_id, { title: entry.struct?.title ?? entry.rcsb_id, summary: summaryOf(entry) }]),
  )
}

const ENTRIES = `query ($ids: [String!]!) {
  entries(entry_ids: $ids) {
    rcsb_id
    struct { title }
    exptl { method }
    rcsb_entry_info { resolution_combined }
    rcsb_accession_info { initial_release_date }
    rcsb_primary_citation { rcsb_journal_abbrev year }
    polymer_entities { rcsb_entity_source_organism { ncbi_scientific_name } }
  }
}`

/** GraphQL says null for what an entry does not have. */
const ENTRY = z.lazy(() =>
  z.object({
    rcsb_id: z.string(),
    struct: z.object({ title: z.string().nullish() }).nullish(),
    exptl: z.array(z.object({ method: z.string() })).nullish(),
    rcsb_entry_info: z.object({ resolution_combined: z.array(z.number()).nullish() }).nullish(),
    rcsb_accession_info: z.object({ initial_release_date: z.string().nullish() }).nullish(),
    rcsb_primary_citation: z
      .object({ rcsb_journal_abbrev: z.string().nullish(), year: z.number().nullish() })
      .nullish(),
    polymer_entities: z
      .array(
        z.object({
          rcsb_entity_source_organism: z.array(z.object({ ncbi_scientific_name: z.string().nullish() })).nullish(),
        }),
      )
      .nullish(),
  }),
)

const ANSWER = z.lazy(() =>
  z.object({
    errors: z.array(z.object({ message: z.string() })).nullish(),
    data: z.object({ entries: z.array(ENTRY.nullable()).nullish() }).nullish(),
  }),
)

function summaryOf(entry: z.infer<typeof ENTRY>): string {
  const methods = (entry.exptl ?? []).map(({ method }) => method)
  const resolution = entry.rcsb_entry_info?.resolution_combined?.[0]
  const organisms = (entry.polymer_entities ?? [])
    .flatMap(({ rcsb_entity_source_organism: sources }) => sources ?? [])
    .flatMap(({ ncbi_scientific_name: name }) => name ?? [])
  const citation = entry.rcsb_primary_citation
  const released = entry.rcsb_accession_info?.initial_release_date?.slice(0, 10)
  const facts = [
    [methods.join(" + "), ...(resolution ? [`${resolution} Å`] : [])].join(" "),
    [...new Set(organisms)].slice(0, 3).join(", "),
    released ? `released ${released}` : "",
    [citation?.rcsb_journal_abbrev, citation?.year].filter(Boolean).join(" "),
  ]
  return facts.filter((fact) => fact !== "").join(" · ")
}
