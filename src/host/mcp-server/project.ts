import { statSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { loadConfig, type Config } from "../../config.ts"
import { mcpOf, scienceOf, toolsOf } from "../../create.ts"
import type { SpillPlace } from "../../science/save.ts"
import type { Tool } from "../../tool/tool.ts"
import { worktreeOf } from "../../worktree.ts"

/** One project directory with its own configuration, and the tools that work in it. */
export interface Project {
  directory: string
  worktree: string
  config: Config
  place: SpillPlace
  /** The three, and those of the MCP servers that answered within their short wait. */
  tools(): Promise<Tool[]>
  /** One by its name, of a server that was too slow for the list as well. Throws the Failure of a server that could not be connected. */
  find(id: string): Promise<Tool | undefined>
  /** Ends the sessions and processes of its MCP servers. */
  close(): Promise<void>
}

/** The projects that are worked in. */
export interface Projects {
  (directory: string): Promise<Project>
  close(): Promise<void>
}

/** Opens each directory once, when it is first needed; one that cannot be opened is tried anew, its configuration may be mended meanwhile. */
export function createProjects(): Projects {
  const opened = new Map<string, Promise<Project>>()
  const projects = (directory: string) => {
    const known = opened.get(directory)
    if (known) return known
    const opening = open(directory)
    opened.set(directory, opening)
    opening.catch(() => opened.delete(directory))
    return opening
  }
  const close = async () => {
    const settled = await Promise.allSettled(opened.values())
    await Promise.all(settled.map((each) => (each.status === "fulfilled" ? each.value.close() : undefined)))
  }
  return Object.assign(projects, { close })
}

async function open(directory: string): Promise<Project> {
  const config = await loadConfig({ directory })
  const science = scienceOf(directory, config)
  const own = toolsOf(science)
  const theirs: Tool[] = []
  const mcp = mcpOf(science, config, {
    // Standard error is a server's log.
    log: (line) => console.error(line),
    onTools: (tools) => theirs.push(...tools),
  })
  return {
    directory,
    worktree: worktreeOf(directory),
    config,
    place: science.place,
    async tools() {
      await mcp.start()
      return [...own, ...theirs]
    },
    find: async (id) => own.find((tool) => tool.id === id) ?? (await mcp.find(id)),
    close: mcp.close,
  }
}

/** The client's project: its root, if it offers exactly one that is a directory here. Of several none is more right than another. */
export function directoryOfRoots(roots: readonly { uri: string }[]): string | undefined {
  const [only, ...others] = roots.filter(({ uri }) => uri.startsWith("file:"))
  if (!only || others.length > 0) return undefined
  try {
    const directory = fileURLToPath(only.uri)
    return statSync(directory).isDirectory() ? directory : undefined
  } catch {
    return undefined
  }
}
