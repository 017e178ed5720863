import {
  asArray,
  defineConnector,
  Miss,
  pick,
  url,
  z,
  type FileFormat,
  type Http,
  type Json,
} from "../../connector.ts"
import { ACCESSION, searchHits, UNIPROT_HOSTS } from "../_uniprot.ts"

/** A UniProt accession, with its isoform where it is not the canonical one, or a predicted complex. */
const ID = new RegExp(`^(?:${ACCESSION}(?:-[0-9]{1,3})?|AF-[0-9]{16})$`)

export default defineConnector({
  id: "alphafold",
  name: "AlphaFold DB",
  domain: "structures",
  description: "predicted protein structures with confidence",
  homepage: "https://alphafold.ebi.ac.uk",
  license: "CC BY 4.0",
  cite: "Jumper et al. Nature 596:583-589 (2021). doi:10.1038/s41586-021-03819-2; Varadi et al. Nucleic Acids Res. 52:D368-D375 (2024). doi:10.1093/nar/gkad1011",
  ids: { curie: "AFDB", pattern: ID, examples: ["P04637", "P05067-2", "AF-P69905-F1"], normalize },
  // No limit is published; clients keep under ten a second.
  hosts: { "alphafold.ebi.ac.uk": { perSecond: 5, concurrent: 4 }, ...UNIPROT_HOSTS },
  url: "https://alphafold.ebi.ac.uk/entry/{id}",
  organismFilter: true,
  identify: (record) => pick(z.array(Model), asArray(record)).flatMap(idsOf),
  remarks: (record) => pick(z.array(Model), asArray(record)).slice(0, 1).map(confidence),
  search,
  fetch: async (id, http) => {
    const models = await modelsOf(id, http)
    // A complex has an element for each chain, in no fixed order.
    return models instanceof Miss || models.length > 1 ? models : models[0]
  },
  files: {
    cif: { kind: "mmcif", ...at("cifUrl") },
    bcif: { kind: "bcif", ...at("bcifUrl") },
    pdb: { kind: "pdb", ...at("pdbUrl") },
    pae: { kind: "json", ...at("paeDocUrl") },
    "pae-image": { kind: "png", ...at("paeImageUrl") },
    plddt: { kind: "json", ...at("plddtDocUrl") },
    msa: { kind: "a3m", ...at("msaUrl") },
    am: { kind: "csv", ...at("amAnnotationsUrl", MISSENSE) },
    "am-hg19": { kind: "csv", ...at("amAnnotationsHg19Url", MISSENSE) },
    "am-hg38": { kind: "csv", ...at("amAnnotationsHg38Url", MISSENSE) },
  },
})
