import { createInterface } from "node:readline"
import type { Answer, PermissionRequest, Prompt } from "../permission/index.ts"
import { Interrupted } from "./exit.ts"

const ANSWERS: Record<string, Answer> = { y: "once", yes: "once", a: "always", always: "always" }

/** Asks at the terminal; undefined where nobody sits at one, and then `ask` means denied. */
export function terminalPrompt(): Prompt | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  return async (request) => ANSWERS[(await ask(question(request))).trim().toLowerCase()] ?? "reject"
}

function question({ permission, patterns, metadata }: PermissionRequest): string {
  const what = patterns.length > 1 ? `${patterns[0]} and ${patterns.length - 1} more` : patterns[0]
  const from = typeof metadata["url"] === "string" ? ` (from ${metadata["url"]})` : ""
  return `Allow ${permission} of ${what}${from}? [y]es, [a]lways in this run, [N]o: `
}

/** The line that was typed; nothing at the end of input. In raw mode Ctrl-C is a key, and ends the command like the signal does. */
function ask(text: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  return new Promise<string>((resolve, reject) => {
    lines.on("SIGINT", () => reject(new Interrupted()))
    lines.on("close", () => resolve(""))
    lines.question(text, resolve)
  }).finally(() => lines.close())
}
