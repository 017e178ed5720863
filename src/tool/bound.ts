import { LIMITS, type Limits } from "./context.ts"

export const byteLength = (text: string): number => Buffer.byteLength(text, "utf8")

export const fits = (text: string, { bytes, lines }: Limits = LIMITS): boolean =>
  byteLength(text) <= bytes && lineCount(text) <= lines

/** Cuts whole lines from the end and says how many; one line that is too long by itself is cut inside. For tools that do not bound themselves. */
export function bound(text: string, limits: Limits = LIMITS): { text: string; truncated: boolean } {
  if (fits(text, limits)) return { text, truncated: false }
  const all = text.split("\n")
  const note = (left: number) => `… ${left} more lines were cut: ask for less.`
  const room = limits.bytes - byteLength(note(all.length)) - 1
  const kept: string[] = []
  let used = 0
  for (const line of all.slice(0, limits.lines - 1)) {
    used += byteLength(line) + 1
    if (used > room) break
    kept.push(line)
  }
  if (kept.length === 0)
    kept.push(
      Buffer.from(all[0] ?? "", "utf8")
        .subarray(0, room)
        .toString("utf8")
        .replace(/\uFFFD+$/, ""),
    )
  return { text: [...kept, note(all.length - kept.length)].join("\n"), truncated: true }
}

function lineCount(text: string): number {
  let count = 1
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++
  return count
}
