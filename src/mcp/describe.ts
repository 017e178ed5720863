import { clean, clip } from "../science/clean.ts"
import type { Offered } from "./list.ts"
import type { Settings } from "./settings.ts"

/** The servers' words cost context in every request of a model; what they say beyond this is rarely about the tool. */
const MAX_CHARS = 1_500

/** What the model is told of a tool: whose words they are, then the words, without what a person would not see. */
export function describe({ name }: Settings, { title, description, name: tool }: Offered): string {
  const words = clip(clean(description || title).trim(), MAX_CHARS)
  return `[of the MCP server ${name}, in its own words] ${words || `${clean(tool)}: not described.`}`
}

/** A preset's guide as far as it is true here: under this prefix, without the lines that name tools which are not offered. */
export function guideFor(guide: string, from: string, to: string, offered: ReadonlySet<string>): string {
  return guide
    .trim()
    .split("\n")
    .map((line) => line.replaceAll(`${from}_`, `${to}_`))
    .filter((line) => namesIn(line, to).every((name) => offered.has(name)))
    .join("\n")
}

/** The tools that a line of a guide names. */
export const namesIn = (line: string, prefix: string): string[] =>
  Array.from(line.matchAll(/\b[\w-]+_[\w-]+\b/g), ([word]) => word).filter((word) => word.startsWith(`${prefix}_`))
