import { Failure, Miss, pick, z, type Http, type Json } from "../../connector.ts"
import type { Question } from "../_graphql.ts"
import { ask, NOT_FOUND, SEVERAL } from "./_gnomad-api.ts"
import { read, type Kind, type Named } from "./_gnomad-ids.ts"

const POPULATIONS = "populations{id ac an homozygote_count hemizygote_count}"
const FREQUENCIES = `ac an homozygote_count hemizygote_count filters faf95{popmax popmax_population} ${POPULATIONS}`
const CONSEQUENCES =
  "transcript_consequences{gene_symbol gene_id transcript_id transcript_version hgvsc hgvsp major_consequence consequence_terms " +
  "lof lof_filter lof_flags is_canonical is_mane_select polyphen_prediction sift_prediction}"
const CONSTRAINT =
  "gnomad_constraint{pli lof_z mis_z syn_z obs_lof exp_lof oe_lof oe_lof_lower oe_lof_upper obs_mis exp_mis oe_mis oe_mis_lower " +
  "oe_mis_upper obs_syn exp_syn oe_syn oe_syn_lower oe_syn_upper flags}"

/** `af` is left out: it is deprecated, not there for groups and for both sets together, and 0 where nobody was looked at. */
const VARIANT =
  `variant_id reference_genome chrom pos ref alt caid rsids flags colocated_variants exome{${FREQUENCIES} flags} ` +
  `genome{${FREQUENCIES} flags} joint{${FREQUENCIES}} coverage{exome{mean over_20} genome{mean over_20}} ${CONSEQUENCES} ` +
  "in_silico_predictors{id value flags} lof_curations{gene_symbol gene_id verdict flags project} " +
  "non_coding_constraint{element_id start stop oe z}"

/** How each kind is asked for; `$` is the variable that holds the id. */
const ROOTS: Record<Exclude<Kind, "caid">, { root: string; call: (named: Named) => string; fields: string }> = {
  variant: { root: "variant", call: ({ dataset }) => `variantId:$,dataset:${dataset}`, fields: VARIANT },
  rs: { root: "variant", call: ({ dataset }) => `rsid:$,dataset:${dataset}`, fields: VARIANT },
  mitochondrial: {
    root: "mitochondrial_variant",
    call: ({ dataset }) => `variant_id:$,dataset:${dataset}`,
    fields:
      "variant_id reference_genome pos ref alt rsids flags filters an ac_hom ac_het excluded_ac max_heteroplasmy haplogroup_defining " +
      `mitotip_score mitotip_trna_prediction pon_mt_trna_prediction pon_ml_probability_of_pathogenicity ` +
      `populations{id an ac_het ac_hom} haplogroups{id an ac_het ac_hom} ${CONSEQUENCES}`,
  },
  gene: {
    root: "gene",
    call: ({ genome }) => `gene_id:$,reference_genome:${genome}`,
    fields:
      "reference_genome gene_id gene_version symbol gencode_symbol name hgnc_id ncbi_id omim_id chrom start stop strand flags " +
      `canonical_transcript_id mane_select_transcript{ensembl_id ensembl_version refseq_id refseq_version} ${CONSTRAINT}`,
  },
  transcript: {
    root: "transcript",
    call: ({ genome }) => `transcript_id:$,reference_genome:${genome}`,
    fields:
      "reference_genome transcript_id transcript_version chrom start stop strand gene_id gene{gene_id symbol name} " +
      `exons{feature_type start stop} ${CONSTRAINT}`,
  },
  structural: {
    root: "structural_variant",
    call: ({ genome }) => `variantId:$,dataset:${genome === "GRCh38" ? "gnomad_sv_r4" : "gnomad_sv_r2_1"}`,
    fields:
      "variant_id reference_genome type chrom pos end chrom2 pos2 end2 length ac an homozygote_count hemizygote_count filters evidence " +
      `algorithms alts cpx_type cpx_intervals qual major_consequence consequences{consequence genes} genes copy_numbers{copy_number ac} ` +
      POPULATIONS,
  },
}

const part = (named: Named, fields?: string) => {
  const kind = named.kind === "caid" ? "variant" : named.kind
  const { root, call, fields: all } = ROOTS[kind]
  return { root, text: (variable: string) => `${root}(${call(named).replace("$", variable)}){${fields ?? all}}` }
}

