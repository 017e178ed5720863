/** What is read out of PubMed's articles: the XML of EFetch, by the mapping of xml.ts, and the summaries of ESummary. */
import { asArray, Miss, pick, z } from "../../connector.ts"
import type { Hit, Json } from "../../connector.ts"
import { members } from "../_eutils.ts"

/** All elements at the end of a path; none where a part of it is absent, as most of an article's may be. */
export function at(node: Json, ...path: string[]): Json[] {
  return path.reduce<Json[]>((nodes, name) => nodes.flatMap((each) => asArray(members(each).get(name))), [node])
}

const TEXT = z.lazy(() =>
  z.union([z.string(), z.object({ "#text": z.string() }).transform((element) => element["#text"])]),
)

export function pmidOf(article: Json): string {
  const [PMID] = [...at(article, "MedlineCitation", "PMID"), ...at(article, "BookDocument", "PMID")]
  return pick(z.object({ PMID: TEXT }), { PMID }).PMID
}

const ARTICLE_ID = z.lazy(() =>
  z.object({
    "@IdType": z.string().optional(),
    "@EIdType": z.string().optional(),
    "#text": z.string().default(""),
  }),
)

/** Its PMID, then the ids that it carries besides. */
export function idsOf(article: Json): string[] {
  const listed = ["PubmedData", "PubmedBookData", "BookDocument"].flatMap((part) =>
    at(article, part, "ArticleIdList", "ArticleId"),
  )
  const ids = pick(z.array(ARTICLE_ID), [...listed, ...at(article, "MedlineCitation", "Article", "ELocationID")])
  const named = ids.filter((id) => ["pmc", "doi", "mid"].includes(id["@IdType"] ?? id["@EIdType"] ?? ""))
  return [pmidOf(article), ...named.map((id) => id["#text"].trim())]
}

/** What happened to an article, by the links that MEDLINE has for it (NLM's DTD, RefType). */
const FATES = new Map([
  ["RetractionIn", "Retracted"],
  ["RetractedandRepublishedIn", "Retracted and republished"],
  ["PartialRetractionIn", "Partly retracted"],
  ["ExpressionOfConcernIn", "Under an expression of concern"],
  ["ErratumIn", "Corrected"],
  ["CorrectedandRepublishedIn", "Corrected and republished"],
  ["UpdateIn", "Updated"],
  ["RetractionOf", "This is the retraction of"],
  ["ErratumFor", "This is an erratum for"],
  ["ExpressionOfConcernFor", "This is an expression of concern about"],
])

const LINK = z.lazy(() => z.object({ "@RefType": z.string(), RefSource: TEXT.default(""), PMID: TEXT.optional() }))

export function remarksOf(article: Json): string[] {
  const links = pick(z.array(LINK), at(article, "MedlineCitation", "CommentsCorrectionsList", "CommentsCorrections"))
  const fates = links.flatMap(({ "@RefType": type, RefSource, PMID }) => {
    const fate = FATES.get(type)
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

const SUMMARY = z.lazy(() =>
  z.object({
    title: z.string(),
    booktitle: z.string().default(""),
    authors: z.array(z.object({ name: z.string() })).default([]),
    source: z.string().default(""),
    fulljournalname: z.string().default(""),
    pubdate: z.string().default(""),
    pubtype: z.array(z.string()).default([]),
    articleids: z.array(z.object({ idtype: z.string(), value: z.string() })).default([]),
    references: z.array(z.object({ reftype: z.string() })).default([]),
  }),
)

const MARKS = new Map([
  ["Retracted Publication", "retracted"],
  ["Retraction in", "retracted"],
  ["Retraction of Publication", "retraction notice"],
  ["Expression of concern in", "expression of concern"],
  ["Erratum in", "corrected"],
  ["Published Erratum", "erratum"],
  ["Preprint", "preprint"],
])

/** What helps to choose among papers beyond title, authors and date. */
const TELLING_TYPES = /review|meta-analysis|trial|guideline|case reports/i

export function hitOf(pmid: string, summary: Json | Miss): Hit {
  if (summary === undefined || summary instanceof Miss) return { id: pmid, title: "(title not given)" }
  const { title, booktitle, authors, source, fulljournalname, pubdate, pubtype, articleids, references } = pick(
    SUMMARY,
    summary,
  )
  const [first, ...others] = authors.map(({ name }) => name)
  const marks = [...pubtype, ...references.map(({ reftype }) => reftype)].flatMap((type) => MARKS.get(type) ?? [])
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
