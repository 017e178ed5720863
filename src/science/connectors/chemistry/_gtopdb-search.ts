import {
  offsetOf,
  Failure,
  pick,
  plainText,
  z,
  type Http,
  type SearchOptions,
  type SearchPage,
} from "../../connector.ts"
import { GTOPDB, nothing, recordOf } from "./_gtopdb-records.ts"
import { Family, familyRow, Ligand, ligandRow, rank, Target, targetRow, type Row } from "./_gtopdb-rows.ts"
import { isInchiKey } from "./_notation.ts"
import { readStructureQuery } from "./_structure-query.ts"

type List = "ligands" | "targets" | "families"

interface Question {
  list: List
  path: string
  query?: Record<string, string>
}

/** Every list comes whole, so its pages are made here. */
export async function search(query: string, { limit, cursor }: SearchOptions, http: Http): Promise<SearchPage> {
  const start = offsetOf(cursor)
  const { questions, words, notes = [] } = read(query)
  const found = (await Promise.all(questions.map((question) => ask(question, words, http)))).flat()
  const distinct = [...new Map(found.map((row) => [row.hit.id, row])).values()]
  const ranked = words === undefined ? distinct : distinct.toSorted((a, b) => rank(a, words) - rank(b, words))
  const end = start + limit
  return {
    hits: ranked.slice(start, end).map(({ hit }) => hit),
    total: ranked.length,
    ...(end < ranked.length ? { next: String(end) } : {}),
    notes,
  }
}

interface Reading {
  questions: Question[]
  /** What the names are compared with. */
  words?: string
  notes?: string[]
}

const UNIPROT = /^(?:[OPQ]\d[A-Z0-9]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z0-9]{2}\d){1,2})$/
const SYMBOL = /^(?=.*[A-Z\d])[A-Z][A-Z\d-]{1,14}$/i

const ligands = (query: Record<string, string>): Question => ({ list: "ligands", path: "/ligands", query })
const targets = (query: Record<string, string>): Question => ({ list: "targets", path: "/targets", query })

/** An id, an InChIKey, a SMILES, an accession, filters (`targets?geneSymbol=EGFR`), `ligand: …`, `target: …`, `family: …`, or a name. */
function read(query: string): Reading {
  const filters = /^(?:(ligands|targets)\?)?([a-z]+=.*)$/i.exec(query)
  const structure = readStructureQuery(query)
  if (structure) return { questions: [byStructure(structure)] }
  if (filters && !query.startsWith("InChI="))
    return { questions: [filtered(filters[1]?.toLowerCase(), filters[2] ?? "")] }
  const [, kind = "", rest = ""] = /^(ligand|target|family|families)s?\s*:\s*(\S.*)$/i.exec(query) ?? []
  const words = rest || query
  const said = kind.toLowerCase()
  if (/^\d{1,7}$/.test(words)) return { questions: [{ list: listOf(said), path: words }] }
  if (isInchiKey(query)) return { questions: [ligands({ inchikey: query })] }
  if (UNIPROT.test(words)) return { questions: [targets({ accession: words })] }
  if (said.startsWith("famil")) return { questions: [{ list: "families", path: "/targets/families" }], words }
  const byName = [targets({ name: words }), ...(SYMBOL.test(words) ? [targets({ geneSymbol: words })] : [])]
  if (said === "target") return { questions: byName, words }
  if (said === "ligand") return { questions: [ligands({ name: words })], words }
  return { questions: [ligands({ name: words }), ...byName], words, notes: [BOTH] }
}

const BOTH =
  'ligands and targets whose name holds this, and the target of this gene; "ligand: …", "target: …", "family: …" narrow it'

const listOf = (said: string): List =>
  said.startsWith("famil") ? "families" : said === "target" ? "targets" : "ligands"

/** The filters that are known to filter. Others are ignored by the service without a word, and the whole list comes. */
const FILTERS: Record<"ligands" | "targets", string[]> = {
  ligands: ["name", "type", "inchikey", "accession", "database", "immuno", "malaria", "antibacterial"],
  targets: ["name", "type", "geneSymbol", "accession", "database", "ecNumber", "immuno", "malaria"],
}

function filtered(said: string | undefined, text: string): Question {
  const query = Object.fromEntries(new URLSearchParams(text))
  const names = Object.keys(query)
  const list =
    said === "targets" || (said === undefined && names.some((name) => /^(?:geneSymbol|ecNumber)$/.test(name)))
      ? "targets"
      : "ligands"
  const odd = names.find((name) => !FILTERS[list].includes(name))
  if (odd !== undefined)
    throw new Failure(
      "invalid_query",
      `${odd} is no filter of ${list} here, which are ${FILTERS[list].join(", ")}${odd === "approved" ? "; write type=Approved" : ""}.`,
    )
  return list === "targets" ? targets(query) : ligands(query)
}

/** How similar is said by a parameter whose name is not certain, so that is not asked. */
function byStructure({ how, smiles }: { how: string; smiles: string }): Question {
  if (how === "similarity")
    throw new Failure(
      "invalid_query",
      "similar structures are not searched for here; ask chembl, or write substructure: SMILES.",
    )
  return { list: "ligands", path: `/ligands/${how === "exact" ? "exact" : "substructure"}`, query: { smiles } }
}

async function ask({ list, path, query }: Question, words: string | undefined, http: Http): Promise<Row[]> {
  if (!path.startsWith("/")) return await byNumber(list, path, http)
  const answer = (await http.json(GTOPDB + path, { ...(query ? { query } : {}), miss: nothing })) ?? []
  const wanted = plainText(words ?? "").toLowerCase()
  if (list === "ligands") return pick(z.array(Ligand), answer).map(ligandRow)
  if (list === "targets") {
    const rows = pick(z.array(Target), answer).map(targetRow)
    // The gene's name is not among those of its product.
    return query?.["geneSymbol"] ? rows.map((row) => ({ ...row, names: [...row.names, wanted] })) : rows
  }
  const rows = pick(z.array(Family), answer).map(familyRow)
  return rows.filter(({ names }) => names.some((name) => name.includes(wanted)))
}

async function byNumber(list: List, number: string, http: Http): Promise<Row[]> {
  const record = await recordOf(
    list === "ligands" ? number : list === "targets" ? `target:${number}` : `family:${number}`,
    http,
  )
  if (record === undefined) return []
  if (list === "ligands") return [ligandRow(pick(Ligand, record))]
  return [list === "targets" ? targetRow(pick(Target, record)) : familyRow(pick(Family, record))]
}
