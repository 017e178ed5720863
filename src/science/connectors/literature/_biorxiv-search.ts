/** The API of bioRxiv lists spans of days and has no search for words: Europe PMC has, among the preprints of both servers. */
import { offsetOf, Failure, Miss, pick, url } from "../../connector.ts"
import type { Http, SearchOptions, SearchPage } from "../../connector.ts"
import { normalize, PREPRINT } from "./_biorxiv-ids.ts"
import { findPost, listing, Post, postHit } from "./_biorxiv-posts.ts"
import { Article, hitOf } from "./_europepmc-article.ts"
import { ask, asSyntax, CURSOR } from "./_europepmc-query.ts"

/** `2026-08-01/2026-08-07`, `medrxiv 2026-08-01/2026-08-07 category:epidemiology`. */
const SPAN =
  /^(?:(biorxiv|medrxiv)\s+)?(?:interval\s+)?(\d{4}-\d\d-\d\d)\s*(?:\/|to|\.\.)\s*(\d{4}-\d\d-\d\d)(?:\s+category[:=]\s*(.+))?$/i

export async function search(query: string, options: SearchOptions, http: Http): Promise<SearchPage> {
  const id = normalize(query)
  if (PREPRINT.test(id)) {
    const found = await findPost(id, http)
    return found instanceof Miss ? { hits: [], total: 0 } : { hits: [postHit(found.post)], total: 1 }
  }
  const span = SPAN.exec(query)
  return span ? await list(span, options, http) : await findWords(query, options, http)
}

async function list([, server, from = "", to = "", category]: RegExpExecArray, options: SearchOptions, http: Http) {
  const { limit, cursor } = options
  const start = offsetOf(cursor)
  const place = url`https://api.biorxiv.org/details/${server?.toLowerCase() ?? "biorxiv"}/${from}/${to}/${start}/json`
  const { rows, total } = await listing(
    http,
    category === undefined ? place : `${place}${url`?category=${category.trim().toLowerCase().replaceAll(" ", "_")}`}`,
  )
  // Pages are of no fixed size: what of one is left over is asked for again.
  const shown = rows.slice(0, limit).map((row) => pick(Post, row))
  const end = start + shown.length
  return {
    hits: shown.map(postHit),
    total,
    ...(shown.length > 0 && end < total ? { next: String(end) } : {}),
    notes: [
      "a row for each version that was posted in these days",
      ...(server === undefined ? [`bioRxiv's alone: search medrxiv ${from}/${to} for the other server's`] : []),
    ],
  }
}

async function findWords(query: string, { limit, cursor = "*" }: SearchOptions, http: Http): Promise<SearchPage> {
  if (!CURSOR.test(cursor)) throw notOurs()
  // How to sort is no condition, and stands outside the brackets.
  const order = query.match(/(?:^|\s)sort_\w+:y\b/g) ?? []
  const words = asSyntax(order.reduce((rest, each) => rest.replace(each, " "), query).trim())
  if (!isBalanced(words))
    throw new Failure("invalid_query", "A bracket or a quotation mark of this query has no partner.")
  const condition = words === "" ? "" : ` AND (${words})`
  const sent = [`SRC:PPR AND (PUBLISHER:"bioRxiv" OR PUBLISHER:"medRxiv")${condition}`, ...order.map((o) => o.trim())]
  const { page, articles } = await ask(http, {
    query: sent.join(" "),
    resultType: "lite",
    pageSize: limit,
    cursorMark: cursor,
  })
  const read = articles.map((article) => pick(Article, article))
  const hits = read.flatMap(({ doi = "", ...article }) =>
    PREPRINT.test(normalize(doi)) ? [{ ...hitOf(article), id: normalize(doi) }] : [],
  )
  const last = page.nextCursorMark === cursor || articles.length < limit || articles.length === page.hitCount
  return {
    hits: hits.map(({ marks = [], ...hit }) => ({ ...hit, marks: marks.filter((mark) => mark !== "preprint") })),
    total: page.hitCount,
    ...(last || page.nextCursorMark === undefined ? {} : { next: page.nextCursorMark }),
    notes: [
      "searched in Europe PMC; what is newest there may lack: list days instead, as 2026-08-01/2026-08-07",
      ...(hits.length < articles.length
        ? [`${articles.length - hits.length} without a DOI of the servers left out`]
        : []),
    ],
  }
}

const notOurs = () =>
  new Failure("invalid_query", "This is no cursor of this search: give the one that the page before named, or none.")

/** Else a bracket of the query could end the condition that keeps other sources out. */
function isBalanced(query: string): boolean {
  const bare = query.replace(/"[^"]*"/g, "")
  let depth = 0
  for (const mark of bare) {
    if (mark === "(") depth++
    if (mark === ")" && --depth < 0) return false
  }
  return depth === 0 && !bare.includes('"')
}
