/** What is in a record too large to show: its keys with types, lengths and short values, and expressions that take a part of it. */
import { isLosslessNumber } from "lossless-json"
import { clip, oneLine } from "./clean.ts"
import { Failure } from "./failure.ts"
import { isObject } from "./json.ts"
import { printRecord } from "./print.ts"
import { fieldName, select } from "./select.ts"

export interface OutlineLimits {
  /** By default 60. */
  maxLines?: number
  /** By default 4,000. */
  maxCharacters?: number
}

const MAX_TEXT = 60
/** For a value inside braces. */
const MAX_INNER_TEXT = 40
/** How long the inside of one pair of braces gets. */
const MAX_INSIDE = 160
const MAX_INNER_INSIDE = 40
/** How long the line gets that says what was left out. */
const MAX_REST = 200
/** A record with few keys is opened further, as long as that keeps it to so many lines. */
const FEW_LINES = 32
/** Of an array, how many items are looked at for their keys. */
const SAMPLE = 20

/** A value and the expression that selects it. */
interface Place {
  path: string
  name: string
  /** How many field names the path has. */
  level: number
  value: unknown
}

/** One line a key; where they are too many, the last line says which were left out. */
export function outline(tree: unknown, { maxLines = 60, maxCharacters = 4000 }: OutlineLimits = {}): string[] {
  const places = opened({ path: "", name: "", level: 0, value: tree })
  const lines = places.map(lineOf)
  if (lines.length <= maxLines && lengthOf(lines) <= maxCharacters) return lines
  const kept: string[] = []
  for (const line of lines) {
    if (kept.length >= maxLines - 1 || lengthOf(kept) + line.length + 1 > maxCharacters - MAX_REST) break
    kept.push(line)
  }
  const rest = places.slice(kept.length).map(({ name }) => label(name))
  return [...kept, clip(`… ${rest.length} more: ${rest.join(", ")}`, MAX_REST)]
}

function lengthOf(lines: string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}

function lineOf({ path, value }: Place): string {
  return path === "" ? describe(value) : `${clip(oneLine(path), MAX_INSIDE)}: ${describe(value)}`
}

/** The places to show: the root's keys, and those of what hides too much on one line, the outermost first. */
function opened(root: Place): Place[] {
  let places = inPlaceOf(root)
  const closed = new Set(places)
  while (places.length < FEW_LINES) {
    const [next] = places.filter((place) => closed.has(place) && hidesSomething(place)).toSorted(byLevel)
    if (!next) break
    closed.delete(next)
    const inner = inPlaceOf(next)
    // What wraps the whole record is opened in any case.
    if (places.length > 1 && places.length + inner.length > FEW_LINES) continue
    for (const place of inner) if (place !== next) closed.add(place)
    places = places.flatMap((place) => (place === next ? inner : [place]))
  }
  return places
}

function byLevel(one: Place, other: Place): number {
  return one.level - other.level
}

/** An object's keys stand for it; an array stays, with the keys of its first item below it. */
function inPlaceOf(place: Place): Place[] {
  if (!Array.isArray(place.value)) return isObject(place.value) ? placesIn(place) : [place]
  return [place, ...placesIn(place).flatMap((first) => (isObject(first.value) ? placesIn(first) : []))]
}

function hidesSomething({ value }: Place): boolean {
  const object: unknown = Array.isArray(value) ? value[firstOf(value)] : value
  return isObject(object) && (describeObject(object).endsWith("…}") || Object.values(object).some(isContainer))
}

function isContainer(value: unknown): boolean {
  return Array.isArray(value) || isObject(value)
}

function placesIn({ path, name, level, value }: Place): Place[] {
  if (Array.isArray(value)) {
    const first = firstOf(value)
    return first === -1 ? [] : [{ path: `${path}[${first}]`, name, level, value: value[first] }]
  }
  if (!isObject(value)) return []
  const prefix = path === "" ? "" : `${path}.`
  return Object.entries(value).map(([key, field]) => ({
    path: prefix + fieldName(key),
    name: key,
    level: level + 1,
    value: field,
  }))
}

/** Batches answer null for what they do not have. */
function firstOf(items: unknown[]): number {
  return items.findIndex((item) => item !== null)
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return describeArray(value)
  if (isObject(value)) return describeObject(value)
  return describeScalar(value, MAX_TEXT)
}

function describeArray(items: unknown[]): string {
  if (items.length === 0) return "empty array"
  const [first] = items
  if (items.length === 1) return `array of 1 ${isObject(first) ? braced(first) : describeBriefly(first)}`
  const present = items.filter((item) => item !== null)
  const [type = "null", ...others] = new Set(present.map(typeOf))
  const nulls = present.length > 0 && present.length < items.length ? " or nulls" : ""
  if (others.length > 0) return `array of ${items.length} values`
  const described = `array of ${items.length} ${type}s${nulls}`
  if (type === "object") return `${described} {${inside(keysOf(items), MAX_INSIDE)}}`
  if (type === "array") return described
  return `${described} [${inside(items.slice(0, SAMPLE).map(describeBriefly), MAX_TEXT, items.length)}]`
}

function describeObject(object: Record<string, unknown>): string {
  return Object.keys(object).length === 0 ? "empty object" : `object ${braced(object)}`
}

function braced(object: Record<string, unknown>): string {
  const fields = Object.entries(object).map(([key, value]) => `${label(key)}: ${describeBriefly(value)}`)
  return `{${inside(fields, MAX_INSIDE)}}`
}

function describeBriefly(value: unknown): string {
  if (Array.isArray(value)) return `array of ${value.length}`
  if (isObject(value)) return `object {${inside(Object.keys(value).map(label), MAX_INNER_INSIDE)}}`
  return describeScalar(value, MAX_INNER_TEXT)
}

