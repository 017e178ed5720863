/** What is in a record too large to show: its keys with types, lengths and short values. */
import { isLosslessNumber } from "lossless-json"
import { clip, oneLine } from "./clean.ts"
import { isObject } from "./json.ts"
import { printRecord } from "./print.ts"
import { firstOf, placesIn, type Place } from "./places.ts"
import { fieldName } from "./select.ts"

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
