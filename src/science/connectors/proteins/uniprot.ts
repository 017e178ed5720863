import { defineConnector, pick, url, type FileFormat, type Http } from "../../connector.ts"
import { ACCESSION, Entry, searchHits, UNIPROT_HOSTS } from "../_uniprot.ts"
import { accessionOf, entriesOf, entryOf, idsOf, isDirect, isMissing, together } from "./_uniprot-entries.ts"

/** An accession, an isoform, a sequence version, or an entry name such as P53_HUMAN (help/accession_numbers, help/entry_name). */
const ID = new RegExp(`^(?:${ACCESSION}(?:-[0-9]{1,3}|\\.[0-9]{1,3})?|[A-Z0-9]{1,10}_[A-Z0-9]{2,5})$`)

export default defineConnector({
  id: "uniprot",
  name: "UniProt",
  domain: "proteins",
  description: "protein sequences, function, features",
  homepage: "https://www.uniprot.org",
  license: "CC BY 4.0",
  cite: "The UniProt Consortium. UniProt: the Universal Protein Knowledgebase in 2025. Nucleic Acids Res. 53:D609-D617 (2025). doi:10.1093/nar/gkae1010",
  ids: { curie: "uniprot", pattern: ID, examples: ["P04637", "P04637-2", "P53_HUMAN"], normalize },
  probe: { query: "insulin", missing: "Q00000" },
  hosts: UNIPROT_HOSTS,
  url: "https://www.uniprot.org/uniprotkb/{id}/entry",
  organismFilter: true,
  missing: (answer) =>
    isMissing(answer) || (answer.operation === "file" && answer.status === 200 && holdsNoEntry(answer.head)),
  identify: (record) => idsOf(pick(Entry, record)),
  relation: (asked, own) => {
    if (asked.includes(".")) return `${asked} is the present sequence of ${own}`
    if (asked.includes("-")) return `${asked} is the canonical sequence of ${own}`
    return asked.includes("_") ? `${asked} is the entry name of ${own}` : `${asked} is now ${own}`
  },
  search: (query, options, http) => searchHits(http, query, options, { fields: ["cc_function"] }),
  fetch: (id, http) => entryOf(id, http),
  // A query may have 100 terms joined by OR ("Maximum allowed is 100", says its 400), and an accession needs two.
  fetchMany: { atOnce: 50, fetch: entriesOf },
  files: {
    fasta: file("fasta", "fasta"),
    txt: file("txt", "flat"),
    xml: file("xml", "xml"),
    gff: { ...file("gff", "gff3"), extension: "gff" },
    tsv: file("tsv", "tsv"),
    json: file("json", "json"),
    list: file("list", "list"),
    xlsx: file("xlsx", "xlsx"),
    rdf: graph("rdf", "rdf"),
    ttl: graph("ttl", "turtle"),
    nt: graph("nt", "ntriples"),
  },
})

/** From FASTA headers, addresses and prefixes; the case of UniProt's ids says nothing. */
function normalize(typed: string): string {
  return typed
    .replace(/^>?(?:sp|tr)\|([^|\s]+)(?:\|.*)?$/i, "$1")
    .replace(/^https?:\/\/(?:www|rest|purl)\.uniprot\.org\/(?:uniprotkb|uniprot|isoforms)\//i, "")
    .replace(/^uniprot(?:kb)?(?:\/(?:swiss-prot|trembl))?:/i, "")
    .replace(/\/(?:entry|history|publications|external-links|[a-z]+-(?:viewer|coordinates))(?:[?#].*)?$/i, "")
    .replace(/\.(?:fasta|txt|xml|gff|tsv|json|list|xlsx|rdf|ttl|nt)$/i, "")
    .toUpperCase()
}

/** By its ending, not by a parameter: only so does the 303 of a secondary accession lead to the same format. */
const fileUrl = (accession: string, format: string) => url`https://rest.uniprot.org/uniprotkb/${accession}.${format}`

function file(format: string, kind: FileFormat["kind"]): FileFormat {
  return {
    kind,
    locate: (id, http) => (isDirect(id) ? fileUrl(id, format) : lookedUp(id, format, http)),
    many: (ids, http) => together(ids, format, http),
  }
}

/** RDF is served of merged and deleted entries too, without a redirect, so the entry is looked at first. */
function graph(format: string, kind: FileFormat["kind"]): FileFormat {
  return { kind, locate: (id, http) => lookedUp(id, format, http) }
}

async function lookedUp(id: string, format: string, http: Http) {
  const accession = await accessionOf(id, http)
  return typeof accession === "string" ? fileUrl(accession, format) : accession
}

/** What each format says of a deleted or demerged entry, under status 200. */
const holdsNoEntry = (head: string) =>
  head.trim() === "" ||
  /^\s*\{[^]*"entryType"\s*:\s*"Inactive"/.test(head) ||
  /^Entry\tEntry Name\t.*\n[^\t]*\t[^\t]*\t\t(?:deleted|demerged|merged)\t/.test(head) ||
  /^##gff-version 3\s*$/.test(head) ||
  (/<uniprot\b/.test(head) && !/<entry\b/.test(head))
