import { existsSync } from "node:fs"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { name } from "../../version.ts"

export interface Origin {
  /** What opencode's `plugin` names. */
  plugin: string
  /** What starts the MCP server. */
  command: string
  args: string[]
}

/** This package's folder, from the source and from the built file. */
const root = packageRoot(path.dirname(fileURLToPath(import.meta.url)))

/**
 * How a host is to start us. By path where that stays: it needs no network. By name where the path is this machine's only (the project's
 * configuration is shared) or will go away (npx keeps packages in its cache).
 */
export function originOf(scope: "project" | "user"): Origin {
  const checkout = existsSync(path.join(root, "src"))
  const passing = root.split(path.sep).includes("_npx")
  if (!checkout && (scope === "project" || passing)) return { plugin: name, command: "npx", args: ["-y", name, "mcp"] }
  return { plugin: root, command: "node", args: [path.join(root, "bin", `${name}.mjs`), "mcp"] }
}

function packageRoot(from: string): string {
  for (let at = from; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, "package.json"))) return at
    if (path.dirname(at) === at) throw new Error(`${from} is not inside a package`)
  }
}
