import { defineConnector } from "../../connector.ts"
import { accessionOf, entryOf, entryUrl, failure, INTERPRO_HOSTS, missing, remarks } from "./_interpro.ts"
import { search } from "./_interpro-search.ts"

const ID = /^IPR\d{6}$/

export default defineConnector({
  id: "interpro",
  name: "InterPro",
  domain: "proteins",
  description: "protein families, domains, sites",
  homepage: "https://www.ebi.ac.uk/interpro",
  // That InterPro is CC0 was not found in the repositories of the service itself.
  license: "CC0 1.0; EMBL-EBI terms of use",
  cite: "Blum et al. InterPro: the protein sequence classification resource in 2025. Nucleic Acids Res. (2025). doi:10.1093/nar/gkae1082",
  ids: { curie: "interpro", pattern: ID, examples: ["IPR000001"], normalize: (id) => id.toUpperCase() },
  probe: { query: "kinase", missing: "IPR999999" },
  hosts: INTERPRO_HOSTS,
  url: "https://www.ebi.ac.uk/interpro/entry/interpro/{id}/",
  organismFilter: true,
  missing,
  failure,
  identify: (record) => [accessionOf(record)],
  remarks,
  search: (query, options, http) => search({ database: "interpro", accession: ID }, query, options, http),
  fetch: (id, http) => entryOf("interpro", id, http),
  files: {
    tsv: { kind: "tsv", locate: (id) => `${entryUrl("interpro", id)}?format=tsv` },
    json: { kind: "json", locate: (id) => entryUrl("interpro", id) },
  },
})
