/**
 * JSON whose numbers keep their digits. `JSON.parse` makes 1237649770260463687 end in …600 and 0.50 end in 0.5; a record is shown as the
 * database wrote it, so such a number is carried as a LosslessNumber, and all others as plain ones.
 */
import { isLosslessNumber, LosslessNumber, parse, stringify } from "lossless-json"

/** Deeper documents are refused, since whatever walks a record later does it by recursion. */
export const MAX_DEPTH = 1000

/**
 * Finds a number that may lose digits: an exponent, a trailing zero after the point, sixteen digits, under a millionth, minus zero. It may
 * find one too many (inside a string), which costs time, never one too few: a double holds any fifteen digits (IEEE 754), and JavaScript
 * writes such a number without an exponent between 1e-6 and 1e21.
 */
const MAY_LOSE_DIGITS = /(?:^|[\s[:,])(?:-0|-?(?:\d[\d.]*[eE][-+]?\d+|\d+\.\d*0|[\d.]{16,}|0\.0{6}\d*))(?=[\s,\]}]|$)/

/** Which container, with all its digits, a container made by `plain` stands for. */
const twins = new WeakMap<object, object>()

export function readJson(text: string): unknown {
  const json = text.startsWith("\uFEFF") ? text.slice(1) : text
  const tree = parseWithControls(json)
  refuseDepth(tree, 0)
  return tree
}

/** The same with plain JavaScript numbers, for schemas and JMESPath; the very same object where nothing needs conversion. */
export function plain(tree: unknown): unknown {
  if (isLosslessNumber(tree)) return Number(tree.value)
  if (Array.isArray(tree)) return standIn(plainArray(tree), tree)
  return isObject(tree) ? standIn(plainObject(tree), tree) : tree
}

export function losslessTwin(container: object): object | undefined {
  return twins.get(container)
}

/** JSON text with all digits, for machines; `printRecord` makes the one to read. */
export function printJson(tree: unknown, indent: number): string {
  return stringify(tree, null, indent) ?? "null"
}

/** A JSON object: neither an array nor a number that keeps its digits. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isLosslessNumber(value)
}

function parseWithControls(json: string): unknown {
  try {
    return parseLossless(json)
  } catch (error) {
    const escaped = escapeControls(json)
    if (escaped === json) throw error
    return parseLossless(escaped)
  }
}

/** Native where that is right, which is three to fifty times faster. */
function parseLossless(json: string): unknown {
  if (!MAY_LOSE_DIGITS.test(json)) return JSON.parse(json)
  try {
    return parse(json, null, { parseNumber: readNumber, onDuplicateKey: ({ newValue }) => newValue })
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : error
  }
}

function readNumber(source: string): number | LosslessNumber {
  const number = Number(source)
  return String(number) === source ? number : new LosslessNumber(source)
}

/** NCBI sends raw control characters inside strings, which strict JSON forbids; outside of them they stay what they are. */
function escapeControls(json: string): string {
  let inString = false
  return json.replace(/\\[\s\S]|["\u0000-\u001F]/g, (token) => {
    if (token === '"') inString = !inString
    const raw = inString && token.length === 1 && token !== '"'
    return raw ? `\\u${token.charCodeAt(0).toString(16).padStart(4, "0")}` : token
  })
}

function refuseDepth(tree: unknown, depth: number): void {
  if (depth > MAX_DEPTH) throw tooDeep()
  if (Array.isArray(tree)) for (const item of tree) refuseDepth(item, depth + 1)
  else if (isObject(tree)) for (const key in tree) refuseDepth(tree[key], depth + 1)
}

function tooDeep(): SyntaxError {
  return new SyntaxError(`JSON nested more than ${MAX_DEPTH} levels deep`)
}

function standIn(copy: object, original: object): object {
  if (copy !== original) twins.set(copy, original)
  return copy
}

function plainArray(array: unknown[]): unknown[] {
  let copy: unknown[] | undefined
  for (const [index, item] of array.entries()) {
    const value = plain(item)
    if (value !== item) (copy ??= [...array])[index] = value
  }
  return copy ?? array
}

function plainObject(object: Record<string, unknown>): object {
  let copy: Record<string, unknown> | undefined
  for (const key in object) {
    const value = plain(object[key])
    if (value !== object[key]) (copy ??= { ...object })[key] = value
  }
  return copy ?? object
}
