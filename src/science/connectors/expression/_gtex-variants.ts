import { Failure, Miss, pick, url, z, type Http, type Json, type SearchPage } from "../../connector.ts"
import { ADULT, API, MOST, Page, repeated, rows, type Release } from "./_gtex.ts"

/** Variants of GTEx: those of its donors, with the genes that they are known to act on. */

/** Its own ids are of GRCh38; an rs number may stand for several, one for each allele. RS1 is a gene. */
export const VARIANT = /^(?:rs\d{2,}|chr(?:\d{1,2}|[XYM])_\d+_[ACGT]+_[ACGT]+_b38)$/

export const Variant = z.lazy(() =>
  z.object({
    variantId: z.string(),
    snpId: z.string().nullish(),
    chromosome: z.string(),
    pos: z.number(),
    ref: z.string(),
    alt: z.string(),
    datasetId: z.string(),
  }),
)

interface Known {
  records: Json[]
  variantIds: string[]
  release: Release
}

/** A variant in the newest release that has it. */
async function known(id: string, http: Http): Promise<Known | Miss> {
  const field = id.startsWith("rs") ? "snpId" : "variantId"
  for (const release of ADULT) {
    const records = (await rows(http, `${API}/dataset/variant?${repeated(field, [id])}&${dataset(release)}`)).filter(
      (record) => pick(Variant, record)[field] === id,
    )
    const variantIds = records.map((record) => pick(Variant, record).variantId)
    if (records.length > 0) return { records, variantIds, release }
  }
  return new Miss("not among the variants of GTEx's donors, where the rarer ones are left out")
}

const dataset = ({ datasetId }: Release) => url`datasetId=${datasetId}`

export async function variantOf(id: string, http: Http): Promise<Json | Miss> {
  const found = await known(id, http)
  if (found instanceof Miss) return found
  const address = `${API}/association/singleTissueEqtl?${repeated("variantId", found.variantIds)}`
  const eqtls = await http.part(`eqtls of ${id}`, () => rows(http, `${address}&${dataset(found.release)}`))
  return { variants: found.records, ...(eqtls && { eqtls }) }
}

export async function locatedOfVariant(endpoint: string, id: string, http: Http): Promise<string | Miss> {
  const found = await known(id, http)
  if (found instanceof Miss) return found
  const address = `${endpoint}${repeated("variantId", found.variantIds)}&${dataset(found.release)}`
  return await whole(address, `${id} in ${found.release.datasetId}`, http)
}

/** A list that fits on one page, and is not empty. */
export async function whole(address: string, whose: string, http: Http): Promise<string | Miss> {
  const { totalNumberOfItems: total } = pick(Page, await http.json(`${address}&itemsPerPage=1`)).paging_info
  if (total > MOST)
    throw new Failure("too_large", `GTEx has ${total} rows of this for ${whose} and gives at most ${MOST} in one file.`)
  return total > 0 ? `${address}&itemsPerPage=${MOST}` : new Miss(`there is none of ${whose}`)
}

export async function searchVariants(id: string, http: Http): Promise<SearchPage> {
  const found = await known(id, http)
  if (found instanceof Miss) return { hits: [], total: 0, notes: found.reason === undefined ? [] : [found.reason] }
  const hits = found.records.map((record) => {
    const { variantId, snpId, chromosome, pos, ref, alt } = pick(Variant, record)
    return { id: variantId, title: snpId ?? variantId, summary: `${chromosome}:${pos} ${ref}>${alt}` }
  })
  return { hits, total: hits.length, notes: [`variants of ${found.release.datasetId}`] }
}
