import { Failure, keep, Miss, pick, url, z, type Http, type Json } from "../../connector.ts"

/** What makes a record besides the summary, which has neither molecules nor resolution nor DOI. */
const PARTS = ["molecules", "experiment", "publications", "modified_AA_or_NA"]

/**
 * By version 1 of the API, of whose entry calls answers are on record (2023 to 2026); of version 2 there are only the quality scores'. What
 * PDBe answers stands unchanged under the names of its calls; a part that is not there is one that the entry does not have.
 */
export async function fetchEntry(id: string, http: Http): Promise<Json | Miss | undefined> {
  const { key, rows } = await about("summary", id, http)
  const [summary] = rows
  if (key === undefined || summary === undefined) return await whyMissing(id, http)
  const asked = [
    ...PARTS.map((kind) => ({ name: kind, ask: () => partOf(kind, id, http) })),
    { name: "quality", ask: () => qualityOf(id, http) },
  ]
  const parts = await Promise.all(asked.map(async ({ name, ask }) => [name, await http.part(name, ask)] as const))
  return { pdb_id: key, summary, ...Object.fromEntries(parts.filter(([, part]) => part !== undefined)) }
}

const ENVELOPE = z.lazy(() => z.record(z.string(), z.array(z.unknown())))

/** `{"6lu7": [ … ]}`: an array under the entry's id, lower case. An entry that has nothing of the kind is a 404 or `{}`. */
async function about(kind: string, id: string, http: Http): Promise<{ key?: string; rows: Json[] }> {
  const answer = await http.json(url`https://www.ebi.ac.uk/pdbe/api/pdb/entry/${kind}/${id}`)
  const [first] = answer === undefined ? [] : Object.entries(keep(ENVELOPE, answer))
  return first ? { key: first[0], rows: first[1] } : { rows: [] }
}

async function partOf(kind: string, id: string, http: Http): Promise<Json[] | undefined> {
  const { key, rows } = await about(kind, id, http)
  if (key !== undefined && key !== id) throw new Failure("bad_response", `PDBe answered about ${key} instead of ${id}`)
  return rows.length > 0 ? rows : undefined
}

/** Version 2 has the quality scores under the id itself, and takes ids as one JSON string. */
async function qualityOf(id: string, http: Http): Promise<Json> {
  const address = "https://www.ebi.ac.uk/pdbe/api/v2/validation/summary_quality_scores/entry"
  const answer = await http.json(address, { body: id })
  return answer === undefined ? undefined : keep(z.record(z.string(), z.unknown()), answer)[id]
}

const STATUS = z.lazy(() => z.object({ status_code: z.string(), superceded_by: z.array(z.string()).optional() }))

/** Why there is no summary: the entry is obsolete or not released yet. */
async function whyMissing(id: string, http: Http): Promise<Miss | undefined> {
  const [row] = (await about("status", id, http)).rows
  if (row === undefined) return undefined
  const { status_code: code, superceded_by: by = [] } = pick(STATUS, row)
  if (code === "REL") throw new Failure("bad_response", `PDBe has ${id} as released, but did not give its summary`)
  if (code !== "OBS") return new Miss(`${id} is not released (${code})`)
  return new Miss(
    `${id} is obsolete, ${by.length > 0 ? `replaced by ${by.join(" and ")}: fetch that` : "without a replacement"}`,
  )
}

const MODELS = z.lazy(() => z.array(z.unknown()))
const PROTEIN = z.lazy(() => z.object({ uniprot_entry: z.object({ ac: z.string() }).nullish() }))

/** Experimental structures and predicted models of one protein, of all providers unless one is named (3D-Beacons/3d-beacons-hub-api). */
export async function fetchModels(accession: string, http: Http): Promise<Json | undefined> {
  const answer = await http.json("https://www.ebi.ac.uk/pdbe/pdbe-kb/3dbeacons/api/v2/uniprot/summary", {
    body: { accessions: [accession] },
  })
  const proteins = answer === undefined ? [] : keep(MODELS, answer)
  return proteins.find((protein) => pick(PROTEIN, protein).uniprot_entry?.ac === accession)
}
