import { Failure } from "../../connector.ts"
import type { Resource } from "./_chembl-hits.ts"

/** What is asked of ChEMBL: the resource whose rows come, the path below the API, its filters, and what a reader must know. */
export interface Question {
  resource: Resource
  path: string
  query?: Record<string, string>
  notes?: string[]
  /** Full text, behind which is Elasticsearch: it counts and gives no more than 10,000. */
  ranked?: true
}

const ORGANISM_FIELDS = new Map<Resource, { name: string; taxon: string }>([
  ["target", { name: "organism__iexact", taxon: "tax_id" }],
  ["assay", { name: "assay_organism__iexact", taxon: "assay_tax_id" }],
  ["activity", { name: "target_organism__iexact", taxon: "target_tax_id" }],
  ["cell_line", { name: "cell_source_organism__iexact", taxon: "cell_source_tax_id" }],
])

export function ofOrganism(asked: Question, organism: string | undefined): Question {
  if (organism === undefined) return asked
  const fields = ORGANISM_FIELDS.get(asked.resource)
  if (!fields)
    throw new Failure(
      "invalid_query",
      "ChEMBL's compounds have no organism; leave it out, or ask for targets (target: …) or measurements (activity?…).",
    )
  const taxon = /^(?:\w+:)?(\d+)$/.exec(organism.trim())?.[1]
  const name = COMMON_NAMES.get(organism.trim().toLowerCase()) ?? organism.trim()
  const filter = taxon ? { [fields.taxon]: taxon } : { [fields.name]: name }
  const what = asked.resource === "activity" ? "the target's organism" : "the organism"
  return {
    ...asked,
    query: { ...asked.query, ...filter },
    notes: [...(asked.notes ?? []), `${asked.resource} rows, ${what} being ${taxon ? `taxon ${taxon}` : name}`],
  }
}

/** ChEMBL knows scientific names only. */
const COMMON_NAMES = new Map([
  ["human", "Homo sapiens"],
  ["mouse", "Mus musculus"],
  ["rat", "Rattus norvegicus"],
  ["dog", "Canis lupus familiaris"],
  ["pig", "Sus scrofa"],
  ["cow", "Bos taurus"],
  ["rabbit", "Oryctolagus cuniculus"],
  ["guinea pig", "Cavia porcellus"],
  ["rhesus macaque", "Macaca mulatta"],
  ["zebrafish", "Danio rerio"],
  ["yeast", "Saccharomyces cerevisiae"],
])
