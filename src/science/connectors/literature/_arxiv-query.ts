/** Queries of arXiv, whose grammar has fields, operators in capitals, phrases and brackets (user manual, 5.1). */
const FIELD = /(?:^|[\s(])(?:ti|au|abs|co|jr|cat|rn|id|all|submittedDate|lastUpdatedDate):/
const OPERATOR = /^(?:AND|OR|NOT|ANDNOT)$/
const WORD = /^[\p{L}\p{N}][\p{L}\p{N}._*-]*$/u

/**
 * A query with a field in it is arXiv's own syntax. Of any other each word gets one, because a field binds only the next word and words
 * without one are not joined by AND. One word alone is read as `all:` by arXiv itself.
 */
export function asSyntax(query: string): string {
  if (FIELD.test(query)) return query
  const tokens = query.match(/"[^"]+"|[()]|[^\s()"]+/g) ?? []
  const count = (mark: string) => tokens.filter((token) => token === mark).length
  const grouped = tokens.some((token) => OPERATOR.test(token)) && count("(") === count(")")
  const terms = tokens.flatMap((token) => {
    if (token === "(" || token === ")") return grouped ? [token] : []
    if (OPERATOR.test(token)) return [token.replace(/^NOT$/, "ANDNOT")]
    return termsOf(token)
  })
  const [only = query, ...others] = terms
  if (others.length === 0) return only.replace(/^all:(?!")/, "")
  const joined = terms.flatMap((term, i) => (i > 0 && meet(terms[i - 1], term) ? ["AND", term] : [term]))
  return joined.join(" ").replaceAll("( ", "(").replaceAll(" )", ")").replaceAll("AND ANDNOT", "ANDNOT")
}

/** What is neither a word nor a phrase to the grammar is made a phrase: a colon would end a field, an apostrophe the query. */
function termsOf(token: string): string[] {
  if (token.startsWith('"')) return [`all:${token}`]
  const word = token.replace(/^[\p{P}]+|[.,;:!?'’]+$/gu, "")
  if (word === "") return []
  return [WORD.test(word) ? `all:${word}` : `all:"${word}"`]
}

/** Whether two terms stand side by side with no operator between them. */
const meet = (left = "", right: string) =>
  !OPERATOR.test(left) && left !== "(" && !OPERATOR.test(right) && right !== ")"
