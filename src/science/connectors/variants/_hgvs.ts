/** A variant as MyVariant.info names it: genomic HGVS with `chr`, and the assembly in front where it was told. */

export const ASSEMBLIES = ["hg19", "hg38"] as const

export type Assembly = (typeof ASSEMBLIES)[number]

/** The version of each chromosome's RefSeq sequence, 1 to 22, X, Y, in GRCh37; GRCh38's is the next one. */
const VERSIONS_GRCH37 = [10, 11, 11, 11, 9, 11, 13, 10, 11, 10, 9, 11, 10, 8, 9, 9, 10, 9, 9, 10, 8, 10, 10, 9]

const ASSEMBLY_NAMES: [RegExp, Assembly][] = [
  [/^(?:hg19|grch37|b37)[\s:/-]+/i, "hg19"],
  [/^(?:hg38|grch38|b38)[\s:/-]+/i, "hg38"],
]

/** From VCF columns, RefSeq's chromosomes, and HGVS without `chr`. What is none of these comes back as it is. */
export function normalizeVariant(typed: string): string {
  const [name, assembly] = ASSEMBLY_NAMES.find(([pattern]) => pattern.test(typed)) ?? []
  const bare = name ? typed.replace(name, "").trim() : typed
  const read = ofRefSeq(bare) ?? { id: ofColumns(bare) ?? ofHgvs(bare) }
  const told = assembly ?? read.assembly
  return told === undefined ? read.id : `${told}:${read.id}`
}

function ofRefSeq(id: string): { id: string; assembly?: Assembly } | undefined {
  const [, mitochondrial, number, version, change] = /^NC_(?:(012920)|0000(\d\d))\.(\d+):(g\..+)$/i.exec(id) ?? []
  if (change === undefined) return undefined
  if (mitochondrial) return { id: ofHgvs(`chrMT:${change}`) }
  const chromosome = Number(number)
  const first = VERSIONS_GRCH37[chromosome - 1]
  const assembly = ASSEMBLIES[Number(version) - (first ?? NaN)]
  if (assembly === undefined) return undefined
  const name = chromosome === 23 ? "X" : chromosome === 24 ? "Y" : String(chromosome)
  return { id: ofHgvs(`chr${name}:${change}`), assembly }
}

/** `7-140453136-A-T`, `chr7:140453136 A>T`: the common beginning goes, and deletions name no bases (biothings_client, get_hgvs_from_vcf). */
function ofColumns(id: string): string | undefined {
  const [, chromosome, at, before, after] =
    /^(?:chr)?(\d{1,2}|X|Y|MT?)[\s:-]+(\d+)[\s:-]*([ACGT]+)[\s:>/-]+([ACGT]+)$/i.exec(id) ?? []
  if (!chromosome || !at || !before || !after) return undefined
  const [ref, alt] = [before.toUpperCase(), after.toUpperCase()]
  const same = [...ref].findIndex((base, i) => base !== alt[i])
  const common = same === -1 ? ref.length : same
  const [gone, come] = [ref.slice(common), alt.slice(common)]
  const start = Number(at) + common
  const end = start + gone.length - 1
  const range = gone.length > 1 ? `${start}_${end}` : String(start)
  const change = () => {
    if (gone === "") return `${start - 1}_${start}ins${come}`
    if (come === "") return `${range}del`
    return gone.length === 1 && come.length === 1 ? `${start}${gone}>${come}` : `${range}delins${come}`
  }
  return gone === "" && come === "" ? undefined : `chr${chromosomeName(chromosome)}:g.${change()}`
}

function ofHgvs(id: string): string {
  const [, chromosome, place = "", change = ""] = /^(?:chr)?(\d{1,2}|X|Y|MT?):g\.(\d+(?:_\d+)?)(\S+)$/i.exec(id) ?? []
  if (chromosome === undefined) return id
  const spelt = change
    .replace(/[acgt]+/gi, (bases) => bases.toUpperCase())
    .replace(/^DEL/i, "del")
    .replace(/(ins|dup|inv)/i, (word) => word.toLowerCase())
    .replace(/^del[ACGT]+$/, "del")
  return `chr${chromosomeName(chromosome)}:g.${place}${spelt}`
}

const chromosomeName = (name: string) => (/^MT?$/i.test(name) ? "MT" : name.toUpperCase())
