import { defineConnector, Miss, pick, url, z, type FileFormat, type Http, type Json } from "../../connector.ts"
import { ADULT, API, normalize, NUCLEI, releaseOf, type Release } from "./_gtex.ts"
import { genesOf, locatedOfGene } from "./_gtex-expression.ts"
import { search } from "./_gtex-search.ts"
import { locatedOfVariant, Variant, VARIANT, variantOf } from "./_gtex-variants.ts"

/** ENSG00000141510, with any version of it, or a symbol, but no other Ensembl id and no position. */
const GENE = /^(?:ENSG\d{11}(?:\.\d{1,2}(?:_PAR_Y)?)?|(?!ENS[A-Z]*\d{6}|CHR[\dXYM]+_)[A-Z][A-Z0-9._-]{0,24})$/
const ID = new RegExp(`${GENE.source}|${VARIANT.source}`)

/** The service describes itself at gtexportal.org/api/v2/docs. */
export default defineConnector({
  id: "gtex",
  name: "GTEx",
  domain: "expression",
  description: "gene expression and eQTLs in human tissues",
  homepage: "https://gtexportal.org",
  license: "Open-access GTEx data, terms at https://gtexportal.org/home/license; genotypes are controlled by dbGaP",
  cite: "The GTEx Consortium. Science 369:1318-1330 (2020). doi:10.1126/science.aaz1776; GTEx Portal, dbGaP accession phs000424, with the date of access",
  ids: {
    curie: "gtex",
    pattern: ID,
    examples: ["TP53", "ENSG00000141510.16", "rs1421085", "chr16_53767042_T_C_b38"],
    normalize,
  },
  probe: { query: "TP53", missing: "ENSG00000000000" },
  // No limit is published; a public client of it keeps to five a second.
  hosts: { "gtexportal.org": { perSecond: 5, concurrent: 4 } },
  url: "https://gtexportal.org/home/gene/{id}",
  // It has no status for "no such gene", only empty lists: a 404 is a path that is no more.
  missing: () => false,
  page: (id) => (VARIANT.test(id) ? url`https://gtexportal.org/home/snp/${id}` : undefined),
  identify: (record) => {
    const { gene, variants } = pick(Shown, record)
    if (variants)
      return [...variants.map(({ variantId }) => variantId), ...variants.flatMap(({ snpId }) => snpId ?? [])]
    if (!gene) return []
    const stem = gene.gencodeId.replace(/\..*$/, "")
    // Any version of a gene asks for the gene; what came instead of it is said by `relation`.
    const versions = Array.from({ length: 99 }, (_, i) => `${stem}.${i + 1}`)
    return [gene.gencodeId, stem, gene.geneSymbolUpper, ...versions]
  },
  relation: (asked, own, record) => {
    const { gene, variants } = pick(Shown, record)
    if (variants)
      return `${asked} is ${variants.map(({ variantId }) => variantId).join(" and ")} in ${variants[0]?.datasetId}`
    const where = gene ? `${own} in ${releaseOf(gene.gencodeVersion)} (GENCODE ${gene.gencodeVersion})` : own
    const version = /^ENSG\d+\./i.test(asked)
    return version ? `${asked} is another version of the gene: this is ${where}` : `${asked} is ${where}`
  },
  remarks: (record) => {
    const { gene, medianExpression, eqtls, variants } = pick(Shown, record)
    if (eqtls) return [`significant eQTLs in ${variants?.[0]?.datasetId}: ${eqtls.length}`]
    if (!gene || !medianExpression) return []
    const [first] = medianExpression
    if (first) return [`medians in ${first.unit} of ${first.datasetId}`]
    const releases = ADULT.map(({ datasetId }) => datasetId).join(" or ")
    return [`GTEx has no expression of ${gene.geneSymbol} in ${releases}, which is not an expression of 0`]
  },
  search,
  fetch: async (id, http) => (await recordsOf([id], http)).get(id),
  // Ids go into the address, and a gene has 54 tissues.
  fetchMany: { atOnce: 50, fetch: recordsOf },
  files: {
    // The expression in every sample; the samples are not named.
    samples: file("expression/geneExpression?"),
    eqtl: file("association/singleTissueEqtl?"),
    sqtl: file("association/singleTissueSqtl?"),
    medians: file("expression/medianGeneExpression?"),
    transcripts: file("expression/medianTranscriptExpression?"),
    exons: file("expression/medianExonExpression?"),
    junctions: file("expression/medianJunctionExpression?"),
    // In the single nuclei of eight tissues, by cell type; the values are left out unless they are asked for.
    nuclei: file("expression/singleNucleusGeneExpression?excludeDataArray=false&", [NUCLEI]),
    "independent-eqtl": file("association/independentEqtl?"),
    "fine-mapping": file("association/fineMapping?"),
    metasoft: file("association/metasoft?"),
  },
})

/** A gene with its medians, or the variants of an id with what they act on. */
const Shown = z.lazy(() =>
  z.object({
    gene: z
      .object({
        gencodeId: z.string(),
        geneSymbol: z.string(),
        geneSymbolUpper: z.string(),
        gencodeVersion: z.string(),
      })
      .optional(),
    medianExpression: z.array(z.object({ datasetId: z.string(), unit: z.string() })).optional(),
    variants: z.array(Variant).optional(),
    eqtls: z.array(z.unknown()).optional(),
  }),
)

async function recordsOf(ids: string[], http: Http): Promise<Map<string, Json | Miss>> {
  const variants = ids.filter((id) => VARIANT.test(id))
  const genes = ids.filter((id) => !VARIANT.test(id))
  const found = await Promise.all(variants.map(async (id) => [id, await variantOf(id, http)] as const))
  return new Map([...found, ...(genes.length > 0 ? await genesOf(genes, http) : [])])
}

/** `path` has its query begun. */
function file(path: string, releases: readonly Release[] = ADULT): FileFormat {
  return {
    kind: "json",
    locate: (id, http) => {
      if (!VARIANT.test(id)) return locatedOfGene(`${API}/${path}`, id, releases, http)
      return /singleTissue[ES]qtl/.test(path)
        ? locatedOfVariant(`${API}/${path}`, id, http)
        : new Miss("there is this of genes only; of a variant there are eqtl and sqtl")
    },
  }
}
