/**
 * Builds what the package ships: `server.js` (the opencode plugin, one file with everything in it, because a host resolves bare imports
 * from the plugin's own folder only), `cli.js` and `index.js` for Node ≥ 22 and Bun, which share their code in chunks, and their types.
 */
import { rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { buildTypes } from "./build-types.ts"

const root = path.resolve(import.meta.dirname, "..")
const outdir = path.join(root, "dist")
await rm(outdir, { recursive: true, force: true })

const entry = (file: string) => path.join(root, "src", file)

await build({
  entrypoints: [entry("host/opencode.ts")],
  naming: "server.js",
  minify: { whitespace: true, syntax: true },
  // Else a library's name for itself would be this machine's path to it.
  define: { __filename: '"server.js"' },
})
await build({
  entrypoints: [entry("cli/index.ts"), entry("index.ts")],
  naming: { entry: "[dir]/[name].js", chunk: "chunks/[name]-[hash].js" },
  packages: "external",
  splitting: true,
})
// Both entries are called index, so the command's lies in a folder; this is its name outside.
await writeFile(path.join(outdir, "cli.js"), 'import "./cli/index.js"\n')
await buildTypes(root, outdir)

async function build(config: Omit<Bun.BuildConfig, "outdir" | "target">): Promise<void> {
  const { success, logs } = await Bun.build({ outdir, target: "node", ...config })
  if (success) return
  console.error(logs.join("\n"))
  process.exit(1)
}
