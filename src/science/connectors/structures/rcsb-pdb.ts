import { defineConnector, Miss, offsetOf, pick, url, z, type Http, type Json } from "../../connector.ts"
import { whyMissing } from "./_rcsb-holdings.ts"
import { normalizeRcsbId, partsOf, RCSB_ID, recordAddresses, served } from "./_rcsb-id.ts"
import { factsOf, organismNode, queryNode } from "./_rcsb-search.ts"

export default defineConnector({
  id: "rcsb-pdb",
  name: "RCSB PDB",
  domain: "structures",
  description: "experimental 3D structures, ligands",
  homepage: "https://www.rcsb.org",
  license: "CC0 1.0 (https://www.rcsb.org/pages/usage-policy); computed models keep their provider's",
  cite: "The entry's primary citation, and Berman et al., Nucleic Acids Res. 28:235 (2000), doi:10.1093/nar/28.1.235",
  ids: {
    curie: "pdb",
    pattern: RCSB_ID,
    examples: ["4HHB", "4HHB_1", "4HHB.A", "4HHB-1", "ATP", "AF_AFP04637F1"],
    normalize: normalizeRcsbId,
  },
  probe: { query: "hemoglobin", missing: "9ZZZ" },
  // "A few requests a second" and 429 beyond; no figure is published. Static files are not limited.
  hosts: {
    "search.rcsb.org": { perSecond: 4, concurrent: 2 },
    "data.rcsb.org": { perSecond: 8, concurrent: 4 },
    "files.rcsb.org": { perSecond: 10, concurrent: 4 },
    "models.rcsb.org": { perSecond: 10, concurrent: 4 },
    "www.rcsb.org": { perSecond: 4, concurrent: 2 },
  },
  url: "https://www.rcsb.org/structure/{id}",
  page: (id) => {
    const { kind, entry } = partsOf(id)
    return kind === "ligand" ? url`https://www.rcsb.org/ligand/${entry}` : url`https://www.rcsb.org/structure/${entry}`
  },
  organismFilter: true,
  missing: ({ status, html, operation, head }) =>
    (status === 404 && (operation === "file" || !html)) ||
    (operation === "file" && head.startsWith("No fasta files were found")),

  identify: (record) => [pick(z.object({ rcsb_id: z.string() }), record).rcsb_id],
  remarks: (record) => [...modelRemark(record), ...chainRemark(record)],

  async search(query, { limit, cursor, organism }, http) {
    const start = offsetOf(cursor)
    const nodes = [queryNode(query), ...(organism === undefined ? [] : [organismNode(organism)])]
    const answer = await http.json("https://search.rcsb.org/rcsbsearch/v2/query", {
      body: {
        query: nodes.length === 1 ? nodes[0] : { type: "group", logical_operator: "and", nodes },
        return_type: "entry",
        request_options: {
          paginate: { start, rows: limit },
          results_content_type: ["experimental"],
          sort: [{ sort_by: "score", direction: "desc" }],
        },
      },
      // No hits are 204 with an empty body.
      miss: ({ status }) => status === 204,
    })
    if (answer === undefined) return { hits: [], total: 0 }
    const { total_count: total, result_set: results } = pick(RESULTS, answer)
    const ids = results.map(({ identifier }) => identifier)
    const facts = await http.part("titles", () => factsOf(ids, http))
    const end = start + ids.length
    return {
      hits: ids.map((id) => ({ id, title: id, ...facts?.get(id) })),
      total,
      ...(ids.length > 0 && end < total ? { next: String(end) } : {}),
    }
  },

  // Several ids are asked for one by one: REST has no batch, and GraphQL, which has one, answers with no more than the fields that are
  // listed to it, so that the record of an id would depend on how many were asked for.
  async fetch(id, http) {
    for (const address of recordAddresses(id)) {
      const record = await http.json(address)
      if (record !== undefined) return record
    }
    return await whyMissing(id, http)
  },

  files: {
    cif: {
      kind: "mmcif",
      locate: served({
        entry: (entry) => url`https://files.rcsb.org/download/${entry}.cif`,
        assembly: (entry, number) => url`https://files.rcsb.org/download/${entry}-assembly${number}.cif`,
        ligand: (ligand) => url`https://files.rcsb.org/ligands/download/${ligand}.cif`,
      }),
    },
    pdb: { kind: "pdb", locate: locatePdb },
    xml: { kind: "xml", locate: served({ entry: (entry) => url`https://files.rcsb.org/download/${entry}.xml` }) },
    bcif: {
      kind: "bcif",
      locate: served({
        entry: (entry) => url`https://models.rcsb.org/${entry.toLowerCase()}.bcif`,
        model: (model) => url`https://models.rcsb.org/${model.toLowerCase()}.bcif`,
      }),
    },
    "cif.gz": {
      kind: "gzip",
      extension: "cif.gz",
      locate: served({
        entry: (entry) => url`https://files.rcsb.org/download/${entry}.cif.gz`,
        assembly: (entry, number) => url`https://files.rcsb.org/download/${entry}-assembly${number}.cif.gz`,
      }),
    },
    "bcif.gz": {
      kind: "gzip",
      extension: "bcif.gz",
      locate: served({
        entry: (entry) => url`https://models.rcsb.org/${entry.toLowerCase()}.bcif.gz`,
        model: (model) => url`https://models.rcsb.org/${model.toLowerCase()}.bcif.gz`,
      }),
    },
    assembly: {
      kind: "mmcif",
      locate: served({
        entry: (entry) => url`https://files.rcsb.org/download/${entry}-assembly1.cif`,
        assembly: (entry, number) => url`https://files.rcsb.org/download/${entry}-assembly${number}.cif`,
      }),
    },
    fasta: {
      kind: "fasta",
      locate: served({
        entry: (entry) => url`https://www.rcsb.org/fasta/entry/${entry}`,
        model: (model) => url`https://www.rcsb.org/fasta/entry/${model}`,
        entity: (entry, number) => url`https://www.rcsb.org/fasta/entity/${entry}_${number}`,
        chain: (entry, chain) => url`https://www.rcsb.org/fasta/chain/${entry}.${chain}`,
      }),
    },
    // Structure factors, of X-ray entries only (address unverified).
    sf: { kind: "mmcif", locate: served({ entry: (entry) => url`https://files.rcsb.org/download/${entry}-sf.cif` }) },
    validation: { kind: "pdf", locate: served({ entry: validationReport }) },
    sdf: {
      kind: "sdf",
      locate: served({ ligand: (ligand) => url`https://files.rcsb.org/ligands/download/${ligand}_ideal.sdf` }),
    },
  },
})

