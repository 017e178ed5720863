import { expect, test } from "bun:test"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { spill } from "../../../src/science/spill/index.ts"
import { project } from "./project.ts"

const WRITER = join(import.meta.dir, "writer.ts")
const relativePath = ".openscience/fetch/db/x.fasta"
const folder = ".openscience/fetch/db"
const isPart = (name: string) => name.endsWith(".part")

const start = (directory: string, letter: string, mebibytes: string, times: string) =>
  spawn(process.execPath, [WRITER, directory, letter, mebibytes, times], { stdio: ["ignore", "pipe", "inherit"] })

test("a process killed in the middle leaves no half file, and the next spill sweeps what it left", async () => {
  await using at = await project()
  const killed = start(at.directory, "A", "Infinity", "1")
  await once(killed.stdout, "data")
  killed.kill("SIGKILL")
  await once(killed, "exit")
  const [left, ...more] = await readdir(at.at(folder))
  expect(more).toEqual([])
  expect(left).toMatch(new RegExp(`^\\.x\\.fasta\\.${killed.pid}\\.[0-9a-f]{10}\\.part$`))

  await spill({ directory: at.directory, relativePath: `${folder}/y.fasta`, kind: "fasta", body: ">a\nM\n" })
  expect(await readdir(at.at(folder))).toEqual(["y.fasta"])
})

test("the file that a living process writes is not swept", async () => {
  await using at = await project()
  const writing = start(at.directory, "A", "Infinity", "1")
  await once(writing.stdout, "data")
  await spill({ directory: at.directory, relativePath: `${folder}/y.fasta`, kind: "fasta", body: ">a\nM\n" })
  const names = await readdir(at.at(folder))
  writing.kill("SIGKILL")
  await once(writing, "exit")
  expect(names.filter(isPart).length).toBe(1)
})

test("two processes that write one file at the same time both end with a whole one, and so does every reader", async () => {
  await using at = await project()
  const writers = ["A", "B"].map((letter) => start(at.directory, letter, "2", "15"))
  const exits = Promise.all(writers.map((writer) => once(writer, "exit")))
  let ended = false
  void exits.then(() => (ended = true))
  let reads = 0
  while (!ended) {
    const found = await readFile(at.at(relativePath), "latin1").catch(() => undefined)
    if (found === undefined) continue
    reads++
    const letter = found.charAt(1)
    expect(found.length).toBe(2 * 1024 * 1024)
    expect(found === `>${letter.repeat(65534)}\n`.repeat(32)).toBe(true)
  }
  expect(await exits).toEqual([
    [0, null],
    [0, null],
  ])
  expect(reads).toBeGreaterThan(2)
  expect(await readdir(at.at(folder))).toEqual(["x.fasta"])
}, 60_000)

test("three hundred megabytes pass without memory growing by a hundred", async () => {
  await using at = await project()
  const writer = start(at.directory, "A", "300", "1")
  const said = await text(writer.stdout)
  const [, grown] = /\{"grownMebibytes":([\d.]+)\}$/.exec(said) ?? []
  expect((await stat(at.at(relativePath))).size).toBe(300 * 1024 * 1024)
  expect(Number(grown)).toBeLessThan(100)
}, 60_000)

test.skipIf(process.platform === "win32")(
  "a disk that takes no more is a write failure, and nothing is left",
  async () => {
    await using at = await project()
    const limited = spawn("sh", [
      "-c",
      'ulimit -f 2000; exec "$@"',
      "sh",
      process.execPath,
      WRITER,
      at.directory,
      "A",
      "9",
      "1",
    ])
    const said = await text(limited.stdout)
    expect(said).toContain(`could not write ${relativePath}: the file system takes no file of that size.`)
    expect(said).not.toContain(at.directory)
    expect(await at.tree()).toEqual([])
  },
)
