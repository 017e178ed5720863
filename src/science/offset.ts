import { clip } from "./clean.ts"
import { Failure } from "./failure.ts"

/** Past this no database of ours can be paged, and no scientist reads. */
const FARTHEST = 10_000_000

/** The place that a cursor names where pages go by number; the first without one. `below` is where the database stops. */
export function offsetOf(cursor: string | undefined, below = FARTHEST): number {
  if (cursor === undefined) return 0
  if (/^\d{1,10}$/.test(cursor) && Number(cursor) < below) return Number(cursor)
  throw new Failure(
    "invalid_query",
    `${JSON.stringify(clip(cursor, 40))} is no cursor of this search: give the one that the page before named, or none.`,
  )
}
