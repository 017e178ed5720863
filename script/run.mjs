/**
 * What `npm start`, `npm test` and their like do: install what is missing, then run it on the Bun that npm brought. Plain Node without
 * dependencies, because nothing is installed yet on a fresh clone.
 */
import { spawnSync } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import path from "node:path"
import { root, runBun } from "./bun.mjs"

const TASKS = {
  demo: ["src/cli/index.ts", "demo"],
  test: [
    "test",
    "--timeout",
    "30000",
    "test/science",
    "test/permission",
    "test/tool",
    "test/mcp",
    "test/cli",
    "test/script",
  ],
  "test:host": ["test", "--timeout", "120000", "test/host"],
  build: ["script/build.ts"],
  conformance: ["script/conformance.ts"],
  "mcp-probes": ["script/mcp-probes.ts"],
  bench: ["script/bench.ts"],
  tokens: ["script/tokens.ts"],
  index: ["script/generate-index.ts"],
  "databases-page": ["script/databases-page.ts"],
}

const [task, ...more] = process.argv.slice(2)
const args = TASKS[task ?? ""]
if (!args) {
  console.error(`There is no task ${JSON.stringify(task)}; there are ${Object.keys(TASKS).join(", ")}.`)
  process.exit(2)
}
if (!isInstalled() && !install()) process.exit(1)
process.exitCode = await runBun([...args, ...more], { cwd: root })

/** npm notes what it installed in a file of its own; a newer lock file means that something is missing. */
function isInstalled() {
  const noted = path.join(root, "node_modules/.package-lock.json")
  return existsSync(noted) && statSync(noted).mtimeMs >= statSync(path.join(root, "package-lock.json")).mtimeMs
}

/** Install scripts are not needed: every binary comes inside a package. */
function install() {
  console.error("Installing what this checkout needs (once) …")
  const npm = process.platform === "win32" ? "npm.cmd" : "npm"
  const options = [
    // Not `ci`: opencode lists a binary for every platform as optional, and a registry that lacks one of them makes `ci` refuse the lock.
    "install",
    "--no-save",
    "--ignore-scripts",
    "--include=dev",
    "--include=optional",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ]
  const { status } = spawnSync(npm, options, {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  })
  if (status !== 0)
    console.error("npm could not install the dependencies; see its message above, then run the command again.")
  return status === 0
}
