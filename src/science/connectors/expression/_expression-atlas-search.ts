import { pick, z, type Hit, type Http, type SearchOptions, type SearchPage } from "../../connector.ts"
import { ACCESSION, entriesOf, Experiment, normalize, searchCatalogue } from "./_atlas.ts"
import { BULK } from "./_expression-atlas-files.ts"

/** www.ebi.ac.uk/ebisearch/documentation/rest-api */
const EBI_SEARCH = "https://www.ebi.ac.uk/ebisearch/ws/rest/atlas-experiments"

/** In the descriptions; where these have nothing, a gene perhaps, in EBI Search, which knows the experiments by their results too. */
export async function search(query: string, options: SearchOptions, http: Http): Promise<SearchPage> {
  const page = await searchCatalogue(BULK, query, options, hitOf, http)
  if (page.total > 0) return page
  if (ACCESSION.test(normalize(query))) return { ...page, notes: [BULK.elsewhere] }
  if (options.organism === undefined) return await inResults(query, options, http)
  return { ...page, notes: ["no description has these words; for a gene, leave the organism out"] }
}

const Found = z.lazy(() =>
  z.object({
    hitCount: z.number(),
    entries: z.array(
      z.object({ id: z.string(), fields: z.object({ description: z.array(z.string()).optional() }).optional() }),
    ),
  }),
)

async function inResults(query: string, { limit, cursor = "0" }: SearchOptions, http: Http): Promise<SearchPage> {
  const words = (query.match(/"[^"]+"|[^\s"]+/g) ?? []).filter((word) => word !== "AND")
  const escaped = words.map((word) => (/^"/.test(word) ? word : word.replace(/[-+!(){}[\]^~*?:\\/&|]/g, "\\$&")))
  const start = Number(cursor)
  const answer = await http.json(EBI_SEARCH, {
    query: { query: escaped.join(" AND "), format: "json", size: limit, start, fields: "description" },
  })
  const { hitCount, entries } = pick(Found, answer)
  const known = await entriesOf(
    entries.map(({ id }) => id),
    BULK,
    http,
  )
  return {
    hits: entries.map(({ id, fields }) => {
      const experiment = Experiment.safeParse(known.get(id))
      return experiment.success ? hitOf(experiment.data) : { id, title: fields?.description?.[0] ?? id }
    }),
    total: hitCount,
    ...(start + entries.length < hitCount && entries.length > 0 ? { next: String(start + entries.length) } : {}),
    notes: ["no description has these words: found by EBI Search, which also looks at genes and conditions"],
  }
}

function hitOf(experiment: Experiment): Hit {
  const { experimentAccession: id, experimentDescription, species, rawExperimentType, numberOfContrasts } = experiment
  const facts = [
    species,
    rawExperimentType?.replaceAll("_", " ").toLowerCase(),
    (experiment.experimentalFactors ?? []).join(", "),
    experiment.numberOfAssays == null ? undefined : `${experiment.numberOfAssays} assays`,
    numberOfContrasts == null ? undefined : `${numberOfContrasts} contrasts`,
  ]
  return { id, title: experimentDescription || id, summary: facts.filter((fact) => !!fact).join(" · ") }
}
