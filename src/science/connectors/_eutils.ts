/**
 * The E-utilities, NCBI's one interface to all its Entrez databases: pubmed, gene, clinvar, snp, gds … They share a host, its pace, a key and
 * a way of failing: most errors come as status 200 (NBK25499; biopython's Tests/Entrez keep many).
 */
import { Failure, Miss, clip, offsetOf, pick, url, z } from "../connector.ts"
import type { AnswerHead, HostPace, Http, Json, Key, Location } from "../connector.ts"
import { NO_SUMMARY, complaint, eutilsMissing, refusal } from "./_eutils-errors.ts"
import { enclosed, taxonOf, wasDropped } from "./_eutils-organism.ts"

export { eutilsFailure, eutilsMissing } from "./_eutils-errors.ts"
export { fileOf, jointFileOf } from "./_eutils-files.ts"
export { enclosed } from "./_eutils-organism.ts"

const HOST = "eutils.ncbi.nlm.nih.gov"

/** Counted per address over all databases together (NBK25497). */
export const eutilsHosts: Record<string, HostPace> = { [HOST]: { perSecond: 3, concurrent: 3 } }

export const eutilsKey: Key = {
  env: "NCBI_API_KEY",
  in: "query",
  name: "api_key",
  host: HOST,
  signup: "https://www.ncbi.nlm.nih.gov/account/settings/",
  raises: { perSecond: 10 },
}

/** NCBI asks every program to name itself (NBK25497); the contact is in the User-Agent. */
export const NCBI_TOOL = "opencode-science"

type Verb = "esearch" | "esummary" | "efetch" | "elink"

/** More ids than this, or a longer address, go by POST: 2,000 ids in an address were refused with 414. */
const MAX_IDS_IN_ADDRESS = 200
const MAX_ADDRESS_CHARS = 2000

/** One request, for `http` or as the place of a file. */
export function eutils(verb: Verb, parameters: Record<string, string>, ids: string[] = []): Location {
  const place = `https://${HOST}/entrez/eutils/${verb}.fcgi`
  const named = { ...parameters, tool: NCBI_TOOL }
  const pairs = Object.entries(named).map(([name, value]) => url`${name}=${value}`)
  const list = ids.length === 0 ? [] : [`id=${ids.map((id) => url`${id}`).join(",")}`]
  const address = `${place}?${[...pairs, ...list].join("&")}`
  if (ids.length <= MAX_IDS_IN_ADDRESS && address.length <= MAX_ADDRESS_CHARS) return address
  return { url: place, form: { ...named, ...(ids.length === 0 ? {} : { id: ids.join(",") }) } }
}

export interface Found {
  ids: string[]
  total: number
  next?: string
  /** How the query was understood, and what of it was dropped. */
  notes: string[]
}

export interface SearchTerms {
  db: string
  term: string
  /** A taxon id or a name, for databases whose records have an organism. */
  organism?: string | undefined
  limit: number
  cursor?: string | undefined
  sort?: string
  /** How many hits can be paged through, where that is not all. */
  ceiling?: number
}

/** One page of ids. A cursor is the place of the page's first hit. */
export async function esearch(
  http: Http,
  { db, term: words, organism, limit, cursor, sort, ceiling = Infinity }: SearchTerms,
): Promise<Found> {
  const start = offsetOf(cursor, ceiling)
  const taxon = organism === undefined ? undefined : taxonOf(organism)
  const term = taxon === undefined ? words : `${enclosed(words)} AND ${taxon}[orgn]`
  const wanted = Math.min(limit, ceiling - start)
  const page = { retstart: String(start), retmax: String(wanted) }
  const order = sort === undefined ? {} : { sort }
  const { address, options } = request(
    eutils("esearch", { db, term, retmode: "json", ...page, ...order }),
    "invalid_query",
  )
  const { count, idlist, ...said } = pick(SEARCHED, await http.json(address, options)).esearchresult
  if (organism !== undefined && wasDropped(taxon ?? "", said))
    throw new Failure(
      "invalid_query",
      `NCBI knows no organism ${JSON.stringify(clip(organism, 80))}: give its scientific name or its taxon id.`,
    )
  const ids = idlist.slice(0, wanted)
  const end = start + ids.length
  const more = ids.length > 0 && end < Math.min(count, ceiling)
  const cut =
    end >= ceiling && count > ceiling
      ? [`only the first ${ceiling.toLocaleString("en")} hits can be paged through: narrow the query`]
      : []
  return { ids, total: count, ...(more ? { next: String(end) } : {}), notes: [...notesOf(term, said), ...cut] }
}

const TEXTS = z.lazy(() => z.array(z.string()).default([]))

