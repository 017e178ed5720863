import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import path from "node:path"

/** The host loads the plugin by itself; whoever imports it all the same needs no more than this. */
const PLUGIN =
  "declare const plugin: { id: string; server: (input: never, options?: never) => Promise<object> }\nexport default plugin\n"

/** Declarations of what a program can import, and of what those name; the compiler writes them for all that is imported anywhere. */
export async function buildTypes(root: string, outdir: string): Promise<void> {
  const all = path.join(outdir, "all-types")
  const compiler = path.join(root, "node_modules/typescript/bin/tsc")
  const args = ["-p", path.join(root, "tsconfig.types.json"), "--outDir", all]
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, compiler, ...args], { cwd: root })
  if (exitCode !== 0) {
    console.error(stdout.toString())
    process.exit(1)
  }
  await keep("index.d.ts", all, path.join(outdir, "types"))
  await rm(all, { recursive: true })
  await writeFile(path.join(outdir, "server.d.ts"), PLUGIN)
}

/** Copies a declaration and all that it imports; `./config.ts` in one means the declaration of that name. */
async function keep(file: string, from: string, to: string, kept = new Set<string>()): Promise<void> {
  if (kept.has(file)) return
  kept.add(file)
  await mkdir(path.dirname(path.join(to, file)), { recursive: true })
  await copyFile(path.join(from, file), path.join(to, file))
  for (const [, imported = ""] of (await readFile(path.join(from, file), "utf8")).matchAll(/"(\.\.?\/[^"]+)\.ts"/g))
    await keep(path.join(path.dirname(file), `${imported}.d.ts`), from, to, kept)
}
