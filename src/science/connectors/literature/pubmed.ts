import { asArray, defineConnector, Failure, Miss, pick, url, z } from "../../connector.ts"
import type { FileFormat, Hit, Http, Json, Location } from "../../connector.ts"
import { efetch, esearch, esummary, eutils, eutilsFailure, eutilsHosts, eutilsKey } from "../_eutils.ts"
import { eutilsMissing, members } from "../_eutils.ts"
import { deposited, fullText } from "./_pmc.ts"
import { ANY_ID, candidates, normalize, typeOf } from "./_pubmed-ids.ts"

export default defineConnector({
  id: "pubmed",
  name: "PubMed",
  domain: "literature",
  description: "Biomedical citations and abstracts; PMC full texts",
  homepage: "https://pubmed.ncbi.nlm.nih.gov",
  license: "Citations: public domain (US government); abstracts and full texts: their publishers' copyright or licence",
  cite: "Courtesy of the U.S. National Library of Medicine; Sayers EW et al., Database resources of the NCBI, Nucleic Acids Res (yearly)",
  ids: {
    curie: "pubmed",
    pattern: ANY_ID,
    examples: ["10508479", "PMC5122160", "10.1038/ng.590"],
    normalize,
  },
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
  identify: (article) => [pmidOf(article), ...otherIdsOf(article)],
  relation: (asked, pmid) => `${asked} is PMID ${pmid}`,
  remarks,

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
    xml: citation("xml", (pmids) => eutils("efetch", { db: "pubmed", retmode: "xml" }, pmids)),
    abstract: citation("text", (pmids) => eutils("efetch", { ...TEXT_OF_PUBMED, rettype: "abstract" }, pmids)),
    nbib: citation("nbib", (pmids) => eutils("efetch", { ...TEXT_OF_PUBMED, rettype: "medline" }, pmids)),
    summary: citation("json", (pmids) => eutils("esummary", { db: "pubmed", retmode: "json" }, pmids)),
    ris: citation("ris", (pmids) => exported("ris", pmids)),
    "csl-json": citation("csl-json", (pmids) => exported("csl", pmids)),
    // In the styles of AMA, APA, MLA and NLM.
    citation: citation("json", (pmids) => exported("citation", pmids)),
    // Title and abstract with the genes, diseases, chemicals and variants that PubTator found in them.
    bioc: single("json", annotated),
    jats: { kind: "xml", locate: fullText },
    pdf: { kind: "pdf", locate: (id, http) => deposited(id, "pdf_url", http) },
    txt: { kind: "text", locate: (id, http) => deposited(id, "text_url", http) },
    "pmc-xml": { kind: "xml", locate: (id, http) => deposited(id, "xml_url", http) },
    // Licence, versions and whether it was retracted.
    "pmc-json": { kind: "json", locate: (id, http) => deposited(id, undefined, http) },
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
  const found = (id: string) =>
    (meant.get(id) ?? []).map((pmid) => articles.get(pmid)).filter((article) => article !== undefined)
  const carries = (article: Json, id: string) =>
    [pmidOf(article), ...otherIdsOf(article)].some((other) => other.toLowerCase() === id.toLowerCase())
  return new Map(
    ids.map((id) => [
      id,
      found(id).find((article) => carries(article, id)) ?? new Miss(whyNot(id, meant.get(id), found(id).map(pmidOf))),
    ]),
  )
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

const SET = z.object({ PubmedArticleSet: z.union([z.literal(""), z.looseObject({})]) })

/** All elements at the end of a path; none where a part of it is absent, as most of an article's may be. */
function at(node: Json, ...path: string[]): Json[] {
  return path.reduce<Json[]>((nodes, name) => nodes.flatMap((each) => asArray(members(each).get(name))), [node])
}

const TEXT = z.union([z.string(), z.object({ "#text": z.string() }).transform((element) => element["#text"])])

function pmidOf(article: Json): string {
  const [PMID] = [...at(article, "MedlineCitation", "PMID"), ...at(article, "BookDocument", "PMID")]
  return pick(z.object({ PMID: TEXT }), { PMID }).PMID
}

const ARTICLE_ID = z.object({
  "@IdType": z.string().optional(),
  "@EIdType": z.string().optional(),
  "#text": z.string().default(""),
})

function otherIdsOf(article: Json): string[] {
  const listed = ["PubmedData", "PubmedBookData", "BookDocument"].flatMap((part) =>
    at(article, part, "ArticleIdList", "ArticleId"),
  )
  const ids = pick(z.array(ARTICLE_ID), [...listed, ...at(article, "MedlineCitation", "Article", "ELocationID")])
  return ids
    .filter((id) => ["pmc", "doi", "mid"].includes(id["@IdType"] ?? id["@EIdType"] ?? ""))
    .map((id) => id["#text"].trim())
}

/** What happened to an article, by the links that MEDLINE has for it (NLM's DTD, RefType). */
const FATES: Record<string, string> = {
  RetractionIn: "Retracted",
  RetractedandRepublishedIn: "Retracted and republished",
  PartialRetractionIn: "Partly retracted",
  ExpressionOfConcernIn: "Under an expression of concern",
  ErratumIn: "Corrected",
  CorrectedandRepublishedIn: "Corrected and republished",
  UpdateIn: "Updated",
  RetractionOf: "This is the retraction of",
  ErratumFor: "This is an erratum for",
  ExpressionOfConcernFor: "This is an expression of concern about",
}

const LINK = z.object({ "@RefType": z.string(), RefSource: TEXT.default(""), PMID: TEXT.optional() })

function remarks(article: Json): string[] {
  const links = pick(z.array(LINK), at(article, "MedlineCitation", "CommentsCorrectionsList", "CommentsCorrections"))
  const fates = links.flatMap(({ "@RefType": type, RefSource, PMID }) => {
    const fate = FATES[type]
    return fate === undefined ? [] : [`${fate}: ${RefSource}${PMID === undefined ? "" : ` (PMID ${PMID})`}`]
  })
  const types = pick(z.array(TEXT), at(article, "MedlineCitation", "Article", "PublicationTypeList", "PublicationType"))
  return [
    ...(types.includes("Retracted Publication") && !fates.some((fate) => fate.startsWith("Retracted"))
      ? ["Retracted"]
      : []),
    ...fates,
    ...(types.includes("Preprint") ? ["A preprint: not peer-reviewed"] : []),
  ]
}

const SUMMARY = z.object({
  title: z.string(),
  booktitle: z.string().default(""),
  authors: z.array(z.object({ name: z.string() })).default([]),
  source: z.string().default(""),
  fulljournalname: z.string().default(""),
  pubdate: z.string().default(""),
  pubtype: z.array(z.string()).default([]),
  articleids: z.array(z.object({ idtype: z.string(), value: z.string() })).default([]),
  references: z.array(z.object({ reftype: z.string() })).default([]),
})

const MARKS: Record<string, string> = {
  "Retracted Publication": "retracted",
  "Retraction in": "retracted",
  "Retraction of Publication": "retraction notice",
  "Expression of concern in": "expression of concern",
  "Erratum in": "corrected",
  "Published Erratum": "erratum",
  Preprint: "preprint",
}

/** What helps to choose among papers beyond title, authors and date. */
const TELLING_TYPES = /review|meta-analysis|trial|guideline|case reports/i

function hitOf(pmid: string, summary: Json | Miss): Hit {
  if (summary === undefined || summary instanceof Miss) return { id: pmid, title: "(title not given)" }
  const { title, booktitle, authors, source, fulljournalname, pubdate, pubtype, articleids, references } = pick(
    SUMMARY,
    summary,
  )
  const [first, ...others] = authors.map(({ name }) => name)
  const marks = [...pubtype, ...references.map(({ reftype }) => reftype)].flatMap((type) => MARKS[type] ?? [])
  const facts = [
    first === undefined ? "" : `${first}${others.length > 0 ? " et al." : ""}`,
    `${source || fulljournalname} ${pubdate}`.trim(),
    pubtype.filter((type) => TELLING_TYPES.test(type)).join(", "),
    articleids.find(({ idtype }) => idtype === "pmc")?.value ?? "",
  ]
  return {
    id: pmid,
    title: title || booktitle,
    summary: facts.filter((fact) => fact !== "").join(" · "),
    ...(marks.length > 0 ? { marks: [...new Set(marks)] } : {}),
  }
}

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
      const articles = await articlesOf(ids, http)
      const unknown = ids.filter((id) => articles.get(id) instanceof Miss)
      if (unknown.length > 0)
        throw new Failure(
          "invalid_id",
          `PubMed has no ${unknown.slice(0, 10).join(", ")}${unknown.length > 10 ? " …" : ""}: leave that out to get the others in one file.`,
        )
      return place([...new Set([...articles.values()].map(pmidOf))])
    },
  }
}

function exported(format: string, pmids: string[]): string {
  return url`https://api.ncbi.nlm.nih.gov/lit/ctxp/v1/pubmed/?format=${format}&id=${pmids.join(",")}`
}

function annotated(pmids: string[]): string {
  return url`https://www.ncbi.nlm.nih.gov/research/pubtator3-api/publications/export/biocjson?pmids=${pmids.join(",")}`
}
