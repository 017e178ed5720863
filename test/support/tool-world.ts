import { readdir } from "node:fs/promises"
import path from "node:path"
import { toolsOf } from "../../src/create.ts"
import {
  createAsk,
  rulesFor,
  type Ask,
  type Mode,
  type PermissionConfig,
  type PermissionRequest,
} from "../../src/permission/index.ts"
import type { ScienceOptions } from "../../src/science/science.ts"
import type { Limits, ToolResult } from "../../src/tool/context.ts"
import type { Reply, Seen } from "./loopback.ts"
import { world, type World } from "./world.ts"

export interface ToolWorld extends AsyncDisposable {
  world: World
  /** Every request for permission, with what the project held at that moment. */
  asked: { request: PermissionRequest; files: string[] }[]
  call(
    tool: string,
    args: unknown,
    more?: { signal?: AbortSignal; limits?: Limits; worktree?: string },
  ): Promise<ToolResult>
  /** Everything in the project directory, folders with a slash. */
  files(): Promise<string[]>
}

/** The tools as a host calls them, on a loopback server and a real directory, under our own permission rules. */
export async function toolWorld(
  answer: (request: Seen) => Reply | undefined,
  options: Partial<ScienceOptions> = {},
  { permission = {}, mode = "build", ask }: { permission?: PermissionConfig; mode?: Mode; ask?: Ask } = {},
): Promise<ToolWorld> {
  const w = await world(answer, options)
  const decide = ask ?? createAsk({ rules: rulesFor(mode, permission) })
  const asked: ToolWorld["asked"] = []
  const files = async () => {
    const entries = await readdir(w.directory, { recursive: true, withFileTypes: true })
    return entries
      .map(
        (entry) =>
          path.relative(w.directory, path.join(entry.parentPath, entry.name)) + (entry.isDirectory() ? "/" : ""),
      )
      .sort()
  }
  return {
    world: w,
    asked,
    files,
    async call(id, args, more = {}) {
      const tool = toolsOf(w.science).find((each) => each.id === id)
      if (!tool) throw new Error(`no tool ${id}`)
      return await tool.run(args, {
        directory: w.directory,
        worktree: more.worktree ?? w.directory,
        signal: more.signal ?? w.signal,
        ...(more.limits ? { limits: more.limits } : {}),
        async ask(request) {
          asked.push({ request, files: await files() })
          await decide(request)
        },
      })
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  }
}