const RESULTS = z.lazy(() =>
  z.object({ total_count: z.number(), result_set: z.array(z.object({ identifier: z.string() })) }),
)

const METHODOLOGY = z.lazy(() =>
  z.object({
    rcsb_entry_info: z.object({ structure_determination_methodology: z.string().optional() }).optional(),
  }),
)

function modelRemark(record: Json): string[] {
  const method = pick(METHODOLOGY, record).rcsb_entry_info?.structure_determination_methodology
  return method === "computational" ? ["a computed structure model, not an experimental structure"] : []
}

const CHAIN = z.lazy(() => z.object({ asym_id: z.string(), auth_asym_id: z.string().optional() }).optional())

const CHAINS = z.lazy(() =>
  z.object({
    rcsb_polymer_entity_instance_container_identifiers: CHAIN,
    rcsb_nonpolymer_entity_instance_container_identifiers: CHAIN,
    rcsb_branched_entity_instance_container_identifiers: CHAIN,
  }),
)

/** Papers name chains by the authors' letter, which often differs. */
function chainRemark(record: Json): string[] {
  const chain = Object.values(pick(CHAINS, record)).find((ids) => ids !== undefined)
  if (!chain?.auth_asym_id || chain.asym_id === chain.auth_asym_id) return []
  return [`${chain.asym_id} is the label_asym_id; the authors call this chain ${chain.auth_asym_id}`]
}

/** Below the two letters before the last, as in all of the archive's folders. */
function validationReport(entry: string): string {
  const id = entry.toLowerCase()
  return url`https://files.rcsb.org/pub/pdb/validation_reports/${id.slice(-3, -1)}/${id}/${id}_full_validation.pdf`
}

const STATUS = z.lazy(() =>
  z.object({ pdbx_database_status: z.object({ pdb_format_compatible: z.string().optional() }).optional() }),
)

/** What does not fit the PDB format has no such file, which shows in its record only. */
async function locatePdb(id: string, http: Http): Promise<string | Miss> {
  const address = served({
    entry: (entry) => url`https://files.rcsb.org/download/${entry}.pdb`,
    assembly: (entry, number) => url`https://files.rcsb.org/download/${entry}.pdb${number}`,
  })(id)
  const { entry } = partsOf(id)
  const [recordAddress = ""] = recordAddresses(entry)
  const record = await http.json(recordAddress)
  if (record === undefined) return (await whyMissing(entry, http)) ?? address
  if (pick(STATUS, record).pdbx_database_status?.pdb_format_compatible !== "N") return address
  return new Miss("it does not fit the PDB format (over 62 chains or 99,999 atoms, or a 5-letter ligand): ask for cif")
}
