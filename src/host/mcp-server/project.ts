import { statSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { loadConfig, type Config } from "../../config.ts"
import { scienceOf, toolsOf } from "../../create.ts"
import type { SpillPlace } from "../../science/save.ts"
import type { Tool } from "../../tool/tool.ts"
import { worktreeOf } from "../../worktree.ts"

/** One project directory with its own configuration, and the tools that work in it. */
export interface Project {
  directory: string
  worktree: string
  config: Config
  place: SpillPlace
  tools: Tool[]
}

/** Opens each directory once, when it is first needed; one that cannot be opened is tried anew, its configuration may be mended meanwhile. */
export function createProjects(): (directory: string) => Promise<Project> {
  const opened = new Map<string, Promise<Project>>()
  return (directory) => {
    const known = opened.get(directory)
    if (known) return known
    const opening = open(directory)
    opened.set(directory, opening)
    opening.catch(() => opened.delete(directory))
    return opening
  }
}

async function open(directory: string): Promise<Project> {
  const config = await loadConfig({ directory })
  const science = scienceOf(directory, config)
  return { directory, worktree: worktreeOf(directory), config, place: science.place, tools: toolsOf(science) }
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
