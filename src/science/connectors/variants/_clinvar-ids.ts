/** ClinVar's ids: a variant has a VariationID and, of the same number, a VCV; its conditions have RCVs, its submissions SCVs. */
import { Failure, Miss } from "../../connector.ts"
import type { Http, Json } from "../../connector.ts"
import { esearch, esummary } from "../_eutils.ts"
import { idsOf } from "./_clinvar-summary.ts"

export const ANY_ID = /^(?:[1-9]\d{0,8}|VCV\d{9}(?:\.[1-9]\d{0,3})?|[RS]CV\d{9})$/

/** Accessions have nine digits. The version of an RCV or SCV is taken off: NCBI finds, and names, only the present one. */
export function normalize(id: string): string {
  const bare = id.replace(/^(?:variation[\s_-]?id|clinvar(?:[\s_-]?variation)?)\s*[:=]?\s*(?=\d+$)/i, "")
  const [, type, digits, version = ""] = /^([VRS]CV)\s*0*(\d{1,9})(\.\d+)?$/i.exec(bare) ?? []
  if (type === undefined || digits === undefined) return bare
  const accession = `${type.toUpperCase()}${digits.padStart(9, "0")}`
  return type.toUpperCase() === "VCV" ? accession + version : accession
}

type IdType = "VariationID" | "VCV" | "RCV" | "SCV"

export function typeOf(id: string): IdType {
  if (id.startsWith("RCV")) return "RCV"
  if (id.startsWith("SCV")) return "SCV"
  return id.startsWith("VCV") ? "VCV" : "VariationID"
}

/** The variants by the asked ids. An RCV or SCV is searched for, and its variant counts only when it carries it. */
export async function variantsOf(ids: string[], http: Http): Promise<Map<string, Json | Miss>> {
  const listed = ids.filter((id) => /^[RS]CV/.test(id))
  const found = listed.length === 0 ? [] : await search(listed, http)
  const numbers = ids.filter((id) => !listed.includes(id)).map(variationId)
  const variants = await esummary(http, "clinvar", [...new Set([...numbers, ...found])])
  const carrying = (accession: string) =>
    [...variants.values()].find((each) => !(each instanceof Miss) && idsOf(each).includes(accession))
  return new Map(
    ids.map((id) => [
      id,
      listed.includes(id)
        ? (carrying(id) ?? new Miss("no present variant of ClinVar lists it"))
        : (variants.get(variationId(id)) ?? new Miss()),
    ]),
  )
}

const variationId = (id: string) => id.replace(/^VCV0*/, "").replace(/\..*$/, "")

/** A submission to a haplotype is found with each of its alleles: there may be more variants than accessions. */
const FOUND_PER_ACCESSION = 10

async function search(accessions: string[], http: Http): Promise<string[]> {
  const limit = accessions.length * FOUND_PER_ACCESSION
  const { ids, total } = await esearch(http, { db: "clinvar", term: accessions.join(" OR "), limit })
  if (total > ids.length)
    throw new Failure(
      "too_large",
      `ClinVar finds ${total.toLocaleString("en")} variants for these accessions: ask for them by their VCV accessions.`,
    )
  return ids
}
