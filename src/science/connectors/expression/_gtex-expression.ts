import { Miss, pick, url, z, type Http, type Json } from "../../connector.ts"
import { ADULT, API, repeated, resolve, rows, withoutVersion, type Found, type Release } from "./_gtex.ts"
import { whole } from "./_gtex-variants.ts"

/** The medians of genes by data set and versioned id, in one request a release. */
async function mediansOf(genes: Found[], http: Http): Promise<(found: Found) => Json[]> {
  const medians = new Map<string, Json[]>()
  for (const { datasetId } of ADULT) {
    const ids = genes.flatMap(({ gene, release }) => (release.datasetId === datasetId ? [gene.gencodeId] : []))
    if (ids.length === 0) continue
    const address = `${API}/expression/medianGeneExpression?${repeated("gencodeId", [...new Set(ids)])}`
    for (const row of await rows(http, `${address}&${url`datasetId=${datasetId}`}`)) {
      const key = `${datasetId} ${pick(z.object({ gencodeId: z.string() }), row).gencodeId}`
      medians.set(key, [...(medians.get(key) ?? []), row])
    }
  }
  return ({ gene, release }) => medians.get(`${release.datasetId} ${gene.gencodeId}`) ?? []
}

/** The same gene in another release. */
async function inRelease(release: Release, { gene }: Found, http: Http): Promise<Found | undefined> {
  const id = withoutVersion(gene.gencodeId)
  const found = (await resolve([id], [release], http)).get(id)
  return found instanceof Miss ? undefined : found
}

/** Each gene with its medians. A gene without any is looked for in the other release: it is seldom that it was not measured. */
async function measured(genes: Found[], http: Http): Promise<Map<Found, { found: Found; medians: Json[] }>> {
  const own = await mediansOf(genes, http)
  const elsewhere = new Map<Found, Found>()
  for (const found of genes.filter((each) => own(each).length === 0))
    for (const release of ADULT.filter((each) => each !== found.release)) {
      const other = await inRelease(release, found, http)
      if (other) elsewhere.set(found, other)
    }
  const others = await mediansOf([...elsewhere.values()], http)
  return new Map(
    genes.map((found) => {
      const other = elsewhere.get(found)
      return other && others(other).length > 0
        ? [found, { found: other, medians: others(other) }]
        : [found, { found, medians: own(found) }]
    }),
  )
}

export async function genesOf(ids: string[], http: Http): Promise<Map<string, Json | Miss>> {
  const resolved = await resolve(ids, ADULT, http)
  const genes = [...resolved.values()].filter((found): found is Found => !(found instanceof Miss))
  const all = await http.part("medianExpression", () => measured(genes, http))
  const answerOf = (gene: Found | Miss): Json | Miss => {
    if (gene instanceof Miss) return gene
    const { found, medians } = all?.get(gene) ?? { found: gene, medians: undefined }
    return { gene: found.record, ...(medians && { medianExpression: medians }) }
  }
  return new Map([...resolved].map(([id, gene]) => [id, answerOf(gene)]))
}

/** Where a list of a gene is whole, in the newest release that has one. A file cannot say that it is of another version, so it never is. */
export async function locatedOfGene(endpoint: string, id: string, releases: readonly Release[], http: Http) {
  const first = (await resolve([id], releases, http)).get(id)
  if (!first || first instanceof Miss) return first
  const { gencodeId, geneSymbol } = first.gene
  const versioned = id.includes(".") && id.startsWith("ENSG")
  if (versioned && gencodeId !== id) return new Miss(`${first.release.datasetId} has ${gencodeId}: fetch that`)
  const others = versioned ? [] : releases.filter((release) => release !== first.release)
  for (const release of [first.release, ...others]) {
    const found = release === first.release ? first : await inRelease(release, first, http)
    if (!found) continue
    const address = `${endpoint}${url`gencodeId=${found.gene.gencodeId}&datasetId=${release.datasetId}`}`
    const location = await whole(address, geneSymbol, http)
    if (typeof location === "string") return location
  }
  const asked = versioned ? [first.release] : releases
  return new Miss(`there is none of ${geneSymbol} in ${asked.map(({ datasetId }) => datasetId).join(" or ")}`)
}
