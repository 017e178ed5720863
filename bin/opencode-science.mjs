#!/usr/bin/env node
import { fileURLToPath } from "node:url"
import { existsSync } from "node:fs"
import path from "node:path"

// In a checkout the sources run unbuilt, on Bun; an installed package brings built JavaScript, which this Node runs if it is new enough.
const root = path.resolve(fileURLToPath(import.meta.url), "../..")
const source = path.join(root, "src/cli/index.ts")
const built = path.join(root, "dist/cli.js")

if (existsSync(source)) {
  const { runBun } = await import("../script/bun.mjs")
  process.exitCode = await runBun([source, ...process.argv.slice(2)])
} else if (Number(process.versions.node.split(".")[0]) >= 22) {
  await import(built)
} else {
  console.error(
    `opencode-science needs Node 22 or newer, and this is ${process.version}; update Node, or run it with Bun: bunx opencode-science.`,
  )
  process.exitCode = 1
}
