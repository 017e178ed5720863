import { expect, test } from "bun:test"
import { appendFile, mkdir, readFile, symlink, writeFile } from "node:fs/promises"
import { appendManifest, lastEntry, type ManifestEntry, readManifest } from "../../../src/science/spill/index.ts"
import { failureOf, type Project, project } from "./project.ts"

const MANIFEST = ".openscience/fetch/manifest.jsonl"

const entry = (more: Partial<ManifestEntry> = {}): ManifestEntry => ({
  path: ".openscience/fetch/uniprot/P04637.fasta",
  db: "uniprot",
  id: "P04637",
  format: "fasta",
  url: "https://rest.uniprot.org/uniprotkb/P04637.fasta",
  fetchedAt: "2026-01-01T00:00:00.000Z",
  bytes: 3,
  sha256: "abc",
  mediaType: "text/x-fasta",
  license: "CC BY 4.0",
  cite: "UniProt",
  ...more,
})

async function withFolder(): Promise<Project> {
  const at = await project()
  await mkdir(at.at(".openscience/fetch"), { recursive: true })
  return at
}

test("a project without a manifest has an empty one, and reading makes nothing", async () => {
  await using at = await project()
  expect(await readManifest(at.directory)).toEqual([])
  expect(await at.tree()).toEqual([])
})

test("what was appended is read again, the last entry of a path counting", async () => {
  await using at = await withFolder()
  await appendManifest(at.directory, entry({ sha256: "old" }))
  await appendManifest(at.directory, entry({ sha256: "new", etag: '"1"', format: undefined }))
  await appendManifest(at.directory, entry({ path: "other" }))
  const manifest = await readManifest(at.directory)
  expect(manifest.length).toBe(3)
  expect(lastEntry(manifest, entry().path)).toMatchObject({ sha256: "new", etag: '"1"' })
  expect(lastEntry(manifest, "nothing")).toBeUndefined()
})

test("a cut-off line and the lines of others are passed over, and the next entry is not lost behind them", async () => {
  await using at = await withFolder()
  await writeFile(at.at(MANIFEST), `# by hand\n\nnull\n[]\n{"path":"x"}\n${JSON.stringify(entry({ bytes: 1 }))}\n`)
  await appendFile(at.at(MANIFEST), JSON.stringify(entry()).slice(0, 40))
  await appendManifest(at.directory, entry({ bytes: 2 }))
  expect((await readManifest(at.directory)).map(({ bytes }) => bytes)).toEqual([1, 2])
})

test("a line whose fields have other types is not ours", async () => {
  await using at = await withFolder()
  await writeFile(at.at(MANIFEST), `${JSON.stringify({ ...entry(), bytes: "3" })}\n`)
  await appendFile(at.at(MANIFEST), `${JSON.stringify({ ...entry(), etag: 7 })}\n`)
  expect(await readManifest(at.directory)).toEqual([])
})

test("a hundred appends at once make a hundred whole lines", async () => {
  await using at = await withFolder()
  await Promise.all(Array.from({ length: 100 }, (_, bytes) => appendManifest(at.directory, entry({ bytes }))))
  const text = await readFile(at.at(MANIFEST), "utf8")
  expect(text.split("\n").length).toBe(101)
  expect(new Set((await readManifest(at.directory)).map(({ bytes }) => bytes)).size).toBe(100)
})

test("a manifest that is a link is neither read nor written", async () => {
  await using at = await withFolder()
  await writeFile(at.at("elsewhere"), "")
  await symlink(at.at("elsewhere"), at.at(MANIFEST))
  expect(await failureOf(readManifest(at.directory))).toMatchObject({ code: "write_failed" })
  expect(await failureOf(appendManifest(at.directory, entry()))).toMatchObject({ code: "write_failed" })
  expect(await readFile(at.at("elsewhere"), "utf8")).toBe("")
})
