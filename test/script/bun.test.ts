import { describe, expect, test } from "bun:test"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"

const launcher = path.resolve(import.meta.dirname, "../../script/bun.mjs")
const BINARY = Buffer.alloc(1_200_000)
const STUB = "echo Bun's postinstall script was not run."

/** What the launcher finds, under plain Node, in a checkout whose node_modules hold these files. */
async function found(files: Record<string, string | Buffer>): Promise<string> {
  const home = await mkdtemp(path.join(tmpdir(), "bun-"))
  try {
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(home, "node_modules", name)
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, content)
    }
    const script = `import { findBun } from ${JSON.stringify(launcher)}; console.log(findBun(${JSON.stringify(home)}) ?? "none")`
    const { stdout } = Bun.spawnSync(["node", "--input-type=module", "-e", script])
    return path.relative(path.join(home, "node_modules"), stdout.toString().trim()).replaceAll(path.sep, "/")
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

describe("the Bun that npm brought is found", () => {
  test("in its platform package, where install scripts did not run", async () => {
    expect(await found({ "@oven/bun-linux-x64/bin/bun": BINARY, "bun/bin/bun.exe": STUB })).toBe(
      "@oven/bun-linux-x64/bin/bun",
    )
  })

  test("in the package itself, where its install script moved it there", async () => {
    expect(await found({ "@oven/bun-linux-x64/package.json": "{}", "bun/bin/bun.exe": BINARY })).toBe("bun/bin/bun.exe")
  })

  test("nowhere, where only the stub is there", async () => {
    expect(await found({ "bun/bin/bun.exe": STUB })).toEndWith("none")
  })
})
