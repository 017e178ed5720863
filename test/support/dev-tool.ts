import { existsSync } from "node:fs"
import path from "node:path"

const cache = path.resolve(import.meta.dirname, "../../node_modules/.cache")

/**
 * A program that tests want and the project does not: installed by npm below node_modules when it is first wanted, without its install
 * scripts, and kept for the next run. Undefined where it cannot be had. Returns the folder of the installed packages.
 */
export function devTool(name: string, version: string): string | undefined {
  const home = path.join(cache, `${name.replace(/^@[^/]+\//, "")}-${version}`)
  const modules = path.join(home, "node_modules")
  if (existsSync(path.join(modules, name, "package.json"))) return modules
  const options = ["--prefix", home, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  const { exitCode } = Bun.spawnSync(["npm", "install", ...options, `${name}@${version}`], { stderr: "inherit" })
  return exitCode === 0 ? modules : undefined
}
