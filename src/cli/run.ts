import { statSync } from "node:fs"
import path from "node:path"
import type { Command } from "commander"
import { ConfigError, loadConfig, type Config } from "../config.ts"
import { mcpOf, permissionOf, scienceOf, toolsOf } from "../create.ts"
import { Failure } from "../science/failure.ts"
import type { ToolResult } from "../tool/context.ts"
import { failed } from "../tool/tool.ts"
import { worktreeOf } from "../worktree.ts"
import { exitOf, Interrupted, type Status } from "./exit.ts"
import { createProgress } from "./progress.ts"
import { terminalPrompt } from "./prompt.ts"

export interface Options {
  directory: string
  json?: boolean
}

export const optionsOf = (command: Command): Options => command.optsWithGlobals<Options>()

/** Runs one tool as an agent would, prints its answer, and leaves its exit status. */
export async function runTool(command: Command, status: Status, tool: string, args: unknown): Promise<void> {
  const { directory, json } = optionsOf(command)
  const { tools, mcp, ask } = await open(directory)
  const progress = createProgress()
  try {
    const result = await interruptible(async (signal) => {
      const found = tools.find(({ id }) => id === tool) ?? (await mcp.find(tool).catch(nobody))
      signal.throwIfAborted()
      if (found instanceof Failure) return failed(tool, found)
      if (!found)
        command.error(
          `There is no tool ${tool}; there are ${tools.map(({ id }) => id).join(", ")} (\`tools\` lists all).`,
        )
      return await found.run(args, {
        directory: path.resolve(directory),
        worktree: worktreeOf(directory),
        signal,
        ask,
        onProgress: progress.show,
      })
    }, mcp.close)
    progress.end()
    print(result, json)
    status.code = exitOf(result)
  } finally {
    progress.end()
  }
}

/** A server that cannot be reached is an answer of this call, not a wrong use of the command. */
function nobody(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}

/** The project that was named, or the current directory; absolute. */
export const directoryOf = (command: Command): string => projectOf(optionsOf(command).directory)

/** The project's folder, absolute. */
export function projectOf(directory: string): string {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigError(`${directory} is not a directory; --directory names the project.`)
  return path.resolve(directory)
}

/** The project's tools, MCP servers and permission; `over` goes over its configuration. */
export async function open(directory: string, over: Config = {}) {
  const project = projectOf(directory)
  const config = { ...(await loadConfig({ directory: project })), ...over }
  const science = scienceOf(project, config)
  const log = (line: string) => void process.stderr.write(`${line}\n`)
  return {
    project,
    science,
    tools: toolsOf(science),
    mcp: mcpOf(science, config, { log }),
    ask: permissionOf(config, terminalPrompt()),
  }
}

export function print(result: ToolResult, json: boolean | undefined): void {
  process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : `${result.output}\n`)
}

/** A launcher passes on a signal that the terminal sent as well: two within this time are one. */
const SAME_SIGNAL_MS = 500

/** The first Ctrl-C stops the work and lets it clean up; another one ends the process at once. `close` ends what the work used, also then. */
export async function interruptible<T>(
  work: (signal: AbortSignal) => Promise<T>,
  close: () => Promise<void> = async () => undefined,
): Promise<T> {
  const controller = new AbortController()
  let first = 0
  const stop = () => {
    if (!controller.signal.aborted) {
      first = Date.now()
      controller.abort(new Interrupted())
      // What waits for a server without looking at the signal is let go as well.
      void close()
    } else if (Date.now() - first > SAME_SIGNAL_MS) process.exit(130)
  }
  process.on("SIGINT", stop).on("SIGTERM", stop)
  try {
    return await work(controller.signal)
  } finally {
    await close()
    process.off("SIGINT", stop).off("SIGTERM", stop)
  }
}
