import { defineConnector, Miss, pick, z, type FileFormat, type Json } from "../../connector.ts"
import { messagesIn } from "../_graphql.ts"
import { idsOfAll } from "../_several.ts"
import { API, gnomadFailure, NOT_FOUND } from "./_gnomad-api.ts"
import { ID, normalize, read, spellings } from "./_gnomad-ids.ts"
import { AT_ONCE, formOf, recordOf, recordsOf } from "./_gnomad-records.ts"
import { countsOf, search } from "./_gnomad-search.ts"

const Counted = z.lazy(() =>
  z.object({ ac: z.number().nullish(), an: z.number().nullish(), filters: z.array(z.string()).nullish() }),
)

/** What is read of a record of any kind. */
const Known = z.lazy(() =>
  z.object({
    reference_genome: z.enum(["GRCh37", "GRCh38"]).optional(),
    variant_id: z.string().optional(),
    gene_id: z.string().optional(),
    transcript_id: z.string().optional(),
    rsids: z.array(z.string().nullable()).nullish(),
    caid: z.string().nullish(),
    exome: Counted.nullish(),
    genome: Counted.nullish(),
    filters: z.array(z.string()).nullish(),
    gnomad_constraint: z.object({ flags: z.array(z.string()).nullish() }).nullish(),
  }),
)

export default defineConnector({
  id: "gnomad",
  name: "gnomAD",
  domain: "variants",
  description: "allele frequencies by ancestry, gene constraint",
  homepage: "https://gnomad.broadinstitute.org",
  license: "CC0; a link back is requested, re-identification forbidden; some annotations carry their makers' terms",
  cite: "gnomAD (v4.1, 807,162 individuals, released on 04/19/2024); Chen et al. Nature 625:92 (2024). doi:10.1038/s41586-023-06045-0",
  ids: {
    curie: "gnomad",
    pattern: ID,
    examples: ["11-5227002-T-A", "ENSG00000141510", "rs334", "gnomad_r2_1:11-5248232-T-A"],
    normalize,
  },
  probe: { query: "TP53", missing: "1-1-A-C" },
  // Thirty requests a minute and address (graphql-api/src/graphql/rate-limiting.ts).
  hosts: { "gnomad.broadinstitute.org": { perSecond: 0.5, concurrent: 1 } },
  url: "https://gnomad.broadinstitute.org/variant/{id}",
  page: (id) => {
    const { kind, name, dataset } = read(id)
    const path = kind === "gene" || kind === "transcript" ? kind : "variant"
    return `https://gnomad.broadinstitute.org/${path}/${name}?dataset=${dataset}`
  },
  missing: ({ head, operation, status }) => {
    const said = operation === "file" && status === 200 ? messagesIn(head) : []
    return said.length > 0 && said.every((message) => NOT_FOUND.test(message)) ? new Miss("not in gnomAD") : false
  },
  failure: gnomadFailure,

  identify: (record) => idsOfAll(record, idsOf),
  relation: (asked, own, record) => {
    if (Array.isArray(record)) return undefined
    const { name, dataset, genome } = read(asked)
    return name === read(own).name ? `of ${dataset}, on ${genome}` : `${asked} is ${own}`
  },
  remarks: (record) =>
    Array.isArray(record)
      ? [`${record.length} variants have this id: ${record.map((each) => pick(Known, each).variant_id).join(", ")}`]
      : remarksOf(record),

  search,
  fetch: recordOf,
  fetchMany: { atOnce: AT_ONCE, fetch: recordsOf },
  files: {
    json: file(),
    variants: file((dataset) => `variants(dataset:${dataset}){${LISTED}}`),
    clinvar: file(
      () =>
        "clinvar_variants{variant_id clinvar_variation_id clinical_significance review_status gold_stars major_consequence hgvsc hgvsp}",
    ),
  },
})

const LISTED =
  "variant_id rsids flags exome{ac an homozygote_count hemizygote_count filters} genome{ac an homozygote_count hemizygote_count filters} " +
  "transcript_consequence{transcript_id major_consequence hgvsc hgvsp lof lof_filter lof_flags}"

/** Of a gene or a transcript also what lies in it, which can be thousands of variants. */
function file(within?: (dataset: string) => string): FileFormat {
  return {
    kind: "json",
    locate: async (id, http) => {
      const { kind, dataset } = read(id)
      if (within && kind !== "gene" && kind !== "transcript")
        return new Miss("this is listed of a gene or a transcript, by its Ensembl id")
      if (within) return { url: API, form: formOf(id, `${kind}_id ${within(dataset)}`) }
      const found = kind === "caid" || kind === "rs" ? await recordOf(id, http) : undefined
      if (found instanceof Miss) return found
      if (Array.isArray(found)) return new Miss("several variants have this id; its record lists them")
      const own = found === undefined ? id : idsOf(found)[0]
      return { url: API, form: formOf(own ?? id) }
    },
  }
}

function idsOf(record: Json): string[] {
  const { reference_genome = "GRCh38", variant_id, gene_id, transcript_id, rsids, caid } = pick(Known, record)
  const names = [variant_id ?? transcript_id ?? gene_id, ...(rsids ?? []), caid]
  return names.flatMap((name) => (name ? spellings(name, reference_genome) : []))
}

function remarksOf(record: Json): string[] {
  const { variant_id, exome, genome, filters, gnomad_constraint, gene_id } = pick(Known, record)
  if (variant_id !== undefined && exome === undefined)
    return filters && filters.length > 0 ? [`did not pass: ${filters.join(", ")}`] : []
  if (variant_id !== undefined) {
    const sets = [countsOf("exome", exome) ?? "not in the exomes", countsOf("genome", genome) ?? "not in the genomes"]
    const failed = [exome, genome].some((set) => (set?.filters ?? []).length > 0)
    return [
      `${sets.join(", ")}${failed ? "; what stands in brackets did not pass" : ""}`,
      'of the groups take one by its id: totals ("", XX, XY) and parts of groups stand among them',
    ]
  }
  if (gene_id === undefined) return []
  const flags = gnomad_constraint?.flags ?? []
  if (!gnomad_constraint) return ["gnomAD has no constraint for it"]
  return flags.length > 0 ? [`its constraint is doubtful: ${flags.join(", ")}`] : []
}
