import { Failure, url, type Http } from "../../connector.ts"
import { ID, isSymbol, kindOf, normalizeKeggId, withPrefix } from "./_kegg-ids.ts"
import { organismCodes, organismOf } from "./_kegg-organisms.ts"

/** A line of an answer. Without `text` the answer has no name for it. */
export interface Row {
  id: string
  text?: string
  about?: string
}

export interface Found {
  rows: Row[]
  notes: string[]
}

/** KEGG searches one database at a time; plain words go to the maps first, and where those have nothing, to these. */
const BESIDE_PATHWAY = ["compound", "drug", "disease", "ko"]

/** By name and by abbreviation, which KEGG takes alike (www.kegg.jp/kegg/rest/keggapi.html, table 1). */
const DATABASES = new Set(
  (
    "pathway path brite br module md orthology ko genes vg vp ag genome gn compound cpd glycan gl reaction rn rclass rc enzyme ec network ne " +
    "variant hsa_var disease ds drug dr dgroup dg ligand compound_ja disease_ja drug_ja dgroup_ja"
  ).split(" "),
)

/**
 * What a query can be: KEGG's own language (`link/pathway/hsa:7157`, or `link pathway from hsa:7157`; `ddi/D00564+D00100`), an id, words in a
 * named database (`drug:aspirin`, `compound:C7H10O5/formula`), or plain words.
 */
export async function find(query: string, organism: string | undefined, http: Http): Promise<Found> {
  const filter = organism === undefined ? undefined : readOrganism(organism)
  const spoken = query
    .replace(/^(link|conv)\s+(\S+)\s+(?:from|<-)\s+(\S+)$/, "$1/$2/$3")
    .replace(/^ddi\s+(?=D\d{5}\b)/, "ddi/")
  const [, operation, rest = ""] = /^(find|list|link|conv|ddi)\/(\S.*)$/.exec(spoken) ?? []
  if (operation !== undefined) return unfiltered(filter, await byPath(operation, rest, http))
  const id = normalizeKeggId(query)
  if (ID.test(id)) return unfiltered(filter, { rows: await byId(id, http), notes: [] })

  const [, prefix = "", value = ""] = /^([a-z_]+):\s*(.+)$/i.exec(query) ?? []
  const named = prefix.toLowerCase()
  const scope = DATABASES.has(named) || organismCodes.has(named) ? named : undefined
  const words = scope === undefined ? query : value
  const [, measured, option] = /^(.+)\/(formula|exact_mass|mol_weight)$/.exec(words) ?? []
  if (measured !== undefined && option !== undefined)
    return unfiltered(filter, { rows: await found(scope ?? "compound", measured, http, option), notes: [] })
  return filter ? await inOrganism(filter, scope, words, http) : await anywhere(scope, words, http)
}

type Filter = NonNullable<ReturnType<typeof organismOf>>

async function anywhere(scope: string | undefined, words: string, http: Http): Promise<Found> {
  const rows = await found(scope ?? "pathway", words, http)
  if (scope !== undefined) return { rows, notes: [] }
  if (rows.length > 0)
    return { rows, notes: [`pathways only: ${BESIDE_PATHWAY.join(":, ")}: or genes: before the words searches there`] }
  const others = await Promise.all(
    BESIDE_PATHWAY.map(async (database) =>
      (await found(database, words, http)).map((row) => ({ ...row, about: database })),
    ),
  )
  return {
    rows: others.flat(),
    notes: [`no pathway has these words in its name: ${BESIDE_PATHWAY.join(", ")} searched`],
  }
}

/** `find/pathway` knows reference maps only, so an organism's maps come from its list; no other database has an organism. */
async function inOrganism(filter: Filter, scope: string | undefined, words: string, http: Http): Promise<Found> {
  const { code, name } = filter
  if (scope !== undefined && !/^(?:path|pathway|genes)$/.test(scope))
    return unfiltered(filter, { rows: await found(scope, words, http), notes: [] })
  const maps =
    scope === "genes" ? [] : (await listed(url`pathway/${code}`, http)).filter(({ text = "" }) => holds(text, words))
  const genes = scope !== undefined && scope !== "genes" ? [] : await found(code, words, http)
  return { rows: [...maps, ...genes], notes: [`organism ${code}${name === undefined ? "" : ` (${name})`}`] }
}

function unfiltered(filter: Filter | undefined, { rows, notes }: Found): Found {
  return { rows, notes: filter ? [...notes, "organism not applied: it limits pathways and genes only"] : notes }
}

function readOrganism(typed: string): Filter {
  const organism = organismOf(typed)
  if (organism) return organism
  throw new Failure(
    "invalid_query",
    `KEGG finds organisms by a code of its own, and that of ${JSON.stringify(typed)} is not known here: search genome:NAME for it (the word before the semicolon), and give that`,
  )
}

