import type { Connector } from "../science/connector.ts"
import type { FileOutcome } from "../science/files.ts"
import type { RecordOutcome } from "../science/records.ts"
import type { Cost, Science } from "../science/science.ts"
import type { ToolContext } from "./context.ts"
import { alternatives, sayFailure, sayMiss } from "./say.ts"
import { failureMetadata } from "./tool.ts"

/** A fetch whose database is known and whose use was permitted. */
export interface FetchCall {
  science: Science
  connector: Connector
  ids: string[]
  context: ToolContext
}

type Outcome = RecordOutcome | FileOutcome

/** A line for an id that did not come: a miss or a failure, each in its own words. */
export function absent({ science, connector }: FetchCall, outcome: Outcome): string[] {
  if (outcome.kind === "miss") return [sayMiss(outcome, connector)]
  if (outcome.kind !== "failure") return []
  const others = alternatives(science.registry, connector.id, outcome.id)
  return [`${outcome.id}: ${sayFailure(outcome.failure, others)}`]
}

/** A few words about how it went, for the host's list of calls. */
export function titleOf({ connector, ids }: FetchCall, outcomes: Outcome[]): string {
  const [only] = outcomes
  const about = ids.length === 1 ? `${connector.id} ${ids[0]}` : `${connector.id} ${ids.length} ids`
  if (outcomes.length === 1 && only?.kind === "miss") return `${about}: no such record`
  if (outcomes.length === 1 && only?.kind === "failure") return `${about}: ${only.failure.code}`
  return about
}

/** What every fetch tells hosts and programs. `error` is set when nothing came and something failed; a miss is not an error. */
export function fetchMetadata({ connector, ids }: FetchCall, outcomes: Outcome[], cost: Cost) {
  const found = outcomes.filter(({ kind }) => kind === "record" || kind === "file")
  const missed = outcomes.filter(({ kind }) => kind === "miss").map(({ id }) => id)
  const failures = outcomes.filter((outcome) => outcome.kind === "failure")
  const first = failures[0]?.failure
  const resolved = outcomes.flatMap((each) =>
    each.kind === "record" && each.resolvedId ? [[each.id, each.resolvedId]] : [],
  )
  return {
    db: connector.id,
    id: ids.join("\n"),
    count: found.length,
    ...(missed.length > 0 ? { missed } : {}),
    ...(failures.length > 0 ? { failed: failures.map(({ id }) => id) } : {}),
    ...(found.length === 0 && first ? failureMetadata(first) : {}),
    ...(resolved.length > 0 ? { resolvedId: ids.length === 1 ? resolved[0]?.[1] : Object.fromEntries(resolved) } : {}),
    ...(cost.incomplete.length > 0 ? { incomplete: cost.incomplete } : {}),
    requests: cost.requests,
    cached: cost.cached,
    ms: cost.ms,
    truncated: false,
  }
}
