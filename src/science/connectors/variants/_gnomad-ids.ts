export type Genome = "GRCh37" | "GRCh38"

/** The releases and their subsets (the API's DatasetId), each on its assembly. An id without one is of the first. */
const DATASETS: Record<string, Genome> = {
  gnomad_r4: "GRCh38",
  gnomad_r4_non_ukb: "GRCh38",
  gnomad_r3: "GRCh38",
  gnomad_r3_controls_and_biobanks: "GRCh38",
  gnomad_r3_non_cancer: "GRCh38",
  gnomad_r3_non_neuro: "GRCh38",
  gnomad_r3_non_topmed: "GRCh38",
  gnomad_r3_non_v2: "GRCh38",
  gnomad_r2_1: "GRCh37",
  gnomad_r2_1_controls: "GRCh37",
  gnomad_r2_1_non_neuro: "GRCh37",
  gnomad_r2_1_non_cancer: "GRCh37",
  gnomad_r2_1_non_topmed: "GRCh37",
  exac: "GRCh37",
}

const PREFIX = Object.keys(DATASETS).join("|")

const NAMES = {
  variant: /^(?:\d{1,2}|X|Y)-\d+-[ACGT]+-[ACGT]+$/,
  mitochondrial: /^M-\d+-[ACGT]+-[ACGT]+$/,
  rs: /^rs\d+$/,
  caid: /^CA\d+$/,
  gene: /^ENSG\d{11}$/,
  transcript: /^ENST\d{11}$/,
  structural: /^(?:BND|CPX|CTX|DEL|DUP|INS|INV|CNV)_(?:CHR)?(?:\d{1,2}|X|Y)_[0-9A-Fa-f]+$/,
} as const

export type Kind = keyof typeof NAMES

export const ID = new RegExp(
  `^(?:(?:${PREFIX}):)?(?:${Object.values(NAMES)
    .map(({ source }) => source.slice(1, -1))
    .join("|")})$`,
)

export interface Named {
  kind: Kind
  name: string
  dataset: string
  genome: Genome
}

const KINDS: Kind[] = ["variant", "mitochondrial", "rs", "caid", "gene", "transcript", "structural"]

export function read(id: string): Named {
  const [, dataset = "gnomad_r4", name = id] = /^(?:(\w+):)?(.+)$/.exec(id) ?? []
  const kind = KINDS.find((each) => NAMES[each].test(name)) ?? "gene"
  // The structural variants of v2 name their chromosome without CHR, whatever is asked.
  const genome = kind === "structural" ? (name.includes("_CHR") ? "GRCh38" : "GRCh37") : DATASETS[dataset]
  return { kind, name, dataset, genome: genome ?? "GRCh38" }
}

/** The ids that a record of this name may have been asked by: it says its assembly, not its dataset. */
export function spellings(name: string, genome: Genome): string[] {
  const own = Object.keys(DATASETS).filter((dataset) => DATASETS[dataset] === genome)
  const prefixed = own.map((dataset) => `${dataset}:${name}`)
  return genome === "GRCh38" || NAMES.structural.test(name) ? [name, ...prefixed] : prefixed
}

/** `chr11:5227002 T>A`, `11:5227002:T:A`, `ENSG00000141510.18`, `gnomad_r2_1/17-…`; letter case says nothing. */
export function normalize(typed: string): string {
  const [, told, rest = typed] = new RegExp(`^(${PREFIX})[:/\\s]+(.+)$`, "i").exec(typed) ?? []
  const dataset = told === undefined || /^gnomad_r4$/i.test(told) ? "" : `${told.toLowerCase()}:`
  return `${dataset}${nameOf(rest.replace(/^(?:dbsnp|ensembl|clingen):/i, ""))}`
}

function nameOf(typed: string): string {
  const [, chromosome, position = "", ref = "", alt = ""] =
    /^(?:chr)?(\d{1,2}|X|Y|MT?)[\s:-]+([\d,]+)[\s:-]*([ACGT]+)[\s:>/-]+([ACGT]+)$/i.exec(typed) ?? []
  if (chromosome !== undefined)
    return [chromosome.replace(/^MT$/i, "M"), position.replaceAll(",", ""), ref, alt].join("-").toUpperCase()
  if (/^ens[gt]\d{11}(?:\.\d+)?$/i.test(typed)) return typed.replace(/\.\d+$/, "").toUpperCase()
  if (/^rs\d+$/i.test(typed)) return typed.toLowerCase()
  return /^ca\d+$/i.test(typed) ? typed.toUpperCase() : typed
}
