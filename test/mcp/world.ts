import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createMcp, type Mcp } from "../../src/mcp/index.ts"
import { mcpConfig } from "../../src/mcp/config.ts"
import {
  createAsk,
  rulesFor,
  type Mode,
  type PermissionConfig,
  type PermissionRequest,
} from "../../src/permission/index.ts"
import type { Limits, ToolResult } from "../../src/tool/context.ts"
import type { Tool } from "../../src/tool/tool.ts"

export interface McpWorld extends AsyncDisposable {
  mcp: Mcp
  /** The log. */
  lines: string[]
  /** Tools in the order in which they were offered. */
  offered: Tool[]
  asked: PermissionRequest[]
  directory: string
  files(): Promise<string[]>
  call(id: string, args?: unknown, more?: CallOptions): Promise<ToolResult>
}

interface CallOptions {
  signal?: AbortSignal
  limits?: Limits
  showsImages?: boolean
}

export interface WorldOptions {
  permission?: PermissionConfig
  mode?: Mode
  env?: Record<string, string>
}

/** Servers as a host has them, in a fresh project, under our own permission rules. Every time limit is short unless the test sets it. */
export async function mcpWorld(
  servers: unknown,
  { permission = {}, mode = "build", env = {} }: WorldOptions = {},
): Promise<McpWorld> {
  const directory = await mkdtemp(path.join(tmpdir(), "mcp-"))
  const lines: string[] = []
  const offered: Tool[] = []
  const asked: PermissionRequest[] = []
  const decide = createAsk({ rules: rulesFor(mode, permission) })
  const mcp = createMcp({
    servers: mcpConfig.parse(servers),
    place: { directory },
    env,
    log: (line) => lines.push(line),
    onTools: (tools) => offered.push(...tools),
  })
  return {
    mcp,
    lines,
    offered,
    asked,
    directory,
    files: async () => (await readdir(directory, { recursive: true })).sort(),
    async call(id, args = {}, { signal = new AbortController().signal, ...more } = {}) {
      const tool = await mcp.find(id)
      if (!tool) throw new Error(`no tool ${id}`)
      const ask = async (request: PermissionRequest) => {
        asked.push(request)
        await decide(request)
      }
      return await tool.run(args, { directory, worktree: directory, signal, ask, ...more })
    },
    async [Symbol.asyncDispose]() {
      await mcp.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
