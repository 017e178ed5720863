import { oneLine } from "../science/clean.ts"
import type { Connector, Json } from "../science/connector.ts"
import { outline } from "../science/outline.ts"
import type { RecordFound } from "../science/outcome.ts"
import { printRecord } from "../science/print.ts"
import { suggestSelects } from "../science/suggest.ts"
import { notes, size } from "./say.ts"

/** What stands above a record: whose it is, its page, and what must be known before it is used. */
export function recordHeader({ id, url, remarks, incomplete }: RecordFound, { name }: Connector): string {
  const missing = incomplete.map((part) => `incomplete: ${part} could not be had; the rest is whole`)
  return [`${name} ${oneLine(id)} · ${url}`, ...notes([...remarks, ...missing])].join("\n")
}

export const recordText = (found: RecordFound, connector: Connector): string =>
  `${recordHeader(found, connector)}\n${printRecord(found.record)}`

/** A record that is too long to show: where it is, its outline, and two ways to ask for less. `where` is a path, or why there is none. */
export function outlineText(header: string, record: Json, bytes: number, where: string): string {
  const selects = suggestSelects(record)
  const narrow = selects.length > 0 ? [`for a part: ${selects.map((each) => `select ${each}`).join(" · ")}`] : []
  return [header, `${size(bytes)}, too long to show here · ${where}`, ...narrow, "outline:", ...outline(record)].join(
    "\n",
  )
}
