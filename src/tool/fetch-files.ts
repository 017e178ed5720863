import { askToWrite } from "./ask.ts"
import { bound } from "./bound.ts"
import type { ToolResult } from "./context.ts"
import { absent, fetchMetadata, titleOf, type FetchCall } from "./fetch-call.ts"
import { fileText } from "./file-text.ts"

/** Files: always to disk. The text is a path and a summary for each, and a line for each that did not come. */
export async function fetchFiles(call: FetchCall, format: string): Promise<ToolResult> {
  const { science, connector, ids, context } = call
  const { signal, onProgress } = context
  const { outcomes, cost } = await science.fetchFiles(connector.id, ids, {
    format,
    ask: askToWrite(context),
    signal,
    onProgress,
  })
  const saved = outcomes.filter((each) => each.kind === "file")
  const text = outcomes.flatMap((each) => (each.kind === "file" ? [fileText(each, connector)] : absent(call, each)))
  return {
    title: titleOf(call, outcomes),
    output: bound(text.join("\n"), context.limits).text,
    metadata: {
      ...fetchMetadata(call, outcomes, cost),
      format,
      ...(saved.length > 0
        ? {
            disposition: "spill",
            bytes: saved.reduce((sum, each) => sum + each.saved.bytes, 0),
            path: saved[0]?.saved.path,
            paths: saved.map((each) => each.saved.path),
          }
        : {}),
    },
  }
}
