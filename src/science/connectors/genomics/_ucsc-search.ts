import { Failure, pick, z, type Hit, type Http, type SearchOptions, type SearchPage } from "../../connector.ts"
import { DATABASE, DEFAULT_GENOME, GENARK, genomeNamed } from "./_ucsc-ids.ts"

export const API = "https://api.genome.ucsc.edu"

/** The assembly that the browser shows first of the organisms that are asked for most. */
const ASSEMBLIES: [names: string[], genome: string][] = [
  [["9606", "human", "homo sapiens"], "hg38"],
  [["10090", "mouse", "mus musculus"], "mm39"],
  [["10116", "rat", "rattus norvegicus"], "rn7"],
  [["7955", "zebrafish", "danio rerio"], "danRer11"],
  [["7227", "fruit fly", "drosophila", "drosophila melanogaster"], "dm6"],
  [["6239", "worm", "caenorhabditis elegans", "c. elegans"], "ce11"],
  [["4932", "559292", "yeast", "saccharomyces cerevisiae"], "sacCer3"],
]

const IS_GENOME = new RegExp(`^(?:${DATABASE}|${GENARK})$`)

function genomeOf(organism: string): string {
  const name = organism.trim().toLowerCase()
  const genome = ASSEMBLIES.find(([names]) => names.includes(name))?.[1] ?? genomeNamed(organism.trim())
  if (IS_GENOME.test(genome)) return genome
  throw new Failure(
    "invalid_query",
    `UCSC searches in one assembly: name one as the organism, such as mm39; the query "genome: ${organism}" finds them.`,
  )
}

/** Items of tracks by name, each with its place; `genome: NAME` finds assemblies. */
export async function search(query: string, options: SearchOptions, http: Http): Promise<SearchPage> {
  const [, name] = /^genomes?:\s*(\S.*)$/i.exec(query) ?? []
  if (options.cursor !== undefined && (name !== undefined || !/^\d{1,6}$/.test(options.cursor)))
    throw new Failure("invalid_query", "this is not a cursor of this search; take the one that the page before gave.")
  return name === undefined ? await findItems(query, options, http) : await findGenomes(name, options, http)
}

const Items = z.lazy(() =>
  z.object({
    // Missing where there are none.
    positionMatches: z
      .array(
        z.object({
          trackName: z.string().nullish(),
          name: z.string().nullish(),
          description: z.string().nullish(),
          matches: z
            .array(
              z.object({
                position: z.string().nullish(),
                posName: z.string().nullish(),
                description: z.string().nullish(),
                canonical: z.boolean().nullish(),
              }),
            )
            .nullish(),
        }),
      )
      .nullish(),
  }),
)

async function findItems(
  query: string,
  { limit, cursor = "0", organism }: SearchOptions,
  http: Http,
): Promise<SearchPage> {
  if (!/[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(query))
    throw new Failure("invalid_query", "UCSC needs two letters or more to search for.")
  const genome = organism === undefined ? DEFAULT_GENOME : genomeOf(organism)
  const answer = await http.json(`${API}/search`, { query: { search: query, genome } })
  const found = (pick(Items, answer).positionMatches ?? []).flatMap(({ matches, ...track }) =>
    (matches ?? []).flatMap(({ position, ...match }): (Hit & { first: boolean })[] => {
      // Help pages, hubs and track names are found too; they are in no place.
      if (!position || !/^[^:\s]+:[\d,]+-[\d,]+$/.test(position)) return []
      const id = `${genome}:${position.replaceAll(",", "")}`
      const facts = [track.trackName ?? track.name ?? "", match.description ?? ""].filter((fact) => fact !== "")
      return [{ id, title: match.posName ?? id, summary: facts.join(" · "), first: match.canonical === true }]
    }),
  )
  const ordered = [...found.filter(({ first }) => first), ...found.filter(({ first }) => !first)]
  const start = Number(cursor)
  const end = start + limit
  const chosen =
    organism === undefined ? ["searched in hg38 (human); name another assembly, such as mm39, as the organism"] : []
  return {
    hits: ordered.slice(start, end).map(({ first: _, ...hit }) => hit),
    total: ordered.length,
    ...(end < ordered.length ? { next: String(end) } : {}),
    notes: [...chosen, "an id is a place; put a track behind it for the items there, as in hg38:chrM:1-200:knownGene"],
  }
}

const Genome = z.lazy(() =>
  z.object({
    scientificName: z.string().nullish(),
    organismName: z.string().nullish(),
    commonName: z.string().nullish(),
    asmName: z.string().nullish(),
    description: z.string().nullish(),
    taxId: z.number().nullish(),
  }),
)

/** The answer's own fields beside the genomes, which stand under their names in the answer itself, or under `genomes` in older versions. */
const Found = z.lazy(() => z.looseObject({ totalMatchCount: z.number().nullish(), itemCount: z.number().nullish() }))

/** No genome is a 400 that says so (kent, hubApi/findGenome.c). */
async function findGenomes(name: string, { limit }: SearchOptions, http: Http): Promise<SearchPage> {
  const answer = await http.json(`${API}/findGenome`, {
    query: { q: name, maxItemsOutput: limit },
    miss: ({ status, head }) => status === 400 && head.includes("no genomes found matching"),
  })
  if (answer === undefined) return { hits: [], total: 0 }
  const { totalMatchCount, itemCount, ...all } = pick(Found, answer)
  const rows = Object.entries(isRecord(all["genomes"]) ? all["genomes"] : all).filter(
    ([id, row]) => IS_GENOME.test(id) && isRecord(row),
  )
  const total = totalMatchCount ?? itemCount
  return {
    hits: rows.map(([id, row]) => genomeHit(id, pick(Genome, row))),
    ...(typeof total === "number" ? { total } : {}),
    notes: [
      ...(typeof total === "number" && total > rows.length
        ? ["UCSC gives the first ones only: name it more closely"]
        : []),
    ],
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

function genomeHit(id: string, row: z.infer<typeof Genome>): Hit {
  const facts = [row.commonName, row.asmName, row.description, row.taxId ? `taxon ${row.taxId}` : ""]
  return {
    id,
    title: row.scientificName ?? row.organismName ?? id,
    summary: facts.filter((fact) => !!fact).join(" · "),
  }
}
