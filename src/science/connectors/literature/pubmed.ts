import { defineConnector, Miss, pick, url, z } from "../../connector.ts"
import type { FileFormat, Http, Json, Location } from "../../connector.ts"
import { efetch, esearch, esummary, eutils, eutilsFailure, eutilsHosts, eutilsKey, eutilsMissing } from "../_eutils.ts"
import { deposited, fullText } from "./_pmc.ts"
import { at, hitOf, idsOf, pmidOf, remarksOf } from "./_pubmed-article.ts"
import { ANY_ID, candidates, normalize, typeOf } from "./_pubmed-ids.ts"

export default defineConnector({
  id: "pubmed",
  name: "PubMed",
  domain: "literature",
  description: "biomedical articles, abstracts; PMC full texts",
  homepage: "https://pubmed.ncbi.nlm.nih.gov",
  license: "Citations: public domain (US government); abstracts and full texts: their publishers' copyright or licence",
  cite: "Courtesy of the U.S. National Library of Medicine; Sayers EW et al., Database resources of the NCBI, Nucleic Acids Res (yearly)",
  ids: {
    curie: "pubmed",
    pattern: ANY_ID,
    examples: ["10508479", "PMC5122160", "10.1038/ng.590"],
    normalize,
  },
  probe: { query: "BRAF melanoma", missing: "99999999" },
  hosts: {
    ...eutilsHosts,
    "pmc.ncbi.nlm.nih.gov": { perSecond: 3, concurrent: 2 },
    "www.ncbi.nlm.nih.gov": { perSecond: 3, concurrent: 2 },
    // The citation exporter wants no two requests at once.
    "api.ncbi.nlm.nih.gov": { perSecond: 3, concurrent: 1 },
    "pmc-oa-opendata.s3.amazonaws.com": { perSecond: 10, concurrent: 4 },
  },
  key: eutilsKey,
  url: "https://pubmed.ncbi.nlm.nih.gov/{id}/",

  missing: (answer) => {
    if (eutilsMissing(answer)) return true
    if (answer.operation !== "file") return false
    return answer.status === 404 || (answer.status === 200 && NO_ARTICLE.test(answer.head))
  },
  failure: eutilsFailure,
  identify: idsOf,
  relation: (asked, pmid) => `${asked} is PMID ${pmid}`,
  remarks: remarksOf,

  async search(query, { limit, cursor }, http) {
    // Untagged words are joined by AND and widened by MeSH; what PubMed made of them is in the notes.
    const { ids, ...page } = await esearch(http, {
      db: "pubmed",
      term: query,
      sort: "relevance",
      limit,
      cursor,
      ceiling: REACHABLE_HITS,
    })
    const summaries = await http.part("titles", () => esummary(http, "pubmed", ids))
    return { ...page, hits: ids.map((pmid) => hitOf(pmid, summaries?.get(pmid))) }
  },
  fetch: async (id, http) => (await articlesOf([id], http)).get(id),
  fetchMany: { atOnce: 200, fetch: articlesOf },

  files: {
    abstract: citation("text", (pmids) => eutils("efetch", { ...TEXT_OF_PUBMED, rettype: "abstract" }, pmids)),
    summary: citation("json", (pmids) => eutils("esummary", { db: "pubmed", retmode: "json" }, pmids)),
    xml: citation("xml", (pmids) => eutils("efetch", { db: "pubmed", retmode: "xml" }, pmids)),
    nbib: citation("nbib", (pmids) => eutils("efetch", { ...TEXT_OF_PUBMED, rettype: "medline" }, pmids)),
    ris: citation("ris", (pmids) => exported("ris", pmids)),
    "csl-json": citation("csl-json", (pmids) => exported("csl", pmids)),
    // Title and abstract with the genes, diseases, chemicals and variants that PubTator found in them.
    bioc: single("json", annotated),
    // Full texts are PMC's.
    jats: { kind: "xml", locate: fullText },
    pdf: { kind: "pdf", locate: (id, http) => deposited(id, "pdf_url", http) },
    txt: { kind: "text", locate: (id, http) => deposited(id, "text_url", http) },
    "oa-xml": { kind: "xml", locate: (id, http) => deposited(id, "xml_url", http) },
  },
})

