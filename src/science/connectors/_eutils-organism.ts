/** How a search of Entrez is limited to an organism, and kept to it: what it does not understand it leaves out, and answers the rest. */
import { Failure } from "../connector.ts"

/** How Entrez names an organism: `txid9606`, or a name in quotes, without what would end it. */
export function taxonOf(organism: string): string {
  const taxon = /^(?:(?:ncbi)?tax(?:on|id)?:|txid)?\s*(\d+)$/i.exec(organism.trim())?.[1]
  if (taxon !== undefined) return `txid${taxon}`
  const name = organism
    .replace(/["()[\]\s]+/g, " ")
    .trim()
    .toLowerCase()
  if (name === "") throw new Failure("invalid_query", "the organism is blank: give its name or taxon id, or none.")
  return `"${name}"`
}

/** In parentheses, so that no OR leads out of what is added to it; a query whose own are not balanced could. */
export function enclosed(query: string): string {
  let open = 0
  for (const part of query.replace(/"[^"]*"/g, "").match(/[()]/g) ?? []) {
    open += part === "(" ? 1 : -1
    if (open < 0) break
  }
  if (open !== 0 || (query.match(/"/g) ?? []).length % 2 !== 0)
    throw new Failure("invalid_query", "the query's parentheses or quotation marks are not balanced: correct them.")
  return `(${query})`
}

/** Entrez leaves out what it does not find and answers the rest, which here would be the hits of all organisms. */
export function wasDropped(taxon: string, { querytranslation, errorlist, warninglist }: Understood): boolean {
  const bare = (phrase: string) =>
    phrase
      .replace(/\[[^\]]*\]/g, "")
      .replaceAll('"', "")
      .trim()
      .toLowerCase()
  const dropped = [...(errorlist?.phrasesnotfound ?? []), ...(warninglist?.quotedphrasesnotfound ?? [])]
  const kept = querytranslation === "" || /\[(?:organism|orgn)\b/i.test(querytranslation)
  return !kept || dropped.some((phrase) => bare(phrase) === bare(taxon))
}

/** What esearch says of how it understood a query. */
interface Understood {
  querytranslation: string
  errorlist?: { phrasesnotfound: string[] } | undefined
  warninglist?: { quotedphrasesnotfound: string[] } | undefined
}
