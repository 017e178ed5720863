import { pick, z, type Hit, type Http, type SearchOptions, type SearchPage } from "../../connector.ts"
import { ACCESSION, entriesOf, Experiment, normalize, searchCatalogue, type Atlas } from "./_atlas.ts"
import { isSpecies, speciesOf } from "./_species.ts"

export const SINGLE_CELL: Atlas = {
  name: "Single Cell Expression Atlas",
  site: "https://www.ebi.ac.uk/gxa/sc/",
  elsewhere: "expression-atlas, for bulk experiments, or arrayexpress may have it",
}

/** In the descriptions; where these do not have a single word, it may be a gene. */
export async function search(query: string, options: SearchOptions, http: Http): Promise<SearchPage> {
  const page = await searchCatalogue(SINGLE_CELL, query, options, hitOf, http)
  if (page.total > 0) return page
  if (ACCESSION.test(normalize(query))) return { ...page, notes: [SINGLE_CELL.elsewhere] }
  return /^[\w.-]+$/.test(query) ? await byGene(query, options, http) : page
}

/** One result a gene and experiment (JsonGeneSearchController of atlas-web-single-cell). */
const Found = z.lazy(() =>
  z.object({
    results: z.array(z.object({ element: z.object({ experimentAccession: z.string() }) })),
    reason: z.string().optional(),
  }),
)

/** The experiments in which a gene is expressed, by symbol or id. Not of one species alone: genes of several share a symbol. */
async function byGene(
  query: string,
  { limit, cursor = "0", organism }: SearchOptions,
  http: Http,
): Promise<SearchPage> {
  const answer = await http.json("https://www.ebi.ac.uk/gxa/sc/json/search", { query: { q: query } })
  const { results, reason } = pick(Found, answer)
  const accessions = results.map(({ element }) => element.experimentAccession)
  // By accession, so that an experiment with several of the genes comes once.
  const known = [...(await entriesOf(accessions, SINGLE_CELL, http))].flatMap(([, entry]) => {
    const experiment = Experiment.safeParse(entry)
    return experiment.success ? [experiment.data] : []
  })
  const species = organism === undefined ? undefined : speciesOf(organism)
  const own = known.filter((each) => species === undefined || isSpecies(each.species ?? "", species))
  const from = Number(cursor)
  const note =
    reason === undefined ? `no description has this word: experiments with the gene ${query}` : `as a gene: ${reason}`
  return {
    hits: own.slice(from, from + limit).map(hitOf),
    total: own.length,
    ...(from + limit < own.length ? { next: String(from + limit) } : {}),
    notes: [note],
  }
}

function hitOf(experiment: Experiment): Hit {
  const { experimentAccession: id, experimentDescription, species, technologyType, numberOfAssays } = experiment
  const facts = [
    species,
    numberOfAssays == null ? undefined : `${numberOfAssays} cells`,
    (technologyType ?? []).join(", "),
    (experiment.experimentalFactors ?? []).join(", "),
  ]
  return { id, title: experimentDescription || id, summary: facts.filter((fact) => !!fact).join(" · ") }
}
