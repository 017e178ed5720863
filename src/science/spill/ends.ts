import { closesRoot } from "./markup.ts"

/** How a whole body ends, where its grammar says so, so that half a file is noticed. `head` and `tail` are latin1. */
export interface Ending {
  /** What is missing when it does not hold, for the message: "no closing tag of its root element". */
  missing: string
  holds: (tail: string, head: string) => boolean
}

export function lastLine(pattern: RegExp, mark: string): Ending {
  return { missing: `no ${mark} as its last line`, holds: (tail) => pattern.test(lastLineOf(tail)) }
}

export function nearEnd(pattern: RegExp, mark: string): Ending {
  return { missing: `no ${mark} near its end`, holds: (tail) => pattern.test(tail) }
}

export const CLOSED_ROOT: Ending = {
  missing: "no closing tag of its root element",
  holds: (tail, head) => closesRoot(head, tail) ?? true,
}

/** Only the outermost bracket is compared: whether all of it is well-formed is for whoever parses it. */
export const CLOSED_JSON: Ending = {
  missing: "no closing bracket",
  holds: (tail, head) => {
    const closing = { "{": "}", "[": "]", '"': '"' }[head.trimStart().slice(0, 1)]
    return closing === undefined || tail.trimEnd().endsWith(closing)
  },
}

function lastLineOf(tail: string): string {
  const text = tail.trimEnd()
  return text.slice(text.lastIndexOf("\n") + 1)
}
