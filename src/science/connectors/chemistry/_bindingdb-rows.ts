import { asArray, Failure, pick, url, z, type AnswerHead, type Http, type Json } from "../../connector.ts"

const REST = "https://bindingdb.org/rest"

/** The weakest affinity that is asked for. For the kinases that everyone measures, this is tens of megabytes. */
export const MOST_NM = 10_000

export const isPdb = (id: string) => id.length === 4

/** XML is what comes unless JSON is asked for by this parameter; an Accept header changes nothing. */
export function addressOf(id: string, cutoffNM: number, form: "json" | "xml" = "json"): string {
  const path = isPdb(id)
    ? url`/getLigandsByPDBs?pdb=${id}&cutoff=${cutoffNM}`
    : url`/getLigandsByUniprots?uniprot=${id}&cutoff=${cutoffNM}&code=0`
  return REST + path + (form === "json" ? url`&response=${"application/json"}` : "")
}

export const similarTo = (smiles: string, similarity: number) =>
  REST + url`/getTargetByCompound?smiles=${smiles}&cutoff=${similarity}&response=${"application/json"}`

/**
 * Nothing found is an empty body by the documentation. A structure of which nothing is known makes the service send a malformed query to its
 * own database, so that error is a miss too; one of the connection to it is not.
 */
export const nothing = ({ status, head }: AnswerHead) =>
  (status === 200 && head.trim() === "") ||
  (status === 500 && /\bSQL/i.test(head) && !/connect|time[d ]?out|communications link|pool/i.test(head))

export const affinitiesOf = (id: string, cutoffNM: number, http: Http) =>
  http.json(addressOf(id, cutoffNM), { miss: nothing })

export interface Row {
  target: string
  species?: string | undefined
  monomer: string
  name?: string | undefined
  smiles: string
  type: string
  /** As it stands there: "3000", ">3000", " 348000", "0.000". */
  affinity: string
  similarity?: string | undefined
  source?: string | undefined
}

const text = z.lazy(() => z.union([z.string(), z.number()]).transform(String))
const maybe = z.lazy(() =>
  z
    .union([z.string(), z.number()])
    .nullish()
    .transform((value) => (value ? String(value).trim() : undefined)),
)

const Measured = z.lazy(() =>
  z
    .object({ query: text, monomerid: text, smile: text, affinity_type: text, affinity: text, pmid: maybe, doi: maybe })
    .transform(({ query, monomerid, smile, affinity_type, affinity, pmid, doi }): Row => ({
      target: query,
      monomer: monomerid,
      smiles: smile,
      type: affinity_type,
      affinity: affinity.trim(),
      source: pmid ? `PMID ${pmid}` : doi,
    })),
)

/** The look-up by compound writes its fields in another way. */
const OfCompound = z.lazy(() =>
  z
    .object({
      "bdb.target": text,
      "bdb.monomerid": text,
      "bdb.smiles": maybe,
      "bdb.smile": maybe,
      "bdb.affinity_type": text,
      "bdb.affinity": text,
      "bdb.species": maybe,
      "bdb.inhibitor": maybe,
      "bdb.tanimoto": maybe,
    })
    .transform((row): Row => ({
      target: row["bdb.target"],
      species: row["bdb.species"],
      monomer: row["bdb.monomerid"],
      name: row["bdb.inhibitor"],
      smiles: row["bdb.smiles"] ?? row["bdb.smile"] ?? "",
      type: row["bdb.affinity_type"],
      affinity: row["bdb.affinity"].trim(),
      similarity: row["bdb.tanimoto"],
    })),
)

const Body = z.lazy(() => z.object({ affinities: z.unknown(), "bdb.affinities": z.unknown() }).partial())

/**
 * The rows stand in a wrapper whose name is not that of the endpoint (`getLindsByUniprotsResponse`). It comes from XML: one row is no list,
 * and none may be an empty text.
 */
export function rowsOf(answer: Json): Row[] {
  if (answer === "") return []
  const fields = pick(z.record(z.string(), z.unknown()), answer)
  const wrapper = Object.entries(fields).find(([name]) => name.endsWith("Response"))?.[1]
  if (wrapper === "") return []
  const body = pick(Body, wrapper)
  const plain = body.affinities !== undefined
  const rows = plain ? body.affinities : body["bdb.affinities"]
  if (rows === undefined) throw new Failure("bad_response", "its answer has changed: no affinities are in it")
  if (rows === "" || rows === null) return []
  return plain ? pick(z.array(Measured), asArray(rows)) : pick(z.array(OfCompound), asArray(rows))
}

/** A number to sort by: the most potent first, then bounds from below (`>3000`), then what was not reported. */
export function potency({ affinity }: Row): number {
  const [, sign, number = ""] = /^([<>]=?)?\s*([\d.]+(?:e[-+]?\d+)?)$/i.exec(affinity) ?? []
  const nM = Number(number)
  if (number === "" || !(nM > 0)) return Infinity
  return sign?.startsWith(">") ? nM + 1e15 : nM
}
