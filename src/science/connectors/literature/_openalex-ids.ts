/** The ids of OpenAlex: its own, whose letter says what they name, and those of others that a work can be asked for by. */
import { z } from "../../connector.ts"
import { DOI, readDoi } from "./_doi.ts"

/** By the letter of an id; concepts are no longer kept up. */
const ENTITIES = new Map([
  ["W", "works"],
  ["A", "authors"],
  ["S", "sources"],
  ["I", "institutions"],
  ["T", "topics"],
  ["P", "publishers"],
  ["F", "funders"],
  ["C", "concepts"],
])

/** Digits alone say nothing: a PMID needs `pmid:`. */
export const ANY_ID = new RegExp(`^(?:[WASITPFC]\\d{2,}|pmid:\\d{1,8}|pmcid:\\d+|mag:\\d+)$|${DOI.source}`, "u")

const PAGE = /^(?:https?:\/\/)?(?:(?:www|api|explore)\.)?openalex\.org\/(?:[a-z]+\/)?([a-z]\d{2,})\/?(?:[?#].*)?$/i

const SPELLINGS: [RegExp, (id: string) => string][] = [
  [/^(?:[a-z]+\/)?([wasitpfc]\d{2,})$/i, (id) => id.toUpperCase()],
  [/^(?:pmid|pubmed)[\s:]+(\d{1,8})$/i, (digits) => `pmid:${digits}`],
  [/^(?:https?:\/\/pubmed\.ncbi\.nlm\.nih\.gov\/)(\d{1,8})\/?$/i, (digits) => `pmid:${digits}`],
  // OpenAlex writes them as digits.
  [/^(?:pmcid[\s:]+)?pmc(\d+)$/i, (digits) => `pmcid:${digits}`],
  [/^mag[\s:]+(\d+)$/i, (digits) => `mag:${digits}`],
]

export function normalize(typed: string): string {
  const bare = PAGE.exec(typed)?.[1] ?? typed
  for (const [spelling, id] of SPELLINGS) {
    const [, found] = spelling.exec(bare) ?? []
    if (found !== undefined) return id(found)
  }
  return readDoi(bare) ?? bare
}

/** The path of a record. A DOI as `doi:`, which is free, where the same as an address costs a credit. */
export function pathOf(id: string): [entity: string, name: string] {
  if (DOI.test(id)) return ["works", `doi:${id}`]
  return [ENTITIES.get(id.charAt(0)) ?? "works", id]
}

/** The names of the filters that find works by each kind of id; the value has no prefix. */
export function filterOf(id: string): [filter: string, value: string] | undefined {
  // A comma ends a filter, a bar a value.
  if (DOI.test(id)) return /[,|]/.test(id) ? undefined : ["doi", id]
  const [scheme = "", value] = id.split(":")
  if (value === undefined) return id.startsWith("W") ? ["openalex", id] : undefined
  return scheme === "pmid" ? ["ids.pmid", value] : undefined
}

export const Named = z.lazy(() =>
  z.object({
    id: z.string(),
    doi: z.string().nullish(),
    ids: z.object({ pmid: z.string().nullish(), pmcid: z.string().nullish(), mag: z.string().nullish() }).optional(),
  }),
)

/** An id of OpenAlex itself, not another one of a work. */
export const isOwn = (id: string): boolean => /^[A-Z]\d+$/.test(id)

export const shortId = (id: string): string => id.slice(id.lastIndexOf("/") + 1)

/** Its own id, then the others that name it: all of them are addresses in a record. */
export function idsOf({ id, doi, ids }: z.infer<typeof Named>): string[] {
  const last = (scheme: string, address: string | null | undefined) =>
    address ? [`${scheme}:${shortId(address)}`] : []
  return [
    shortId(id),
    ...(doi ? [doi.replace(/^https?:\/\/doi\.org\//i, "")] : []),
    ...last("pmid", ids?.pmid),
    ...last("pmcid", ids?.pmcid).map((pmcid) => pmcid.replace(":PMC", ":")),
    ...last("mag", ids?.mag),
  ]
}
