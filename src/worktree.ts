import { existsSync } from "node:fs"
import path from "node:path"

/** What permission patterns are relative to: the git repository's root, as in opencode, else the project itself. */
export function worktreeOf(directory: string): string {
  const start = path.resolve(directory)
  for (let at = start; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, ".git"))) return at
    if (path.dirname(at) === at) return start
  }
}
