import { Failure, keep, Miss, pick, url, z, type Http, type Json } from "../../connector.ts"

/** Genes of GTEx: which version of a gene belongs to which data set, and its expression there. */

export const API = "https://gtexportal.org/api/v2"

/**
 * A data set and the annotation that it was counted with. They must be asked for as a pair: the version of a gene that belongs to another
 * annotation is answered with an empty list, and what the service takes where nothing is said has changed over time.
 */
export interface Release {
  datasetId: string
  gencodeVersion: string
}

const V10: Release = { datasetId: "gtex_v10", gencodeVersion: "v39" }
const V8: Release = { datasetId: "gtex_v8", gencodeVersion: "v26" }

/** The newest first. */
export const ADULT: readonly Release[] = [V10, V8]
export const NUCLEI: Release = { datasetId: "gtex_snrnaseq_pilot", gencodeVersion: "v26" }

/** Symbols differ in letter case only by habit: C1orf112 is found by its upper case. */
export function normalize(typed: string): string {
  const id = typed
    .trim()
    .replace(/^(?:ensembl|hgnc\.symbol|dbsnp):/i, "")
    .toUpperCase()
  return id
    .replace(/^RS(?=\d{2,}$)/, "rs")
    .replace(/^CHR(?=[\dXYM]+_.*_B38$)/, "chr")
    .replace(/(?<=^chr.*)_B38$/, "_b38")
}

export const releaseOf = (gencodeVersion: string) =>
  ADULT.find((release) => release.gencodeVersion === gencodeVersion)?.datasetId ?? "GTEx"

/** The most that one page holds, by the service's own description. */
export const MOST = 100_000

export const Page = z.lazy(() =>
  z.object({ data: z.array(z.unknown()), paging_info: z.object({ totalNumberOfItems: z.number() }) }),
)

export const Gene = z.lazy(() =>
  z.object({
    gencodeId: z.string(),
    geneSymbol: z.string(),
    geneSymbolUpper: z.string(),
    geneType: z.string(),
    description: z.string().nullish(),
    chromosome: z.string(),
    start: z.number(),
    end: z.number(),
  }),
)

export type Gene = z.infer<typeof Gene>

export interface Found {
  record: Json
  gene: Gene
  release: Release
}

/** Every row of a list. A page that holds less than it counts would be a list cut off in silence. */
export async function rows(http: Http, address: string): Promise<Json[]> {
  const answer = await http.json(`${address}&itemsPerPage=${MOST}`)
  const { data } = keep(Page, answer)
  const total = pick(Page, answer).paging_info.totalNumberOfItems
  if (data.length >= total) return data
  throw new Failure("too_large", `GTEx has ${total} rows for this and gave ${data.length} of them; ask for less.`)
}

export const repeated = (name: string, values: string[]) => values.map((value) => `${name}=${url`${value}`}`).join("&")

export const annotation = ({ gencodeVersion }: Release) =>
  url`gencodeVersion=${gencodeVersion}&genomeBuild=${"GRCh38/hg38"}`

export const withoutVersion = (id: string) => id.replace(/\..*$/, "")

/** The genes that a release has for ids and symbols, whatever version is asked. */
async function known(release: Release, ids: string[], http: Http): Promise<Found[]> {
  if (ids.length === 0) return []
  const names = [...new Set(ids.map((id) => (id.startsWith("ENSG") ? withoutVersion(id) : id)))]
  const found = await rows(http, `${API}/reference/gene?${repeated("geneId", names)}&${annotation(release)}`)
  return found.map((record) => ({ record, gene: pick(Gene, record), release }))
}

/** The one gene that an id names among those that came, or why there is none to choose. */
function named(id: string, found: Found[], exactly: boolean): Found | Miss | undefined {
  if (id.startsWith("ENSG")) {
    const own = found.filter(({ gene }) => withoutVersion(gene.gencodeId) === withoutVersion(id))
    const same = own.find(({ gene }) => gene.gencodeId === id)
    // The copy on the Y chromosome is another gene with the same number.
    return (
      same ?? (exactly && id.includes(".") ? undefined : own.find(({ gene }) => !gene.gencodeId.endsWith("_PAR_Y")))
    )
  }
  // The service finds aliases and pseudogenes too.
  const all = found.filter(({ gene }) => gene.geneSymbolUpper === id && !gene.gencodeId.endsWith("_PAR_Y"))
  const coding = all.filter(({ gene }) => gene.geneType === "protein coding")
  const [one, ...others] = coding.length > 0 ? coding : all
  if (others.length === 0) return one
  const some = [one, ...others].slice(0, 5).map((each) => each?.gene.gencodeId)
  return new Miss(`${others.length + 1} genes have this symbol: fetch one of ${some.join(", ")}`)
}

/** For each id the gene in the release that has it under just this id, else in the newest that has another version of it. */
export async function resolve(
  ids: string[],
  releases: readonly Release[],
  http: Http,
): Promise<Map<string, Found | Miss>> {
  const all: Found[] = []
  const answers = new Map<string, Found | Miss>()
  for (const release of releases) {
    const open = ids.filter((id) => !answers.has(id))
    const found = await known(release, open, http)
    all.push(...found)
    for (const id of open) {
      const gene = named(id, found, true)
      if (gene) answers.set(id, gene)
    }
  }
  for (const id of ids.filter((each) => !answers.has(each))) {
    const versions = releases.map(({ gencodeVersion }) => gencodeVersion).join(" or ")
    answers.set(id, named(id, all, false) ?? new Miss(`GENCODE ${versions} has no such gene: search for its symbol`))
  }
  return answers
}
