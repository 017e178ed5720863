import { deniedByRule, nobodyToAsk, PermissionRejected } from "./refusal.ts"
import type { Ask, PermissionRequest, Prompt } from "./request.ts"
import { evaluate, type Evaluation, type Rule } from "./rule.ts"

export interface AskOptions {
  rules: readonly Rule[]
  /** How a person is asked; absent where the host has no way to. */
  prompt?: Prompt | undefined
}

/** What decides in hosts that have no permission system of their own. An answer of "always" holds as long as the returned function lives. */
export function createAsk({ rules, prompt }: AskOptions): Ask {
  const approved: Rule[] = []
  const inTurn = createQueue()

  /** What was approved is looked at only where the rules say "ask": a person's "always" never lifts a deny. */
  function decide(permission: string, pattern: string): Evaluation {
    const ruled = evaluate(rules, permission, pattern)
    if (ruled.action !== "ask") return ruled
    const remembered = evaluate(approved, permission, pattern)
    return remembered.action === "allow" ? remembered : ruled
  }

  /** What of the request a person has to decide, with the rules that say so. Throws when any of it is denied: then nobody is asked. */
  function undecided(request: PermissionRequest): { patterns: string[]; rules: Rule[] } {
    const decided = request.patterns.map((pattern) => ({ pattern, ...decide(request.permission, pattern) }))
    const denied = decided.filter(({ action }) => action === "deny")
    if (denied.length > 0) throw deniedByRule(request, rulesOf(denied))
    const open = decided.filter(({ action }) => action === "ask")
    return { patterns: open.map(({ pattern }) => pattern), rules: rulesOf(open) }
  }

  async function askPerson(request: PermissionRequest, prompt: Prompt): Promise<void> {
    const { patterns } = undecided(request)
    if (patterns.length === 0) return
    const answer = await prompt({ ...request, patterns })
    if (answer === "once") return
    if (answer !== "always") throw new PermissionRejected(request)
    const { permission } = request
    approved.push(...request.always.map((pattern): Rule => ({ permission, pattern, action: "allow" })))
  }

  return async (request) => {
    const { patterns, rules } = undecided(request)
    if (patterns.length === 0) return
    if (!prompt) throw nobodyToAsk(request, rules)
    // Looked at again when its turn has come: the answer before it may have been an "always" that covers it.
    await inTurn(() => askPerson(request, prompt))
  }
}

/** One question at a time: a person cannot read two prompts at once, and terminals mix them up. A failed one does not hold up the next. */
function createQueue(): (work: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}

function rulesOf(decided: Evaluation[]): Rule[] {
  return [...new Set(decided.flatMap(({ rule }) => rule ?? []))]
}
