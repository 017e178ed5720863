/**
 * A record as it is read, by a model or a person, in the answer or in the file on disk: JSON in which whatever fits a line stays on one.
 * Measured on UniProt's P35372 (o200k): 43,300 tokens like this, 59,900 by `JSON.stringify(…, 2)`, 37,900 on one endless line.
 */
import { INVISIBLE_CHARACTERS } from "./clean.ts"
import { isObject, printJson } from "./json.ts"

const MAX_COLUMNS = 120

/** It parses back to the same content: characters that show nothing are escaped, not removed. */
export function printRecord(tree: unknown): string {
  // In one pass over the whole: between the strings there is nothing to escape.
  return print(tree, 0).replace(INVISIBLE_CHARACTERS, escaped)
}

/** One blank a level: two cost more bytes and read no better at this width. */
function print(value: unknown, depth: number): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => print(item, depth + 1))
    return layOut("[", items, "]", depth, value.some(isObject))
  }
  if (isObject(value)) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined)
    const items = fields.map(([key, field]) => `${printScalar(key)}:${print(field, depth + 1)}`)
    return layOut("{", items, "}", depth, true)
  }
  return printScalar(value)
}

function printScalar(value: unknown): string {
  // What is an object here is null or a number with its digits; a hole is null.
  return typeof value === "object" || value === undefined ? printJson(value, 0) : JSON.stringify(value)
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => unicodeEscape(character.charCodeAt(index))).join("")
}

function unicodeEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`
}

/** On one line if that fits; else one item a line, or, for numbers and the like, as many a line as fit. */
function layOut(open: string, items: string[], close: string, depth: number, onePerLine: boolean): string {
  const columns = MAX_COLUMNS - depth
  const flat = items.every((item) => !item.includes("\n"))
  const width = items.reduce((sum, item) => sum + item.length + 1, 1)
  if (flat && width <= columns) return open + items.join(",") + close
  const lines = flat && !onePerLine ? filled(items, columns) : items
  const indent = `\n${" ".repeat(depth + 1)}`
  return `${open}${indent}${lines.join(`,${indent}`)}\n${" ".repeat(depth)}${close}`
}

function filled(items: string[], columns: number): string[] {
  const lines: string[] = []
  let line: string[] = []
  let width = 0
  for (const item of items) {
    if (line.length > 0 && width + item.length > columns) {
      lines.push(line.join(","))
      line = []
      width = 0
    }
    line.push(item)
    width += item.length + 1
  }
  lines.push(line.join(","))
  return lines
}
