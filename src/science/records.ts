import { Failure, type Connector, type Json, type Miss } from "./connector.ts"
import type { Client, Report, Session } from "./http/client.ts"
import { readId } from "./ids.ts"
import { asFailed, judgeRecord, type Failed, type Missed, type RecordFound } from "./outcome.ts"
import type { Registry } from "./registry.ts"

export type RecordOutcome = RecordFound | Missed | Failed

type Answer = Json | Miss | Failure | undefined

interface Around {
  client: Client
  registry: Registry
}

/** The records of several ids, each with its own outcome, in the asked order; in as few requests as the database allows. */
export async function fetchRecords(
  { client, registry }: Around,
  connector: Connector,
  typed: string[],
  signal: AbortSignal,
): Promise<{ outcomes: RecordOutcome[]; reports: Report[] }> {
  const reports: Report[] = []
  const open = () => {
    const session = client.open({ connector, operation: "record", signal })
    reports.push(session.report)
    return session
  }
  const failed = (id: string, error: unknown) => asFailed(connector, id, error, client.redact)

  async function judge(session: Session, ids: string[], ask: () => Promise<Map<string, Answer>>) {
    const judged = new Map<string, RecordOutcome>()
    try {
      const answers = await ask()
      for (const id of ids) judged.set(id, weigh(id, answers.get(id), session.report.incomplete))
      if (ids.some((id) => judged.get(id)?.kind === "record")) await session.keep()
    } catch (error) {
      for (const id of ids) judged.set(id, failed(id, error))
    }
    return judged
  }

  function weigh(id: string, answer: Answer, incomplete: string[]): RecordOutcome {
    try {
      if (answer instanceof Failure) throw answer
      return judgeRecord(connector, id, answer, incomplete)
    } catch (error) {
      return failed(id, error)
    }
  }

  const read = typed.map((each) => {
    try {
      return { typed: each, id: readId(connector, each, registry) }
    } catch (error) {
      return { typed: each, outcome: failed(each, error) }
    }
  })
  const ids = [...new Set(read.flatMap(({ id }) => (id === undefined ? [] : [id])))]
  const { fetchMany } = connector
  const lots = fetchMany && ids.length > 1 ? inLots(ids, fetchMany.atOnce) : ids.map((id) => [id])
  const judged = await Promise.all(
    lots.map((lot) => {
      const session = open()
      const [only] = lot
      return judge(session, lot, async () =>
        fetchMany && ids.length > 1
          ? await fetchMany.fetch(lot, session)
          : new Map([[only ?? "", await connector.fetch(only ?? "", session)]]),
      )
    }),
  )
  const all = new Map(judged.flatMap((lot) => [...lot]))
  const outcomes = read.flatMap(({ id, outcome }) => outcome ?? (id === undefined ? [] : (all.get(id) ?? [])))
  return { outcomes, reports }
}

function inLots<T>(all: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))
}
