/** What is read out of dbSNP's document summaries. */
import { Miss, pick, z } from "../../connector.ts"
import type { Hit, Json } from "../../connector.ts"

const SUMMARY = z.lazy(() =>
  z.object({
    uid: z.string(),
    // The present number, where the uid may be a merged one.
    snp_id: z.number().int().positive(),
    global_mafs: z.array(z.object({ study: z.string(), freq: z.string() })).default([]),
    clinical_significance: z.string().default(""),
    genes: z.array(z.object({ name: z.string() })).default([]),
    // "" where it has no place on GRCh38.
    chrpos: z.string(),
    fxn_class: z.string().default(""),
    docsum: z.string().default(""),
    snp_class: z.string().default(""),
  }),
)

export const rsidOf = (variant: Json) => `rs${pick(SUMMARY, variant).snp_id}`

/** Its rs number, then the one that it was asked for by. */
export const idsOf = (variant: Json): string[] => [rsidOf(variant), `rs${pick(SUMMARY, variant).uid}`]

export function remarksOf(variant: Json): string[] {
  const { chrpos } = pick(SUMMARY, variant)
  return [
    chrpos === ""
      ? "it has no place on GRCh38"
      : "chrpos counts from 1, spdi from 0; a frequency is of the allele it names",
  ]
}

/** Whose frequency is shown, the broadest study first. */
const STUDIES = ["ALFA", "GnomAD_genomes", "TOPMED", "1000Genomes_30X", "1000Genomes"]

/** One hit a variant: a search finds merged numbers beside the present one. */
export function hitsOf(numbers: string[], summaries: Map<string, Json | Miss> | undefined): Hit[] {
  const hits = new Map<string, Hit>()
  for (const number of numbers) {
    const hit = hitOf(number, summaries?.get(number))
    const known = hits.get(hit.id)
    if (known === undefined || (known.marks && !hit.marks)) hits.set(hit.id, hit)
  }
  return [...hits.values()]
}

function hitOf(number: string, variant: Json | Miss): Hit {
  if (variant === undefined || variant instanceof Miss) return { id: `rs${number}`, title: "(alleles not given)" }
  const { snp_id, global_mafs, clinical_significance, genes, chrpos, fxn_class, docsum, snp_class } = pick(
    SUMMARY,
    variant,
  )
  const merged = String(snp_id) !== number
  const frequency = STUDIES.flatMap((study) => global_mafs.filter((each) => each.study === study))[0]
  const facts = [
    merged ? `rs${number} was merged into it` : "",
    chrpos === "" ? "no place on GRCh38" : `${chrpos} (GRCh38)`,
    fxn_class.replaceAll(",", ", "),
    clinical_significance.replaceAll(",", ", "),
    frequency === undefined ? "" : `${frequency.study} ${frequency.freq}`,
  ]
  const names = genes.map(({ name }) => name).join(", ")
  return {
    id: `rs${snp_id}`,
    title: `${names} ${alleles(docsum) ?? snp_class}`.trim() || "(alleles not given)",
    summary: facts.filter((fact) => fact !== "").join(" · "),
    ...(merged ? { marks: ["merged"] } : {}),
  }
}

/** `SEQ=[T/A/C/G]` in the docsum: the reference first. */
function alleles(docsum: string): string | undefined {
  const [reference, ...others] = /(?:^|\|)SEQ=\[([^\]]+)\]/.exec(docsum)?.[1]?.split("/") ?? []
  return reference === undefined || others.length === 0 ? undefined : `${reference}>${others.join(",")}`
}
