import { Miss, Successor, type Connector, type Json } from "./connector.ts"
import { Failure, type FailureCode } from "./failure.ts"

/** The database gave the record that was asked for. */
export interface RecordFound {
  kind: "record"
  db: string
  /** As it was asked for, normalised. */
  id: string
  /** The id that the record has now, where that is another: merged, secondary, versioned. */
  resolvedId?: string
  record: Json
  /** Its page for people. */
  url: string
  /** What a reader must know before using it, one short sentence each. */
  remarks: string[]
  /** Parts that could not be had, by name. */
  incomplete: string[]
}

/** The database answered: it has no such record. */
export interface Missed {
  kind: "miss"
  db: string
  id: string
  reason?: string
}

/** No answer, or none that can be believed. */
export interface Failed {
  kind: "failure"
  db: string
  id: string
  failure: Failure
}

/** The one place where it is decided whether what came back is what was asked for. */
export function judgeRecord(
  connector: Connector,
  id: string,
  given: Json | Successor | Miss | undefined,
  incomplete: string[],
): RecordFound | Missed {
  const { id: db, name } = connector
  if (given === undefined) return { kind: "miss", db, id }
  if (given instanceof Miss)
    return { kind: "miss", db, id, ...(given.reason === undefined ? {} : { reason: given.reason }) }
  const { record: answer, replaces } = given instanceof Successor ? given : { record: given, replaces: [] }
  const carried = [...connector.identify(answer), ...replaces]
  const own = carried[0]
  if (own === undefined)
    throw new Failure(
      "bad_response",
      `${name} sent a record without an id, so it cannot be told whose it is; report it.`,
    )
  const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
  if (!carried.some((other) => same(other, id)))
    return { kind: "miss", db, id, reason: `it answered with ${own} instead, which is another record` }
  const remarks = connector.remarks?.(answer) ?? []
  const told = connector.relation ? connector.relation(id, own, answer) : `${id} is now ${own}`
  const relation = same(own, id) || told === undefined ? [] : [told]
  return {
    kind: "record",
    db,
    id,
    ...(same(own, id) ? {} : { resolvedId: own }),
    record: answer,
    url: connector.page?.(own) ?? connector.url.replace("{id}", encodeURI(own)),
    remarks: [...relation, ...remarks],
    incomplete,
  }
}

/** Failures that are this machine's, not the database's. */
const OURS: ReadonlySet<FailureCode> = new Set(["denied", "write_failed", "invalid_select"])

/** A Failure as a value; everything else (an abort, a host's own error, a bug) goes on up. The message says which database it is about. */
export function asFailed(
  { id: db, name }: Connector,
  id: string,
  error: unknown,
  redact: (text: string) => string,
): Failed {
  if (!(error instanceof Failure)) throw error
  const { code, retryable, retryAfterMs } = error
  const told = error.message.includes(name) || OURS.has(code) ? error.message : `${name}: ${error.message}`
  const message = redact(told)
  return {
    kind: "failure",
    db,
    id,
    failure: new Failure(code, message, { retryable, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }),
  }
}
