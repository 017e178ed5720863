import type { Connector } from "../science/connector.ts"
import { clip, oneLine } from "../science/clean.ts"
import type { Failure, FailureCode } from "../science/failure.ts"
import { looksLikeOne } from "../science/ids.ts"
import type { Missed } from "../science/outcome.ts"
import type { Registry } from "../science/registry.ts"

/** A miss in one line: never to be read as an error. */
export const sayMiss = ({ id, reason }: Missed, { name }: Connector): string =>
  `No such record: ${name} has no ${oneLine(id)}${reason ? ` (${oneLine(reason)})` : ""}.`

/** The failures of a database, as against those of the question: another database may answer meanwhile. */
const DATABASE_FAILED: ReadonlySet<FailureCode> = new Set(["rate_limited", "unavailable", "timeout", "bad_response"])

/** A failure in one line: its code, what happened, what to do; and who else answers the same question. */
export function sayFailure({ code, message }: Failure, others: Connector[] = []): string {
  const also =
    DATABASE_FAILED.has(code) && others.length > 0
      ? ` Meanwhile ask ${others.map((other) => other.id).join(" or ")}.`
      : ""
  return `${code}: ${clip(oneLine(message), 600)}${also}`
}

/** Databases of the same domain that know ids of this shape, or, without an id, any. */
export function alternatives(registry: Registry, db: string, id?: string): Connector[] {
  const own = registry.databases().find((each) => each.id === db)
  if (!own) return []
  return registry
    .databases({ domain: own.domain })
    .filter((each) => each.id !== db && (id === undefined || looksLikeOne(each, id)))
    .slice(0, 2)
}

export const notes = (lines: readonly string[]): string[] => lines.map((line) => `note: ${clip(oneLine(line), 300)}`)

/** 1,234 */
export const count = (n: number): string => n.toLocaleString("en-US")

/** 912 KB */
export function size(bytes: number): string {
  const units = ["bytes", "KB", "MB", "GB"]
  const power = Math.min(bytes < 1024 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)), units.length - 1)
  const value = bytes / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}
