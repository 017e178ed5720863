import { defineConnector, Failure, Miss, plainText } from "../../connector.ts"
import type { AnswerHead, FileFormat, Http, Location } from "../../connector.ts"
import { addressOf, idsOf, identify, isUnknown, partnersOf, proteinOf, proteinsOf, record, search } from "./_string.ts"
import { FILE_PARTNERS, PARTNERS } from "./_string.ts"

/** A taxon, a dot, and the protein's name in the genome's source: an Ensembl protein, a locus tag, a transcript. */
const ID = /^[1-9]\d*\.(?=\S*[A-Za-z])[A-Za-z0-9_.:-]+$/

export default defineConnector({
  id: "string-db",
  name: "STRING",
  domain: "interactions",
  description: "scored protein-protein associations",
  homepage: "https://string-db.org",
  license: "CC BY 4.0",
  cite: "Szklarczyk et al., Nucleic Acids Res. 51:D638 (2023), doi:10.1093/nar/gkac1000; name the STRING version",
  ids: { curie: "string", pattern: ID, examples: ["511145.b0014", "9606.ENSP00000269305"], normalize },
  probe: { query: "DNAK", missing: "9606.ENSP00000999999" },
  // "Please wait one second between each call" (string-db.org/help/api).
  hosts: { "string-db.org": { perSecond: 1, concurrent: 1 } },
  url: "https://string-db.org/network/{id}",
  organismFilter: true,
  missing: (answer) => (isUnknown(answer) ? NOT_KNOWN : false),
  failure,
  identify,
  remarks: (answer) => {
    const { partners } = record(answer)
    if (partners.length === 0) return ["it has no partner above STRING's threshold"]
    return partners.length < PARTNERS
      ? []
      : [`only the ${PARTNERS} best partners; the format tsv has up to ${FILE_PARTNERS}`]
  },

  search,
  async fetch(id, http) {
    const rows = await partnersOf([id], http)
    if (rows === undefined) return NOT_KNOWN
    const own = rows.filter((row) => isOf(id, row))
    // Without a partner only the protein's own entry says whose record this is.
    const ask = () => proteinOf(id, http)
    const protein = rows.length === 0 ? await ask() : await http.part("protein", ask)
    if (rows.length === 0 && protein === undefined) return NOT_KNOWN
    return { ...(protein === undefined ? {} : { protein }), partners: own.length > 0 ? own : rows }
  },
  fetchMany: {
    // 100 partners each are 30 KB.
    atOnce: 50,
    async fetch(ids, http) {
      const known = await proteinsOf(ids, http)
      const there = ids.filter((id) => known.has(id))
      const rows = there.length === 0 ? [] : await partnersOf(there, http)
      // One that is unknown may make the whole list "not found"; these were all known a moment ago.
      if (rows === undefined)
        throw new Failure("bad_response", "STRING does not find proteins that it has just named; ask for each alone.")
      return new Map(
        ids.map((id) => [
          id,
          known.has(id) ? { protein: known.get(id), partners: rows.filter((row) => isOf(id, row)) } : NOT_KNOWN,
        ]),
      )
    },
  },

  files: {
    // The partners of each protein; of the network's formats, the edges among the proteins, one alone being shown with ten neighbours.
    tsv: partners("tsv", "tsv"),
    png: network("png", "image"),
    svg: network("svg", "svg"),
    network: network("tsv", "tsv"),
    annotation: file("tsv", "tsv", "functional_annotation"),
    enrichment: {
      ...file("tsv", "tsv", "enrichment"),
      locate: () => new Miss("what is enriched among several proteins: ask for several ids at once"),
    },
    "psi-mi": partners("xml", "psi-mi"),
    "psi-mi-tab": { ...partners("tsv", "psi-mi-tab"), extension: "mitab" },
    highres: network("png", "highres_image"),
  },
})

const NOT_KNOWN = new Miss("STRING has no such protein: search for its name, with an organism, to learn its id")

const isOf = (id: string, row: unknown) => idsOf(row).some((own) => own.toLowerCase() === id.toLowerCase())

/** An Ensembl protein says itself whose it is, and has no version here; `9606:ENSP…` is a common misspelling. */
function normalize(typed: string): string {
  return typed
    .replace(/^https?:\/\/(?:[a-z0-9-]+\.)?string-db\.org\/network\//i, "")
    .replace(/^(\d+):(?=\S*[A-Za-z])/, "$1.")
    .replace(/^(?=ENSP\d{11})/i, "9606.")
    .replace(/^(?=ENSMUSP\d{11})/i, "10090.")
    .replace(
      /^(\d+\.)(ENS[A-Z]*P\d{11})(?:\.\d+)?$/i,
      (_, taxon: string, protein: string) => taxon + protein.toUpperCase(),
    )
}

/** A refusal, or an error under status 200 where a file was asked for, holds its words as HTML in a field or a column. */
function failure({ status, head, html, operation }: AnswerHead): Failure | undefined {
  if (html || !/^\W*Error\b/.test(head)) return undefined
  const said = plainText(/ErrorMessage"\s*:\s*"([^"]*)/.exec(head)?.[1] ?? head)
  if (status === 400)
    return new Failure(operation === "search" ? "invalid_query" : "invalid_id", `STRING says: ${said}`)
  return status < 300 ? new Failure("unavailable", `STRING gave an error: ${said}`) : undefined
}

type Form = Record<string, string>

/** One file of one or several proteins. Those that STRING does not know are looked for first, since one may make it refuse all. */
function file(kind: FileFormat["kind"], form: string, method: string, more: Form = {}): FileFormat {
  const place = (ids: string[]): Location => addressOf(form, method, ids, more)
  return {
    kind,
    locate: (id) => place([id]),
    many: async (ids: string[], http: Http) => {
      const known = await proteinsOf(ids, http)
      const there = ids.filter((id) => known.has(id))
      const missing = new Map(ids.filter((id) => !known.has(id)).map((id) => [id, NOT_KNOWN]))
      return there.length === 0 ? { missing } : { location: place(there), missing }
    },
  }
}

function partners(kind: FileFormat["kind"], form: string): FileFormat {
  return file(kind, form, "interaction_partners", { limit: String(FILE_PARTNERS) })
}

function network(kind: FileFormat["kind"], form: string): FileFormat {
  return file(kind, form, "network")
}
