import { matches } from "./wildcard.ts"

export const ACTIONS = ["allow", "deny", "ask"] as const

export type Action = (typeof ACTIONS)[number]

/** Both `permission` (`edit`, `science_fetch`) and `pattern` (a path, `db:id`) may hold wildcards. */
export interface Rule {
  permission: string
  pattern: string
  action: Action
}

export interface Evaluation {
  action: Action
  /** The rule that decided; absent where none matched. */
  rule?: Rule
}

/** The last rule that matches wins, so that what is written later narrows what stands before; where none does, a person is to be asked. */
export function evaluate(rules: readonly Rule[], permission: string, pattern: string): Evaluation {
  const rule = rules.findLast((rule) => matches(rule.permission, permission) && matches(rule.pattern, pattern))
  return rule ? { action: rule.action, rule } : { action: "ask" }
}

/** Whether some pattern of this permission could be a question: one that no later rule for everything answers. */
export function mayAsk(rules: readonly Rule[], permission: string): boolean {
  const own = rules.filter((rule) => matches(rule.permission, permission))
  const everything = own.findLastIndex(({ pattern }) => pattern === "*")
  return everything < 0 || own.slice(everything).some(({ action }) => action === "ask")
}