/** All words, in any order; words in quotes as they stand there. */
function holds(text: string, words: string): boolean {
  const wanted = words.toLowerCase().match(/"[^"]+"|\S+/g) ?? []
  return wanted.every((word) => text.toLowerCase().includes(word.replaceAll('"', "")))
}

/** An id's own line; a symbol, as in `hsa:TP53`, is no id in KEGG, but a word to find its gene by. */
async function byId(id: string, http: Http): Promise<Row[]> {
  const own = await listed(joined(withPrefix(id)), http)
  const [organism = "", symbol = ""] = id.split(":")
  return own.length === 0 && kindOf(id) === "gene" && isSymbol(id) ? await found(organism, symbol, http) : own
}

async function byPath(operation: string, rest: string, http: Http): Promise<Found> {
  const segments = rest.split("/").filter((segment) => segment !== "")
  const [first = "", second = "", third] = segments
  if (operation === "find") return { rows: await found(first, second.replaceAll("+", " "), http, third), notes: [] }
  const path = segments.map(joined).join("/")
  if (operation === "list") return { rows: await listed(path, http), notes: [] }
  const lines = await table(`${operation}/${path}`, http)
  if (operation === "ddi") return { rows: interactions(lines, first), notes: [] }
  const rows = lines.map(([source = "", target = ""]) => ({
    id: normalizeKeggId(target),
    about: `from ${normalizeKeggId(source)}`,
  }))
  const notes = rows.length === 0 ? ["KEGG says the same of an unknown entry and of one without links: nothing"] : []
  return { rows, notes }
}

/** Each pair comes twice; the drug that was asked for first is the one that the other interacts with. */
function interactions(lines: string[][], asked: string): Row[] {
  const order = asked.split(/[+\s]+/).map(normalizeKeggId)
  const rank = (drug: string) => (order.includes(drug) ? order.indexOf(drug) : order.length)
  return lines
    .map(([one = "", other = "", ...facts]) => ({ one: normalizeKeggId(one), id: normalizeKeggId(other), facts }))
    .filter(({ one, id }) => rank(one) < rank(id))
    .map(({ one, id, facts: [kinds = "", ...mechanism] }) => {
      const named = kinds.replace(/\bCI\b/, "contraindication").replace(/\bP\b/, "precaution")
      return { id, about: [`with ${one}`, named.replace(",", ", "), ...mechanism].join(" · ") }
    })
}

/** A slash would be one of the address. With an option the answer gives the value instead of the name. */
async function found(database: string, words: string, http: Http, option?: string): Promise<Row[]> {
  const query = words.replaceAll("/", " ").replace(/\s+/g, " ").trim()
  if (query === "") throw new Failure("invalid_query", "KEGG needs words to look for")
  const path = url`find/${database}/${query}` + (option === undefined ? "" : url`/${option}`)
  const measured = option !== undefined && option !== "nop"
  return (await table(path, http)).map(([id = "", text = ""]) => ({
    id: normalizeKeggId(id),
    ...(measured ? { about: text } : { text }),
  }))
}

/** The name stands last: genes have their type and position before it. */
async function listed(path: string, http: Http): Promise<Row[]> {
  const lines = await table(`list/${path}`, http)
  return lines.map((line) => ({ id: normalizeKeggId(line[0] ?? ""), text: line.at(-1) ?? "" }))
}

/** What the entries are called, ten in one request, which is the most that `list` takes. */
export async function namesOf(ids: string[], http: Http): Promise<Map<string, string>> {
  const lots = Array.from({ length: Math.ceil(ids.length / 10) }, (_, i) => ids.slice(i * 10, (i + 1) * 10))
  const rows = await Promise.all(lots.map((lot) => listed(joined(lot.map(withPrefix).join("+")), http)))
  return new Map(rows.flat().map(({ id, text = "" }) => [id, text]))
}

/** Lines of columns. Nothing found is an empty body or a lone line break; an entry that is not there is a 404 with nothing in it. */
async function table(path: string, http: Http): Promise<string[][]> {
  const text = await http.text(`https://rest.kegg.jp/${path}`, {
    miss: ({ status, head }) => status === 404 && head.trim() === "",
  })
  const lines = (text ?? "").split("\n").filter((line) => line.trim() !== "")
  return lines.map((line) => {
    const columns = line.split("\t").map((column) => column.trim())
    if (columns.length > 1) return columns
    throw new Failure("bad_response", `its answer has changed: no tab in the line ${JSON.stringify(line.slice(0, 80))}`)
  })
}

/** Several ids, the `+` between them as it is. */
export function joined(ids: string): string {
  return ids
    .split(/[+\s]+/)
    .map((id) => url`${id}`)
    .join("+")
}
