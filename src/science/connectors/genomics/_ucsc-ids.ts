/**
 * What can be asked of UCSC by id: an assembly, or a place in one, which is its sequence or, with a track's name, its items.
 *
 *   hg38 · hg38:chrM · hg38:chr17:7668402-7687550 · …:- (the other strand) · …:knownGene
 *
 * A position is the browser's: it counts from 1, and both its ends belong to it. The API counts from 0, without the end.
 */
export interface Place {
  genome: string
  /** True where none was named. */
  assumed: boolean
  chrom?: string
  /** From 1, inclusive. */
  range?: { first: number; last: number }
  reversed: boolean
  track?: string
}

/** UCSC's own databases (human hg38, zebrafish danRer11; genome.ucsc.edu/FAQ/FAQreleases.html), and GenArk's by NCBI's accession. */
export const DATABASE = "(?:(?:hg|hs|mm|rn|ce|cb|dm|dp|ci|fr)\\d{1,2}|[a-z]{3}[A-Z][a-z]{2}\\d{1,2})"
export const GENARK = "GC[AF]_\\d{9}\\.\\d{1,2}"
const GENOME = `(?:${DATABASE}|${GENARK})`
const CHROM = "[A-Za-z0-9][A-Za-z0-9_.-]*"
const RANGE = "\\d{1,10}-\\d{1,10}"
const MORE = "(?::(?:-|[A-Za-z]\\w*))?"

/** Without an assembly only what cannot be anything else is taken for a place. */
export const PATTERN = new RegExp(
  `^(?:${GENOME}(?::${CHROM}(?::${RANGE})?${MORE})?|chr[A-Za-z0-9_.]+:${RANGE}${MORE})$`,
)

const PLACE = new RegExp(`^(?:(${GENOME}):)?(${CHROM})(?::(\\d+)-(\\d+))?(?::(?:(-)|(\\w+)))?$`)
const ONLY_GENOME = new RegExp(`^${GENOME}$`)

export const DEFAULT_GENOME = "hg38"

/** The names that sequencing consortia gave to assemblies. */
const ALIASES: Record<string, string> = {
  grch38: "hg38",
  grch37: "hg19",
  ncbi36: "hg18",
  "t2t-chm13": "hs1",
  "t2t-chm13v2.0": "hs1",
  grcm39: "mm39",
  grcm38: "mm10",
  grcz11: "danRer11",
}

export const genomeNamed = (name: string): string => {
  const known = ALIASES[name.toLowerCase().replace(/\.p\d+$/, "")]
  if (known !== undefined) return known
  if (/^GC[AF]_/i.test(name)) return name.toUpperCase()
  return new RegExp(`^${DATABASE}$`).test(name.toLowerCase()) ? name.toLowerCase() : name
}

/** From a browser's address, with commas in its numbers, under an assembly's other name, or without `chr`. */
export function normalize(typed: string): string {
  const parts = fromPage(typed)
    .replace(/(?<=\d),(?=\d{3}(?:\D|$))/g, "")
    .split(":")
  const genome = genomeNamed(parts[0] ?? "")
  const named = ONLY_GENOME.test(genome)
  const [chrom, ...rest] = named ? parts.slice(1) : parts
  return [...(named ? [genome] : []), ...(chrom === undefined ? [] : [chromNamed(genome, chrom)]), ...rest].join(":")
}

function fromPage(typed: string): string {
  const [, db] = /\bhgTracks\?(?:.*[&;])?db=([\w.]+)/.exec(typed) ?? []
  if (db === undefined) return typed.replace(/^https?:\/\/genome\.ucsc\.edu\/h\//i, "")
  const [, position] = /[?&;]position=([^&;#]+)/.exec(typed) ?? []
  return position === undefined ? db : `${db}:${decoded(position)}`
}

/** UCSC's databases have `chr` before a number or X, Y, M; those of GenArk have NCBI's names. */
function chromNamed(genome: string, chrom: string): string {
  if (/^chr[^:]/i.test(chrom)) return `chr${chrom.slice(3).replace(/^[xym]$/, (letter) => letter.toUpperCase())}`
  if (!new RegExp(`^${DATABASE}$`).test(genome) || !/^(?:\d{1,2}|[XYM]|MT)$/.test(chrom)) return chrom
  return `chr${chrom === "MT" ? "M" : chrom}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function placeOf(id: string): Place {
  if (ONLY_GENOME.test(id)) return { genome: id, assumed: false, reversed: false }
  const [, genome, chrom, first, last, minus, track] = PLACE.exec(id) ?? []
  return {
    genome: genome ?? DEFAULT_GENOME,
    assumed: genome === undefined,
    reversed: minus !== undefined,
    ...(chrom === undefined ? {} : { chrom }),
    ...(first === undefined || last === undefined ? {} : { range: { first: Number(first), last: Number(last) } }),
    ...(track === undefined ? {} : { track }),
  }
}

/** The id of a place; `start` and `end` as the API counts them. */
export function idOf(genome: string, chrom: string, start: number, end: number, more?: string): string {
  return [genome, chrom, `${start + 1}-${end}`, ...(more === undefined ? [] : [more])].join(":")
}