const SEARCHED = z.lazy(() =>
  z.object({
    esearchresult: z.object({
      count: z.string().regex(/^\d+$/).transform(Number),
      // Its absence is an error that is not known yet, never "no hits".
      idlist: z.array(z.string()),
      querytranslation: z.string().default(""),
      errorlist: z.object({ phrasesnotfound: TEXTS, fieldsnotfound: TEXTS }).optional(),
      warninglist: z.object({ phrasesignored: TEXTS, quotedphrasesnotfound: TEXTS, outputmessages: TEXTS }).optional(),
    }),
  }),
)

type Said = Omit<z.infer<typeof SEARCHED>["esearchresult"], "count" | "idlist">

/** A dropped phrase or field makes the hits answer another question than the one that was asked. */
function notesOf(term: string, { querytranslation, errorlist, warninglist }: Said): string[] {
  const listed = (what: string, phrases: string[] = []) =>
    phrases.length > 0 ? [`${what}: ${clip(phrases.join(", "), 200)}`] : []
  const bare = (query: string) => query.replace(/[()"\s]/g, "").toLowerCase()
  return [
    ...listed("not found, so left out", [
      ...(errorlist?.phrasesnotfound ?? []),
      ...(warninglist?.quotedphrasesnotfound ?? []),
    ]),
    ...listed("no such field, so left out", errorlist?.fieldsnotfound),
    ...listed("ignored", warninglist?.phrasesignored),
    ...(warninglist?.outputmessages ?? []).filter((message) => message !== "No items found."),
    ...(querytranslation === "" || bare(querytranslation) === bare(term)
      ? []
      : [`searched as ${clip(querytranslation, 300)}`]),
  ]
}

/** Document summaries by id. One that NCBI does not have is a Miss; the others of the same answer are whole. */
export async function esummary(http: Http, db: string, ids: string[]): Promise<Map<string, Json | Miss>> {
  if (ids.length === 0) return new Map()
  const { address, options } = request(eutils("esummary", { db, retmode: "json" }, ids), "invalid_id")
  const answer = await http.json(address, options)
  if (answer === undefined) return new Map()
  // The keys of `result` come in the order of JavaScript's integer keys; `uids` is NCBI's own.
  const { uids } = pick(SUMMARIES, answer).result
  const records = members(members(answer).get("result"))
  return new Map(uids.map((uid) => [uid, summaryOf(uid, records.get(uid))]))
}

const SUMMARIES = z.lazy(() => z.object({ result: z.object({ uids: z.array(z.string()) }) }))

function summaryOf(uid: string, record: Json): Json | Miss {
  const { error } = pick(z.object({ error: z.string().optional() }), record)
  if (error === NO_SUMMARY) return new Miss()
  if (error !== undefined) throw new Failure("bad_response", `NCBI cannot give ${uid} (${clip(error, 160)}).`)
  return record
}

const LINKS = z.lazy(() =>
  z.object({
    linksets: z.array(
      z.object({ linksetdbs: z.array(z.object({ linkname: z.string(), links: z.array(z.string()) })).default([]) }),
    ),
  }),
)

/** What one record is linked to in another database of Entrez by one link name, as accessions where it is a database of sequences. */
export async function elink(http: Http, dbfrom: string, db: string, linkname: string, id: string): Promise<string[]> {
  const asked = { dbfrom, db, linkname, idtype: "acc", retmode: "json" }
  const { address, options } = request(eutils("elink", asked, [id]), "invalid_id")
  const answer = await http.json(address, options)
  if (answer === undefined) return []
  const { linksets } = pick(LINKS, answer)
  return linksets.flatMap((set) => set.linksetdbs.flatMap((each) => (each.linkname === linkname ? each.links : [])))
}

/** XML records; undefined when NCBI has none of these ids. */
export async function efetch(http: Http, parameters: Record<string, string>, ids: string[]): Promise<Json | undefined> {
  const { address, options } = request(eutils("efetch", parameters, ids), "invalid_id")
  return await http.xml(address, options)
}

/** The text at a place that `eutils` made, for looking into a file before it is offered; undefined when there is none. */
export async function readText(http: Http, location: Location): Promise<string | undefined> {
  const { address, options } = request(location, "invalid_id")
  return await http.text(address, options)
}

/** Errors inside good answers are looked for within the attempt, so that a backend that stumbled is asked again. */
function request(location: Location, code: "invalid_query" | "invalid_id") {
  const { url: address, ...form } = typeof location === "string" ? { url: location } : location
  const inspect = (body: string) => {
    const said = complaint(body.slice(0, 2000))
    return said === undefined ? undefined : refusal(said, code)
  }
  // On the way to a file, too, one id without a summary is not all of them.
  const miss = (answer: AnswerHead) => code === "invalid_id" && eutilsMissing({ ...answer, operation: "record" })
  return { address, options: { ...form, miss, inspect } }
}

/** The members of a JSON object as they are, digits included; none of what is no object. */
export function members(value: Json): Map<string, Json> {
  return new Map(typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [])
}
