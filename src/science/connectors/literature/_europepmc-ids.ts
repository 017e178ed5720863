import { DOI, readDoi } from "./_doi.ts"

/** Source and id there: PubMed, PMC, preprints, Agricola, Chinese abstracts, CiteXplore, theses, guidelines, patents, books. */
const RECORD = /^(?:MED\/\d{1,8}|PMC\/PMC\d+|PPR\/PPR\d+|(?:AGR|CBA|CTX|ETH|HIR|PAT|NBK)\/[A-Za-z0-9][\w.-]*)$/

export const ANY_ID = new RegExp(`${RECORD.source}|${DOI.source}`, "u")

/** What people write, each read as the one kind of id that it is: PMIDs, PMC and preprint ids, records, DOIs, addresses. */
const SPELLINGS: [RegExp, (...groups: string[]) => string][] = [
  [/^(?:(?:pmid|pubmed|med)?[\s:/]*)(\d{1,8})$/i, (digits) => `MED/${digits}`],
  [/^(?:pmc-?id[\s:]+|pmc\/)?pmc[\s:]*(\d+)(?:\.\d+)?$/i, (digits) => `PMC/PMC${digits}`],
  [/^(?:ppr\/)?ppr(\d+)$/i, (digits) => `PPR/PPR${digits}`],
  [/^(agr|cba|ctx|eth|hir|pat|nbk)\/(.+)$/i, (source, id) => `${source.toUpperCase()}/${id}`],
]

const PAGE = /^(?:https?:\/\/)?(?:www\.)?europepmc\.org\/(?:article|articles|abstract)\/([^?#]+?)\/?(?:[?#].*)?$/i

export function normalize(typed: string): string {
  const bare = PAGE.exec(typed)?.[1] ?? typed
  for (const [spelling, id] of SPELLINGS) {
    const read = spelling.exec(bare)
    if (read) return id(...read.slice(1))
  }
  return readDoi(bare) ?? bare
}
