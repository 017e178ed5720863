import { isObject } from "./json.ts"
import { fieldName } from "./select.ts"

/** A value and the expression that selects it. */
export interface Place {
  path: string
  name: string
  /** How many field names the path has. */
  level: number
  value: unknown
}

/** The values directly inside one: an object's fields, or the first item of an array that is not null. */
export function placesIn({ path, name, level, value }: Place): Place[] {
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
export function firstOf(items: unknown[]): number {
  return items.findIndex((item) => item !== null)
}
