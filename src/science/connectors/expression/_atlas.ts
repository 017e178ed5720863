import { offsetOf, Failure, keep, Miss, pick, z, type Hit, type Http, type Json } from "../../connector.ts"
import type { SearchOptions, SearchPage } from "../../connector.ts"
import { accession } from "./_accession.ts"
import { isSpecies, otherNames, speciesOf } from "./_species.ts"

/**
 * The two Expression Atlases run one program. It gives all experiments in one list, has no search of their descriptions, and ignores what
 * it is asked beside; so the list (some 3 MB) is read whole, and searched here.
 */

/** As ExperimentJsonSerializer of github.com/ebi-gene-expression-group/atlas-web-core writes it. */
export const Experiment = z.lazy(() =>
  z.object({
    experimentAccession: z.string(),
    experimentDescription: z.string().nullish(),
    species: z.string().nullish(),
    kingdom: z.string().nullish(),
    lastUpdate: z.string().nullish(),
    rawExperimentType: z.string().nullish(),
    technologyType: z.array(z.string()).nullish(),
    numberOfAssays: z.number().nullish(),
    numberOfContrasts: z.number().nullish(),
    experimentalFactors: z.array(z.string()).nullish(),
    experimentProjects: z.array(z.string()).nullish(),
    arrayDesigns: z.array(z.string()).nullish(),
    arrayDesignNames: z.array(z.string()).nullish(),
  }),
)

export type Experiment = z.infer<typeof Experiment>

export interface Atlas {
  name: string
  /** With a slash at its end. */
  site: string
  /** Where else an experiment may be that is not here. */
  elsewhere: string
}

export const ACCESSION = /^E-[A-Z]{4}-\d+$/

/** An accession, in whatever way it is written, or the address of one of its pages. */
export const normalize = (typed: string): string =>
  accession(
    typed
      .replace(/^https?:\/\/www\.ebi\.ac\.uk\/gxa\/(?:sc\/)?experiments?\//i, "")
      .replace(/(?:\/[\w %-]*)+(?:[?#].*)?$/, ""),
  )

/** An empty list would make every experiment one that is not there. */
const Catalogue = z.lazy(() => z.object({ experiments: z.array(z.unknown()).min(1) }))

async function catalogue({ site }: Atlas, http: Http): Promise<Json[]> {
  return keep(Catalogue, await http.json(`${site}json/experiments`, { timeouts: { connectMs: 60_000 } })).experiments
}

/** The entries of the list by accession. */
export async function entriesOf(ids: string[], atlas: Atlas, http: Http): Promise<Map<string, Json | Miss>> {
  const Accession = z.object({ experimentAccession: z.string() })
  const all = await catalogue(atlas, http)
  const own = new Map(all.map((entry) => [pick(Accession, entry).experimentAccession, entry]))
  return new Map(ids.map((id) => [id, own.get(id) ?? new Miss(`not in ${atlas.name}: ${atlas.elsewhere}`)]))
}

export async function entryOf(id: string, atlas: Atlas, http: Http): Promise<Json | Miss> {
  return (await entriesOf([id], atlas, http)).get(id)
}

/** Every word, or phrase in quotes, at the beginning of a word anywhere in the entry; the most telling entries first. */
export async function searchCatalogue(
  atlas: Atlas,
  query: string,
  { limit, cursor, organism }: SearchOptions,
  hitOf: (experiment: Experiment) => Hit,
  http: Http,
): Promise<SearchPage & { total: number }> {
  const from = offsetOf(cursor)
  const words = wordsOf(query, atlas)
  const species = organism === undefined ? undefined : speciesOf(organism)
  if (organism !== undefined && species === undefined)
    throw new Failure(
      "invalid_query",
      `${atlas.name} knows organisms by their Latin names: give that instead of ${organism}.`,
    )
  const all = (await catalogue(atlas, http)).map((entry) => pick(Experiment, entry))
  const found = all
    .filter((each) => species === undefined || isSpecies(each.species ?? "", species))
    .filter((each) => words.every((word) => word.test(textOf(each))))
    .map((each) => ({ each, telling: words.filter((word) => word.test(headOf(each))).length }))
    .sort((a, b) => b.telling - a.telling || byDate(b.each, a.each))
  return {
    hits: found.slice(from, from + limit).map(({ each }) => hitOf(each)),
    total: found.length,
    ...(from + limit < found.length ? { next: String(from + limit) } : {}),
  }
}

function wordsOf(query: string, { name }: Atlas): RegExp[] {
  const id = normalize(query)
  if (ACCESSION.test(id)) return [new RegExp(`^${id}(?!\\d)`, "i")]
  const tokens = query.match(/"[^"]+"|[^\s"]+/g) ?? []
  if (tokens.some((token) => /^(?:OR|NOT)$/.test(token)))
    throw new Failure(
      "invalid_query",
      `all words are looked for in ${name}, without OR and NOT: ask for each part alone.`,
    )
  const words = tokens
    .filter((token) => token !== "AND")
    .map((token) => token.replaceAll('"', "").trim())
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  if (words.length === 0) throw new Failure("invalid_query", `${name} needs a word to look for.`)
  return words.map((word) => new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`, "iu"))
}

const headOf = ({ experimentAccession, experimentDescription }: Experiment) =>
  `${experimentAccession} ${experimentDescription ?? ""}`

function textOf(experiment: Experiment): string {
  const { species, kingdom, rawExperimentType, technologyType, experimentalFactors } = experiment
  return [
    headOf(experiment),
    species,
    otherNames(species ?? ""),
    kingdom,
    rawExperimentType?.replaceAll("_", " "),
    ...(technologyType ?? []),
    ...(experimentalFactors ?? []),
    ...(experiment.experimentProjects ?? []),
    ...(experiment.arrayDesigns ?? []),
    ...(experiment.arrayDesignNames ?? []),
  ].join(" · ")
}

/** Dates are written 26-05-2018. */
function byDate(a: Experiment, b: Experiment): number {
  const day = ({ lastUpdate }: Experiment) => (lastUpdate ?? "").split("-").reverse().join("-")
  return day(a) < day(b) ? -1 : day(a) > day(b) ? 1 : 0
}
