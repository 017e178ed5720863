/** Papers of Semantic Scholar by their ids, and the files that are under a paper's own id. */
import { clip, Failure, keep, Miss, pick, z } from "../../connector.ts"
import type { FileFormat, Http, Json } from "../../connector.ts"
import { idsOf, isNamed, Paper, paperUrl, spelled } from "./_s2-paper.ts"

export const IN_LIST = "title,year,venue,authors,externalIds,citationCount"

export const ALL = `${IN_LIST},corpusId,abstract,tldr,publicationDate,publicationTypes,publicationVenue,journal,url,influentialCitationCount,referenceCount,isOpenAccess,openAccessPdf,fieldsOfStudy,s2FieldsOfStudy,citationStyles`

/** The paper by the asked id. It may answer with another one, into which the asked one was merged: that is told, not passed off. */
export async function paperOf(id: string, http: Http): Promise<Json | Miss | undefined> {
  const record = await http.json(paperUrl(id), { query: { fields: ALL } })
  if (record === undefined) return undefined
  const paper = pick(Paper, record)
  if (isNamed(paper, id)) return record
  const names = idsOf(paper).slice(0, 3).join(", ")
  return new Miss(
    `Semantic Scholar has it as ${names} (${JSON.stringify(clip(paper.title ?? "", 80))}), merged or with another id: fetch that`,
  )
}

/** Matched by id. A row that bears none of the asked ids stands for a merged paper; which one it is, only a question for each tells. */
export async function papersOf(ids: string[], http: Http): Promise<Map<string, Json | Miss>> {
  const answer = await http.json("https://api.semanticscholar.org/graph/v1/paper/batch", {
    query: { fields: ALL },
    body: { ids: ids.map(spelled) },
  })
  const rows = keep(z.array(z.unknown()), answer).filter((row) => row !== null)
  const papers = rows.map((record) => ({ record, paper: pick(Paper, record) }))
  const strangers = papers.some(({ paper }) => !ids.some((id) => isNamed(paper, id)))
  const answers = new Map<string, Json | Miss>()
  for (const id of ids) {
    const found = papers.find(({ paper }) => isNamed(paper, id))?.record ?? (strangers && (await paperOf(id, http)))
    if (found) answers.set(id, found)
  }
  return answers
}

/** A file that is under the paper's own id, which is looked up, so that it is of the paper that the asked id names. */
export function under(place: (paperId: string) => string): FileFormat {
  return {
    kind: "json",
    locate: async (id, http) => {
      if (/^[0-9a-f]{40}$/.test(id)) return place(id)
      const record = await paperOf(id, http)
      return record === undefined || record instanceof Miss ? record : place(pick(Paper, record).paperId)
    },
  }
}

const MOST_LINKS = 1000

/** What the paper cites, or what cites it, with how and where; in one page. */
export function linked(way: "references" | "citations", counted: string): FileFormat {
  return {
    kind: "json",
    locate: async (id, http) => {
      const record = await paperOf(id, http)
      if (record === undefined || record instanceof Miss) return record
      const count = pick(z.object({ [counted]: z.number().nullish() }), record)[counted] ?? 0
      if (count === 0) return new Miss(`Semantic Scholar knows of no ${way} of it`)
      if (count > MOST_LINKS)
        throw new Failure(
          "too_large",
          `It has ${count} ${way}, and Semantic Scholar gives ${MOST_LINKS} at a time; search openalex for filter=cites:ID instead.`,
        )
      const fields = `contexts,intents,isInfluential,${IN_LIST}`
      return `${paperUrl(pick(Paper, record).paperId)}/${way}?fields=${fields}&limit=${MOST_LINKS}`
    },
  }
}
