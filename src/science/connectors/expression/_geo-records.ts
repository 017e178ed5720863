/** GEO's accessions, and the document summaries of db=gds, whose own numbers are other ones. */
import { Failure, Miss, oneLine, orFailure, pick, z } from "../../connector.ts"
import type { Hit, Http, Json } from "../../connector.ts"
import { esearch, esummary } from "../_eutils.ts"

export const ANY_ID = /^(?:G(?:SE|SM|PL|DS)[1-9]\d{0,8}|GSE[1-9]\d{0,8}-GPL[1-9]\d{0,8})$/

export function normalize(id: string): string {
  const accession = id
    .replace(/[&#].*$/, "")
    .replace(/^(G(?:SE|SM|PL|DS))\s+(?=\d)/i, "$1")
    .toUpperCase()
  // ArrayExpress mirrored the series under names of its own until about 2019.
  return accession.replace(/^E-GEOD-(?=\d+$)/, "GSE").replace(/^(GSE\d+)_RAW(?:\.TAR)?$/, "$1")
}

export type RecordType = "GSE" | "GSM" | "GPL" | "GDS"

export function typeOf(accession: string): RecordType {
  return z.enum(["GSE", "GSM", "GPL", "GDS"]).parse(accession.slice(0, 3))
}

/** The series of a part of it on one platform; any other accession as it is. */
export const baseOf = (id: string) => id.replace(/-GPL\d+$/, "")

export const SUMMARY = z.lazy(() =>
  z.object({
    uid: z.string(),
    accession: z.string().regex(/^G(?:SE|SM|PL|DS)\d+$/),
    title: z.string(),
    summary: z.string().default(""),
    taxon: z.string().default(""),
    gdstype: z.string().default(""),
    // Numbers without letters, several between semicolons.
    gpl: z.string().default(""),
    pdat: z.string().default(""),
    n_samples: z.number().optional(),
    samples: z.array(z.object({ accession: z.string() })).default([]),
  }),
)

export function platformsOf(record: Json): string[] {
  const numbers = pick(SUMMARY, record)
    .gpl.split(";")
    .map((each) => each.trim())
  return numbers.filter((each) => each !== "").map((each) => `GPL${each}`)
}

/** Its accession, then, of a series, its parts by platform. */
export function idsOf(record: Json): string[] {
  const { accession } = pick(SUMMARY, record)
  return typeOf(accession) === "GSE"
    ? [accession, ...platformsOf(record).map((platform) => `${accession}-${platform}`)]
    : [accession]
}

export function relationOf(asked: string, own: string): string {
  return `${asked} is the part of ${own} on one platform; this is the record of the whole series`
}

export function remarksOf(record: Json): string[] {
  const { n_samples: all = 0, samples } = pick(SUMMARY, record)
  return samples.length > 0 && samples.length < all
    ? [`samples names ${samples.length} of ${all.toLocaleString("en")}`]
    : []
}

/** How GEO numbers its records in db=gds. Only a first guess: what comes back counts by its accession. */
const OFFSETS = { GSE: 200_000_000, GPL: 100_000_000, GSM: 300_000_000, GDS: 0 }

const uidOf = (accession: string) => String(OFFSETS[typeOf(accession)] + Number(accession.slice(3)))

/** The records by the asked accessions; what does not lie under the number that it should have is searched for. */
export async function recordsOf(ids: string[], http: Http): Promise<Map<string, Json | Miss | Failure>> {
  const accessions = [...new Set(ids.map(baseOf))]
  const guessed = await esummary(http, "gds", accessions.map(uidOf))
  const records = new Map<string, Json | Miss | Failure>()
  for (const record of guessed.values())
    if (!(record instanceof Miss)) records.set(pick(SUMMARY, record).accession, record)
  const others = accessions.filter((accession) => !records.has(accession))
  const found = await Promise.all(others.map((accession) => orFailure(() => lookedFor(accession, http))))
  others.forEach((accession, i) => records.set(accession, found[i]))
  return new Map(ids.map((id) => [id, records.get(baseOf(id))]))
}

/** An accession names one record of its type; the others that hold it are of other types. */
const LOOKED_THROUGH = 20

async function lookedFor(accession: string, http: Http): Promise<Json | Miss> {
  const term = `${accession}[ACCN] AND ${accession.slice(0, 3).toLowerCase()}[ETYP]`
  const { ids, total } = await esearch(http, { db: "gds", term, limit: LOOKED_THROUGH })
  const records = [...(await esummary(http, "gds", ids)).values()].filter((each) => !(each instanceof Miss))
  const own = records.find((each) => pick(SUMMARY, each).accession === accession)
  if (own === undefined && total > ids.length)
    throw new Failure("bad_response", `GEO's search for ${accession} found ${total} records; try again later.`)
  return own ?? new Miss("GEO has no public record of it: it may be private, not released yet, or withdrawn")
}

export function hitOf(record: Json | Miss): Hit[] {
  if (record === undefined || record instanceof Miss) return []
  const { accession, title, summary, taxon, gdstype, pdat, n_samples } = pick(SUMMARY, record)
  const facts = [
    taxon,
    n_samples === undefined ? "" : `${n_samples.toLocaleString("en")} ${n_samples === 1 ? "sample" : "samples"}`,
    gdstype,
    pdat,
    oneLine(summary),
  ]
  return [{ id: accession, title, summary: facts.filter((fact) => fact !== "").join(" · ") }]
}
