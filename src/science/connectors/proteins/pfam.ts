import { defineConnector, Failure, Miss, pick, url, z, type FileFormat } from "../../connector.ts"
import { accessionOf, entryOf, entryUrl, failure, INTERPRO_HOSTS, missing, recordAt, remarks } from "./_interpro.ts"
import { search } from "./_interpro-search.ts"

const FAMILY = /^PF\d{5}$/
const CLAN = /^CL\d{4}$/

/** Served by InterPro's API since pfam.xfam.org was closed in January 2023. */
export default defineConnector({
  id: "pfam",
  name: "Pfam",
  domain: "proteins",
  description: "protein domain families, profile HMMs",
  homepage: "https://www.ebi.ac.uk/interpro/entry/pfam",
  license: "CC0 1.0",
  cite: "Paysan-Lafosse et al. The Pfam protein families database: embracing AI/ML. Nucleic Acids Res. (2025). doi:10.1093/nar/gkae997",
  ids: {
    curie: "pfam",
    pattern: new RegExp(`${FAMILY.source}|${CLAN.source}`),
    examples: ["PF00001", "CL0192"],
    normalize,
  },
  probe: { query: "kinase", missing: "PF99999" },
  hosts: INTERPRO_HOSTS,
  url: "https://www.ebi.ac.uk/interpro/entry/pfam/{id}/",
  page: (id) => (CLAN.test(id) ? url`https://www.ebi.ac.uk/interpro/set/pfam/${id}/` : undefined),
  organismFilter: true,
  missing,
  failure,
  identify: (record) => [accessionOf(record)],
  remarks,
  search: (query, options, http) => search({ database: "pfam", accession: FAMILY }, query, options, http),
  fetch: (id, http) => (CLAN.test(id) ? recordAt(clanUrl(id), http) : entryOf("pfam", id, http)),
  files: {
    // A HMMER3 profile and Stockholm alignments, packed as the server keeps them.
    hmm: { kind: "gzip", locate: (id) => annotationUrl(id, "hmm") },
    "alignment-seed": { kind: "gzip", extension: "sto.gz", locate: (id) => annotationUrl(id, "alignment:seed") },
    "alignment-full": alignment("full"),
    logo: { kind: "json", locate: (id) => annotationUrl(id, "logo") },
    tsv: { kind: "tsv", locate: (id) => `${familyUrl(id)}?format=tsv` },
    json: { kind: "json", locate: (id) => (CLAN.test(id) ? clanUrl(id) : familyUrl(id)) },
    "alignment-rp15": alignment("rp15"),
    "alignment-rp35": alignment("rp35"),
    "alignment-rp55": alignment("rp55"),
    "alignment-rp75": alignment("rp75"),
    "alignment-uniprot": alignment("uniprot"),
  },
})

/** HMMER writes a version after the accession, CDD its own spelling; only the present version is served. */
function normalize(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/^PFAM(?=\d{5}$)/, "PF")
    .replace(/^(PF\d{5})\.\d+$/, "$1")
}

const clanUrl = (id: string) => url`https://www.ebi.ac.uk/interpro/api/set/pfam/${id}/`

function familyUrl(id: string): string {
  if (FAMILY.test(id)) return entryUrl("pfam", id)
  throw new Failure(
    "unsupported_format",
    `${id} is a clan: this file is of a family; search for ${id} to list its families`,
  )
}

/** With `download` an alignment stays packed; without, it comes as a text that is packed on the way only. */
function annotationUrl(id: string, annotation: string): string {
  const download = annotation.startsWith("alignment:") ? "&download" : ""
  return `${familyUrl(id)}${url`?annotation=${annotation}`}${download}`
}

const Annotated = z.lazy(() =>
  z.object({ metadata: z.object({ entry_annotations: z.record(z.string(), z.number()).nullish() }) }),
)

/** The alignments that not every family has. Asked for in vain, the server fails, so the entry is read first: it lists them. */
function alignment(name: string): FileFormat {
  const annotation = `alignment:${name}`
  return {
    kind: "gzip",
    extension: "sto.gz",
    async locate(id, http) {
      const address = annotationUrl(id, annotation)
      const record = await entryOf("pfam", id, http)
      if (record === undefined || record instanceof Miss) return record
      const there = Object.keys(pick(Annotated, record).metadata.entry_annotations ?? {})
      return there.includes(annotation) ? address : new Miss(`${id} has no such alignment, only ${there.join(", ")}`)
    },
  }
}
