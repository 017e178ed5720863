import { createInterface } from "node:readline/promises"
import type { Answer, PermissionRequest, Prompt } from "../permission/index.ts"

const ANSWERS: Record<string, Answer> = { y: "once", yes: "once", a: "always", always: "always" }

/** Asks at the terminal; undefined where nobody sits at one, and then `ask` means denied. */
export function terminalPrompt(): Prompt | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  return async ({ permission, patterns, metadata }: PermissionRequest) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    try {
      const what = patterns.length > 1 ? `${patterns[0]} and ${patterns.length - 1} more` : patterns[0]
      const from = typeof metadata["url"] === "string" ? ` (from ${metadata["url"]})` : ""
      const answer = await lines.question(`Allow ${permission} of ${what}${from}? [y]es, [a]lways in this run, [N]o: `)
      return ANSWERS[answer.trim().toLowerCase()] ?? "reject"
    } finally {
      lines.close()
    }
  }
}
