import {
  defineConnector,
  Failure,
  keep,
  Miss,
  pick,
  url,
  z,
  type FileFormat,
  type Http,
  type Json,
} from "../../connector.ts"
import { ACCESSION, UNIPROT_HOSTS } from "../_uniprot.ts"
import { barePdbId } from "./_pdb-id.ts"
import { search } from "./_sifts-search.ts"

const ENTRY = /^[1-9][0-9a-z]{3}$/
const PROTEIN = new RegExp(`^${ACCESSION}$`)

/** By version 1 of PDBe's API, of whose mappings answers are on record (2023 to 2026). A UniProt accession and a PDB id never look alike. */
export default defineConnector({
  id: "sifts",
  name: "SIFTS",
  domain: "structures",
  description: "PDB residues in UniProt, Pfam",
  homepage: "https://www.ebi.ac.uk/pdbe/docs/sifts",
  license: "EMBL-EBI terms of use",
  cite: "Dana et al. SIFTS: updated Structure Integration with Function, Taxonomy and Sequences resource. Nucleic Acids Res. 47:D482-D489 (2019). doi:10.1093/nar/gky1114",
  ids: {
    curie: "pdb",
    pattern: new RegExp(`${ENTRY.source}|${PROTEIN.source}`),
    examples: ["1hda", "P04637"],
    normalize,
  },
  probe: { query: "haemoglobin", missing: "9zzz" },
  // As PDBe, whose host it is. Of ftp.ebi.ac.uk nothing is published.
  hosts: {
    "www.ebi.ac.uk": { perSecond: 8, concurrent: 4 },
    "ftp.ebi.ac.uk": { perSecond: 2, concurrent: 2 },
    ...UNIPROT_HOSTS,
  },
  url: "https://www.ebi.ac.uk/pdbe/entry/pdb/{id}",
  page: (id) => (PROTEIN.test(id) ? url`https://www.ebi.ac.uk/pdbe/pdbe-kb/proteins/${id}` : undefined),
  organismFilter: true,
  missing: ({ status, head, html, operation }) =>
    (status === 404 && (operation === "file" || !html)) ||
    (operation === "file" && status === 200 && /^\s*\{\s*\}\s*$/.test(head)),
  identify: (record) => Object.keys(pick(MAPPINGS, record)),
  search: (query, options, http) => {
    const id = normalize(query)
    return search(query, PROTEIN.test(id) ? { protein: id } : ENTRY.test(id) ? { entry: id } : {}, options, http)
  },
  fetch: (id, http) => (PROTEIN.test(id) ? ofProtein(id, http) : ofEntry(id, http)),
  files: {
    // Residue by residue, with what is not observed; both are made anew each week.
    "xml.gz": {
      kind: "gzip",
      extension: "xml.gz",
      locate: (id) => url`https://ftp.ebi.ac.uk/pub/databases/msd/sifts/xml/${entry(id)}.xml.gz`,
    },
    cif: {
      kind: "mmcif",
      locate: (id) => url`https://www.ebi.ac.uk/pdbe/entry-files/download/${entry(id)}_updated.cif`,
    },
    json: { kind: "json", locate: (id) => mappingsUrl(id) },
    // What the whole answer leaves out.
    isoforms: part("all_isoforms"),
    ensembl: part("ensembl"),
    segments: part("uniprot_segments"),
    scop2: part("scop2"),
    rfam: { kind: "json", locate: (id) => rfamUrl(entry(id)) },
  },
})

const MAPPINGS = z.lazy(() => z.record(z.string(), z.record(z.string(), z.unknown())))

/** Lower case is PDBe's spelling of entries, upper case UniProt's of accessions: the answer's key is spelt so. */
function normalize(typed: string): string {
  const id = barePdbId(typed.replace(/^uniprot(?:kb)?:/i, ""))
  return PROTEIN.test(id.toUpperCase()) ? id.toUpperCase() : id.toLowerCase()
}

const mappingsUrl = (id: string) => url`https://www.ebi.ac.uk/pdbe/api/mappings/${id}`
const rfamUrl = (id: string) => url`https://www.ebi.ac.uk/pdbe/api/nucleic_mappings/${id}`

function part(name: string): FileFormat {
  return { kind: "json", locate: (id) => url`https://www.ebi.ac.uk/pdbe/api/mappings/${name}/${entry(id)}` }
}

function entry(id: string): string {
  if (ENTRY.test(id)) return id
  throw new Failure(
    "unsupported_format",
    `this file is of a PDB entry (1hda); fetch the record of ${id} for its entries`,
  )
}

/** `{"1hda": {"UniProt": …}}`; a 404 or `{}` where nothing is mapped. */
async function about(address: string, http: Http): Promise<z.infer<typeof MAPPINGS> | undefined> {
  const answer = await http.json(address)
  const mappings = answer === undefined ? {} : keep(MAPPINGS, answer)
  return Object.keys(mappings).length === 0 ? undefined : mappings
}

/** An accession without a structure, a merged one and one that never was are answered alike. */
async function ofProtein(id: string, http: Http): Promise<Json | Miss> {
  const none = `no PDB structure is mapped to ${id}; its UniProt entry tells whether the accession is still in use`
  return (await about(mappingsUrl(id), http)) ?? new Miss(none)
}

/** Proteins' mappings and, from a call of its own, those of RNA to Rfam, which most entries do not have. */
async function ofEntry(id: string, http: Http): Promise<Json | Miss> {
  const mappings = await about(mappingsUrl(id), http)
  const ask = () => rfamOf(id, http)
  const rfam = mappings === undefined ? await ask() : await http.part("nucleic_mappings", ask)
  if (mappings === undefined && rfam === undefined)
    return new Miss(`nothing is mapped to ${id}: no such entry, or one without a protein in UniProt or an RNA in Rfam`)
  return { ...mappings, ...(rfam === undefined ? {} : { [id]: { ...mappings?.[id], ...rfam } }) }
}

async function rfamOf(id: string, http: Http) {
  const answer = await about(rfamUrl(id), http)
  if (answer === undefined || id in answer) return answer?.[id]
  throw new Failure("bad_response", `PDBe answered about ${Object.keys(answer).join(", ")} instead of ${id}`)
}
