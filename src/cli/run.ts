import { existsSync, statSync } from "node:fs"
import path from "node:path"
import type { Command } from "commander"
import { ConfigError, loadConfig, type Config } from "../config.ts"
import { permissionOf, scienceOf, toolsOf } from "../create.ts"
import type { ToolResult } from "../tool/context.ts"
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
  const { tools, ask } = await open(directory)
  const found = tools.find(({ id }) => id === tool)
  if (!found) command.error(`There is no tool ${tool}; there are ${tools.map(({ id }) => id).join(", ")}.`)
  const progress = createProgress()
  try {
    const result = await interruptible((signal) =>
      found.run(args, {
        directory: path.resolve(directory),
        worktree: worktreeOf(directory),
        signal,
        ask,
        onProgress: progress.show,
      }),
    )
    progress.end()
    print(result, json)
    status.code = exitOf(result)
  } finally {
    progress.end()
  }
}

/** The project's folder, absolute. */
export function projectOf(directory: string): string {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigError(`${directory} is not a directory; --directory names the project.`)
  return path.resolve(directory)
}

/** The project's tools and permission; `over` goes over its configuration. */
export async function open(directory: string, over: Config = {}) {
  const project = projectOf(directory)
  const config = { ...(await loadConfig({ directory: project })), ...over }
  const science = scienceOf(project, config)
  return { project, science, tools: toolsOf(science), ask: permissionOf(config, terminalPrompt()) }
}

export function print(result: ToolResult, json: boolean | undefined): void {
  process.stdout.write(json ? `${JSON.stringify(result, null, 2)}\n` : `${result.output}\n`)
}

/** A launcher passes on a signal that the terminal sent as well: two within this time are one. */
const SAME_SIGNAL_MS = 500

/** The first Ctrl-C stops the work and lets it clean up; another one ends the process at once. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  let first = 0
  const stop = () => {
    if (!controller.signal.aborted) {
      first = Date.now()
      controller.abort(new Interrupted())
    } else if (Date.now() - first > SAME_SIGNAL_MS) process.exit(130)
  }
  process.on("SIGINT", stop).on("SIGTERM", stop)
  try {
    return await work(controller.signal)
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop)
  }
}

/** What permission patterns are relative to: the git repository's root, as in opencode, else the project itself. */
export function worktreeOf(directory: string): string {
  const start = path.resolve(directory)
  for (let at = start; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, ".git"))) return at
    if (path.dirname(at) === at) return start
  }
}
