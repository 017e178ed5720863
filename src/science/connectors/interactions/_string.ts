import { Failure, keep, pick, plainText, url, z } from "../../connector.ts"
import type { AnswerHead, Hit, Http, Json, SearchOptions, SearchPage } from "../../connector.ts"
import { modelOrganism, taxonOf } from "../_model-organisms.ts"

/** How many partners a record holds, the best first. */
export const PARTNERS = 100

/** How many a file holds; without a limit the service would choose one. */
export const FILE_PARTNERS = 5000

const Row = z.lazy(() => z.object({ stringId_A: z.string(), stringId_B: z.string() }))

const Protein = z.lazy(() =>
  z.object({
    queryItem: z.string().optional(),
    stringId: z.string(),
    taxonName: z.string().optional(),
    preferredName: z.string(),
    annotation: z.string().nullish(),
  }),
)

const Answer = z.lazy(() => z.object({ protein: Protein.optional(), partners: z.array(Row) }))

export const record = (answer: Json) => pick(Answer, answer)

/** The protein that was asked for is always on the A side. */
export const idsOf = (row: Json) => [pick(Row, row).stringId_A]

export function identify(answer: Json): string[] {
  const { protein, partners } = record(answer)
  return [...new Set([...partners.map((row) => row.stringId_A), ...(protein ? [protein.stringId] : [])])]
}

/** Who asks is wanted with every call (string-db.org/help/api); several names are separated by a carriage return. */
export function addressOf(form: string, method: string, ids: string[], more: Record<string, string> = {}) {
  const address = url`https://string-db.org/api/${form}/${method}`
  const asked = { identifiers: ids.join("\r"), ...more, caller_identity: "opencode-science" }
  // A client saw requests that prefer JSON hang (github.com/cokelaer/bioservices).
  const headers = { accept: "*/*" }
  if (ids.length > 1) return { url: address, headers, form: asked }
  return { url: `${address}?${new URLSearchParams(asked).toString().replaceAll("+", "%20")}`, headers }
}

/** Under whatever status; a wrong address is a 404 too, but an HTML page. */
export function isUnknown({ head, html }: AnswerHead): boolean {
  return !html && /did not find a protein|"Error"\s*:\s*"not found"/i.test(head)
}

async function rows(method: string, ids: string[], more: Record<string, string>, http: Http) {
  const { url, ...request } = addressOf("json", method, ids, more)
  const answer = await http.json(url, {
    ...request,
    miss: isUnknown,
    inspect: (body) => {
      const said = /^\s*\[?\s*\{\s*"Error"[^]*?"ErrorMessage"\s*:\s*"([^"]*)/.exec(body)?.[1]
      return said === undefined ? undefined : new Failure("unavailable", `STRING gave an error: ${plainText(said)}`)
    },
  })
  return answer === undefined ? undefined : keep(z.array(z.unknown()), answer)
}

/** Rows of all these proteins, best first for each; undefined when STRING does not know one. */
export const partnersOf = (ids: string[], http: Http) =>
  rows("interaction_partners", ids, { limit: String(PARTNERS) }, http)

export const proteinOf = async (id: string, http: Http) => (await proteinsOf([id], http)).get(id)

/** The entries of those ids that are STRING's own; a name that it resolves to another id is not. */
export async function proteinsOf(ids: string[], http: Http): Promise<Map<string, Json>> {
  const found = (await rows("get_string_ids", ids, { limit: "1", echo_query: "1" }, http)) ?? []
  const byId = new Map(found.map((each) => [pick(Protein, each).stringId.toLowerCase(), each]))
  return new Map(ids.flatMap((id) => (byId.has(id.toLowerCase()) ? [[id, byId.get(id.toLowerCase())]] : [])))
}

/** Names are resolved, not searched for in texts. */
export async function search(query: string, options: SearchOptions, http: Http): Promise<SearchPage> {
  const { limit, cursor, organism } = options
  if (cursor !== undefined)
    throw new Failure("invalid_query", "STRING has no further pages; ask for a higher limit instead.")
  const names = namesIn(query)
  const species = organism === undefined ? undefined : taxon(organism)
  const each = Math.max(1, Math.floor(limit / names.length))
  const found = await rows(
    "get_string_ids",
    names,
    { ...(species === undefined ? {} : { species }), limit: String(each), echo_query: "1" },
    http,
  )
  const proteins = pick(z.array(Protein), found ?? [])
  const heard = new Set(proteins.map(({ queryItem }) => queryItem?.toLowerCase()))
  const lost = names.filter((name) => !heard.has(name.toLowerCase()))
  return {
    hits: proteins.map(hitOf),
    notes: [
      "names and accessions are resolved here, words of a description are not searched",
      ...(species === undefined ? ["of any organism: give one, since a name alone may be resolved to another's"] : []),
      ...(species === undefined || species === taxonOf(organism ?? "") ? [] : [`searched in taxon ${species}`]),
      ...(lost.length > 0 && names.length > 1 ? [`not found: ${lost.join(", ")}`] : []),
      ...(names.length === 1 && proteins.length === each ? ["there may be more; a higher limit shows them"] : []),
    ],
  }
}

/** Several names stand on lines or between commas; between blanks only where each looks like a symbol or an accession. */
function namesIn(query: string): string[] {
  const listed = query.split(/[\r\n,;]+/).flatMap((part) => {
    const words = part.trim().split(/\s+/)
    return words.every((word) => /\d/.test(word) || /^[A-Z]{2,}$/.test(word)) ? words : [part.trim()]
  })
  const names = [...new Set(listed.filter((name) => name !== ""))]
  if (names.length === 0)
    throw new Failure("invalid_query", "STRING resolves names: give a gene, protein or accession.")
  return names
}

function hitOf({ queryItem, stringId, taxonName, preferredName, annotation }: z.infer<typeof Protein>): Hit {
  const spellings = [preferredName, stringId, stringId.replace(/^\d+\./, "")].map((each) => each.toLowerCase())
  const synonym = queryItem !== undefined && !spellings.includes(queryItem.toLowerCase())
  const facts = [taxonName, synonym ? `found as ${queryItem}` : undefined, annotation]
  return { id: stringId, title: preferredName, summary: facts.filter(Boolean).join(" · ") }
}

/** Some organisms are in STRING as a strain, yeast as the species. */
const TAXA = new Map([
  ["559292", "4932"],
  ["562", "511145"],
  ["4896", "284812"],
  ["5833", "36329"],
  ["1423", "224308"],
  ["1773", "83332"],
])

function taxon(organism: string): string {
  const number = taxonOf(organism) ?? modelOrganism(organism)?.taxa[0]
  if (number !== undefined) return TAXA.get(number) ?? number
  throw new Failure(
    "invalid_query",
    `STRING wants the organism as an NCBI taxon id, such as 9606; that of ${JSON.stringify(organism)} is not known here.`,
  )
}
