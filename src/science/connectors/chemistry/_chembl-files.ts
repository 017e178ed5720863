import { Failure, Miss, pick, url, z, type FileFormat, type Http, type Location } from "../../connector.ts"
import {
  CHEMBL,
  ENTITIES,
  entityOf,
  moleculeOf,
  readMolecule,
  recordOf,
  tableOf,
  type Molecule,
} from "./_chembl-entities.ts"

export const files: Record<string, FileFormat> = {
  sdf: { kind: "sdf", locate: (id, http) => structure(id, url`/molecule/${id}.sdf`, http) },
  svg: { kind: "svg", locate: (id, http) => structure(id, url`/image/${id}.svg`, http) },
  // What was measured of the compound, against the target, in the assay or in the document.
  activities: { kind: "json", locate: activities },
  mechanisms: { kind: "json", locate: (id, http) => aboutDrug("mechanism", id, http) },
  indications: { kind: "json", locate: (id, http) => aboutDrug("drug_indication", id, http) },
  warnings: { kind: "json", locate: (id, http) => aboutDrug("drug_warning", id, http) },
  json: { kind: "json", locate: (id, http) => itself(id, "json", http) },
  xml: { kind: "xml", locate: (id, http) => itself(id, "xml", http) },
}

/** The address of any entity as it is: the record is read first, since the id does not tell of what kind it is. */
async function itself(id: string, form: "json" | "xml", http: Http): Promise<Location | Miss> {
  const found = (await recordOf(id, http)) ?? new Miss()
  return found instanceof Miss ? found : CHEMBL + url`/${entityOf(found).resource}/${id}.${form}`
}

/** What ChEMBL answers for a compound without a structure is not known, so its record is asked. */
async function structure(id: string, path: string, http: Http): Promise<Location | Miss> {
  const record = await compound(id, http)
  if (record instanceof Miss) return record
  return record.molecule_structures ? CHEMBL + path : new Miss("ChEMBL has no structure of this compound")
}

async function compound(id: string, http: Http): Promise<Molecule | Miss> {
  const record = await moleculeOf(id, http)
  return record === undefined
    ? new Miss("this format is one of compounds only, and none has this id")
    : readMolecule(record)
}

async function activities(id: string, http: Http): Promise<Location | Miss> {
  const found = (await recordOf(id, http)) ?? new Miss()
  if (found instanceof Miss) return found
  const { resource } = entityOf(found)
  const field = ENTITIES.find((entity) => entity.resource === resource)?.ofActivity
  if (!field) return new Miss("activities are told of compounds, targets, assays and documents only")
  return await wholeTable("activity", field, id, http)
}

/** Such rows hang on any form of a drug, so all that have the same parent are asked for: imatinib's are those of its mesylate. */
async function aboutDrug(resource: string, id: string, http: Http): Promise<Location | Miss> {
  const record = await compound(id, http)
  if (record instanceof Miss) return record
  const parent = record.molecule_hierarchy?.parent_chembl_id ?? id
  return await wholeTable(resource, "parent_molecule_chembl_id", parent, http)
}

/** No answer holds more than 1,000 rows. Where there are more, a file would be cut in silence, so they are counted first. */
async function wholeTable(resource: string, field: string, id: string, http: Http): Promise<Location | Miss> {
  const counted = await http.json(tableOf(resource, field, id, 1), { miss: () => false })
  const { total_count } = pick(Counted, counted).page_meta
  if (total_count === 0) return new Miss(`ChEMBL has no such rows of ${id}`)
  if (total_count <= 1000) return tableOf(resource, field, id, 1000)
  const count = total_count.toLocaleString("en")
  throw new Failure(
    "too_large",
    `ChEMBL has ${count} such rows and gives 1,000 at once; search "${resource}?${field}=${id}" with more filters, such as &standard_type=IC50&pchembl_value__gte=7.`,
  )
}

const Counted = z.lazy(() => z.object({ page_meta: z.object({ total_count: z.number() }) }))
