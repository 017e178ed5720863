import { type AnswerHead, Failure, keep, Miss, pick, url, z, type Http, type Json } from "../../connector.ts"

export const CHEMBL = "https://www.ebi.ac.uk/chembl/api/data"

type Resource = "molecule" | "assay" | "target" | "document" | "cell_line" | "tissue"

/** What has a ChEMBL id. An assay names its target, document, cell and tissue too, so the order tells whose record it is. */
export const ENTITIES: { type: string; resource: Resource; ownId: string; ofActivity?: string }[] = [
  { type: "COMPOUND", resource: "molecule", ownId: "molecule_chembl_id", ofActivity: "molecule_chembl_id" },
  { type: "ASSAY", resource: "assay", ownId: "assay_chembl_id", ofActivity: "assay_chembl_id" },
  { type: "TARGET", resource: "target", ownId: "target_chembl_id", ofActivity: "target_chembl_id" },
  { type: "DOCUMENT", resource: "document", ownId: "document_chembl_id", ofActivity: "document_chembl_id" },
  { type: "CELL", resource: "cell_line", ownId: "cell_chembl_id" },
  { type: "TISSUE", resource: "tissue", ownId: "tissue_chembl_id" },
]

/** What kind of record it is, and its id. */
export function entityOf(record: Json): { resource: Resource; id: string } {
  const fields = pick(z.record(z.string(), z.unknown()), record)
  for (const { resource, ownId } of ENTITIES) {
    const id = fields[ownId]
    if (typeof id === "string") return { resource, id }
  }
  throw new Failure("bad_response", "its answer has changed: no field holds the record's own id")
}

/** The releases differ in whether flags are numbers. */
const flag = z.lazy(() => z.union([z.boolean(), z.number()]).nullish())

/** What is read of a compound. */
export const Molecule = z.lazy(() =>
  z.object({
    molecule_chembl_id: z.string(),
    pref_name: z.string().nullish(),
    molecule_type: z.string().nullish(),
    // "4.0", "0.5" (early phase 1), "-1.0" (unknown); null: preclinical.
    max_phase: z.union([z.string(), z.number()]).nullish(),
    withdrawn_flag: flag,
    black_box_warning: flag,
    similarity: z.union([z.string(), z.number()]).nullish(),
    molecule_hierarchy: z.object({ parent_chembl_id: z.string().nullish() }).nullish(),
    // Both null for enzymes, antibodies and polymers.
    molecule_properties: z.object({ full_molformula: z.string().nullish(), full_mwt: z.string().nullish() }).nullish(),
    molecule_structures: z.object({ canonical_smiles: z.string().nullish() }).nullish(),
    molecule_synonyms: z.array(z.object({ molecule_synonym: z.string().nullish() })).nullish(),
  }),
)

export type Molecule = z.infer<typeof Molecule>

export const readMolecule = (record: Json) => pick(Molecule, record)

const Lookup = z.lazy(() =>
  z.object({
    chembl_id: z.string(),
    entity_type: z.string(),
    status: z.string(),
    last_active: z.number().nullish(),
  }),
)

/** Nearly every id that is asked for is a compound's, so that is tried first. */
export async function recordOf(id: string, http: Http): Promise<Json | Miss | undefined> {
  return (await moleculeOf(id, http)) ?? (await lookedUp(id, http))
}

export const moleculeOf = (id: string, http: Http) => http.json(CHEMBL + url`/molecule/${id}.json`, { miss: gone })

/** An empty body under 404, called HTML; a page in it is a proxy's word. */
const gone = ({ status, html }: AnswerHead) => status === 404 && !html

/** The record of an id that is no molecule's. The look-up knows what it is, and also ids that were given up. */
export async function lookedUp(id: string, http: Http): Promise<Json | Miss | undefined> {
  const answer = await http.json(CHEMBL + url`/chembl_id_lookup/${id}.json`, { miss: gone })
  if (answer === undefined) return undefined
  const { chembl_id, entity_type, status, last_active } = pick(Lookup, answer)
  const kind = entity_type.toLowerCase().replaceAll("_", " ")
  if (chembl_id.toUpperCase() !== id) return new Miss(`ChEMBL's look-up answered with ${chembl_id} instead`)
  const entity = ENTITIES.find(({ type }) => type === entity_type)
  if (status === "ACTIVE" && !entity) return new Miss(`it is a ${kind}, of which ChEMBL serves no record`)
  const record = entity && (await http.json(CHEMBL + url`/${entity.resource}/${id}.json`, { miss: gone }))
  if (record !== undefined) return record
  const last = last_active ? `; it was last part of ChEMBL ${last_active}` : ""
  return new Miss(
    `ChEMBL knows this ${kind} id as ${status === "ACTIVE" ? "active, but has no record of it" : `given up (${status})`}${last}`,
  )
}

const Molecules = z.lazy(() => z.object({ molecules: z.array(z.unknown()) }))

/**
 * Several compounds by a filter of the list. The route that is made for it, /molecule/set/, writes its records in another way than the one
 * for a single compound: paths for ATC codes, molfiles without their tags. Without a limit only 20 come.
 */
export async function molecules(ids: string[], http: Http): Promise<Map<string, Json>> {
  const query = { molecule_chembl_id__in: ids.join(), limit: ids.length }
  const answer = await http.json(`${CHEMBL}/molecule.json`, { query, miss: () => false })
  const rows = keep(Molecules, answer).molecules
  return new Map(rows.map((row) => [readMolecule(row).molecule_chembl_id, row]))
}

export const tableOf = (resource: string, field: string, id: string, limit: number) =>
  CHEMBL + url`/${resource}.json?${field}=${id}&limit=${limit}`
