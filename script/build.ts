/**
 * Builds what the package ships: `server.js` (the opencode plugin, one file with everything in it, because a host resolves bare imports
 * from the plugin's own folder only), `cli.js` and `index.js` for Node ≥ 22 and Bun.
 */
import { rm } from "node:fs/promises"
import path from "node:path"

const root = path.resolve(import.meta.dirname, "..")
const outdir = path.join(root, "dist")
await rm(outdir, { recursive: true, force: true })

const ENTRIES = { server: "src/host/opencode.ts", cli: "src/cli/index.ts", index: "src/index.ts" }

for (const [name, entry] of Object.entries(ENTRIES)) {
  const { success, logs } = await Bun.build({
    entrypoints: [path.join(root, entry)],
    outdir,
    naming: `${name}.js`,
    target: "node",
    ...(name === "server" ? {} : { packages: "external" as const }),
  })
  if (!success) {
    console.error(logs.join("\n"))
    process.exit(1)
  }
}
