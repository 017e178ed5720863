import { describe, expect, test } from "bun:test"
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import cacache from "cacache"
import { diskCache, memoryCache, readOnlyCache, type Kept } from "../../../src/science/http/cache.ts"
import { single } from "../../support/things.ts"
import { world } from "../../support/world.ts"

async function temporary() {
  const dir = await mkdtemp(path.join(tmpdir(), "cache-"))
  return { dir, [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }) }
}

const policy: Kept["policy"] = {
  v: 1,
  t: 0,
  sh: false,
  ch: 0,
  imm: 0,
  st: 200,
  resh: {},
  rescc: {},
  m: "GET",
  a: true,
  reqcc: {},
  reqh: null,
}
const kept = (bytes: number, fill = 1): Kept => ({
  policy,
  url: "https://things.example.org/x",
  headers: [["x", "y"]],
  body: new Uint8Array(bytes).fill(fill),
})
const thing = () => JSON.stringify({ id: "T1" })

async function sizeOn(dir: string): Promise<number> {
  return Object.values(await cacache.ls(dir)).reduce((sum, { size }) => sum + size, 0)
}

describe("the cache on disk", () => {
  test("serves another process what one has asked for", async () => {
    await using folder = await temporary()
    await using one = await world(thing, { connectors: [single], cache: diskCache(folder.dir) })
    await one.fetch("things", "T1")
    await using two = await world(() => ({ status: 500 }), {
      connectors: [single],
      cache: diskCache(folder.dir),
      mirrors: one.server.mirrors,
    })
    expect((await two.fetch("things", "T1")).cost).toMatchObject({ requests: 0, cached: 1 })
  })

  test("does not serve bytes that were changed on disk", async () => {
    await using folder = await temporary()
    const cache = diskCache(folder.dir)
    await cache.put("a", kept(1000))
    const files = await readdir(path.join(folder.dir, "content-v2"), { recursive: true, withFileTypes: true })
    for (const file of files)
      if (file.isFile()) await writeFile(path.join(file.parentPath, file.name), "something else")
    expect(await cache.get("a")).toBeUndefined()
  })

  test("stays below its bound, and the newest entries are what stays", async () => {
    await using folder = await temporary()
    const cache = diskCache(folder.dir, 1_000_000)
    for (let i = 0; i < 30; i++) {
      await cache.put(`entry ${i}`, kept(100_000, i))
      await Bun.sleep(2)
    }
    expect(await sizeOn(folder.dir)).toBeLessThanOrEqual(1_000_000)
    expect(await cache.get("entry 29")).toBeDefined()
    expect(await cache.get("entry 0")).toBeUndefined()
  })

  test("is safe for several that write at once", async () => {
    await using folder = await temporary()
    const script = `
      import { diskCache } from ${JSON.stringify(path.resolve("src/science/http/cache.ts"))}
      const cache = diskCache(${JSON.stringify(folder.dir)})
      for (let i = 0; i < 40; i++) await cache.put("shared " + i, { policy: {}, url: "u", headers: [], body: new Uint8Array(5000).fill(i) })`
    const runs = [1, 2, 3].map(() => Bun.spawn([process.execPath, "-e", script]))
    expect(await Promise.all(runs.map((run) => run.exited))).toEqual([0, 0, 0])
    const cache = diskCache(folder.dir)
    for (let i = 0; i < 40; i++) expect((await cache.get(`shared ${i}`))?.body).toEqual(new Uint8Array(5000).fill(i))
  })

  test("that cannot be written costs a request, not the answer", async () => {
    await using folder = await temporary()
    const file = path.join(folder.dir, "not a folder")
    await writeFile(file, "")
    await using w = await world(thing, { connectors: [single], cache: diskCache(path.join(file, "cache")) })
    expect((await w.fetch("things", "T1")).outcomes[0]?.kind).toBe("record")
    expect((await w.fetch("things", "T1")).cost.requests).toBe(1)
  })
})

describe("the cache of plan mode", () => {
  test("reads what is on disk and writes nothing there", async () => {
    await using folder = await temporary()
    await diskCache(folder.dir).put("a", kept(10))
    const before = (await readdir(folder.dir, { recursive: true })).sort()
    const cache = readOnlyCache(diskCache(folder.dir))
    expect(await cache.get("a")).toBeDefined()
    await cache.put("b", kept(10))
    expect(await cache.get("b")).toBeDefined()
    expect((await readdir(folder.dir, { recursive: true })).sort()).toEqual(before)
  })
})

describe("the cache in memory", () => {
  test("stays below its bound", async () => {
    const cache = memoryCache(10_000)
    for (let i = 0; i < 10; i++) await cache.put(String(i), kept(3000))
    expect(await cache.get("0")).toBeUndefined()
    expect(await cache.get("9")).toBeDefined()
  })
})