/** esearch of PubMed never goes further; its web page neither. */
const REACHABLE_HITS = 9999

const TEXT_OF_PUBMED = { db: "pubmed", retmode: "text" }

/**
 * A file that says "no such article": an empty set; the error line of the text forms, which today are empty then; PMC's and the citation
 * exporter's errors inside good answers (manubot/manubot#80); an empty list of PubTator.
 */
const NO_ARTICLE =
  /^\s*$|<PubmedArticleSet(?:\s*\/>|>\s*<\/PubmedArticleSet>)|The following PMID is not available|<pmc-articleset>\s*<(?:error\b|\/)|PubOne failure: empty XML|^\s*\{"PubTator3":\s*\[\]/

/** The articles by the asked ids. Each is asked for by its PMID, and counts only when it carries the asked id itself. */
async function articlesOf(ids: string[], http: Http): Promise<Map<string, Json | Miss>> {
  const meant = await candidates(ids, http)
  const articles = await byPmid([...new Set([...meant.values()].flat())], http)
  const answer = (id: string) => {
    const found = (meant.get(id) ?? []).flatMap((pmid) => (articles.has(pmid) ? [articles.get(pmid)] : []))
    const own = found.find((article) => idsOf(article).some((other) => other.toLowerCase() === id.toLowerCase()))
    return own ?? new Miss(whyNot(id, meant.get(id), found.map(pmidOf)))
  }
  return new Map(ids.map((id) => [id, answer(id)]))
}

function whyNot(id: string, meant: string[] | undefined, [pmid]: string[]): string | undefined {
  const type = typeOf(id)
  if (type === "pmid") return undefined
  if (type === "doi") return "PubMed has no article with this DOI"
  if (meant === undefined) return "NCBI's ID converter does not know it"
  if (pmid !== undefined) return `NCBI ties it to PMID ${pmid}, whose record does not name it: see ${pmid}`
  return "it is in PMC but not in PubMed: the formats jats, pdf and txt may serve"
}

async function byPmid(pmids: string[], http: Http): Promise<Map<string, Json>> {
  if (pmids.length === 0) return new Map()
  const answer = await efetch(http, { db: "pubmed", retmode: "xml" }, pmids)
  if (answer === undefined) return new Map()
  const { PubmedArticleSet: set } = pick(SET, answer)
  const articles = [...at(set, "PubmedArticle"), ...at(set, "PubmedBookArticle")]
  return new Map(articles.map((article) => [pmidOf(article), article]))
}

const SET = z.lazy(() => z.object({ PubmedArticleSet: z.union([z.literal(""), z.looseObject({})]) }))

/** A file of one article, whichever id it was asked by. */
function single(kind: FileFormat["kind"], place: (pmids: string[]) => Location): FileFormat {
  return {
    kind,
    locate: async (id, http) => {
      if (typeOf(id) === "pmid") return place([id])
      const article = (await articlesOf([id], http)).get(id)
      return article instanceof Miss ? article : place([pmidOf(article)])
    },
  }
}

/** A file that can hold any number of articles. NCBI leaves out those that it does not know without a word, so they are looked for first. */
function citation(kind: FileFormat["kind"], place: (pmids: string[]) => Location): FileFormat {
  return {
    ...single(kind, place),
    many: async (ids, http) => {
      const articles = [...(await articlesOf(ids, http))]
      const missing = new Map(articles.flatMap(([id, found]) => (found instanceof Miss ? [[id, found]] : [])))
      const pmids = new Set(articles.flatMap(([, found]) => (found instanceof Miss ? [] : [pmidOf(found)])))
      return pmids.size === 0 ? { missing } : { location: place([...pmids]), missing }
    },
  }
}

function exported(format: string, pmids: string[]): string {
  return url`https://api.ncbi.nlm.nih.gov/lit/ctxp/v1/pubmed/?format=${format}&id=${pmids.join(",")}`
}

function annotated(pmids: string[]): string {
  return url`https://www.ncbi.nlm.nih.gov/research/pubtator3-api/publications/export/biocjson?pmids=${pmids.join(",")}`
}
