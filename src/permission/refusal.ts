import { MODE_RULES } from "./mode.ts"
import type { PermissionRequest } from "./request.ts"
import type { Action, Rule } from "./rule.ts"

/** Thrown when a rule forbids the request, or when a person would have to decide and none can be asked. */
export class PermissionDenied extends Error {
  override readonly name = "PermissionDenied"

  constructor(
    message: string,
    /** The rules that decided; empty where none matched. */
    readonly rules: readonly Rule[],
  ) {
    super(message)
  }
}

/** Thrown when a person was asked and said no. */
export class PermissionRejected extends Error {
  override readonly name = "PermissionRejected"

  constructor(request: PermissionRequest) {
    super(`The person who was asked said no, so ${undone(request)}.`)
  }
}

/** The agent reads this too: it says that a person can change the rule, not how to get round it. */
export function deniedByRule(request: PermissionRequest, rules: readonly Rule[]): PermissionDenied {
  const reason = rules.every((rule) => MODE_RULES.plan.includes(rule))
    ? "plan mode, which a person can switch to build mode"
    : `the rule ${quote(rules)}, which a person can change under "permission" in the configuration`
  return new PermissionDenied(`Denied by ${reason}, so ${undone(request)}.`, rules)
}

export function nobodyToAsk(request: PermissionRequest, rules: readonly Rule[]): PermissionDenied {
  const reason = rules.length > 0 ? `${quote(rules)} wants a person's word` : "no rule allows it"
  return new PermissionDenied(
    `Nobody can be asked here and ${reason}, so ${undone(request)}; ${toAllowIt(request)}`,
    rules,
  )
}

/** The question went out and came back without an answer. */
export function notGiven(request: PermissionRequest): PermissionDenied {
  return new PermissionDenied(
    `Permission was asked for and not given, so ${undone(request)}; ${toAllowIt(request)}`,
    [],
  )
}

function toAllowIt({ permission, patterns, always }: PermissionRequest): string {
  const rule = written(permission, always.length > 0 ? always : patterns, "allow")
  return `a person can allow it by ${rule} under "permission" in the configuration.`
}

/** Says only what is surely so: these patterns were left alone, whatever became of others in the same call. */
function undone({ permission, patterns }: PermissionRequest): string {
  return `${permission === "edit" ? "nothing was written to" : `${permission} did nothing for`} ${some(patterns)}`
}

/** A call may be about hundreds of files; a sentence names the first few. */
function some(patterns: string[], shown = 3): string {
  const named = patterns.slice(0, shown).map((pattern) => JSON.stringify(pattern))
  return patterns.length > shown ? `${named.join(", ")} and ${patterns.length - shown} more` : named.join(", ")
}

function quote(rules: readonly Rule[]): string {
  return rules.map(({ permission, pattern, action }) => written(permission, [pattern], action)).join(" and ")
}

/** As it is written in the configuration, so that it can be found there or copied into it. */
function written(permission: string, patterns: string[], action: Action): string {
  const entries = patterns.map((pattern) => `${JSON.stringify(pattern)}: "${action}"`)
  return `${JSON.stringify(permission)}: {${entries.join(", ")}}`
}
