import { describe, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises"
import { gzipSync } from "node:zlib"
import { spill, type SpillOptions } from "../../../src/science/spill/index.ts"
import { failureOf, type Project, project, stream } from "./project.ts"

const relativePath = ".openscience/fetch/uniprot/P04637.fasta"
const FASTA = ">sp|P04637|P53_HUMAN\nMEEPQSDPSV\n"

const save = (at: Project, options: Partial<SpillOptions> = {}) =>
  spill({ directory: at.directory, relativePath, kind: "fasta", body: FASTA, ...options })

/** A body that is longer than what is looked at before the first write. */
const LONG = FASTA.repeat(500)

describe("a spilled file", () => {
  test("holds the bytes that came, and the answer says what they are", async () => {
    await using at = await project()
    const saved = await save(at, { body: stream(">a\nM", "K\n>b", "\nM\n") })
    expect(await readFile(at.at(relativePath), "utf8")).toBe(">a\nMK\n>b\nM\n")
    expect(saved).toEqual({
      path: relativePath,
      absolutePath: at.at(relativePath),
      bytes: 11,
      sha256: createHash("sha256").update(">a\nMK\n>b\nM\n").digest("hex"),
      head: ">a\nMK\n>b\nM\n",
      entries: { count: 2, word: "sequences" },
      unchanged: false,
    })
  })

  test("may come whole, as text or bytes", async () => {
    await using at = await project()
    const record = JSON.stringify({ name: "Jörg" })
    await save(at, { kind: "json", body: record })
    expect(await readFile(at.at(relativePath), "utf8")).toBe(record)
    await save(at, { kind: "gzip", body: new Uint8Array(gzipSync("x")) })
    expect(await readFile(at.at(relativePath))).toEqual(gzipSync("x"))
  })

  test("lies in a folder that git ignores, and that is all that is made", async () => {
    await using at = await project()
    await save(at)
    expect(await at.tree()).toEqual([
      ".openscience/",
      ".openscience/fetch/",
      ".openscience/fetch/.gitignore",
      ".openscience/fetch/uniprot/",
      relativePath,
    ])
    expect(await readFile(at.at(".openscience/fetch/.gitignore"), "utf8")).toBe("*\n")
  })

  test("in a folder that was there before does not make git ignore the rest of it", async () => {
    await using at = await project()
    await mkdir(at.at("data"))
    await save(at, { relativePath: "data/uniprot/P04637.fasta" })
    expect(await at.tree()).toEqual(["data/", "data/uniprot/", "data/uniprot/P04637.fasta"])
  })

  test("with the same bytes again is not touched", async () => {
    await using at = await project()
    await save(at)
    await utimes(at.at(relativePath), 1000, 1000)
    expect(await save(at, { body: stream(FASTA.slice(0, 9), FASTA.slice(9)) })).toMatchObject({ unchanged: true })
    expect((await stat(at.at(relativePath))).mtimeMs).toBe(1_000_000)
    expect((await at.tree()).length).toBe(5)
  })

  test("with other bytes takes the place of the old one", async () => {
    await using at = await project()
    await save(at)
    for (const body of [FASTA.replace("MEE", "MEK"), LONG]) {
      expect(await save(at, { body })).toMatchObject({ unchanged: false, bytes: body.length })
      expect(await readFile(at.at(relativePath), "utf8")).toBe(body)
    }
  })

  test("reports its progress", async () => {
    await using at = await project()
    const seen: number[] = []
    await save(at, { body: stream(LONG, FASTA, FASTA), onProgress: (bytes) => seen.push(bytes) })
    expect(seen).toEqual([LONG.length, LONG.length + FASTA.length, LONG.length + 2 * FASTA.length])
  })
})

describe("the head in the answer", () => {
  const headOf = async (body: string) => {
    await using at = await project()
    return (await save(at, { kind: "text", body })).head
  }

  test("is whole lines, at most 400 characters", async () => {
    expect(await headOf(`${"é".repeat(99)}\n`.repeat(9))).toBe(`${"é".repeat(99)}\n`.repeat(4).trimEnd())
  })

  test("is the beginning of a line that is longer", async () => {
    expect(await headOf("x".repeat(9000))).toBe(`${"x".repeat(399)}…`)
  })
})

describe("before the first bytes are known to be right", () => {
  test.each([
    ["an HTML page", "<html><body>Access denied</body></html>"],
    ["another text", "Error: no such entry"],
  ])("nothing is made: %s", async (_, body) => {
    await using at = await project()
    expect(await failureOf(save(at, { body: stream(body) }))).toMatchObject({ code: "bad_response" })
    expect(await at.tree()).toEqual([])
  })

  test("no more is asked for than it takes to see that they are wrong", async () => {
    await using at = await project()
    let asked = 0
    async function* body() {
      for (; asked < 100; asked++) yield Buffer.from(`<!doctype html>${"x".repeat(2000)}`)
    }
    await failureOf(save(at, { body: body() }))
    expect(asked).toBe(2)
  })

  test("the folder is not made while they are awaited", async () => {
    await using at = await project()
    let treeMeanwhile: string[] = []
    async function* body() {
      yield Buffer.from(FASTA)
      treeMeanwhile = await at.tree()
      yield Buffer.from(LONG)
    }
    await save(at, { body: body() })
    expect(treeMeanwhile).toEqual([])
  })
})

describe("an empty body", () => {
  test.each(["", " \r\n\n", "\ufeff"])("is a bad response: %j", async (body) => {
    await using at = await project()
    const failure = await failureOf(save(at, { body: stream(body) }))
    expect([failure.code, failure.message]).toEqual(["bad_response", "its answer is empty."])
    expect(await at.tree()).toEqual([])
  })

  test("is taken when the caller says so", async () => {
    await using at = await project()
    expect(await save(at, { body: stream(), allowEmpty: true })).toMatchObject({ bytes: 0, head: "" })
    expect((await stat(at.at(relativePath))).size).toBe(0)
  })
})

describe("after a failure the disk is as it was", () => {
  test("when the body is cut off", async () => {
    await using at = await project()
    const body = stream(`data_x\n${"ATOM\n".repeat(2000)}`)
    expect(await failureOf(save(at, { kind: "pdb", body }))).toMatchObject({ code: "bad_response" })
    expect(await at.tree()).toEqual([])
  })

  test("when the body is larger than allowed", async () => {
    await using at = await project()
    const failure = await failureOf(save(at, { body: stream(LONG, LONG), maxBytes: LONG.length + 1 }))
    expect(failure.code).toBe("too_large")
    expect(failure.message).toContain("16,001 bytes")
    expect(await at.tree()).toEqual([])
  })

  test("when the body fails, and the error is the body's own", async () => {
    await using at = await project()
    const reset = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", syscall: "read" })
    async function* body() {
      yield Buffer.from(LONG)
      throw reset
    }
    const outcome = await save(at, { body: body() }).catch((error: unknown) => error)
    expect(outcome).toBe(reset)
    expect(await at.tree()).toEqual([])
  })

  test("with the old file and other folders in place", async () => {
    await using at = await project()
    await save(at)
    await mkdir(at.at(".openscience/fetch/empty"))
    const before = await at.tree()
    await failureOf(save(at, { relativePath: ".openscience/fetch/pdbe/x.pdb", kind: "pdb", body: LONG }))
    await failureOf(save(at, { body: stream(LONG, LONG), maxBytes: LONG.length }))
    expect(await at.tree()).toEqual(before)
    expect(await readFile(at.at(relativePath), "utf8")).toBe(FASTA)
  })

  test("even when other spills make and take away the same folders meanwhile", async () => {
    await using at = await project()
    for (let round = 0; round < 100; round++) {
      const path = (name: string) => `.openscience/fetch/db${round}/${name}`
      const broken = Array.from({ length: 6 }, (_, i) => {
        const body = late((round + i * 3) % 40, LONG, LONG)
        return failureOf(save(at, { relativePath: path(`broken${i}`), body, maxBytes: LONG.length }))
      })
      const whole = Array.from({ length: 6 }, (_, i) =>
        save(at, { relativePath: path(`whole${i}`), body: late((round * 7 + i * 5) % 60, LONG) }),
      )
      const codes = (await Promise.all(broken)).map(({ code }) => code)
      await Promise.all(whole)
      expect(new Set(codes)).toEqual(new Set(["too_large"]))
      expect(await readdir(at.at(path("")))).toHaveLength(6)
    }
    expect(await readFile(at.at(".openscience/fetch/.gitignore"), "utf8")).toBe("*\n")
  })
})

/** A body that begins some turns of the event loop later. */
async function* late(turns: number, ...pieces: string[]) {
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
  yield* stream(...pieces)
}

describe("the caller's abort", () => {
  const reason = new Error("the caller gave up")

  test("ends a spill whose body hangs, and leaves nothing", async () => {
    await using at = await project()
    const caller = new AbortController()
    async function* body() {
      yield Buffer.from(LONG)
      setTimeout(() => caller.abort(reason), 10)
      await new Promise(() => undefined)
    }
    const outcome = await save(at, { body: body(), signal: caller.signal }).catch((error: unknown) => error)
    expect(outcome).toBe(reason)
    expect(await at.tree()).toEqual([])
  })

  test("before the start means that the body is not even asked for", async () => {
    await using at = await project()
    let asked = false
    async function* body() {
      asked = true
      yield Buffer.from(FASTA)
    }
    const outcome = await save(at, { body: body(), signal: AbortSignal.abort(reason) }).catch((error: unknown) => error)
    expect([outcome, asked]).toEqual([reason, false])
  })

  test("of a body that is there already leaves nothing either", async () => {
    await using at = await project()
    const outcome = await save(at, { signal: AbortSignal.abort(reason) }).catch((error: unknown) => error)
    expect(outcome).toBe(reason)
    expect(await at.tree()).toEqual([])
  })

  test("and any other end lets the body clean up", async () => {
    await using at = await project()
    let cleaned = false
    async function* body() {
      try {
        for (;;) yield Buffer.from(LONG)
      } finally {
        cleaned = true
      }
    }
    await failureOf(save(at, { body: body(), maxBytes: LONG.length * 3 }))
    expect(cleaned).toBe(true)
  })
})

describe("what was left behind long ago", () => {
  test("is swept when it is a day old, whichever machine wrote it, and nothing else is", async () => {
    await using at = await project()
    const folder = ".openscience/fetch/uniprot"
    await mkdir(at.at(folder), { recursive: true })
    const old = `.a.fasta.${process.pid}.00000000ff.part`
    const other = ".b.fasta.99999999.00000000ff.part"
    const mine = ".notes.part"
    for (const name of [old, other, mine]) await writeFile(at.at(`${folder}/${name}`), "")
    const yesterday = Date.now() / 1000 - 25 * 3600
    for (const name of [old, mine]) await utimes(at.at(`${folder}/${name}`), yesterday, yesterday)
    await save(at)
    expect((await at.tree()).filter((name) => name.endsWith(".part"))).toEqual([
      `${folder}/${other}`,
      `${folder}/${mine}`,
    ])
  })
})
