/**
 * The part of a record that a JMESPath expression names. JMESPath works on plain JavaScript numbers; afterwards the digits that the database
 * wrote are put back, and where that would take guessing, the answer is a failure, never a wrong number.
 */
import { LexerError, ParseError, search } from "@aws-lambda-powertools/jmespath"
import { compareNumber, isLosslessNumber, LosslessNumber } from "lossless-json"
import { Failure } from "./failure.ts"
import { isObject, losslessTwin, plain } from "./json.ts"

/** Undefined when the expression matches nothing. */
export function select(tree: unknown, expression: string): unknown {
  const document = survey(tree)
  if (document.hasLongNumbers) refuseRounding(expression)
  const result = restore(evaluate(tree, expression), document)
  if (result === null || (Array.isArray(result) && result.length === 0)) refuseQuotedText(expression)
  return result === null ? undefined : result
}

/** A field name as an expression wants it. */
export function fieldName(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key)
}

function evaluate(tree: unknown, expression: string): unknown {
  try {
    return searchPlain(tree, expression)
  } catch (error) {
    throw new Failure("invalid_select", explain(tree, expression, error))
  }
}

function searchPlain(tree: unknown, expression: string): unknown {
  const data = plain(tree)
  // The blank keeps the library's cache, a bare object, from taking `constructor` for an expression that it has seen.
  return isJson(data) ? search(`${expression} `, data) : null
}

function isJson(value: unknown): value is object | string | number | boolean | null {
  return value !== undefined
}

/** How the document writes one double: the first way, whether it is the only one, and whether all have the same value. */
interface Spelling {
  text: string
  single: boolean
  sameValue: boolean
}

interface Survey {
  /** Every array and object of the document. */
  containers: Set<object>
  spellings: Map<number, Spelling>
  /** Whether it has numbers whose whole digits a double does not hold. */
  hasLongNumbers: boolean
}

function survey(tree: unknown): Survey {
  const document: Survey = { containers: new Set(), spellings: new Map(), hasLongNumbers: false }
  note(tree, document)
  return document
}

function note(value: unknown, document: Survey): void {
  if (typeof value === "number") noteNumber(value, String(value), document.spellings)
  else if (isLosslessNumber(value)) {
    const number = Number(value.value)
    if (isLong(number) && compareNumber(value.value, String(number)) !== 0) document.hasLongNumbers = true
    noteNumber(number, value.value, document.spellings)
  } else if (Array.isArray(value)) {
    document.containers.add(value)
    for (const item of value) note(item, document)
  } else if (isObject(value)) {
    document.containers.add(value)
    for (const key in value) note(value[key], document)
  }
}

function noteNumber(number: number, text: string, spellings: Map<number, Spelling>): void {
  const known = spellings.get(number)
  if (!known) spellings.set(number, { text, single: true, sameValue: true })
  else if (known.text !== text) {
    known.single = false
    known.sameValue &&= compareNumber(known.text, text) === 0
  }
}

function isLong(number: number): boolean {
  return Math.abs(number) > Number.MAX_SAFE_INTEGER
}

/** The result with the document's own arrays, objects and numbers in place of their plain stand-ins. */
function restore(value: unknown, document: Survey): unknown {
  if (typeof value === "number") return restoreNumber(value, document.spellings.get(value))
  if (typeof value !== "object" || value === null) return isJsonScalar(value) ? value : null
  const own = losslessTwin(value) ?? value
  if (document.containers.has(own)) return own
  if (Array.isArray(value)) return value.map((item) => restore(item, document))
  // The library also finds what every JavaScript object inherits: `__proto__` here, `constructor` above.
  if (value === Object.prototype) return null
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, restore(field, document)]))
}

function isJsonScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "boolean"
}

/** From this size on JavaScript writes an exponent, and nobody takes the digits for exact. */
const EXPONENT_FROM = 1e21

function restoreNumber(number: number, spelling: Spelling | undefined): number | LosslessNumber {
  if (!spelling) {
    if (isLong(number) && Math.abs(number) < EXPONENT_FROM)
      throw new Failure(
        "invalid_select",
        "select computed a number beyond 2^53, whose last digits would be wrong; select the fields it comes from",
      )
    return number
  }
  if (spelling.single) return spelling.text === String(number) ? number : new LosslessNumber(spelling.text)
  if (isLong(number) && !spelling.sameValue)
    throw new Failure(
      "invalid_select",
      "the record holds several numbers beyond 2^53 that JMESPath cannot tell apart; select the object or list that holds this one, not the number itself",
    )
  return number
}

function refuseRounding(expression: string): void {
  if (/\bto_string\s*\(/.test(expression) || /`\s*-?\d{16}/.test(expression))
    throw new Failure(
      "invalid_select",
      "the record holds numbers beyond 2^53, which JMESPath rounds in to_string() and in comparisons; select the objects that hold them and compare there",
    )
}

function refuseQuotedText(expression: string): void {
  const corrected = expression.replace(/==\s*"([^"'\\]*)"/g, "=='$1'")
  if (corrected !== expression)
    throw new Failure(
      "invalid_select",
      `select matched nothing: in JMESPath double quotes hold a field name, single quotes a text; try ${corrected}`,
    )
}

function explain(tree: unknown, expression: string, error: unknown): string {
  const [sentence = ""] = String(error instanceof Error ? error.message : error).split(" in expression: ")
  const reason = `select is not valid JMESPath: ${sentence.replace(/^(?:Invalid|Bad) jmespath expression: /, "")}`
  const isSyntax = error instanceof LexerError || error instanceof ParseError
  return isSyntax ? `${reason}; ${hint(tree, expression)}` : reason
}

function hint(tree: unknown, expression: string): string {
  const corrected = correct(expression)
  if (matches(tree, corrected)) return `try ${corrected}`
  if (/^\s*\$/.test(expression)) return "this looks like JSONPath; a JMESPath is written genes[0].geneName.value"
  if (/^\s*\./.test(expression)) return "this looks like jq; a JMESPath is written genes[0].geneName.value"
  return 'a field name with any character but letters, digits and _, or with a digit first, needs double quotes, such as "@id"'
}

function matches(tree: unknown, expression: string): boolean {
  try {
    return searchPlain(tree, expression) !== null
  } catch {
    return false
  }
}

/** What people write who know JSONPath or jq, and what they mean. */
const CORRECTIONS: [RegExp, string | ((name: string) => string)][] = [
  [/^\s*\$\.?/, ""],
  [/\[\]\s*\|\s*\./g, "[]."],
  [/(?<=^|\|\s*)\s*\.(?=[\w"[@#])/g, ""],
  [/\.(?=\[(?:-?\d*|\*)\])/g, ""],
  [/\[\s*(["'])([^"'\]]+)\1\s*\]/g, '."$2"'],
  [/^\./, ""],
  [/(?<=\w|"|\])\.(\d+)(?=[.[]|$)/g, "[$1]"],
  // The names of a plain path.
  [/(?<=^|\.)[^.[\]"'`|()\s,{}*?&=<>!]+(?=\.|\[|$)/g, (name) => (name === "@" ? name : fieldName(name))],
  [/([<>]=?|[!=]=)\s*(-?\d+(?:\.\d+)?)(?![\w`.])/g, "$1`$2`"],
  [/(?<![=!<>])=(?!=)/g, "=="],
  [/^$/, "@"],
]

function correct(expression: string): string {
  return CORRECTIONS.reduce(
    (text, [pattern, replacement]) =>
      // The two forms of `replace` have no common signature.
      typeof replacement === "string" ? text.replace(pattern, replacement) : text.replace(pattern, replacement),
    expression.trim(),
  )
}
