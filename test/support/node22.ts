import { existsSync } from "node:fs"
import path from "node:path"

const NODE = "22.23.5"

/**
 * A Node of the oldest supported line, brought by npm inside its platform package; kept below node_modules for the next run. Undefined on
 * a platform for which npm has none.
 */
export function node22(): string | undefined {
  const name = `node-${process.platform}-${process.arch}`
  const home = path.resolve(import.meta.dirname, `../../node_modules/.cache/${name}-${NODE}`)
  const binary = path.join(home, "node_modules", name, "bin/node")
  if (existsSync(binary)) return binary
  const options = ["--prefix", home, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  const { exitCode } = Bun.spawnSync(["npm", "install", ...options, `${name}@${NODE}`], { stderr: "inherit" })
  return exitCode === 0 && existsSync(binary) ? binary : undefined
}
