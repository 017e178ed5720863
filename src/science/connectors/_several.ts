import type { Json } from "../connector.ts"

/**
 * The ids of a record, which is a list where several documents have the asked id. What they share stands first: that is the asked id then,
 * and no document is taken for the one that was meant.
 */
export function idsOfAll(record: Json, idsOf: (document: Json) => string[]): string[] {
  if (!Array.isArray(record)) return idsOf(record)
  const all = record.map(idsOf)
  const shared = (all[0] ?? []).filter((id) => all.every((ids) => ids.includes(id)))
  return [...new Set([...shared, ...all.flat()])]
}

/** Of the documents that came for one id, those that carry it; a stray one beside them is not shown. */
export function carriersOf(id: string, answer: Json | undefined, idsOf: (document: Json) => string[]): Json {
  if (!Array.isArray(answer)) return answer
  const own = answer.filter((document) => idsOf(document).some((other) => other.toLowerCase() === id.toLowerCase()))
  if (own.length === 0) return answer[0]
  return own.length === 1 ? own[0] : own
}
