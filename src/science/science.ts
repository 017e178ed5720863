import type { Connector } from "./connector.ts"
import { Failure } from "./failure.ts"
import { fetchFiles, type FileOutcome, type FileRequest } from "./files.ts"
import { createClient, type ClientOptions, type Report } from "./http/client.ts"
import { MAX_IDS } from "./ids.ts"
import { asFailed, type Failed } from "./outcome.ts"
import { fetchRecords, type RecordOutcome } from "./records.ts"
import { createRegistry, type Choice, type Registry } from "./registry.ts"
import { searchOne, type Hits, type SearchRequest } from "./search.ts"
import type { SpillPlace } from "./save.ts"

export interface ScienceOptions extends Omit<ClientOptions, "connectors"> {
  connectors: readonly Connector[]
  databases?: Choice
  place: SpillPlace
}

/** What one call cost, over all its requests. */
export interface Cost extends Report {
  ms: number
}

export interface Science {
  registry: Registry
  place: SpillPlace
  search(db: string, request: SearchRequest): Promise<{ result: Hits | Failed; cost: Cost }>
  fetch(db: string, ids: string[], signal: AbortSignal): Promise<{ outcomes: RecordOutcome[]; cost: Cost }>
  fetchFiles(db: string, ids: string[], request: FileRequest): Promise<{ outcomes: FileOutcome[]; cost: Cost }>
}

/** The databases behind one client: search, records, files. What goes wrong with a database comes back as a value. */
export function createScience(options: ScienceOptions): Science {
  const client = createClient(options)
  const registry = createRegistry(options.connectors, options.databases)
  const around = { client, registry, place: options.place }

  /** Runs one call, and turns a Failure that concerns all of it into one outcome. */
  async function call<T>(
    db: string,
    about: string,
    run: (connector: Connector) => Promise<{ value: T; reports: Report[] }>,
    failed: (failed: Failed) => T,
  ) {
    const began = performance.now()
    const done = (value: T, reports: Report[]) => ({ value, cost: sum(reports, performance.now() - began) })
    let connector: Connector | undefined
    try {
      connector = registry.get(db)
      const { value, reports } = await run(connector)
      return done(value, reports)
    } catch (error) {
      if (connector) return done(failed(asFailed(connector, about, error, client.redact)), [])
      if (error instanceof Failure) return done(failed({ kind: "failure", db, id: about, failure: error }), [])
      throw error
    }
  }

  const bounded = (ids: string[]) => {
    if (ids.length > MAX_IDS)
      throw new Failure(
        "too_large",
        `${ids.length} ids are more than the ${MAX_IDS} of one call; ask in smaller lots, or use the database's bulk download.`,
      )
    return ids
  }

  return {
    registry,
    place: options.place,
    async search(db, request) {
      const { value: result, cost } = await call<Hits | Failed>(
        db,
        request.query,
        async (connector) => {
          const { result, report } = await searchOne(client, connector, request)
          return { value: result, reports: [report] }
        },
        (failed) => failed,
      )
      return { result, cost }
    },
    async fetch(db, ids, signal) {
      const { value: outcomes, cost } = await call<RecordOutcome[]>(
        db,
        ids.join(", "),
        async (connector) => {
          const { outcomes, reports } = await fetchRecords(around, connector, bounded(ids), signal)
          return { value: outcomes, reports }
        },
        (failed) => [failed],
      )
      return { outcomes, cost }
    },
    async fetchFiles(db, ids, request) {
      const { value: outcomes, cost } = await call<FileOutcome[]>(
        db,
        ids.join(", "),
        async (connector) => {
          const { outcomes, reports } = await fetchFiles(around, connector, bounded(ids), request)
          return { value: outcomes, reports }
        },
        (failed) => [failed],
      )
      return { outcomes, cost }
    },
  }
}

function sum(reports: Report[], ms: number): Cost {
  const total = (of: (report: Report) => number) => reports.reduce((all, report) => all + of(report), 0)
  return {
    requests: total(({ requests }) => requests),
    cached: total(({ cached }) => cached),
    bytes: total(({ bytes }) => bytes),
    incomplete: [...new Set(reports.flatMap(({ incomplete }) => incomplete))],
    ms: Math.round(ms),
  }
}
