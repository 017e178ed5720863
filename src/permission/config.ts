import { z } from "zod"
import { ACTIONS, type Action, type Rule } from "./rule.ts"

const action = z.enum(ACTIONS, { error: ({ input }) => notAnAction(input) })

const byPattern = z.union([action, z.record(z.string(), action)], { error: nameTheKey })

/** opencode's own syntax: one action for everything, or one for each permission, or one for each pattern of a permission. */
export const permissionConfig = z.union([action, z.record(z.string(), byPattern)], { error: nameTheKey })

export type PermissionConfig = z.infer<typeof permissionConfig>

/**
 * The order of keys is the order of rules, and the last match wins. (Keys that are whole numbers come first whatever their place:
 * JavaScript orders them so, in opencode too.)
 */
export function toRules(config: PermissionConfig): Rule[] {
  return Object.entries(everywhere(config)).flatMap(([permission, byPattern]) =>
    Object.entries(everywhere(byPattern)).map(([pattern, action]) => ({ permission, pattern, action })),
  )
}

/** A bare action is short for the same action under `*`. */
function everywhere<T>(value: Action | Record<string, T>): Record<string, T | Action> {
  return typeof value === "string" ? { "*": value } : value
}

/** zod says of a union that fits nowhere just "invalid input"; its object form knows which key is wrong. */
function nameTheKey({ input, errors }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const wrong = errors.flat().find(({ path }) => path.length > 0)
  return wrong ? `${wrong.path.join(": ")}: ${wrong.message}` : notAnAction(input)
}

function notAnAction(input: unknown): string {
  return `${JSON.stringify(input)} is not an action; the actions are "allow", "deny" and "ask"`
}
