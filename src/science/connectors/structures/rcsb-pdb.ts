import { defineConnector, Failure, Miss, pick, url, z, type Http, type Json } from "../../connector.ts"
import { barePdbId } from "./_pdb-id.ts"

/** An entry or computed model, or a part of it: entity `4HHB_1`, chain `4HHB.A` (by label_asym_id), assembly `4HHB-1`. */
const ID =
  /^(?:(?<entry>[1-9][A-Z0-9]{3}|pdb_[0-9a-z]{8})|(?<model>(?:AF|MA)_[A-Z0-9]+))(?:_(?<entity>\d+)|\.(?<chain>[A-Za-z0-9]+)|-(?<assembly>[A-Z0-9]+))?$/

/** One of the Chemical Component Dictionary: one to three letters, five since 2023; BIRD molecules stand beside them. */
const LIGAND = /^(?:[A-Z0-9]{1,3}|[A-Z0-9]{5}|PRD_\d{6})$/

export default defineConnector({
  id: "rcsb-pdb",
  name: "RCSB PDB",
  domain: "structures",
  description: "PDB structures",
  homepage: "https://www.rcsb.org",
  license: "CC0 1.0 (https://www.rcsb.org/pages/usage-policy); computed models keep their provider's",
  cite: "The entry's primary citation, and Berman et al., Nucleic Acids Res. 28:235 (2000), doi:10.1093/nar/28.1.235",
  ids: {
    curie: "pdb",
    pattern: new RegExp(`${ID.source}|${LIGAND.source}`),
    examples: ["4HHB", "4HHB_1", "4HHB.A", "4HHB-1", "ATP", "AF_AFP04637F1"],
    normalize,
  },
  // "A few requests a second", no figure; answers 429 to more. Static files are not limited.
  hosts: {
    "search.rcsb.org": { perSecond: 4, concurrent: 2 },
    "data.rcsb.org": { perSecond: 8, concurrent: 4 },
    "files.rcsb.org": { perSecond: 10, concurrent: 4 },
    "models.rcsb.org": { perSecond: 10, concurrent: 4 },
    "www.rcsb.org": { perSecond: 4, concurrent: 2 },
  },
  url: "https://www.rcsb.org/structure/{id}",
  organismFilter: true,
  missing: ({ status, html, operation, head }) =>
    (status === 404 && (operation === "file" || !html)) ||
    (operation === "file" && head.startsWith("No fasta files were found")),

  identify: (record) => [pick(z.object({ rcsb_id: z.string() }), record).rcsb_id],
  remarks: (record) => [...modelRemark(record), ...chainRemark(record)],

  async search(query, { limit, cursor, organism }, http) {
    const start = readCursor(cursor)
    const nodes = [readQuery(query), ...(organism === undefined ? [] : [ofOrganism(organism)])]
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

  // Several ids are asked for one by one: only REST answers with whole records, while GraphQL, which takes many ids, answers with no more
  // than the fields that are listed to it, so one id and several would give two shapes of the same record.
  async fetch(id, http) {
    const { kind, entry, part } = partsOf(id)
    for (const address of RESOURCES[kind](entry, part)) {
      const record = await http.json(address)
      if (record !== undefined) return record
    }
    return await whyMissing(id, http)
  },

  files: {
    cif: {
      kind: "mmcif",
      locate: from({
        entry: (entry) => url`https://files.rcsb.org/download/${entry}.cif`,
        assembly: (entry, n) => url`https://files.rcsb.org/download/${entry}-assembly${n}.cif`,
        ligand: (ligand) => url`https://files.rcsb.org/ligands/download/${ligand}.cif`,
      }),
    },
    pdb: { kind: "pdb", locate: pdbFile },
    xml: { kind: "xml", locate: from({ entry: (entry) => url`https://files.rcsb.org/download/${entry}.xml` }) },
    bcif: { kind: "bcif", locate: from(binary("bcif")) },
    "cif.gz": {
      kind: "gzip",
      extension: "cif.gz",
      locate: from({
        entry: (entry) => url`https://files.rcsb.org/download/${entry}.cif.gz`,
        assembly: (entry, n) => url`https://files.rcsb.org/download/${entry}-assembly${n}.cif.gz`,
      }),
    },
    "bcif.gz": { kind: "gzip", extension: "bcif.gz", locate: from(binary("bcif.gz")) },
    assembly: {
      kind: "mmcif",
      locate: from({
        entry: (entry) => url`https://files.rcsb.org/download/${entry}-assembly1.cif`,
        assembly: (entry, n) => url`https://files.rcsb.org/download/${entry}-assembly${n}.cif`,
      }),
    },
    fasta: {
      kind: "fasta",
      locate: from({
        entry: (entry) => url`https://www.rcsb.org/fasta/entry/${entry}`,
        model: (entry) => url`https://www.rcsb.org/fasta/entry/${entry}`,
        entity: (entry, n) => url`https://www.rcsb.org/fasta/entity/${`${entry}_${n}`}`,
        chain: (entry, chain) => url`https://www.rcsb.org/fasta/chain/${`${entry}.${chain}`}`,
      }),
    },
    // Structure factors: of X-ray entries only.
    sf: { kind: "mmcif", locate: from({ entry: (entry) => url`https://files.rcsb.org/download/${entry}-sf.cif` }) },
    validation: {
      kind: "pdf",
      locate: from({
        entry: (entry) => {
          const id = entry.toLowerCase()
          return url`https://files.rcsb.org/pub/pdb/validation_reports/${id.slice(-3, -1)}/${id}/${id}_full_validation.pdf`
        },
      }),
    },
    sdf: {
      kind: "sdf",
      locate: from({ ligand: (ligand) => url`https://files.rcsb.org/ligands/download/${ligand}_ideal.sdf` }),
    },
  },
})

type Kind = "entry" | "model" | "entity" | "chain" | "assembly" | "ligand"

type Address = (entry: string, part: string) => string

/**
 * Where the record of each kind of id is. Whether an entity or a chain is a polymer, a ligand or a glycan does not show in its id; the
 * resource that has it answers, the others answer 404, and whatever else one of them answers is a failure.
 */
const RESOURCES: Record<Kind, (entry: string, part: string) => string[]> = {
  entry: (entry) => [core("entry", entry)],
  model: (entry) => [core("entry", entry)],
  entity: (entry, n) => ["polymer", "nonpolymer", "branched"].map((type) => core(`${type}_entity`, entry, n)),
  chain: (entry, chain) =>
    ["polymer", "nonpolymer", "branched"].map((type) => core(`${type}_entity_instance`, entry, chain)),
  assembly: (entry, n) => [core("assembly", entry, n)],
  ligand: (ligand) => [core("chemcomp", ligand)],
}

const KIND_NAMES: Record<Kind, string> = {
  entry: "an entry (4HHB)",
  model: "a computed model (AF_AFP04637F1)",
  entity: "an entity (4HHB_1)",
  chain: "a chain (4HHB.A)",
  assembly: "an assembly (4HHB-1)",
  ligand: "a ligand (ATP)",
}

function core(resource: string, id: string, part?: string): string {
  return part === undefined
    ? url`https://data.rcsb.org/rest/v1/core/${resource}/${id}`
    : url`https://data.rcsb.org/rest/v1/core/${resource}/${id}/${part}`
}

/** Letter case does not matter before the dot; after it the label_asym_id of a chain is left as it is. */
function normalize(typed: string): string {
  const id = barePdbId(typed.replace(/^https?:\/\/(?:www\.)?rcsb\.org\/ligand\//i, "")).replace(/-model_v\d+$/, "")
  // AF-P04637-F1 of AlphaFold DB is AF_AFP04637F1 here, ma-bak-cepc-0001 of ModelArchive MA_MABAKCEPC0001.
  if (/^(?:AF|MA)-[A-Z0-9-]+$/i.test(id)) return `${id.slice(0, 2)}_${id.replaceAll("-", "")}`.toUpperCase()
  return id.replace(/^[^.]+/, (head) => (/^pdb_/i.test(head) ? head.toLowerCase() : head.toUpperCase()))
}

function partsOf(id: string): { kind: Kind; entry: string; part: string } {
  const { entry, model, entity, chain, assembly } = ID.exec(id)?.groups ?? {}
  const whole = entry ?? model
  if (whole === undefined) return { kind: "ligand", entry: id, part: "" }
  if (entity !== undefined) return { kind: "entity", entry: whole, part: entity }
  if (chain !== undefined) return { kind: "chain", entry: whole, part: chain }
  if (assembly !== undefined) return { kind: "assembly", entry: whole, part: assembly }
  return { kind: model === undefined ? "entry" : "model", entry: whole, part: "" }
}

function from(addresses: Partial<Record<Kind, Address>>): (id: string) => string {
  return (id) => {
    const { kind, entry, part } = partsOf(id)
    const address = addresses[kind]
    if (address) return address(entry, part)
    const kinds = Object.entries(KIND_NAMES).flatMap(([name, words]) => (name in addresses ? [words] : []))
    const other = kind === "model" ? "its other files are with its provider (AF_: alphafold)" : "ask for one of those"
    throw new Failure("unsupported_format", `this format is served for ${kinds.join(" or ")}, not for ${id}; ${other}`)
  }
}

/** Served by the model server under lower-case names, of computed models too. */
function binary(ending: "bcif" | "bcif.gz"): Partial<Record<Kind, Address>> {
  const address = (id: string) => url`https://models.rcsb.org/${id.toLowerCase()}.` + ending
  return { entry: address, model: address }
}

/** A structure that does not fit the PDB format has no such file, which only its record says (wwpdb.org/documentation/file-formats-and-the-pdb). */
async function pdbFile(id: string, http: Http): Promise<string | Miss> {
  const address = from({
    entry: (entry) => url`https://files.rcsb.org/download/${entry}.pdb`,
    assembly: (entry, n) => url`https://files.rcsb.org/download/${entry}.pdb${n}`,
  })(id)
  const { entry } = partsOf(id)
  const record = await http.json(core("entry", entry))
  if (record === undefined) return (await whyMissing(entry, http)) ?? address
  const status = pick(STATUS, record).pdbx_database_status
  if (status?.pdb_format_compatible !== "N") return address
  return new Miss("it does not fit the PDB format (over 62 chains, 99,999 atoms, or a 5-letter ligand): ask for cif")
}

/** Why the archive has no such record: obsolete, not yet released, or an entry without that part. */
async function whyMissing(id: string, http: Http): Promise<Miss | undefined> {
  const { kind, entry } = partsOf(id)
  if (kind === "ligand" || ID.exec(entry)?.groups?.model !== undefined) return undefined
  const removed = await http.json(url`https://data.rcsb.org/rest/v1/holdings/removed/${entry}`)
  if (removed !== undefined) {
    const { remove_date: date, id_codes_replaced_by: by = [] } = pick(REMOVED, removed).rcsb_repository_holdings_removed
    const since = date === undefined ? "" : ` since ${date.slice(0, 10)}`
    const instead = by.length > 0 ? `replaced by ${by.join(" and ")}: fetch that` : "withdrawn without a replacement"
    return new Miss(`${entry} is obsolete${since}, ${instead}`)
  }
  const known = await http.json(url`https://data.rcsb.org/rest/v1/holdings/status/${entry}`)
  if (known === undefined) return undefined
  const { status, status_code: code } = pick(HOLDING, known).rcsb_repository_holdings_combined
  if (status === "UNRELEASED") return new Miss(`${entry} is deposited but not released yet${code ? ` (${code})` : ""}`)
  if (kind === "entry") return undefined
  const chains = kind === "chain" ? ", where chains go by label_asym_id and letter case matters" : ""
  return new Miss(`${entry} has no such ${kind}${chains}: fetch ${entry} for what it has`)
}

function modelRemark(record: Json): string[] {
  const method = pick(METHODOLOGY, record).rcsb_entry_info?.structure_determination_methodology
  return method === "computational" ? ["a computed structure model, not an experimental structure"] : []
}

/** Papers name chains by the author's letter, which often differs. */
function chainRemark(record: Json): string[] {
  const chain = Object.values(pick(CHAIN, record)).find((ids) => ids !== undefined)
  if (!chain || chain.asym_id === chain.auth_asym_id) return []
  return [`chain ${chain.asym_id} (label_asym_id) is the authors' chain ${chain.auth_asym_id}`]
}

function readCursor(cursor = "0"): number {
  if (/^\d{1,7}$/.test(cursor)) return Number(cursor)
  throw new Failure("invalid_query", "the cursor is not one of RCSB PDB's: search again without it")
}

/**
 * Plain words go to the full-text service as they are: each further word narrows, quotes make a phrase (rcsb/rcsb-mcp, query_fulltext). A
 * query in the API's own language is passed through.
 */
function readQuery(query: string): Json {
  if (!query.startsWith("{")) return { type: "terminal", service: "full_text", parameters: { value: query } }
  const node = NODE.safeParse(parseJson(query))
  if (node.success) return node.data
  throw new Failure(
    "invalid_query",
    'a query in JSON is a node of the Search API, {"type":"terminal",…} or {"type":"group",…}, without return_type and request_options',
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : "syntax"
    throw new Failure("invalid_query", `the query begins like JSON but is none (${why})`)
  }
}

/** Through the lineage, so that a species finds its strains and a clade its species; the ids are strings there. */
function ofOrganism(organism: string): Json {
  const attribute = `rcsb_entity_source_organism.taxonomy_lineage.${/^\d+$/.test(organism) ? "id" : "name"}`
  return { type: "terminal", service: "text", parameters: { attribute, operator: "exact_match", value: organism } }
}

/** Titles and what lets one choose, of all hits in one request: the search answers with ids only. */
async function factsOf(ids: string[], http: Http): Promise<Map<string, { title: string; summary: string }>> {
  const answer = pick(FACTS, await http.json("https://data.rcsb.org/graphql", { body: { query: QUERY, variables: { ids } } }))
  // An error comes under status 200.
  const refused = answer.errors?.[0]
  if (refused) throw new Failure("bad_response", `RCSB PDB's GraphQL refused: ${refused.message}`)
  const entries = (answer.data?.entries ?? []).filter((entry) => entry !== null)
  return new Map(
    entries.map((entry) => [entry.rcsb_id, { title: entry.struct?.title ?? entry.rcsb_id, summary: summaryOf(entry) }]),
  )
}

function summaryOf({ exptl, rcsb_entry_info, polymer_entities, rcsb_accession_info, rcsb_primary_citation }: Facts): string {
  const resolution = rcsb_entry_info?.resolution_combined?.[0]
  const organisms = (polymer_entities ?? []).flatMap(({ rcsb_entity_source_organism: of }) =>
    (of ?? []).flatMap(({ ncbi_scientific_name: name }) => name ?? []),
  )
  const { rcsb_journal_abbrev: journal, year } = rcsb_primary_citation ?? {}
  return [
    [(exptl ?? []).map(({ method }) => method).join(" + "), resolution ? `${resolution} Å` : ""].join(" ").trim(),
    [...new Set(organisms)].slice(0, 3).join(", "),
    rcsb_accession_info?.initial_release_date ? `released ${rcsb_accession_info.initial_release_date.slice(0, 10)}` : "",
    [journal, year].filter(Boolean).join(" "),
  ]
    .filter((fact) => fact !== "")
    .join(" · ")
}

const QUERY = `query ($ids: [String!]!) {
  entries(entry_ids: $ids) {
    rcsb_id
    struct { title }
    exptl { method }
    rcsb_entry_info { resolution_combined }
    rcsb_accession_info { initial_release_date }
    rcsb_primary_citation { rcsb_journal_abbrev year }
    polymer_entities { rcsb_entity_source_organism { ncbi_scientific_name } }
  }
}`

const ENTRY_FACTS = z.object({
  rcsb_id: z.string(),
  struct: z.object({ title: z.string().nullish() }).nullish(),
  exptl: z.array(z.object({ method: z.string() })).nullish(),
  rcsb_entry_info: z.object({ resolution_combined: z.array(z.number()).nullish() }).nullish(),
  rcsb_accession_info: z.object({ initial_release_date: z.string().nullish() }).nullish(),
  rcsb_primary_citation: z.object({ rcsb_journal_abbrev: z.string().nullish(), year: z.number().nullish() }).nullish(),
  polymer_entities: z
    .array(
      z.object({
        rcsb_entity_source_organism: z.array(z.object({ ncbi_scientific_name: z.string().nullish() })).nullish(),
      }),
    )
    .nullish(),
})

type Facts = z.infer<typeof ENTRY_FACTS>

const FACTS = z.object({
  errors: z.array(z.object({ message: z.string() })).nullish(),
  data: z.object({ entries: z.array(ENTRY_FACTS.nullable()).nullish() }).nullish(),
})

const RESULTS = z.object({ total_count: z.number(), result_set: z.array(z.object({ identifier: z.string() })) })

const NODE = z.looseObject({ type: z.enum(["terminal", "group"]) })

const STATUS = z.object({ pdbx_database_status: z.object({ pdb_format_compatible: z.string().optional() }).optional() })

const METHODOLOGY = z.object({
  rcsb_entry_info: z.object({ structure_determination_methodology: z.string().optional() }).optional(),
})

const CHAIN_IDS = z.object({ asym_id: z.string(), auth_asym_id: z.string().optional() }).optional()

const CHAIN = z.object({
  rcsb_polymer_entity_instance_container_identifiers: CHAIN_IDS,
  rcsb_nonpolymer_entity_instance_container_identifiers: CHAIN_IDS,
  rcsb_branched_entity_instance_container_identifiers: CHAIN_IDS,
})

const REMOVED = z.object({
  rcsb_repository_holdings_removed: z.object({
    remove_date: z.string().optional(),
    id_codes_replaced_by: z.array(z.string()).optional(),
  }),
})

const HOLDING = z.object({
  rcsb_repository_holdings_combined: z.object({ status: z.string(), status_code: z.string().optional() }),
})
