import { describe, expect, test } from "bun:test"
import { mkdir, readFile, realpath, stat, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { contain, spill } from "../../../src/science/spill/index.ts"
import { failureOf, project } from "./project.ts"

const relativePath = ".openscience/fetch/db/x.txt"

async function save(directory: string, path = relativePath) {
  return await spill({ directory, relativePath: path, kind: "text", body: "ours" })
}

describe("a path inside the project", () => {
  test("is made absolute", async () => {
    await using at = await project()
    expect(await contain(at.directory, relativePath)).toBe(join(await realpath(at.directory), relativePath))
  })

  test("may go through a link that stays inside", async () => {
    await using at = await project()
    await mkdir(at.at("data"))
    await symlink("data", at.at(".openscience"))
    await save(at.directory)
    expect(await readFile(at.at("data/fetch/db/x.txt"), "utf8")).toBe("ours")
  })

  test("may belong to a project that is reached through a link", async () => {
    await using at = await project()
    await mkdir(at.at("real/data"), { recursive: true })
    await symlink(at.at("real"), at.at("link"))
    await symlink("data", at.at("real/.openscience"))
    await save(at.at("link"))
    expect(await readFile(at.at("real/data/fetch/db/x.txt"), "utf8")).toBe("ours")
  })
})

describe("a link that leads out of the project", () => {
  test.each([".openscience", ".openscience/fetch", ".openscience/fetch/db"])(
    "is refused at %s, and nothing is written",
    async (place) => {
      await using at = await project()
      await using outside = await project()
      await mkdir(at.at(join(place, "..")), { recursive: true })
      await symlink(outside.directory, at.at(place))
      const before = await at.tree()
      const failure = await failureOf(save(at.directory))
      expect(failure).toMatchObject({ code: "write_failed" })
      expect(failure.message).not.toContain(at.directory)
      expect(failure.message).not.toContain(outside.directory)
      expect(await outside.tree()).toEqual([])
      expect(await at.tree()).toEqual(before)
    },
  )

  test("is refused when it leads nowhere", async () => {
    await using at = await project()
    await symlink(at.at("../nowhere-at-all"), at.at(".openscience"))
    expect(await failureOf(save(at.directory))).toMatchObject({ code: "write_failed" })
  })

  test("is refused when it appears while the body is coming", async () => {
    await using at = await project()
    await using outside = await project()
    async function* body() {
      yield Buffer.from("x".repeat(100))
      await symlink(outside.directory, at.at(".openscience"))
    }
    const before = await stat(outside.directory)
    const failure = failureOf(spill({ directory: at.directory, relativePath, kind: "text", body: body() }))
    expect(await failure).toMatchObject({ code: "write_failed" })
    expect((await stat(outside.directory)).mtimeMs).toBe(before.mtimeMs)
  })
})

test("a link in the file's own place is refused, even inside the project", async () => {
  await using at = await project()
  await mkdir(at.at(".openscience/fetch/db"), { recursive: true })
  await writeFile(at.at("notes.txt"), "mine")
  await symlink(at.at("notes.txt"), at.at(relativePath))
  const failure = await failureOf(save(at.directory))
  expect(failure.message).toBe(`did not write ${relativePath}: a link stands in its place.`)
  expect(await readFile(at.at("notes.txt"), "utf8")).toBe("mine")
})

test.each(["../x", "/tmp/x", "a/../../x", "a//x", "./x", "a\\..\\x", "C:/x", "a\0b", ""])(
  "the path %j is refused",
  async (path) => {
    await using at = await project()
    expect(await failureOf(contain(at.directory, path))).toMatchObject({ code: "write_failed" })
  },
)

test("a file where a folder should be is said in words, without an absolute path", async () => {
  await using at = await project()
  await writeFile(at.at(".openscience"), "")
  const { code, message } = await failureOf(save(at.directory))
  expect(code).toBe("write_failed")
  expect(message).toBe(`could not write ${relativePath}: a file stands where a folder should be.`)
})
