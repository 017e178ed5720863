/** Where Europe PMC's files are. Its own answers tell an unknown id and a closed article apart no better than its record does. */
import { Failure, Miss, pick, url, z } from "../../connector.ts"
import type { AnswerHead, FileFormat, Http, Json, Location, Together } from "../../connector.ts"
import { Article } from "./_europepmc-article.ts"
import { articlesOf, REST } from "./_europepmc-query.ts"

/** Full text is under PMC ids alone (under a PMID it is 404), and the text of a book under its own. */
export async function fullText(id: string, http: Http): Promise<Location | Miss | undefined> {
  const [source, own = ""] = id.split("/")
  // Of the two routes only that of articles was seen.
  if (source === "NBK") return url`https://www.ebi.ac.uk/europepmc/webservices/rest/${own}/bookXML`
  return await underPmcid(
    id,
    http,
    (pmcid) => url`https://www.ebi.ac.uk/europepmc/webservices/rest/${pmcid}/fullTextXML`,
  )
}

export async function supplementary(id: string, http: Http): Promise<Location | Miss | undefined> {
  return await underPmcid(
    id,
    http,
    (pmcid) => url`https://www.ebi.ac.uk/europepmc/webservices/rest/${pmcid}/supplementaryFiles`,
  )
}

async function underPmcid(id: string, http: Http, place: (pmcid: string) => string) {
  if (id.startsWith("PMC/")) return place(id.slice("PMC/".length))
  const article = await articleOf(id, http)
  if (article === undefined) return undefined
  if (article.pmcid !== undefined) return place(article.pmcid)
  const preprint = article.source === "PPR" ? "; a preprint's text may be had as pdf" : ""
  return new Miss(`Europe PMC has no full text of it (its record has no PMC id)${preprint}`)
}

/** Both files are answered with 404 and nothing else, or an error in XML, when the article is not open. */
export function missing({ status, head, operation }: AnswerHead): boolean | Miss {
  if (operation !== "file") return false
  if (status === 404 || status === 204)
    return new Miss("Europe PMC has no such file: the article is not open access, or not there; fetch its record")
  const [, closed] = /<errMsg>(Article with id [^<]* is not open access[^<]*)</.exec(head) ?? []
  return closed === undefined ? NOTHING.test(head) : new Miss(closed)
}

/** An empty list of annotations. */
const NOTHING = /^\s*\[\s*\]\s*$/

/** A PDF that Europe PMC itself has; those of publishers are on other hosts. */
export async function pdf(id: string, http: Http): Promise<Location | Miss | undefined> {
  const article = await articleOf(id, http)
  if (article === undefined) return undefined
  const links = article.fullTextUrlList?.fullTextUrl ?? []
  const own = links.find(({ documentStyle, site }) => documentStyle === "pdf" && site === "Europe_PMC")
  if (own) return own.url.replace(/^http:/, "https:")
  return new Miss(
    links.length > 0
      ? "Europe PMC has no PDF of it; its record's fullTextUrlList says who has"
      : "Europe PMC has no PDF of it and knows of none",
  )
}

const MOST_LINKS = 1000

/** What the article cites, or what cites it, in one page. */
export async function linked(
  id: string,
  way: "references" | "citations",
  http: Http,
): Promise<Location | Miss | undefined> {
  const found = await placeOf(id, http)
  if (found === undefined) return undefined
  const [source, own] = found
  const page = (size: number) =>
    url`https://www.ebi.ac.uk/europepmc/webservices/rest/${source}/${own}/${way}?page=1&pageSize=${size}&format=json`
  // Of an article that nobody cites, 404 was seen (ropensci/europepmc#6).
  const first = await http.json(page(1), { miss: ({ status, html }) => status === 404 && !html })
  const { hitCount } = first === undefined ? { hitCount: 0 } : pick(z.object({ hitCount: z.number() }), first)
  if (hitCount === 0) return new Miss(`Europe PMC knows of no ${way} of it`)
  if (hitCount <= MOST_LINKS) return page(MOST_LINKS)
  throw new Failure(
    "too_large",
    `It has ${hitCount} ${way}, and Europe PMC gives ${MOST_LINKS} at a time: search ${way === "citations" ? "CITES" : "REFFED_BY"}:${own}_${source} instead.`,
  )
}

export async function annotations(id: string, http: Http): Promise<Location | undefined> {
  const found = await placeOf(id, http)
  if (found === undefined) return undefined
  return url`https://www.ebi.ac.uk/europepmc/annotations_api/annotationsByArticleIds?articleIds=${found.join(":")}&format=JSON`
}

/** The description of one article or of several, in a form of the search's answer. */
export function metadata(format: "json" | "xml" | "dc", kind: FileFormat["kind"]): FileFormat {
  const many = async (ids: string[], http: Http): Promise<Together> => {
    const lots = inLots(ids)
    const found = (await Promise.all(lots.map((lot) => articlesOf(lot, http)))).flatMap((lot) => [...lot])
    const missing = new Map(found.flatMap(([id, article]) => (article === undefined ? [[id, new Miss()]] : [])))
    const there = new Set(found.flatMap(([, article]) => (article === undefined ? [] : [ownQuery(article)])))
    return there.size === 0 ? { missing } : { location: described([...there], format), missing }
  }
  const locate: FileFormat["locate"] = async (id, http) => {
    const { location, missing } = await many([id], http)
    return location ?? missing.get(id)
  }
  return { kind, locate, many }
}

function described(queries: string[], format: string): Location {
  const query = queries.join(" OR ")
  const pageSize = String(queries.length)
  // A long address is refused (414, at some 12,000 characters).
  if (query.length > 3000) return { url: `${REST}/searchPOST`, form: { query, resultType: "core", format, pageSize } }
  return url`https://www.ebi.ac.uk/europepmc/webservices/rest/search?query=${query}&resultType=core&format=${format}&pageSize=${pageSize}`
}

const inLots = (ids: string[]) =>
  Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, i) => ids.slice(i * AT_ONCE, (i + 1) * AT_ONCE))

/** 25 DOIs in one query once ended in a 504. */
export const AT_ONCE = 10

function ownQuery(record: Json): string {
  const { source, id } = pick(Article, record)
  return source === "PMC" ? `PMCID:${id}` : `(EXT_ID:${id} AND SRC:${source})`
}

async function articleOf(id: string, http: Http): Promise<Article | undefined> {
  const record = (await articlesOf([id], http)).get(id)
  return record === undefined ? undefined : pick(Article, record)
}

/** Source and id as Europe PMC has them; those of PubMed need not be looked up. */
async function placeOf(id: string, http: Http): Promise<[source: string, id: string] | undefined> {
  if (id.startsWith("MED/")) return ["MED", id.slice("MED/".length)]
  const article = await articleOf(id, http)
  return article && [article.source, article.id]
}
