import { keep, pick, url, z, type AnswerHead, type Http, type Json } from "../../connector.ts"

/** The service describes itself at www.guidetopharmacology.org/webServices.jsp. */
export const GTOPDB = "https://www.guidetopharmacology.org/services"

export type Kind = "ligand" | "target" | "family"

/** What a bare number is: a ligand's. */
export function partsOf(id: string): { kind: Kind; number: string } {
  if (id.startsWith("target:")) return { kind: "target", number: id.slice(7) }
  if (id.startsWith("family:")) return { kind: "family", number: id.slice(7) }
  return { kind: "ligand", number: id }
}

/** What tells whose record it is. */
export const Own = z.lazy(() =>
  z
    .object({
      ligandId: z.number().optional(),
      targetId: z.number().optional(),
      familyId: z.number().optional(),
      withdrawn: z.boolean().nullish(),
    })
    .refine(
      (own) => (own.ligandId ?? own.targetId ?? own.familyId) !== undefined,
      "neither a ligand, a target nor a family",
    ),
)

const Fields = z.lazy(() => z.record(z.string(), z.unknown()))

/** No body under 204, or a 404 that is not a page: an application server that lacks its application says 404 in HTML. */
export const nothing = ({ status, html }: AnswerHead) => status === 204 || (status === 404 && !html)

/**
 * A ligand or target as the service keeps it, with what it tells of it elsewhere beside it, each under its own name: merged into one they
 * would hide that one of them is missing.
 */
export async function recordOf(id: string, http: Http): Promise<Json | undefined> {
  const { kind, number } = partsOf(id)
  if (kind === "family") return await familyOf(number, http)
  const base = GTOPDB + url`/${kind}s/${number}`
  const main = await http.json(base, { miss: nothing })
  if (main === undefined) return undefined
  const names = [...(kind === "ligand" ? ["structure"] : []), "databaseLinks", "interactions"]
  // A part that is not there is null; one that could not be had is left out and named.
  const part = (name: string) =>
    http.part(name, async () => ({ [name]: (await http.json(`${base}/${name}`, { miss: nothing })) ?? null }))
  const parts = await Promise.all(names.map(part))
  return Object.assign({}, keep(Fields, main), ...parts)
}

/** An unknown family is answered too, as number -1. */
async function familyOf(number: string, http: Http): Promise<Json | undefined> {
  const family = await http.json(GTOPDB + url`/targets/families/${number}`, { miss: nothing })
  return family === undefined || pick(Own, family).familyId === -1 ? undefined : family
}
