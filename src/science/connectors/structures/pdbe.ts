import { defineConnector, Failure, Miss, pick, url, z, type Http, type Json } from "../../connector.ts"
import { barePdbId } from "./_pdb-id.ts"
import { FIELDS, GROUPED, hitOf, organismFilter, solrQuery } from "./_pdbe-search.ts"

const ENTRY = /^(?:[1-9][0-9a-z]{3}|pdb_[0-9a-z]{8})$/

/** Of UniProt (uniprot.org/help/accession_numbers): its record is what 3D-Beacons knows of the protein's structures and models. */
const ACCESSION = /^(?:[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9](?:[A-Z][A-Z0-9]{2}[0-9]){1,2})$/

/** What makes a record besides the summary, which has neither molecules nor resolution nor DOI. */
const PARTS = ["molecules", "experiment", "publications", "modified_AA_or_NA"]

export default defineConnector({
  id: "pdbe",
  name: "PDBe",
  domain: "structures",
  description: "PDB at EBI",
  homepage: "https://www.ebi.ac.uk/pdbe",
  license: "CC0 1.0 (PDB data); EMBL-EBI terms of use",
  cite: "The entry's primary citation, and PDBe (https://www.ebi.ac.uk/pdbe)",
  ids: {
    curie: "pdb",
    pattern: new RegExp(`${ENTRY.source}|${ACCESSION.source}`),
    examples: ["6lu7", "1hda", "P38634"],
    normalize,
  },
  // EMBL-EBI's fair use: "a few requests a second", no figure for PDBe.
  hosts: { "www.ebi.ac.uk": { perSecond: 8, concurrent: 4 } },
  url: "https://www.ebi.ac.uk/pdbe/entry/pdb/{id}",
  organismFilter: true,
  missing: ({ status, html, operation }) => (status === 404 || status === 410) && (operation === "file" || !html),
  failure: ({ status, head, operation }) => {
    const said = /"msg"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(head)?.[1]
    if (operation !== "search" || status !== 400 || said === undefined) return undefined
    return new Failure("invalid_query", `PDBe does not accept this query: ${said.replaceAll('\\"', '"')}`)
  },

  identify: (record) => {
    const { pdb_id: entry, uniprot_entry: protein } = pick(OWN_ID, record)
    return [entry, protein?.ac].filter((id) => id !== undefined)
  },

  async search(query, { limit, cursor, organism }, http) {
    const start = readCursor(cursor)
    const answer = await http.json("https://www.ebi.ac.uk/pdbe/search/pdb/select", {
      query: {
        q: solrQuery(query),
        fq: organism === undefined ? undefined : organismFilter(organism),
        fl: FIELDS,
        start,
        rows: limit,
        // One document is one entity: in groups, start, rows and the total count entries.
        group: true,
        "group.field": "pdb_id",
        "group.ngroups": true,
        wt: "json",
      },
    })
    const { ngroups, groups } = pick(GROUPED, answer).grouped.pdb_id
    const end = start + groups.length
    return {
      hits: groups.map(hitOf),
      total: ngroups,
      ...(groups.length > 0 && end < ngroups ? { next: String(end) } : {}),
      ...(organism !== undefined && ngroups === 0 ? { notes: [EXACT_NAME] } : {}),
    }
  },

  // Version 1 of the API: it answered all of these in 2026, and only for it is the shape of the entry calls known.
  async fetch(id, http) {
    if (ACCESSION.test(id)) return await fetchModels(id, http)
    const { key, rows } = await about("summary", id, http)
    const [summary] = rows
    if (key === undefined || summary === undefined) return await whyMissing(id, http)
    const parts = await Promise.all([
      ...PARTS.map(async (name) => [name, await http.part(name, () => partOf(name, id, http))] as const),
      http.part("quality", () => qualityOf(id, http)).then((scores) => ["quality", scores] as const),
    ])
    // A part that is not there is one that the entry does not have; one that failed is named by `part`.
    return { pdb_id: key, summary, ...Object.fromEntries(parts.filter(([, part]) => part !== undefined)) }
  },

  files: {
    cif: { kind: "mmcif", locate: file((entry) => `${entry}.cif`) },
    "updated-cif": { kind: "mmcif", locate: file((entry) => `${entry}_updated.cif`) },
    "cif.gz": { kind: "gzip", extension: "cif.gz", locate: file((entry) => `${entry}.cif.gz`) },
    "updated-cif.gz": { kind: "gzip", extension: "cif.gz", locate: file((entry) => `${entry}_updated.cif.gz`) },
    bcif: { kind: "bcif", locate: file((entry) => `${entry}.bcif`) },
    pdb: { kind: "pdb", locate: file((entry) => `pdb${entry}.ent`) },
    // The addresses of these two are unverified.
    fasta: { kind: "fasta", locate: (id) => url`https://www.ebi.ac.uk/pdbe/entry/pdb/${ofEntry(id)}/fasta` },
    validation: { kind: "xml", locate: file((entry) => `${entry}_validation.xml`) },
  },
})

