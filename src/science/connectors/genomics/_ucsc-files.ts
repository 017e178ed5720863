import { Failure, Miss, url, type FileFormat } from "../../connector.ts"
import { placeOf, type Place } from "./_ucsc-ids.ts"

/** Where the API has a place: its sequence, or the items of a track there, as many as it gives. */
export function placeUrl({ genome, chrom, range, reversed, track }: Place): string {
  if (chrom === undefined)
    throw new Failure(
      "unsupported_format",
      `this file is of a place, such as ${genome}:chrM; of ${genome} there is 2bit`,
    )
  if (range && (range.first < 1 || range.first > range.last))
    throw new Failure(
      "invalid_id",
      "a position counts from 1, and its first number is not above its second: chrM:1-200",
    )
  const what = track === undefined ? "sequence" : "track"
  return (
    url`https://api.genome.ucsc.edu/getData/${what}?genome=${genome}&chrom=${chrom}` +
    (range ? url`&start=${range.first - 1}&end=${range.last}` : "") +
    // Without the parameter older versions stop at 1,000 items.
    (track === undefined ? "" : url`&track=${track}&maxItemsOutput=${-1}`) +
    (reversed ? "&revComp=1" : "")
  )
}

export const tracksUrl = (place: Place) =>
  url`https://api.genome.ucsc.edu/list/tracks?genome=${assemblyOf(place)}&trackLeavesOnly=1`

export const chromosomesUrl = (place: Place) =>
  url`https://api.genome.ucsc.edu/list/chromosomes?genome=${assemblyOf(place)}`

export function schemaUrl({ genome, track }: Place): string {
  if (track !== undefined) return url`https://api.genome.ucsc.edu/list/schema?genome=${genome}&track=${track}`
  throw new Failure("unsupported_format", "this file is of a track: put its name behind a place, as in hg38:chrM:gold")
}

function assemblyOf({ genome, chrom }: Place): string {
  if (chrom === undefined) return genome
  throw new Failure("unsupported_format", `this file is of a whole assembly: fetch it by ${genome}`)
}

/** What the two parts of the download server have of an assembly: a folder and the ending of a name, or a name's ending alone. */
interface Downloads {
  ucsc?: [folder: string, ending: string]
  genark?: string
}

export function download(kind: FileFormat["kind"], extension: string, { ucsc, genark }: Downloads): FileFormat {
  return {
    kind,
    extension,
    locate(id) {
      const genome = assemblyOf(placeOf(id))
      if (!genome.startsWith("GC"))
        return ucsc ? at(`goldenPath/${genome}/${ucsc[0]}/${genome}${ucsc[1]}`) : NOT_OF_UCSC
      if (genark === undefined) return NOT_OF_GENARK
      // hubs/GCF/000/005/845/GCF_000005845.2/
      const folder = [genome.slice(0, 3), ...(genome.match(/\d{3}/g) ?? []).slice(0, 3), genome].join("/")
      return at(`hubs/${folder}/${genark.startsWith(".") ? genome : ""}${genark}`)
    },
  }
}

const NOT_OF_UCSC = new Miss("only GenArk's assemblies (GCF_…, GCA_…) have it")
const NOT_OF_GENARK = new Miss("only UCSC's own assemblies, such as hg38, have it")

const at = (path: string) =>
  `https://hgdownload.soe.ucsc.edu/${path
    .split("/")
    .map((part) => url`${part}`)
    .join("/")}`
