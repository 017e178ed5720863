import { describe, expect, test } from "bun:test"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { planSave, recentSave, save } from "../../src/science/save.ts"

const URL_OF_T1 = "https://things.example.org/T1.txt"

async function project() {
  const directory = await mkdtemp(path.join(tmpdir(), "save-"))
  const place = { directory }
  const entry = {
    db: "things",
    id: "T1",
    format: "txt",
    url: URL_OF_T1,
    mediaType: "text/plain",
    license: "CC0",
    cite: "x",
  }
  const named = { db: "things", id: "T1", format: "txt", extension: "txt" }
  const signal = new AbortController().signal
  return {
    place,
    named,
    save: async (body: string) =>
      await save(place, { path: await planSave(place, named), kind: "text", body, signal, entry }),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
}

const HOUR = 3_600_000

describe("a file that was saved", () => {
  test("lately from the same address, and is as it was written, need not be asked for again", async () => {
    await using p = await project()
    const { path: saved, sha256 } = await p.save("text")
    expect(await recentSave(p.place, saved, URL_OF_T1)).toMatchObject({ path: saved, sha256, bytes: 4 })
  })

  test("from another address is asked for", async () => {
    await using p = await project()
    const { path: saved } = await p.save("text")
    expect(await recentSave(p.place, saved, "https://things.example.org/T1.v2.txt")).toBeUndefined()
  })

  test("more than a day ago is asked for", async () => {
    await using p = await project()
    const { path: saved } = await p.save("text")
    expect(await recentSave(p.place, saved, URL_OF_T1, Date.now() + 23 * HOUR)).toBeDefined()
    expect(await recentSave(p.place, saved, URL_OF_T1, Date.now() + 25 * HOUR)).toBeUndefined()
  })

  test("and was edited or deleted since is asked for, and an edited one is left alone", async () => {
    await using p = await project()
    const { path: saved, absolutePath } = await p.save("text")
    await writeFile(absolutePath, "edited")
    expect(await recentSave(p.place, saved, URL_OF_T1)).toBeUndefined()
    expect(await planSave(p.place, p.named)).toBe(".openscience/fetch/things/T1.v2.txt")
    await rm(absolutePath)
    expect(await recentSave(p.place, saved, URL_OF_T1)).toBeUndefined()
    expect(await planSave(p.place, p.named)).toBe(saved)
  })
})

describe("names", () => {
  test.each([
    [{ format: "cif", extension: "cif" }, "X1.cif"],
    [{ format: "cif.gz", extension: "cif.gz" }, "X1.cif.gz"],
    [{ format: "pae", extension: "json" }, "X1.pae.json"],
    [{ format: "json", extension: "json" }, "X1.raw.json"],
    [{ extension: "json" }, "X1.json"],
  ])("a format that is not called as its files end stands in the name: %p is %p", async (how, name) => {
    await using p = await project()
    expect(await planSave(p.place, { db: "things", id: "X1", ...how })).toBe(`.openscience/fetch/things/${name}`)
  })
})
