import type { Connector, SearchPage } from "./connector.ts"
import { Failure } from "./failure.ts"
import type { Client, Report } from "./http/client.ts"
import { asFailed, type Failed } from "./outcome.ts"

export interface SearchRequest {
  query: string
  limit?: number | undefined
  cursor?: string | undefined
  organism?: string | undefined
  signal: AbortSignal
}

export interface Hits extends SearchPage {
  kind: "hits"
  db: string
  query: string
  notes: string[]
}

export const SEARCH_LIMIT = { default: 10, max: 100 }

/** One database's page of hits, or the failure that it is. A filter that the database does not have is said to be not applied. */
export async function searchOne(
  client: Client,
  connector: Connector,
  request: SearchRequest,
): Promise<{ result: Hits | Failed; report: Report }> {
  const { signal, cursor, organism } = request
  const query = request.query.trim()
  const session = client.open({ connector, operation: "search", signal })
  try {
    if (query === "") throw new Failure("invalid_query", `${connector.name} needs a query; say what to look for.`)
    const limit = Math.min(Math.max(1, Math.trunc(request.limit ?? SEARCH_LIMIT.default)), SEARCH_LIMIT.max)
    const filter = organism && connector.organismFilter ? { organism } : {}
    const page = await connector.search(query, { limit, ...(cursor ? { cursor } : {}), ...filter }, session)
    await session.keep()
    const ignored =
      organism && !connector.organismFilter ? [`organism is not a filter of ${connector.name}: not applied`] : []
    const missing = session.report.incomplete.map((part) => `${part} could not be had`)
    const hits = page.hits.slice(0, limit)
    return {
      result: {
        ...page,
        hits,
        kind: "hits",
        db: connector.id,
        query,
        notes: [...ignored, ...missing, ...(page.notes ?? [])],
      },
      report: session.report,
    }
  } catch (error) {
    return { result: asFailed(connector, query, error, client.redact), report: session.report }
  }
}
