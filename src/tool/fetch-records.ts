import type { Json } from "../science/connector.ts"
import { Failure } from "../science/failure.ts"
import type { RecordFound } from "../science/outcome.ts"
import { printRecord } from "../science/print.ts"
import { bound, byteLength, fits } from "./bound.ts"
import type { ToolResult } from "./context.ts"
import { absent, fetchMetadata, titleOf, type FetchCall } from "./fetch-call.ts"
import { outlineText, recordHeader, recordText } from "./record-text.ts"
import { saveOutput, savedTo } from "./save-output.ts"
import { failureMetadata } from "./tool.ts"

/** Records: shown when all that was asked for fits, else written to one file, of which the text gives the path and the outline. */
export async function fetchRecords(call: FetchCall): Promise<ToolResult> {
  const { science, connector, ids, context } = call
  const { outcomes, cost } = await science.fetch(connector.id, ids, context.signal)
  const found = outcomes.filter((each) => each.kind === "record")
  const title = titleOf(call, outcomes)
  const metadata = fetchMetadata(call, outcomes, cost)
  const inline = outcomes
    .flatMap((each) => (each.kind === "record" ? [recordText(each, connector)] : absent(call, each)))
    .join("\n")
  if (found.length === 0) return { title, output: bound(inline, context.limits).text, metadata }
  if (fits(inline, context.limits))
    return { title, output: inline, metadata: { ...metadata, disposition: "inline", bytes: byteLength(inline) } }

  const content = contentOf(found)
  const header = [
    ...found.map((each) => recordHeader(each, connector)),
    ...outcomes.flatMap((each) => absent(call, each)),
  ].join("\n")
  const text = printRecord(content)
  const bytes = byteLength(text)
  const tell = (where: string) => bound(outlineText(header, content, bytes, where), context.limits).text
  try {
    const { id: db, license, cite } = connector
    const asked = found.map(({ id }) => id)
    const saved = await saveOutput(science.place, context, {
      named: { db, id: asked.join(","), extension: "json" },
      ids: asked,
      kind: "json",
      body: text,
      url: found[0]?.url ?? "",
      mediaType: "application/json",
      license,
      cite,
    })
    const output = tell(savedTo(saved))
    return { title, output, metadata: { ...metadata, disposition: "spill", bytes, path: saved.path } }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // The record is known all the same: the agent gets its outline and the cheaper rung.
    return {
      title,
      output: tell(`not saved, ${error.code}: ${error.message}`),
      metadata: { ...metadata, ...failureMetadata(error), bytes },
    }
  }
}

/** One record is itself; several are an object by the ids that they were asked for with. */
function contentOf(found: RecordFound[]): Json {
  return found.length === 1 ? found[0]?.record : Object.fromEntries(found.map(({ id, record }) => [id, record]))
}