const EXACT_NAME = "an organism is its exact scientific name or its taxon id here"

const OWN_ID = z.object({
  pdb_id: z.string().optional(),
  uniprot_entry: z.object({ ac: z.string() }).optional(),
})

/** Lower case is PDBe's spelling of entries, upper case UniProt's of accessions. */
function normalize(typed: string): string {
  const id = barePdbId(typed)
  return ACCESSION.test(id.toUpperCase()) ? id.toUpperCase() : id.toLowerCase()
}

function readCursor(cursor = "0"): number {
  if (/^\d{1,7}$/.test(cursor)) return Number(cursor)
  throw new Failure("invalid_query", "the cursor is not one of PDBe's: search again without it")
}

function ofEntry(id: string): string {
  if (ENTRY.test(id)) return id
  throw new Failure(
    "unsupported_format",
    `files are of entries (6lu7); the record of ${id} names its models' model_url`,
  )
}

function file(name: (entry: string) => string): (id: string) => string {
  return (id) => url`https://www.ebi.ac.uk/pdbe/entry-files/download/${name(ofEntry(id))}`
}

/** What a schema leaves unread keeps all its digits here; `pick` names what does not fit, but hands out plain numbers. */
function own<T>(schema: z.ZodType<T>, answer: Json): T {
  pick(schema, answer)
  return schema.parse(answer)
}

const ENVELOPE = z.record(z.string(), z.array(z.unknown()))

/** `{"6lu7": [ … ]}`: an array under the entry's id, lower case. An entry that has nothing of the kind is a 404 or `{}`. */
async function about(kind: string, id: string, http: Http): Promise<{ key?: string; rows: Json[] }> {
  const answer = await http.json(url`https://www.ebi.ac.uk/pdbe/api/pdb/entry/${kind}/${id}`)
  const [first] = answer === undefined ? [] : Object.entries(own(ENVELOPE, answer))
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
  return answer === undefined ? undefined : own(z.record(z.string(), z.unknown()), answer)[id]
}

const STATUS = z.object({ status_code: z.string(), superceded_by: z.array(z.string()).optional() })

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

const MODELS = z.array(z.unknown())
const PROTEIN = z.object({ uniprot_entry: z.object({ ac: z.string() }).nullish() })

/** Experimental structures and predicted models of one protein, of all providers (3D-Beacons, recorded with up to ten accessions). */
async function fetchModels(accession: string, http: Http): Promise<Json | undefined> {
  const answer = await http.json("https://www.ebi.ac.uk/pdbe/pdbe-kb/3dbeacons/api/v2/uniprot/summary", {
    body: { accessions: [accession], provider: null, exclude_provider: null },
  })
  const proteins = answer === undefined ? [] : own(MODELS, answer)
  return proteins.find((protein) => pick(PROTEIN, protein).uniprot_entry?.ac === accession)
}
