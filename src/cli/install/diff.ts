/** Unchanged lines that are shown around a change. */
const CONTEXT = 2

/** The change of one place in a text, as `diff -u` shows it. */
export function diff(before: string, after: string, file: string): string {
  const old = linesOf(before)
  const now = linesOf(after)
  let same = 0
  while (same < Math.min(old.length, now.length) && old[same] === now[same]) same++
  let end = 0
  while (end < Math.min(old.length, now.length) - same && old.at(-1 - end) === now.at(-1 - end)) end++
  const from = Math.max(0, same - CONTEXT)
  const ended = Math.max(0, end - CONTEXT)
  const hunk = [
    ...old.slice(from, same).map((line) => ` ${line}`),
    ...old.slice(same, old.length - end).map((line) => `-${line}`),
    ...now.slice(same, now.length - end).map((line) => `+${line}`),
    ...old.slice(old.length - end, old.length - ended).map((line) => ` ${line}`),
  ]
  const range = (lines: string[]) => `${lines.length === 0 ? 0 : from + 1},${lines.length - from - ended}`
  return [`--- ${file}`, `+++ ${file}`, `@@ -${range(old)} +${range(now)} @@`, ...hunk].join("\n")
}

/** The last line without a line break is a line of its own, marked as `diff` marks it. */
function linesOf(text: string): string[] {
  if (text === "") return []
  const lines = text.split("\n")
  const last = lines.pop() ?? ""
  return last === "" ? lines : [...lines, `${last}\n\\ No newline at end of file`]
}