/** One question for several ids; a single one stands under its own name, several under `r0`, `r1` … */
function questionOf(asked: Named[], fields?: string): { keys: string[]; question: Question } {
  const parts = asked.map((named) => part(named, fields))
  const keys = parts.length === 1 ? parts.map(({ root }) => root) : parts.map((_, i) => `r${i}`)
  const declared = asked.map((_, i) => `$v${i}:String!`).join(",")
  const lines = parts.map(({ root, text }, i) => `${keys[i] === root ? "" : `${keys[i]}:`}${text(`$v${i}`)}`)
  return {
    keys,
    question: {
      query: `query(${declared}){${lines.join(" ")}}`,
      variables: Object.fromEntries(asked.map(({ name }, i) => [`v${i}`, name])),
    },
  }
}

/** The record of one id as a file: the API takes a form as well (express-graphql). */
export const formOf = (id: string, fields?: string): Record<string, string> => {
  const { query, variables } = questionOf([read(id)], fields).question
  return { query, variables: JSON.stringify(variables) }
}

type Found = Json | Miss | Failure

export async function recordOf(id: string, http: Http): Promise<Json | Miss> {
  const found = await recordFor(id, http)
  if (found instanceof Failure) throw found
  return found
}

/** In one question. What was said of a null does not say of which one, so where it was not the same of all each is asked for by itself. */
export async function recordsOf(ids: string[], http: Http): Promise<Map<string, Found>> {
  const direct = ids.filter((id) => read(id).kind !== "caid")
  const { keys, question } = questionOf(direct.map(read))
  const { data, messages } =
    direct.length > 0 ? await ask(http, question, "record") : { data: {}, messages: [] as string[] }
  const areMisses = messages.every((message) => NOT_FOUND.test(message))
  const records = new Map<string, Found>()
  for (const id of ids) {
    const record = data[keys[direct.indexOf(id)] ?? ""]
    if (isThere(record)) records.set(id, record)
    else records.set(id, areMisses && direct.includes(id) ? missOf(id, messages) : await recordFor(id, http))
  }
  return records
}

async function recordFor(id: string, http: Http): Promise<Found> {
  const named = read(id)
  if (named.kind === "caid") return await alleles(named, http)
  const { keys, question } = questionOf([named])
  const { data, messages } = await ask(http, question, "record")
  const record = data[keys[0] ?? ""]
  if (isThere(record)) return record
  return messages.some((message) => SEVERAL.test(message)) ? await alleles(named, http) : missOf(id, messages)
}

/** Null with what was said of it is an answer; a name that is not there at all is none. */
const isThere = (record: Json) => record !== null && record !== undefined

function missOf(id: string, messages: string[]): Miss {
  const { kind, name, dataset, genome } = read(id)
  if (!messages.some((message) => NOT_FOUND.test(message)))
    throw new Failure("bad_response", `gnomAD sent neither a record of ${id} nor a word about it; try again.`)
  if (messages.some((message) => /selected subset/.test(message)))
    return new Miss(`not in ${dataset}, but elsewhere in gnomAD: fetch ${name}`)
  if (kind !== "variant") return new Miss(`not in gnomAD (${genome})`)
  const other = genome === "GRCh38" ? `gnomad_r2_1:${name} is asked` : `${name} alone is asked`
  return new Miss(`not in ${dataset}, whose positions are of ${genome}; ${other} on the other assembly`)
}

/** An rs number or a ClinGen id may stand for several alleles: all of them, as a list where there is more than one. */
async function alleles(named: Named, http: Http): Promise<Found> {
  const ids = await variantsNamed(named.name, named.dataset, http)
  if (ids.length === 0) return new Miss(`not in ${named.dataset}`)
  const asked = ids.map((name): Named => ({ ...named, kind: "variant", name }))
  const { keys, question } = questionOf(asked.slice(0, AT_ONCE))
  const { data, messages } = await ask(http, question, "record")
  const found = keys.map((key) => data[key])
  if (ids.length > AT_ONCE || !found.every(isThere))
    return new Failure(
      "bad_response",
      `gnomAD has ${ids.length} variants of ${named.name}, not all to be had at once${messages[0] ? ` (${messages[0]})` : ""}; search for it and fetch one.`,
    )
  return found.length === 1 ? found[0] : found
}

/** A question may cost 25, and each id costs one (the directives of the schema). */
export const AT_ONCE = 20

const Names = z.lazy(() => z.object({ variant_search: z.array(z.object({ variant_id: z.string() })) }))

export async function variantsNamed(query: string, dataset: string, http: Http): Promise<string[]> {
  const document = `query($q:String!){variant_search(query:$q,dataset:${dataset}){variant_id}}`
  const { data } = await ask(http, { query: document, variables: { q: query } }, "search")
  return pick(Names, data).variant_search.map(({ variant_id }) => variant_id)
}
