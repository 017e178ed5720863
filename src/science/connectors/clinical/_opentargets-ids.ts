/** The roots of the API, and what their ids look like; the shape of an id decides which is asked. */
const NAMES = {
  target: /^ENSG\d{11}$/,
  drug: /^CHEMBL\d+$/,
  disease: /^(?:EFO|MONDO|HP|Orphanet|OTAR|MP|DOID|GO|OBA|NCIT|OBI|GSSO)_[A-Z]?\d+$/,
  // On GRCh38; long alleles are hashed.
  variant: /^(?:(?:\d{1,2}|X|Y|MT)_\d+_[ACGTN]+_[ACGTN]+|OTVAR_(?:\d{1,2}|X|Y|MT)_\d+_[0-9a-f]+)$/,
  credibleSet: /^[0-9a-f]{32}$/,
  // GCST004131, or made of source, tissue and molecule: gtex_tx_liver_enst00000357654.
  study: /^(?:GCST\d{6,}(?:_\d+)?|(?=.*\d)[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9.+-]+){2,})$/,
} as const

export type Entity = keyof typeof NAMES

const ENTITIES: Entity[] = ["target", "drug", "disease", "variant", "credibleSet", "study"]

export const ID = new RegExp(
  `^(?:${Object.values(NAMES)
    .map(({ source }) => source.slice(1, -1))
    .join("|")})$`,
)

export const entityOf = (id: string): Entity => ENTITIES.find((entity) => NAMES[entity].test(id)) ?? "study"

const PREFIXES = ["EFO", "MONDO", "HP", "Orphanet", "OTAR", "MP", "DOID", "GO", "OBA", "NCIT", "OBI", "GSSO"]

/** `EFO:0000311`, `ORPHA:145`, `chembl25`, `ENSG00000141510.18`, `19-44908822-C-T`, pages of the platform. */
export function normalize(typed: string): string {
  const id = typed.replace(
    /^https?:\/\/platform\.opentargets\.org\/(?:target|disease|drug|variant|study|credible-set)\/([^/?#]+).*$/i,
    "$1",
  )
  if (/^ensg\d{11}(?:\.\d+)?$/i.test(id)) return id.replace(/\.\d+$/, "").toUpperCase()
  const [, number] = /^chembl:?(?:chembl)?(\d+)$/i.exec(id) ?? []
  if (number !== undefined) return `CHEMBL${number}`
  const [, prefix = "", local = ""] = /^([a-z]+)[:_]([a-z]?\d+)$/i.exec(id) ?? []
  const name = /^orpha(?:net)?$/i.test(prefix) ? "Orphanet" : PREFIXES.find((each) => each === prefix.toUpperCase())
  if (name !== undefined) return `${name}_${local.toUpperCase()}`
  const [, chromosome, position, ref, alt] =
    /^(?:chr)?(\d{1,2}|X|Y|MT?)[\s:_-]+(\d+)[\s:_-]*([ACGTN]+)[\s:>/_-]+([ACGTN]+)$/i.exec(id) ?? []
  return chromosome === undefined ? id : [chromosome.replace(/^M$/i, "MT"), position, ref, alt].join("_").toUpperCase()
}
