import path from "node:path"
import { pathToFileURL } from "node:url"
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server"
import type { ToolResult } from "../../tool/context.ts"
import type { HostTraits } from "./hosts.ts"

/** Some hosts print each link as a text of its own, out of the same room; the paths stand in the text anyway. */
const MAX_LINKS = 5

/**
 * The answer as a text; beside it what programs read, where the host does not show that instead, and a link to each saved file. A miss is
 * an answer; only a failure is an error.
 */
export function toCallResult(
  { output, metadata }: ToolResult,
  directory: string,
  { structured }: HostTraits,
): CallToolResult {
  const links = savedPaths(metadata).slice(0, MAX_LINKS)
  return {
    content: [{ type: "text", text: output }, ...links.map((each) => linkTo(each, directory))],
    ...(structured ? { structuredContent: { output, ...metadata } } : {}),
    ...(metadata["error"] === undefined ? {} : { isError: true }),
  }
}

/** What went wrong outside a tool, as if the tool had said it. */
export const outsideTool = (message: string, error: string): ToolResult => ({
  title: error,
  output: `${error}: ${message}`,
  metadata: { error, retryable: false, truncated: false },
})

function savedPaths(metadata: ToolResult["metadata"]): string[] {
  const { disposition, path: only, paths } = metadata
  if (disposition !== "spill") return []
  return (Array.isArray(paths) ? paths : [only]).filter((each) => typeof each === "string")
}

const linkTo = (relative: string, directory: string): ContentBlock => ({
  type: "resource_link",
  uri: pathToFileURL(path.join(directory, relative)).href,
  name: path.posix.basename(relative),
  description: relative,
})
