import { defineConnector, Miss, orFailure, type Json } from "../../connector.ts"
import { entityOf, lookedUp, molecules, readMolecule, recordOf } from "./_chembl-entities.ts"
import { files } from "./_chembl-files.ts"
import { search } from "./_chembl-search.ts"

/** Every entity has such an id: compounds, targets, assays, documents, cells, tissues. The number does not tell which it is. */
const ID = /^CHEMBL[1-9]\d{0,9}$/

export default defineConnector({
  id: "chembl",
  name: "ChEMBL",
  domain: "chemistry",
  description: "drugs, bioactivities, targets, assays",
  homepage: "https://www.ebi.ac.uk/chembl",
  license: "CC BY-SA 3.0; name ChEMBL and its release",
  cite: "Zdrazil et al. The ChEMBL Database in 2023. Nucleic Acids Res. 52:D1180-D1192 (2024). doi:10.1093/nar/gkad1004",
  ids: { curie: "chembl", pattern: ID, examples: ["CHEMBL25"], normalize },
  probe: { query: "aspirin", missing: "CHEMBL9999999999" },
  // No limit is published; EBI asks for reasonable use, and bursts are answered with 429.
  hosts: { "www.ebi.ac.uk": { perSecond: 5, concurrent: 3 } },
  // Leads to the report card of whatever kind the id is.
  url: "https://www.ebi.ac.uk/chembl/entity/{id}",
  organismFilter: true,
  identify: (record) => [entityOf(record).id],
  remarks: (record) => (entityOf(record).resource === "molecule" ? remarksOf(record) : []),
  search,
  fetch: recordOf,
  fetchMany: {
    // A compound has about 14 KB.
    atOnce: 50,
    async fetch(ids, http) {
      const found = await molecules(ids, http)
      const others = ids.filter((id) => !found.has(id))
      const answers = await Promise.all(others.map((id) => orFailure(() => lookedUp(id, http))))
      return new Map([...found, ...others.map((id, i): [string, Json] => [id, answers[i] ?? new Miss()])])
    },
  },
  files,
})

/** `chembl25`, `CHEMBL:25`, `CHEMBL_25`, `25`, `chembl.target:CHEMBL203`, the address of a report card, old or new, or of the API. */
function normalize(typed: string): string {
  const [, number] =
    /^(?:https?:\/\/(?:www\.)?ebi\.ac\.uk\/chembl\/(?:.*\/)?|chembl\.(?:compound|target|cell|tissue):)?(?:chembl[\s:_-]*)?0*([1-9]\d*)(?:\.[a-z]+)?\/?(?:[?#].*)?$/i.exec(
      typed,
    ) ?? []
  return number === undefined ? typed : `CHEMBL${number}`
}

function remarksOf(record: Json): string[] {
  const { withdrawn_flag, black_box_warning, molecule_structures, molecule_hierarchy, molecule_chembl_id } =
    readMolecule(record)
  const parent = molecule_hierarchy?.parent_chembl_id
  return [
    ...(withdrawn_flag ? ["withdrawn from at least one market: the format warnings tells where and why"] : []),
    ...(Number(black_box_warning) === 1 ? ["a drug with a black box warning"] : []),
    ...(molecule_structures ? [] : ["ChEMBL has no structure of it: a biologic, a mixture or a polymer"]),
    ...(parent && parent !== molecule_chembl_id
      ? [`a salt or another form of ${parent}, which has data of its own`]
      : []),
  ]
}
