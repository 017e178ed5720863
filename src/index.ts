import path from "node:path"
import { configSchema, loadConfig, type Config } from "./config.ts"
import { mcpOf, permissionOf, scienceOf, toolsOf } from "./create.ts"
import { PermissionDenied, type PermissionRequest } from "./permission/index.ts"
import type { Connector } from "./science/connector.ts"
import { Failure } from "./science/failure.ts"
import type { FileOutcome } from "./science/files.ts"
import type { Failed } from "./science/outcome.ts"
import type { RecordOutcome } from "./science/records.ts"
import type { Hits } from "./science/search.ts"
import { askToWrite } from "./tool/ask.ts"
import type { Tool } from "./tool/tool.ts"

export { FAILURE_CODES, type FailureCode } from "./science/failure.ts"
export type { Connector, Domain, Hit } from "./science/connector.ts"
export type { FileOutcome, FileSaved } from "./science/files.ts"
export type { Failed, Missed, RecordFound } from "./science/outcome.ts"
export type { RecordOutcome } from "./science/records.ts"
export type { Hits } from "./science/search.ts"
export type { Tool } from "./tool/tool.ts"
export type { ToolContext, ToolResult } from "./tool/context.ts"
export type { PermissionRequest } from "./permission/index.ts"
export type { Config } from "./config.ts"
export { toAISDK, type AISDKContext } from "./host/ai-sdk.ts"
export { Failure, PermissionDenied }

export interface CreateOptions extends Config {
  /** The project: files land below it. Default: the current directory. */
  directory?: string
  /** Told, a line each, what is wrong with an MCP server of `mcp`. */
  log?: (line: string) => void
}

export interface SearchOptions {
  limit?: number
  cursor?: string
  organism?: string
  signal?: AbortSignal
}

export interface FetchOptions {
  signal?: AbortSignal
}

export interface FileOptions extends FetchOptions {
  format: string
  /** Asked where the configuration's rules say `ask`; true allows the write. Without it nobody can be asked, and `ask` means denied. */
  ask?: (request: PermissionRequest) => boolean | Promise<boolean>
  onProgress?: (progress: { id: string; bytes: number; total?: number }) => void
}

export interface ScienceForPrograms {
  /** The catalogue, or the part of it that a domain or a text names. */
  databases(filter?: { domain?: string; find?: string }): Connector[]
  search(db: string, query: string, options?: SearchOptions): Promise<Hits | Failed>
  /** One record, or with `format` one file below the project directory. Failures are values; an abort throws. */
  fetch(db: string, id: string, options: FileOptions): Promise<FileOutcome>
  fetch(db: string, id: string, options?: FetchOptions): Promise<RecordOutcome>
  /** What every host adapter wraps. */
  tools: Tool[]
  /** The project, absolute. */
  directory: string
  /** The settings that were given; `toAISDK` reads permission and mode from them. */
  config: Config
  /** These, and those of the MCP servers that answer within their time. */
  allTools(): Promise<Tool[]>
  /** Ends what is running, and the sessions and processes of MCP servers. */
  close(): Promise<void>
}

/** The databases for a program. Nothing is read or written before the first call; the environment's settings are not read either. */
export function createScience({
  directory = process.cwd(),
  log = () => undefined,
  ...config
}: CreateOptions = {}): ScienceForPrograms {
  const place = path.resolve(directory)
  const settings = configSchema.parse(config)
  const science = scienceOf(place, settings)
  const mcp = mcpOf(science, settings, { log })
  const tools = toolsOf(science)
  const closing = new AbortController()
  const signalOf = (signal?: AbortSignal) => (signal ? AbortSignal.any([signal, closing.signal]) : closing.signal)

  function fetch(db: string, id: string, options: FileOptions): Promise<FileOutcome>
  function fetch(db: string, id: string, options?: FetchOptions): Promise<RecordOutcome>
  async function fetch(
    db: string,
    id: string,
    options: FetchOptions | FileOptions = {},
  ): Promise<RecordOutcome | FileOutcome> {
    const signal = signalOf(options.signal)
    const only = ({ outcomes }: { outcomes: (RecordOutcome | FileOutcome)[] }) => {
      const [outcome] = outcomes
      if (!outcome) throw new Error(`${db} gave no outcome for ${id}`)
      return outcome
    }
    if (!("format" in options)) return only(await science.fetch(db, [id], signal))
    const { format, ask: person, onProgress } = options
    const ask = permissionOf(settings, person && (async (request) => ((await person(request)) ? "once" : "reject")))
    const context = { directory: place, worktree: place, signal, ask }
    return only(await science.fetchFiles(db, [id], { format, ask: askToWrite(context), signal, onProgress }))
  }

  return {
    databases: (filter) => science.registry.databases(filter),
    async search(db, query, { signal, ...options } = {}) {
      const { result } = await science.search(db, { query, ...options, signal: signalOf(signal) })
      return result
    },
    fetch,
    tools,
    allTools: async () => [...tools, ...(await mcp.tools())],
    directory: place,
    config: settings,
    async close() {
      closing.abort(new Error("the science was closed"))
      await mcp.close()
    },
  }
}

export { loadConfig }
