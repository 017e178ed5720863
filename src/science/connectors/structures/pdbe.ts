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
  failure: ({ operation, status, head }) => {
    const said = /"msg"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(head)?.[1]
    if (operation !== "search" || status !== 400 || said === undefined) return undefined
    return new Failure("invalid_query", `PDBe does not accept this query: ${JSON.parse(said)}`)
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
    cif: { kind: "mmcif", locate: (id) => download`${id}.cif` },
    "updated-cif": { kind: "mmcif", locate: (id) => download`${id}_updated.cif` },
    "cif.gz": { kind: "gzip", extension: "cif.gz", locate: (id) => download`${id}.cif.gz` },
    "updated-cif.gz": { kind: "gzip", extension: "cif.gz", locate: (id) => download`${id}_updated.cif.gz` },
    bcif: { kind: "bcif", locate: (id) => download`${id}.bcif` },
    pdb: { kind: "pdb", locate: (id) => download`pdb${id}.ent` },
    // These two addresses are unverified.
    fasta: { kind: "fasta", locate: (id) => url`https://www.ebi.ac.uk/pdbe/entry/pdb/${entryOnly(id)}/fasta` },
    validation: { kind: "xml", locate: (id) => download`${id}_validation.xml` },
  },
})
