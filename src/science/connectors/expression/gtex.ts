import { defineConnector, pick, z, type FileFormat } from "../../connector.ts"
import { ADULT, API, NUCLEI, releaseOf, type Release } from "./_gtex.ts"
import { genesOf, located } from "./_gtex-expression.ts"
import { searchGenes } from "./_gtex-search.ts"

/** ENSG00000141510, with any version of it, or a symbol; not what only looks like a symbol: rs numbers and other Ensembl ids. */
const ID = /^(?:ENSG\d{11}(?:\.\d{1,2}(?:_PAR_Y)?)?|(?!RS\d+$|ENS[A-Z]*\d{6})[A-Z][A-Z0-9._-]{0,24})$/

/** The service describes itself at gtexportal.org/api/v2/docs. */
export default defineConnector({
  id: "gtex",
  name: "GTEx",
  domain: "expression",
  description: "gene expression and eQTLs in human tissues",
  homepage: "https://gtexportal.org",
  license: "Open-access GTEx data, terms at https://gtexportal.org/home/license; genotypes are controlled by dbGaP",
  cite: "The GTEx Consortium. Science 369:1318-1330 (2020). doi:10.1126/science.aaz1776; GTEx Portal, dbGaP accession phs000424, with the date of access",
  ids: { curie: "gtex", pattern: ID, examples: ["TP53", "ENSG00000141510", "ENSG00000141510.16"], normalize },
  probe: { query: "TP53", missing: "ENSG00000000000" },
  // No limit is published; a public client of it keeps to five a second.
  hosts: { "gtexportal.org": { perSecond: 5, concurrent: 4 } },
  url: "https://gtexportal.org/home/gene/{id}",
  // It has no status for "no such gene", only empty lists: a 404 is a path that is no more.
  missing: () => false,
  identify: (record) => {
    const { gencodeId, geneSymbolUpper } = pick(Shown, record).gene
    const stem = gencodeId.replace(/\..*$/, "")
    // Any version of a gene asks for the gene; what came instead of it is said by `relation`.
    return [gencodeId, stem, geneSymbolUpper, ...Array.from({ length: 99 }, (_, i) => `${stem}.${i + 1}`)]
  },
  relation: (asked, own, record) => {
    const { gencodeVersion } = pick(Shown, record).gene
    const where = `${own} in ${releaseOf(gencodeVersion)} (GENCODE ${gencodeVersion})`
    const version = /^ENSG\d+\./i.test(asked)
    return version ? `${asked} is another version of the gene: this is ${where}` : `${asked} is ${where}`
  },
  remarks: (record) => {
    const { gene, medianExpression } = pick(Shown, record)
    if (medianExpression === undefined) return []
    const [first] = medianExpression
    if (first) return [`medians in ${first.unit} of ${first.datasetId}`]
    const releases = ADULT.map(({ datasetId }) => datasetId).join(" or ")
    return [`GTEx has no expression of ${gene.geneSymbol} in ${releases}, which is not an expression of 0`]
  },
  search: searchGenes,
  fetch: async (id, http) => (await genesOf([id], http)).get(id),
  // Ids go into the address, and a gene has 54 tissues.
  fetchMany: { atOnce: 50, fetch: genesOf },
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

const Shown = z.object({
  gene: z.object({
    gencodeId: z.string(),
    geneSymbol: z.string(),
    geneSymbolUpper: z.string(),
    gencodeVersion: z.string(),
  }),
  medianExpression: z.array(z.object({ datasetId: z.string(), unit: z.string() })).optional(),
})

/** Symbols differ in letter case only by habit: C1orf112 is found by its upper case. */
function normalize(typed: string): string {
  return typed.replace(/^(?:ensembl|hgnc\.symbol):/i, "").toUpperCase()
}

/** `path` has its query begun. */
function file(path: string, releases: readonly Release[] = ADULT): FileFormat {
  return { kind: "json", locate: (id, http) => located(`${API}/${path}`, id, releases, http) }
}
