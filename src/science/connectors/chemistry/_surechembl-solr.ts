import { Failure } from "../../connector.ts"
import { normalize, PUBLICATION } from "./_surechembl-records.ts"

const FIELDS = "ttl|ab|abs|clm|desc|asg|pa|inv|pn|ap|pri|pd|pdyear|pnctry|pnkind|pnlang|ic|ipcr|cpc|ecla|text"

/** What shows that a query is in Solr's syntax already. */
const SYNTAX = [
  new RegExp(`(?:^|[\\s(+-])(?:${FIELDS}):\\S`),
  /(?:^|[\s)])(?:AND|OR|NOT)(?=[\s(])/,
  /"[^"]+"/,
  /\w\*(?=[\s)]|$)/,
  /\\[+!(){}[\]^"~*?:\\/&|-]/,
]

/** Words that stand in every patent, and that an index may have left out. */
const EMPTY = /^(?:an?|and|by|for|in|of|on|the|to|with)$/i

/** Solr's own syntax as it is; words are joined by AND, since by itself any of them may do, and what the syntax reserves is escaped. */
export function solr(query: string): string {
  if (SYNTAX.some((sign) => sign.test(query))) return balanced(query)
  const id = normalize(query)
  if (new RegExp(`^${PUBLICATION}$`).test(id)) return `pn:${id}`
  const words = query.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word) && !EMPTY.test(word))
  if (words.length === 0) throw new Failure("invalid_query", "there is no word in this query to search for.")
  return words.map((word) => word.replace(/[+\-!(){}[\]^"~*?:\\/]|&&|\|\|/g, "\\$&")).join(" AND ")
}

function balanced(query: string): string {
  let open = 0
  for (const sign of query.replace(/\\.|"[^"]*"/g, "").match(/[()]/g) ?? []) {
    open += sign === "(" ? 1 : -1
    if (open < 0) break
  }
  if (open !== 0)
    throw new Failure("invalid_query", "the parentheses of this query do not match; close each one that is opened.")
  return query
}
