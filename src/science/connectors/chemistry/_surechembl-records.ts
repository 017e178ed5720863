import { Failure, keep, pick, url, z, type AnswerHead, type Http, type Json } from "../../connector.ts"

export const SURECHEMBL = "https://www.surechembl.org/api"

/** Documents are read under the shorter name, which serves them too; what is posted must not meet a redirect between the two. */
export const documentOf = (id: string, part: string) => `https://surechembl.org/api${url`/document/${id}/`}${part}`

export const PUBLICATION = "[A-Z]{2}-[A-Z]{0,2}\\d{1,14}-[A-Z]\\d?"

/** `1353`, `schembl 1353`, `US10000000B2`, `us 10,000,000 B2`, `EP3068388A2`, the address of a page. */
export function normalize(typed: string): string {
  const id = typed.replace(/^https?:\/\/(?:www\.)?surechembl\.org\/(?:chemical|patent|document)\//i, "").trim()
  const number = /^(?:schembl[\s:_-]*)?0*([1-9]\d*)$/i.exec(id)?.[1]
  if (number !== undefined) return `SCHEMBL${number}`
  const [, country, digits = "", kind] = /^([a-z]{2})[\s-]*((?:[a-z]{1,2})?\d[\d,]*)[\s-]*([a-z]\d?)$/i.exec(id) ?? []
  return country === undefined ? typed : `${country}-${digits.replaceAll(",", "")}-${kind}`.toUpperCase()
}

export const isPatent = (id: string) => !id.startsWith("SCHEMBL")

/** Compounds are asked for by their number alone: with the letters before it the answer is a 500. */
export const numberOf = (id: string) => id.replace(/^SCHEMBL/, "")

/** What tells whose record it is: a compound, or the envelope of a patent. */
export const OWN = z.lazy(() =>
  z
    .object({
      chemical_id: z.union([z.string(), z.number()]).optional(),
      data: z.object({ doc_id: z.string() }).optional(),
    })
    .refine(
      ({ chemical_id, data }) => chemical_id !== undefined || data !== undefined,
      "neither a compound nor a document",
    ),
)

const Envelope = z.lazy(() => z.object({ status: z.string(), error_message: z.string().nullish(), data: z.unknown() }))

/** What is in the envelope; undefined where the service says that there is no such thing. */
export function dataOf(answer: Json | undefined): Json | undefined {
  if (answer === undefined) return undefined
  const { status, error_message } = pick(Envelope, answer)
  if (status === "NOT_FOUND") return undefined
  if (status !== "OK")
    throw new Failure("bad_response", `SureChEMBL reports ${status}: ${error_message || "no reason given"}`)
  return keep(Envelope, answer).data
}

const gone = ({ status, html }: AnswerHead) => status === 404 && !html

/** Bibliography, abstracts, claims, description, family: the answer as it is. Never by a search, whose first hit may be another patent. */
export async function patentOf(id: string, http: Http): Promise<Json | undefined> {
  const answer = await http.json(documentOf(id, "contents"), { miss: gone })
  return dataOf(answer) === undefined ? undefined : answer
}

const Compounds = z.lazy(() => z.array(z.unknown()))

export const Compound = z.lazy(() =>
  z.object({
    chemical_id: z.union([z.string(), z.number()]),
    name: z.string().nullish(),
    smiles: z.string().nullish(),
    mol_formula: z.string().nullish(),
    mol_weight: z.union([z.string(), z.number()]).nullish(),
    global_frequency: z.union([z.string(), z.number()]).nullish(),
    similarity: z.union([z.string(), z.number()]).nullish(),
  }),
)

export type Compound = z.infer<typeof Compound>

/** A list even for one; empty for an unknown number. */
export async function compoundOf(id: string, http: Http): Promise<Json | undefined> {
  return byNumber(dataOf(await http.json(SURECHEMBL + url`/chemical/id/${numberOf(id)}`, { miss: gone }))).get(id)
}

export async function compoundsOf(ids: string[], http: Http): Promise<Map<string, Json>> {
  if (ids.length === 0) return new Map()
  const form = { ids: ids.map(numberOf).join() }
  return byNumber(dataOf(await http.json(`${SURECHEMBL}/chemical/id`, { form, miss: gone })))
}

function byNumber(data: Json | undefined): Map<string, Json> {
  const rows = data === undefined ? [] : keep(Compounds, data)
  return new Map(rows.map((row) => [`SCHEMBL${pick(Compound, row).chemical_id}`, row]))
}
