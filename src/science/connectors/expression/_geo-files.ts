/** Where GEO keeps its files: one tree by accession, in folders of a thousand, and the viewer for single records. */
import { Failure, Miss, url } from "../../connector.ts"
import type { Http, Location } from "../../connector.ts"
import { baseOf, platformsOf, recordsOf, typeOf } from "./_geo-records.ts"
import type { RecordType } from "./_geo-records.ts"

const TREES = { GSE: "series", GSM: "samples", GPL: "platforms", GDS: "datasets" }

const NAMES = { GSE: "series", GSM: "sample", GPL: "platform", GDS: "DataSet" }

/** GSE263566 lies in GSE263nnn, GSE935 in GSEnnn. */
function place(accession: string, folder: string, file: string): string {
  const shelf = `${accession.slice(0, 3)}${accession.slice(3, -3)}nnn`
  const root = url`https://ftp.ncbi.nlm.nih.gov/geo/${TREES[typeOf(accession)]}/${shelf}/${accession}/${folder}/`
  return root + url`${file}`
}

/** The record may well exist: that is no miss. */
function notOf(accession: string, instead: string): Failure {
  return new Failure(
    "unsupported_format",
    `GEO has no such file of a ${NAMES[typeOf(accession)]} (${accession}): ${instead}.`,
  )
}

/** A file by the type of the record; `{}` in its name is the accession. */
export function inFolder(folder: string, files: Partial<Record<RecordType, string>>) {
  return (id: string): Location => {
    const accession = baseOf(id)
    const file = files[typeOf(accession)]
    if (file === undefined) throw notOf(accession, `it is there for ${Object.keys(files).join(" and ")}`)
    return place(accession, folder, file.replace("{}", accession))
  }
}

export function viewer(id: string): Location {
  const accession = baseOf(id)
  if (typeOf(accession) === "GDS") throw notOf(accession, "its SOFT text is in the format family")
  return url`https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc=${accession}&targ=self&form=text&view=full`
}

/** A series has a matrix for each of its platforms, whose name then holds the platform too. */
export async function matrix(id: string, http: Http): Promise<Location | Miss> {
  const accession = baseOf(id)
  if (typeOf(accession) !== "GSE") throw notOf(accession, "it is there for GSE")
  if (id !== accession) return place(accession, "matrix", `${id}_series_matrix.txt.gz`)
  const record = (await recordsOf([id], http)).get(id) ?? new Miss()
  if (record instanceof Failure) throw record
  if (record instanceof Miss) return record
  const platforms = platformsOf(record)
  if (platforms.length > 1)
    throw new Failure(
      "invalid_id",
      `${id} has a matrix for each platform: ask for ${platforms.map((platform) => `${id}-${platform}`).join(" or ")}.`,
    )
  return place(accession, "matrix", `${id}_series_matrix.txt.gz`)
}
