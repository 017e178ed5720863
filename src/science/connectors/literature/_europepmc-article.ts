/** Articles of Europe PMC: what an answer of its search says about each. Lite and core results name some fields differently. */
import { asArray, oneLine, z } from "../../connector.ts"
import type { Hit } from "../../connector.ts"

const Links = z.lazy(() =>
  z.object({
    fullTextUrl: z.preprocess(
      asArray,
      z.array(z.object({ documentStyle: z.string(), site: z.string(), url: z.string() })),
    ),
  }),
)

export const Article = z.lazy(() =>
  z.object({
    id: z.string(),
    source: z.string(),
    pmid: z.string().optional(),
    pmcid: z.string().optional(),
    doi: z.string().optional(),
    title: z.string().default(""),
    authorString: z.string().default(""),
    pubYear: z.string().default(""),
    journalTitle: z.string().optional(),
    journalInfo: z.object({ journal: z.object({ title: z.string().optional() }).optional() }).optional(),
    bookOrReportDetails: z.object({ publisher: z.string().optional() }).optional(),
    pubType: z.string().default(""),
    pubTypeList: z.object({ pubType: z.preprocess(asArray, z.array(z.string())) }).default({ pubType: [] }),
    isOpenAccess: z.string().optional(),
    fullTextUrlList: Links.optional(),
  }),
)

export type Article = z.infer<typeof Article>

/** Its own id, then the others that name it. Of a preprint, none of the article that came of it. */
export function idsOf({ source, id, pmid, pmcid, doi }: Article): string[] {
  const named = [`${source}/${id}`, pmid && `MED/${pmid}`, pmcid && `PMC/${pmcid}`, doi]
  return named.filter((each) => each !== undefined).filter((each) => each !== "")
}

/** One string in lite results, a list in core ones. */
const typesOf = ({ pubType, pubTypeList }: Article) => [...pubType.split("; "), ...pubTypeList.pubType].join("; ")

const STATES: [RegExp, mark: string, remark: string][] = [
  [/\bretracted publication\b/i, "retracted", "This article was retracted"],
  [/\bretraction of publication\b/i, "retraction notice", "This is the notice that retracts another article"],
  [/\bexpression of concern\b/i, "expression of concern", "This is an expression of concern about another article"],
  // Europe PMC's own types of preprints that their authors or servers took back (unverified).
  [/\bpreprint[ -](?:withdrawal|removal)\b/i, "withdrawn", "This preprint was withdrawn or removed"],
]

const statesOf = (article: Article) => STATES.filter(([pattern]) => pattern.test(typesOf(article)))

export const remarksOf = (article: Article): string[] => [
  ...statesOf(article).map(([, , remark]) => remark),
  ...(article.source === "PPR" ? ["This is a preprint, without peer review"] : []),
]

export function hitOf(article: Article): Hit {
  const { authorString, pubYear, isOpenAccess, journalTitle, journalInfo, bookOrReportDetails, doi } = article
  const [first = "", ...others] = authorString.replace(/\.$/, "").split(", ")
  const facts = [
    others.length > 1 ? `${first} et al.` : [first, ...others].join(", "),
    journalTitle ?? journalInfo?.journal?.title ?? bookOrReportDetails?.publisher ?? "",
    pubYear,
    doi ?? "",
    isOpenAccess === "Y" ? "open access" : "",
  ]
  const marks = [...statesOf(article).map(([, mark]) => mark), ...(article.source === "PPR" ? ["preprint"] : [])]
  return {
    id: `${article.source}/${article.id}`,
    title: article.title || `(no title: ${article.source}/${article.id})`,
    summary: facts
      .map(oneLine)
      .filter((fact) => fact !== "")
      .join(" · "),
    ...(marks.length > 0 ? { marks } : {}),
  }
}
