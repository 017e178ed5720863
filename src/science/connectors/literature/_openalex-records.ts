/** Asking OpenAlex for records: one by its address, several by a list. */
import { Failure, keep, pick, Successor, url, z } from "../../connector.ts"
import type { Http, Json } from "../../connector.ts"
import { filterOf, idsOf, isOwn, Named, pathOf, shortId } from "./_openalex-ids.ts"

export function addressOf(id: string): string {
  const [entity, name] = pathOf(id)
  return url`https://api.openalex.org/${entity}/${name}`
}

/** An error may come with status 200 as well. */
export function inspect(body: string): Failure | undefined {
  const [, error] = /^\s*\{\s*"error"\s*:\s*"([^"]*)"/.exec(body) ?? []
  const [, message = ""] = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(error === undefined ? "" : body) ?? []
  return error === undefined
    ? undefined
    : new Failure("invalid_query", `OpenAlex does not accept this: ${error} ${message}`)
}

/** A work that was merged comes by a redirect and does not name the id that led to it. */
export async function recordOf(id: string, http: Http): Promise<Json | Successor | undefined> {
  const answer = await http.answer("json", addressOf(id), { inspect })
  if (answer === undefined) return undefined
  const own = shortId(pick(Named, answer.data).id)
  const redirected = shortId(new URL(answer.url).pathname) === own
  return own !== id && redirected && isOwn(id) ? new Successor(answer.data, [id]) : answer.data
}

/** By one list for each kind of id; what a list does not hold (it leaves merged works out without a word) is asked for alone. */
export async function recordsOf(ids: string[], http: Http): Promise<Map<string, Json>> {
  const wanted = new Map<string, string[]>()
  for (const id of ids) {
    const [filter, value] = filterOf(id) ?? []
    if (filter !== undefined && value !== undefined) wanted.set(filter, [...(wanted.get(filter) ?? []), value])
  }
  const lists = await Promise.all(
    [...wanted].map(([filter, values]) => list(http, { filter: `${filter}:${values.join("|")}`, per_page: 100 })),
  )
  const works = lists.flatMap(({ works }) => works).map((work) => ({ work, ids: idsOf(pick(Named, work)) }))
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  const found = await Promise.all(
    ids.map(async (id) => {
      const listed = works.find((each) => each.ids.some((other) => same(other, id)))
      return [id, listed ? listed.work : await recordOf(id, http)] as const
    }),
  )
  return new Map(found)
}

const List = z.lazy(() =>
  z.object({
    meta: z.object({ count: z.number(), next_cursor: z.string().nullish() }),
    results: z.array(z.unknown()),
  }),
)

export async function list(http: Http, query: Record<string, string | number>) {
  const answer = await http.json("https://api.openalex.org/works", { query, inspect })
  const { count: total, next_cursor: next } = pick(List, answer).meta
  return { total, next, works: keep(List, answer).results }
}
