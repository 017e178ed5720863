import { defineConnector, Failure, offsetOf, pick, url, z } from "../../connector.ts"
import { barePdbId } from "./_pdb-id.ts"
import { fetchEntry, fetchModels } from "./_pdbe-record.ts"
import { FIELDS, GROUPED, hitOf, organismFilter, solrQuery } from "./_pdbe-search.ts"

const ENTRY = /^(?:[1-9][0-9a-z]{3}|pdb_[0-9a-z]{8})$/

/** Of UniProt (uniprot.org/help/accession_numbers): its record is what 3D-Beacons knows of the protein's structures and models. */
const ACCESSION = /^(?:[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9](?:[A-Z][A-Z0-9]{2}[0-9]){1,2})$/

export default defineConnector({
  id: "pdbe",
  name: "PDBe",
  domain: "structures",
  description: "PDB structures with EBI annotation",
  homepage: "https://www.ebi.ac.uk/pdbe",
  license: "CC0 1.0 (PDB data); EMBL-EBI terms of use",
  cite: "The entry's primary citation, and PDBe (https://www.ebi.ac.uk/pdbe)",
  ids: {
    curie: "pdb",
    pattern: new RegExp(`${ENTRY.source}|${ACCESSION.source}`),
    examples: ["6lu7", "1hda", "P38634"],
    normalize,
  },
  probe: { query: "haemoglobin", missing: "9zzz" },
  // EMBL-EBI's fair use: "a few requests a second", no figure for PDBe.
  hosts: { "www.ebi.ac.uk": { perSecond: 8, concurrent: 4 } },
  url: "https://www.ebi.ac.uk/pdbe/entry/pdb/{id}",
  page: (id) => (ACCESSION.test(id) ? url`https://www.ebi.ac.uk/pdbe/pdbe-kb/proteins/${id}` : undefined),
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
    const start = offsetOf(cursor)
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

  fetch: (id, http) => (ACCESSION.test(id) ? fetchModels(id, http) : fetchEntry(id, http)),

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

const OWN_ID = z.lazy(() =>
  z.object({
    pdb_id: z.string().optional(),
    uniprot_entry: z.object({ ac: z.string() }).optional(),
  }),
)

/** Lower case is PDBe's spelling of entries, upper case UniProt's of accessions. */
function normalize(typed: string): string {
  const id = barePdbId(typed)
  return ACCESSION.test(id.toUpperCase()) ? id.toUpperCase() : id.toLowerCase()
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
