import { toRules, type PermissionConfig } from "./config.ts"
import type { Rule } from "./rule.ts"

export const MODES = ["build", "plan"] as const

export type Mode = (typeof MODES)[number]

/** opencode's default: what nobody ruled on is allowed. */
const DEFAULT_RULES: readonly Rule[] = toRules("allow")

/** What a mode adds to the rules that hold anyway. */
export const MODE_RULES: Record<Mode, readonly Rule[]> = {
  build: [],
  plan: toRules({ edit: "deny" }),
}

/**
 * The mode's rules come after the person's. opencode orders them the other way round, so there `edit: "allow"` also lets the plan agent
 * write; but where these rules decide there is no plan agent to fall back on, and who sets plan mode is promised that nothing is written.
 */
export function rulesFor(mode: Mode, config: PermissionConfig = {}): Rule[] {
  return [...DEFAULT_RULES, ...toRules(config), ...MODE_RULES[mode]]
}
