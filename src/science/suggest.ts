/** Expressions that take a useful part of a record. */
import { isLosslessNumber } from "lossless-json"
import { oneLine } from "./clean.ts"
import { Failure } from "./failure.ts"
import { isObject } from "./json.ts"
import { placesIn, type Place } from "./places.ts"
import { printRecord } from "./print.ts"
import { fieldName, select } from "./select.ts"

/** A longer key is not copied from our output unchanged. */
const MAX_KEY = 60
/** Of an array, how many items are looked at for their keys. */
const SAMPLE = 20
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
  return key.length <= MAX_KEY && oneLine(key) === key
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
