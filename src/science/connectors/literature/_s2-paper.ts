/** Papers of Semantic Scholar: the ids that name one, and its line in a list. */
import { clip, oneLine, url, z } from "../../connector.ts"
import type { Hit } from "../../connector.ts"
import { DOI, readDoi } from "./_doi.ts"

/** Plain digits may be a PMID or a CorpusId, and are refused. */
export const ANY_ID = new RegExp(
  `^(?:[0-9a-f]{40}|(?:CorpusId|PMID|PMCID|MAG):\\d+|ARXIV:[a-z.-]*/?[\\d.]+|ACL:[A-Z0-9][\\w.-]*)$|${DOI.source}`,
  "u",
)

const PAGE =
  /^(?:https?:\/\/)?(?:(?:www|api)\.)?semanticscholar\.org\/(?:paper\/)?(?:[^?#]*\/)?([0-9a-f]{40}|CorpusId:\d+)\/?(?:[?#].*)?$/i

const SPELLINGS: [RegExp, (id: string) => string][] = [
  [/^([0-9a-f]{40})$/i, (hex) => hex.toLowerCase()],
  [/^(?:s2cid|corpus-?id)[\s:]+(\d+)$/i, (digits) => `CorpusId:${digits}`],
  [/^(?:pmid|pubmed)[\s:]+(\d+)$/i, (digits) => `PMID:${digits}`],
  [/^(?:pmcid[\s:]+)?(?:pmc)(\d+)$/i, (digits) => `PMCID:${digits}`],
  [/^pmcid[\s:]+(\d+)$/i, (digits) => `PMCID:${digits}`],
  [/^mag[\s:]+(\d+)$/i, (digits) => `MAG:${digits}`],
  [/^acl[\s:]+([\w.-]+)$/i, (id) => `ACL:${id.toUpperCase()}`],
  // A version is not a paper here.
  [
    /^(?:https?:\/\/arxiv\.org\/(?:abs|pdf)\/|arxiv[\s:]+)([a-z.-]*\/?\d[\d.]*\d)(?:v\d+)?(?:\.pdf)?$/i,
    (id) => `ARXIV:${id}`,
  ],
]

export function normalize(typed: string): string {
  const bare = PAGE.exec(typed)?.[1] ?? typed
  for (const [spelling, id] of SPELLINGS) {
    const [, found] = spelling.exec(bare) ?? []
    if (found !== undefined) return id(found)
  }
  return readDoi(bare) ?? bare
}

/** As the API wants it. */
export const spelled = (id: string): string => (DOI.test(id) ? `DOI:${id}` : id)

/** Slashes and the colon of the prefix are part of the path, as all clients send them; the rest of a DOI is encoded. */
export function paperUrl(id: string): string {
  const parts = id.split("/").map((part) => url`${part}`.replaceAll("%3A", ":"))
  return `https://api.semanticscholar.org/graph/v1/paper/${DOI.test(id) ? "DOI:" : ""}${parts.join("/")}`
}

const Author = z.lazy(() => z.object({ name: z.string().nullish() }))

const ExternalIds = z.lazy(() =>
  z.object({
    DOI: z.string().optional(),
    ArXiv: z.string().optional(),
    PubMed: z.string().optional(),
    PubMedCentral: z.string().optional(),
    MAG: z.string().optional(),
    ACL: z.string().optional(),
    CorpusId: z.number().optional(),
  }),
)

export const Paper = z.lazy(() =>
  z.object({
    paperId: z.string(),
    title: z.string().nullish(),
    year: z.number().nullish(),
    venue: z.string().nullish(),
    authors: z.array(Author).nullish(),
    externalIds: ExternalIds.nullish(),
    citationCount: z.number().nullish(),
    tldr: z.object({ text: z.string().nullish() }).nullish(),
  }),
)

export type Paper = z.infer<typeof Paper>

/** Its own id, then the others that name it. A preprint and its publication are one paper, which has one of their DOIs. */
export function idsOf({ paperId, externalIds }: Paper): string[] {
  const { DOI: doi, ArXiv, PubMed, PubMedCentral, MAG, ACL, CorpusId } = externalIds ?? {}
  const others: [string, string | number | undefined][] = [
    ["CorpusId:", CorpusId],
    ["", doi],
    ["ARXIV:", ArXiv],
    ["10.48550/arXiv.", ArXiv],
    ["PMID:", PubMed],
    ["PMCID:", PubMedCentral],
    ["MAG:", MAG],
    ["ACL:", ACL],
  ]
  return [paperId, ...others.flatMap(([prefix, id]) => (id === undefined ? [] : [`${prefix}${id}`]))]
}

export const isNamed = (paper: Paper, id: string): boolean =>
  idsOf(paper).some((other) => other.toLowerCase() === id.toLowerCase())

/** The CorpusId is a fifth of the length of the paper's own id. */
export function hitOf(paper: Paper): Hit {
  const [first, ...others] = (paper.authors ?? []).map(({ name }) => name ?? "")
  const facts = [
    first ? `${first}${others.length > 0 ? " et al." : ""}` : "",
    paper.venue ?? "",
    String(paper.year ?? ""),
    paper.citationCount ? `cited by ${paper.citationCount}` : "",
    paper.externalIds?.DOI ?? "",
    clip(oneLine(paper.tldr?.text ?? ""), 120),
  ]
  const corpusId = paper.externalIds?.CorpusId
  return {
    id: corpusId === undefined ? paper.paperId : `CorpusId:${corpusId}`,
    title: paper.title ?? "(without a title)",
    summary: facts.filter((fact) => fact !== "").join(" · "),
  }
}