function describeScalar(value: unknown, max: number): string {
  if (typeof value !== "string") return clip(printRecord(value), max)
  const text = oneLine(value)
  return JSON.stringify(clip(text, max)) + (text.length > max ? ` (${value.length} characters)` : "")
}

function label(key: string): string {
  return clip(oneLine(fieldName(key)), MAX_TEXT)
}

/** As many parts as fit, and a sign that there are more. */
function inside(parts: string[], maxCharacters: number, count = parts.length): string {
  const kept: string[] = []
  let length = 0
  for (const part of parts) {
    length += part.length + 2
    if (kept.length > 0 && length > maxCharacters) break
    kept.push(part)
  }
  return kept.length < count ? [...kept, "…"].join(", ") : kept.join(", ")
}

function keysOf(items: unknown[]): string[] {
  const keys = items.slice(0, SAMPLE).flatMap((item) => (isObject(item) ? Object.keys(item) : []))
  return Array.from(new Set(keys), label)
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return "array"
  return isLosslessNumber(value) ? "number" : typeof value
}

/** A suggestion's answer is small, so that following it costs little. */
const MAX_ANSWER = 2000
const MAX_LEVEL = 5
/** How many values are looked at for suggestions, and how many suggestions are tried. */
const MAX_VISITED = 5000
const MAX_TRIED = 20
/** How long a value may be to count as a name or the like. */
const MAX_SHORT = 200

/** Up to two expressions that work on this tree: one value deep inside it, and a part of its longest array. */
export function suggestSelects(tree: unknown): string[] {
  const places = placesOf(tree)
  const works = (expression: string) => answersBriefly(tree, expression)
  const values = sortedBy(places.filter(isShortPlace), interest)
    .slice(0, MAX_TRIED)
    .map(({ path }) => path)
  const parts = sortedBy(places, longArray).slice(0, MAX_TRIED).flatMap(partsOf)
  const value = values.find(works)
  const part = parts.find(works) ?? values.find((path) => path !== value && works(path))
  return [value, part].filter((expression) => expression !== undefined)
}

/** Breadth first, so that a long list does not hide what is beside it; of an array only the first item. */
function placesOf(tree: unknown): Place[] {
  const places: Place[] = [{ path: "", name: "", level: 0, value: tree }]
  for (let index = 0; index < places.length && places.length < MAX_VISITED; index++) {
    const place = places[index]
    if (place && place.level < MAX_LEVEL) places.push(...placesIn(place).filter(({ name }) => isPlainKey(name)))
  }
  return places
}

/** Whether a key comes unchanged through what cleans our output, so that it can be copied from there. */
function isPlainKey(key: string): boolean {
  return key.length <= MAX_TEXT && oneLine(key) === key
}

const NAMES = /(?:name|title|label|symbol|value|#text)$/i
const CLASSIFIES = /(?:description|type|database)$/i
const SAYS_LITTLE = /evidence|version|date|audit|xmlns|schema|url|href|checksum|md5|"@/i
/** A few levels down is where an example teaches most. */
const INTEREST_OF_LEVEL = [0, 0, 1, 2, 1, 0]

function interest({ path, name, level }: Place): number {
  const kind = NAMES.test(name) ? 3 : CLASSIFIES.test(name) ? 2 : 0
  return kind + (INTEREST_OF_LEVEL[level] ?? 0) - (SAYS_LITTLE.test(path) ? 3 : 0)
}

function isShortPlace({ path, value }: Place): boolean {
  return path !== "" && isShort(value)
}

function isShort(value: unknown): boolean {
  if (typeof value === "string") return value !== "" && value.length <= MAX_SHORT
  return typeof value === "number" || isLosslessNumber(value)
}

function longArray({ value }: Place): number {
  return Array.isArray(value) ? value.length : 0
}

/** Ways to take a part of an array, the fullest first. */
function partsOf({ path, value }: Place): string[] {
  if (!Array.isArray(value) || value.length < 2) return []
  const objects = value.filter(isObject)
  if (objects.length === 0) return [`${path}[0:5]`]
  const fields = tellingFields(objects.slice(0, SAMPLE))
  if (fields.length === 0) return []
  const taken = fields.length === 1 ? `.${fields[0]}` : `.[${fields.join(", ")}]`
  return [`${path}[]${taken}`, `${path}[0:5]${taken}`]
}

const IDENTIFIES = /(?:^|[@_.])(?:id|accession|doi|pmid|key)$|[a-z](?:Id|ID|Accession)$/

/** The field that tells items like these apart and the one that says most about them. */
function tellingFields(items: Record<string, unknown>[]): string[] {
  const keys = new Set(items.flatMap((item) => Object.keys(item).filter(isPlainKey)))
  const usual = [...keys].filter((key) => items.filter((item) => isShort(item[key])).length * 2 > items.length)
  const places = usual.map((name) => ({ path: fieldName(name), name, level: 0, value: undefined }))
  const identity = places.filter(({ name }) => IDENTIFIES.test(name)).slice(0, 1)
  const others = places.filter((place) => !identity.includes(place))
  return [...identity, ...sortedBy(others, interest)].slice(0, 2).map(({ path }) => path)
}

function answersBriefly(tree: unknown, expression: string): boolean {
  try {
    const answer = select(tree, expression)
    return answer !== undefined && printRecord(answer).length < MAX_ANSWER
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

function sortedBy<T>(items: T[], score: (item: T) => number): T[] {
  return items.toSorted((one, other) => score(other) - score(one))
}
