import { oneLine } from "../science/clean.ts"
import type { Json } from "../science/connector.ts"
import { Failure } from "../science/failure.ts"
import { outline } from "../science/outline.ts"
import type { RecordFound } from "../science/outcome.ts"
import { printRecord } from "../science/print.ts"
import { select } from "../science/select.ts"
import { bound, byteLength, fits } from "./bound.ts"
import type { ToolResult } from "./context.ts"
import { absent, fetchMetadata, titleOf, type FetchCall } from "./fetch-call.ts"
import { notes, size } from "./say.ts"

/** Only the part of each record that an expression names. It is shown, never written; a part that is still too long is outlined. */
export async function fetchParts(call: FetchCall, expression: string): Promise<ToolResult> {
  const { science, connector, ids, context } = call
  const { outcomes, cost } = await science.fetch(connector.id, ids, context.signal)
  const found = outcomes.filter((each) => each.kind === "record")
  const parts = found.map((each) => ({ found: each, part: select(each.record, expression) }))
  const lines = outcomes.flatMap((each) => {
    if (each.kind !== "record") return absent(call, each)
    const part = parts.find((other) => other.found === each)?.part
    return [partText(each, part, expression, ids.length > 1)]
  })
  const text = lines.join("\n")
  const whole = fits(text, context.limits)
  if (!whole && found.length > 0 && parts.length === 1) throw new Failure("too_large", tooLong(parts[0]?.part, text))
  return {
    title: titleOf(call, outcomes),
    output: whole ? text : bound(text, context.limits).text,
    metadata: {
      ...fetchMetadata(call, outcomes, cost),
      select: expression,
      bytes: byteLength(text),
      ...(found.length > 0 ? { disposition: "inline" } : {}),
    },
  }
}

function partText(found: RecordFound, part: Json, expression: string, several: boolean): string {
  const remarks = notes([...found.remarks, ...found.incomplete.map((name) => `incomplete: ${name} could not be had`)])
  const value =
    part === undefined
      ? `nothing at ${oneLine(expression)} in this record; its keys are ${keysOf(found.record)}`
      : typeof part === "string" && !part.includes("\n")
        ? oneLine(part)
        : printRecord(part)
  return [...remarks, several ? `${oneLine(found.id)}: ${value}` : value].join("\n")
}

function keysOf(record: Json): string {
  const first = Array.isArray(record) ? record[0] : record
  const keys = typeof first === "object" && first !== null ? Object.keys(first) : []
  return `${Array.isArray(record) ? "an array of objects with " : ""}${keys.slice(0, 40).join(", ")}`
}

const tooLong = (part: Json, text: string) =>
  `The part is ${size(byteLength(text))}, too long to show; narrow the expression. Its outline: ${outline(part).join(" · ")}`
