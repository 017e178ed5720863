/** What is read out of ClinVar's document summaries. */
import { Miss, pick, z } from "../../connector.ts"
import type { Hit, Json } from "../../connector.ts"

// "" and a date in the year 1 where the variant has none of this kind.
const CLASSIFICATION = z.lazy(() =>
  z.object({
    description: z.string(),
    review_status: z.string(),
    trait_set: z.array(z.object({ trait_name: z.string() })).default([]),
  }),
)

export const SUMMARY = z.lazy(() =>
  z.object({
    uid: z.string(),
    accession: z.string().regex(/^VCV\d+$/),
    accession_version: z.string(),
    title: z.string(),
    record_status: z.string().default(""),
    gene_sort: z.string().default(""),
    protein_change: z.string().default(""),
    supporting_submissions: z.object({ scv: z.array(z.string()).default([]), rcv: z.array(z.string()).default([]) }),
    // The three that took the place of `clinical_significance` in 2024; the first is there for every variant.
    germline_classification: CLASSIFICATION,
    clinical_impact_classification: CLASSIFICATION.optional(),
    oncogenicity_classification: CLASSIFICATION.optional(),
  }),
)

const versionOf = (accession: string) => Number(accession.split(".")[1] ?? 1)

/** Its VariationID, then its VCV with the versions so far, then what it is put together from. */
export function idsOf(variant: Json): string[] {
  const { uid, accession, accession_version, supporting_submissions } = pick(SUMMARY, variant)
  const versions = Array.from({ length: versionOf(accession_version) }, (_, i) => `${accession}.${i + 1}`)
  return [uid, accession, ...versions, ...supporting_submissions.rcv, ...supporting_submissions.scv]
}

export function relationOf(asked: string, _: string, variant: Json): string | undefined {
  const { accession, accession_version } = pick(SUMMARY, variant)
  if (asked === accession || asked === accession_version) return undefined
  if (asked.startsWith("VCV")) return `${asked} is an older version; this is ${accession_version}`
  const what = asked.startsWith("RCV") ? "a condition" : "a submission"
  return `${asked} is ${what} of this variant, ${accession_version}; its version is the present one`
}

/** Of four gold stars (ClinVar, "Review status"). */
const STARS = new Map([
  ["practice guideline", 4],
  ["reviewed by expert panel", 3],
  ["criteria provided, multiple submitters, no conflicts", 2],
  ["criteria provided, multiple submitters", 2],
  ["criteria provided, conflicting classifications", 1],
  ["criteria provided, conflicting interpretations", 1],
  ["criteria provided, single submitter", 1],
])

type Classification = z.infer<typeof CLASSIFICATION> | undefined

function classified(kind: string, classification: Classification): string[] {
  if (classification === undefined || classification.description === "") return []
  const { description, review_status, trait_set } = classification
  const traits = trait_set.map(({ trait_name }) => trait_name)
  const shown = traits.length > 2 ? [...traits.slice(0, 2), `+${traits.length - 2}`] : traits
  const stars = STARS.get(review_status.toLowerCase()) ?? 0
  return [`${kind}${description} (${stars}/4 stars)`, shown.join(", ")]
}

export function hitOf(id: string, variant: Json | Miss): Hit {
  if (variant === undefined || variant instanceof Miss) return { id, title: "(title not given)" }
  const { accession_version, title, gene_sort, protein_change, record_status, ...classes } = pick(SUMMARY, variant)
  const facts = [
    ...classified("", classes.germline_classification),
    ...classified("somatic impact: ", classes.clinical_impact_classification),
    ...classified("oncogenicity: ", classes.oncogenicity_classification),
    gene_sort,
    protein_change,
    accession_version,
  ]
  return {
    id,
    title,
    summary: facts.filter((fact) => fact !== "").join(" · "),
    ...(["", "current"].includes(record_status.toLowerCase()) ? {} : { marks: [record_status] }),
  }
}
