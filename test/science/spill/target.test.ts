import { expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { appendManifest, readManifest, spill, target } from "../../../src/science/spill/index.ts"
import { type Project, project } from "./project.ts"

const relativePath = ".openscience/fetch/uniprot/P04637.fasta"
const second = ".openscience/fetch/uniprot/P04637.v2.fasta"
const third = ".openscience/fetch/uniprot/P04637.v3.fasta"

const plan = async (at: Project, wanted = relativePath) =>
  await target({ directory: at.directory, relativePath: wanted, manifest: await readManifest(at.directory) })

/** Plans, spills, and adds the manifest's line, as a caller does. */
async function save(at: Project, body: string, wanted = relativePath): Promise<string> {
  const path = await plan(at, wanted)
  const { bytes, sha256 } = await spill({ directory: at.directory, relativePath: path, kind: "fasta", body })
  const rest = { db: "uniprot", id: "P04637", url: "https://x", mediaType: "text/x-fasta", license: "", cite: "" }
  await appendManifest(at.directory, { path, ...rest, fetchedAt: new Date().toISOString(), bytes, sha256 })
  return path
}

test("planning in an empty project gives the wanted path and makes nothing", async () => {
  await using at = await project()
  expect(await plan(at)).toBe(relativePath)
  expect(await at.tree()).toEqual([])
})

test("what we wrote is replaced when the database has something newer", async () => {
  await using at = await project()
  await save(at, ">a\nM\n")
  expect(await save(at, ">a\nMK\n")).toBe(relativePath)
  expect(await readFile(at.at(relativePath), "utf8")).toBe(">a\nMK\n")
})

test("a file that a person edited stays, and ours goes beside it, again and again", async () => {
  await using at = await project()
  await save(at, ">a\nM\n")
  await writeFile(at.at(relativePath), ">a\nX\n")
  expect(await save(at, ">a\nMK\n")).toBe(second)
  expect(await save(at, ">a\nMKL\n")).toBe(second)
  await writeFile(at.at(second), ">mine\n")
  expect(await save(at, ">a\nMKL\n")).toBe(third)
  expect(await readFile(at.at(relativePath), "utf8")).toBe(">a\nX\n")
  expect(await readFile(at.at(second), "utf8")).toBe(">mine\n")
})

test("a file that the manifest does not know is a person's", async () => {
  await using at = await project()
  await mkdir(at.at(".openscience/fetch/uniprot"), { recursive: true })
  await writeFile(at.at(relativePath), ">a\nM\n")
  expect(await plan(at)).toBe(second)
})

test("a file that came back to what we once wrote is ours, whatever the last line says", async () => {
  await using at = await project()
  await save(at, ">a\nMK\n")
  await save(at, ">a\nML\n")
  await writeFile(at.at(relativePath), ">a\nMK\n")
  expect(await plan(at)).toBe(relativePath)
})

test("a folder in the place of the file is not touched", async () => {
  await using at = await project()
  await mkdir(at.at(relativePath), { recursive: true })
  const failure = await plan(at).catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: "write_failed" })
})

test.each([
  ["1hda.cif.gz", "1hda.v2.cif.gz"],
  ["NM_000546.6.gz", "NM_000546.6.v2.gz"],
  ["10.1038_nature12373-8b459c1f.pdf", "10.1038_nature12373-8b459c1f.v2.pdf"],
  ["P05067.pae.json", "P05067.pae.v2.json"],
])("the second version of %s is %s", async (name, version) => {
  await using at = await project()
  await mkdir(at.at("d/db"), { recursive: true })
  await writeFile(at.at(`d/db/${name}`), "mine")
  expect(await plan(at, `d/db/${name}`)).toBe(`d/db/${version}`)
})
