import { describe, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import { mkdir, readFile, stat, writeFile } from "node:fs/promises"
import path from "node:path"
import { PermissionRejected } from "../../src/permission/index.ts"
import { Failure, Miss, type AnswerHead } from "../../src/science/connector.ts"
import { single, things } from "../support/things.ts"
import { toolWorld } from "../support/tool-world.ts"

const thing = ({ path }: { path: string }) => JSON.stringify({ id: path.split("/").pop() })
const big = (id: string) =>
  JSON.stringify({ id, parts: Array.from({ length: 4000 }, (_, i) => ({ name: `part ${i}`, weight: i })) })
const FOLDER = [
  ".openscience/",
  ".openscience/fetch/",
  ".openscience/fetch/.gitignore",
  ".openscience/fetch/manifest.jsonl",
  ".openscience/fetch/things/",
]

describe("a record that fits", () => {
  test("is in the answer, whole, under a line that says whose it is, and nothing is written or asked for writing", async () => {
    await using t = await toolWorld(() => '{"id":"T1","big":1237649770260463687,"small":0.50}', {
      connectors: [single],
    })
    const { output, metadata } = await t.call("science_fetch", { db: "things", id: "T1" })
    expect(output).toBe(
      'Things T1 · https://things.example.org/page/T1\n{"id":"T1","big":1237649770260463687,"small":0.50}',
    )
    expect(metadata).toMatchObject({
      db: "things",
      id: "T1",
      count: 1,
      disposition: "inline",
      requests: 1,
      truncated: false,
    })
    expect(t.asked.map(({ request }) => request.permission)).toEqual(["science_fetch"])
    expect(await t.files()).toEqual([])
  })

  test("is never one long line", async () => {
    await using t = await toolWorld(
      () => JSON.stringify({ id: "T1", parts: Array.from({ length: 400 }, (_, i) => `part ${i}`) }),
      { connectors: [single] },
    )
    const { output } = await t.call("science_fetch", { db: "things", id: "T1" })
    expect(Math.max(...output.split("\n").map((line) => line.length))).toBeLessThan(200)
  })

  test("that replaces the asked one says so first", async () => {
    await using t = await toolWorld(() => '{"id":"T1","was":["T7"]}', { connectors: [single] })
    const { output, metadata } = await t.call("science_fetch", { db: "things", id: "T7" })
    expect(output.split("\n")[1]).toBe("note: T7 is now T1")
    expect(metadata["resolvedId"]).toBe("T1")
  })
})

describe("a miss and a failure", () => {
  test("are told apart in words and in metadata", async () => {
    await using t = await toolWorld(({ path }) => ({ status: path.endsWith("T1") ? 404 : 503, body: "" }), {
      connectors: [single],
    })
    const miss = await t.call("science_fetch", { db: "things", id: "T1" })
    expect(miss.output).toBe("No such record: Things has no T1.")
    expect(miss.metadata).toMatchObject({ count: 0, missed: ["T1"] })
    expect(miss.metadata["error"]).toBeUndefined()
    const failure = await t.call("science_fetch", { db: "things", id: "T2" })
    expect(failure.output).toMatch(/^T2: unavailable: Things is down or overloaded \(503\)/)
    expect(failure.metadata).toMatchObject({ count: 0, error: "unavailable", retryable: true })
  })

  test("an id of another shape is refused without a request, with an example and whose it looks like", async () => {
    const snp = {
      ...single,
      id: "snp",
      name: "Snips",
      ids: { curie: "snp", pattern: /^rs\d+$/, examples: ["rs334"] as [string] },
    }
    await using t = await toolWorld(thing, { connectors: [single, snp] })
    const { output, metadata } = await t.call("science_fetch", { db: "things", id: "rs7412" })
    expect(metadata["error"]).toBe("invalid_id")
    expect(output).toContain("T1")
    expect(output).toContain("It looks like an id of snp.")
    expect(t.world.server.requests).toHaveLength(0)
  })

  test.each(["../outside-secret", "%2e%2e%2foutside", "..\\outside", "T1/../../x", "T1\u0000"])(
    "%p asks for nothing and touches nothing",
    async (id) => {
      await using t = await toolWorld(thing, { connectors: [single] })
      for (const args of [{}, { format: "txt" }]) {
        const { metadata } = await t.call("science_fetch", { db: "things", id, ...args })
        expect(metadata["error"]).toBe("invalid_id")
      }
      expect(t.world.server.requests).toHaveLength(0)
      expect(await t.files()).toEqual([])
    },
  )
})

describe("several ids", () => {
  test("each has its own outcome, in the asked order", async () => {
    await using t = await toolWorld(() => JSON.stringify([{ id: "T3" }, { id: "T1" }]), { connectors: [things] })
    const { output, metadata } = await t.call("science_fetch", { db: "things", id: "T1, T2 T3" })
    expect(output.split("\n").filter((line) => !line.startsWith("{"))).toEqual([
      "Things T1 · https://things.example.org/page/T1",
      "No such record: Things has no T2.",
      "Things T3 · https://things.example.org/page/T3",
    ])
    expect(metadata).toMatchObject({ count: 2, missed: ["T2"], requests: 1 })
  })
})

describe("a record that is too long to show", () => {
  test("goes to disk after edit was permitted, and the answer is its path, outline and a select that works", async () => {
    await using t = await toolWorld(() => big("T1"), { connectors: [single] })
    const { output, metadata } = await t.call("science_fetch", { db: "things", id: "T1" })
    expect(metadata).toMatchObject({ disposition: "spill", path: ".openscience/fetch/things/T1.json" })
    expect(output).toContain("saved to .openscience/fetch/things/T1.json")
    expect(output).toContain("parts: array of 4000")
    const saved = await readFile(path.join(t.world.directory, ".openscience/fetch/things/T1.json"), "utf8")
    expect(JSON.parse(saved)).toEqual(JSON.parse(big("T1")))
    expect(Math.max(...saved.split("\n").map((line) => line.length))).toBeLessThan(2000)
    const expression = /select (\S+)/.exec(output)?.[1]
    const part = await t.call("science_fetch", { db: "things", id: "T1", select: expression })
    expect(part.metadata["count"]).toBe(1)
    expect(part.output).not.toContain("nothing at")
  })

  test("nothing at all is on disk when permission is asked", async () => {
    await using t = await toolWorld(() => big("T1"), { connectors: [single] })
    await t.call("science_fetch", { db: "things", id: "T1" })
    const edit = t.asked.find(({ request }) => request.permission === "edit")
    expect(edit?.files).toEqual([])
    expect(edit?.request).toMatchObject({
      patterns: [".openscience/fetch/things/T1.json"],
      always: [".openscience/fetch/*"],
      metadata: { db: "things", ids: ["T1"] },
    })
    expect(await t.files()).toEqual([...FOLDER, ".openscience/fetch/things/T1.json"])
  })

  test.each([
    ["a rule", { permission: { edit: "deny" as const } }],
    ["plan mode, whatever the rules allow,", { mode: "plan" as const, permission: { edit: "allow" as const } }],
    ["a rule for the folder", { permission: { edit: { "*": "allow" as const, ".openscience/*": "deny" as const } } }],
    ["ask with nobody to ask", { permission: { edit: "ask" as const } }],
  ])(
    "%s denies the write: nothing is on disk, and the agent still gets the outline and the cheaper rung",
    async (_, rules) => {
      await using t = await toolWorld(() => big("T1"), { connectors: [single] }, rules)
      const { output, metadata } = await t.call("science_fetch", { db: "things", id: "T1" })
      expect(await t.files()).toEqual([])
      expect(metadata).toMatchObject({ error: "denied", count: 1 })
      expect(metadata["path"]).toBeUndefined()
      expect(output).toContain("not saved, denied:")
      expect(output).toContain("nothing was written")
      expect(output).toContain("parts: array of 4000")
      expect(output).toMatch(/select \S+/)
    },
  )

  test("a person's refusal goes up untouched, with nothing on disk", async () => {
    const refusal = new PermissionRejected({ permission: "edit", patterns: ["x"], always: [], metadata: {} })
    await using t = await toolWorld(
      () => big("T1"),
      { connectors: [single] },
      {
        ask: async ({ permission }) => {
          if (permission === "edit") throw refusal
        },
      },
    )
    await expect(t.call("science_fetch", { db: "things", id: "T1" })).rejects.toBe(refusal)
    expect(await t.files()).toEqual([])
  })

  test("the pattern is relative to the worktree, from a sub-folder and outside git as well", async () => {
    await using t = await toolWorld(() => big("T1"), { connectors: [single] })
    await t.call("science_fetch", { db: "things", id: "T1" }, { worktree: path.dirname(t.world.directory) })
    await t.call("science_fetch", { db: "things", id: "T2" }, { worktree: "/" })
    const patterns = t.asked
      .filter(({ request }) => request.permission === "edit")
      .map(({ request }) => request.patterns[0])
    expect(patterns[0]).toBe(`${path.basename(t.world.directory)}/.openscience/fetch/things/T1.json`)
  })

  test("a host with a tighter bound gets less, and the bound is kept", async () => {
    await using t = await toolWorld(() => JSON.stringify({ id: "T1", text: "word ".repeat(2000) }), {
      connectors: [single],
    })
    const { output, metadata } = await t.call(
      "science_fetch",
      { db: "things", id: "T1" },
      { limits: { bytes: 4000, lines: 100 } },
    )
    expect(metadata["disposition"]).toBe("spill")
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(4000)
  })

  test("a file that a person edited since is left alone, and ours goes beside it", async () => {
    let version = 1
    await using t = await toolWorld(() => big("T1").replace('"part 0"', `"part ${version}"`), { connectors: [single] })
    await t.call("science_fetch", { db: "things", id: "T1" })
    const file = path.join(t.world.directory, ".openscience/fetch/things/T1.json")
    await writeFile(file, "my notes")
    version = 2
    const { metadata } = await t.call("science_fetch", { db: "things", id: "T1" })
    expect(await readFile(file, "utf8")).toBe("my notes")
    expect(metadata["path"]).toBe(".openscience/fetch/things/T1.v2.json")
  })
})

describe("select", () => {
  test("gives just the part, and nothing is written", async () => {
    await using t = await toolWorld(() => big("T1"), { connectors: [single] })
    const { output } = await t.call("science_fetch", { db: "things", id: "T1", select: "parts[3].name" })
    expect(output).toBe("part 3")
    expect(await t.files()).toEqual([])
  })

  test("keeps every digit", async () => {
    await using t = await toolWorld(() => '{"id":"T1","objID":1237649770260463687}', { connectors: [single] })
    expect((await t.call("science_fetch", { db: "things", id: "T1", select: "objID" })).output).toBe(
      "1237649770260463687",
    )
  })

  test("that matches nothing says so and names the record's keys", async () => {
    await using t = await toolWorld(() => '{"id":"T1","name":"x"}', { connectors: [single] })
    expect((await t.call("science_fetch", { db: "things", id: "T1", select: "title" })).output).toContain(
      "nothing at title in this record; its keys are id, name",
    )
  })

  test.each(["genes[", "$.id", ".id", "a-b"])("%p is answered with what is wrong", async (select) => {
    await using t = await toolWorld(() => '{"id":"T1"}', { connectors: [single] })
    const { output, metadata } = await t.call("science_fetch", { db: "things", id: "T1", select })
    expect(metadata["error"]).toBe("invalid_select")
    expect(output).toContain("JMESPath")
  })

  test("a part that is still too long is outlined, not cut", async () => {
    await using t = await toolWorld(() => big("T1"), { connectors: [single] })
    const { output, metadata } = await t.call("science_fetch", { db: "things", id: "T1", select: "parts" })
    expect(metadata["error"]).toBe("too_large")
    expect(output).toContain("narrow the expression")
    expect(await t.files()).toEqual([])
  })

  test("goes with a record, not with a format", async () => {
    await using t = await toolWorld(thing, { connectors: [single] })
    expect(
      (await t.call("science_fetch", { db: "things", id: "T1", select: "id", format: "txt" })).metadata["error"],
    ).toBe("invalid_select")
  })
})

describe("a format", () => {
  const text = { headers: { "content-type": "text/plain" }, body: "one\ntwo\n" }

  test("is a file, byte for byte what the server sent, and the answer is a path and a summary", async () => {
    await using t = await toolWorld(() => ({ ...text, body: ">T1 a\nMKV\n>T1 b\nAAA\n" }), { connectors: [single] })
    const { output, metadata } = await t.call("science_fetch", { db: "things", id: "T1", format: "fasta" })
    const saved = await readFile(path.join(t.world.directory, ".openscience/fetch/things/T1.fasta"), "utf8")
    expect(saved).toBe(">T1 a\nMKV\n>T1 b\nAAA\n")
    const sha256 = createHash("sha256").update(saved).digest("hex")
    expect(output).toBe(
      `Things T1 as fasta · .openscience/fetch/things/T1.fasta · 20 bytes · text/x-fasta · 2 sequences · sha256 ${sha256.slice(0, 12)}\nfrom https://files.example.org/T1.fasta\nbegins:\n  >T1 a\n  MKV\n  >T1 b\n  AAA`,
    )
    expect(metadata).toMatchObject({
      disposition: "spill",
      bytes: 20,
      path: ".openscience/fetch/things/T1.fasta",
      format: "fasta",
      requests: 1,
    })
    const manifest = JSON.parse(
      await readFile(path.join(t.world.directory, ".openscience/fetch/manifest.jsonl"), "utf8"),
    )
    expect(manifest).toMatchObject({
      db: "things",
      id: "T1",
      format: "fasta",
      url: "https://files.example.org/T1.fasta",
      sha256,
      bytes: 20,
      license: "CC0",
      cite: "Things (2026)",
    })
  })

  test("permission is asked before the download, and a denial means no download", async () => {
    await using t = await toolWorld(() => text, { connectors: [single] }, { mode: "plan" })
    const { output, metadata } = await t.call("science_fetch", { db: "things", id: "T1", format: "txt" })
    expect(metadata["error"]).toBe("denied")
    expect(output).toContain("nothing was written")
    expect(t.world.server.requests).toHaveLength(0)
    expect(await t.files()).toEqual([])
  })

  test("the same file again makes no request, and asks nobody", async () => {
    await using t = await toolWorld(() => text, { connectors: [single] })
    await t.call("science_fetch", { db: "things", id: "T1", format: "txt" })
    const before = await stat(path.join(t.world.directory, ".openscience/fetch/things/T1.txt"))
    const asked = t.asked.length
    const { output, metadata } = await t.call("science_fetch", { db: "things", id: "T1", format: "txt" })
    expect(output).toContain("already there, unchanged")
    expect(metadata["requests"]).toBe(0)
    expect(t.world.server.requests).toHaveLength(1)
    expect(t.asked.slice(asked).map(({ request }) => request.permission)).toEqual(["science_fetch"])
    expect((await stat(path.join(t.world.directory, ".openscience/fetch/things/T1.txt"))).mtimeMs).toBe(before.mtimeMs)
  })

  test.each([
    ["an HTML page under 200", { body: "<!DOCTYPE html><p>checking your browser" }, "txt"],
    ["an HTML page where an image was asked for", { body: "<html>no</html>" }, "png"],
    ["a 503", { status: 503, body: "<html>busy</html>" }, "txt"],
    ["JSON that stops in the middle", { body: '{"a":[1,2' }, "json"],
    ["nothing", { body: "" }, "txt"],
  ])("%s is a failure, with nothing on disk and nothing in the manifest", async (_, reply, format) => {
    await using t = await toolWorld(() => reply, { connectors: [single] })
    const { output, metadata } = await t.call("science_fetch", { db: "things", id: "T1", format })
    expect(metadata["error"]).toBeOneOf(["bad_response", "unavailable"])
    expect(output).not.toContain("No such record")
    expect(await t.files()).toEqual([])
  })

  test("a download that is cut off leaves nothing, and is a failure", async () => {
    await using t = await toolWorld(
      () => (_, response) => {
        response.writeHead(200, { "content-length": "100000" })
        response.write("x".repeat(20_000))
        setTimeout(() => response.destroy(), 30)
      },
      { connectors: [single] },
    )
    const { metadata } = await t.call("science_fetch", { db: "things", id: "T1", format: "txt" })
    expect(metadata["error"]).toBe("unavailable")
    expect(await t.files()).toEqual([])
  })

  test("an abort in the middle of a download leaves nothing behind", async () => {
    await using t = await toolWorld(
      () => (_, response) => {
        response.writeHead(200)
        response.write("x".repeat(20_000))
      },
      { connectors: [single] },
    )
    const controller = new AbortController()
    const call = t.call("science_fetch", { db: "things", id: "T1", format: "txt" }, { signal: controller.signal })
    setTimeout(() => controller.abort(new Error("enough")), 150)
    await expect(call).rejects.toThrow("enough")
    expect(await t.files()).toEqual([])
  })

  test("a 404 is a miss, not a file", async () => {
    await using t = await toolWorld(() => ({ status: 404, body: "<html>not found</html>" }), { connectors: [single] })
    const { output, metadata } = await t.call("science_fetch", { db: "things", id: "T1", format: "txt" })
    expect(output).toBe("No such record: Things has no T1.")
    expect(metadata["error"]).toBeUndefined()
    expect(await t.files()).toEqual([])
  })

  test("what a good answer's body says instead of the file is a miss with its reason, or a failure, and never stored", async () => {
    const telling = {
      ...single,
      missing: ({ head }: AnswerHead) => (head.startsWith("gone:") ? new Miss("withdrawn in 2020") : false),
      failure: ({ head }: AnswerHead) =>
        head.startsWith("ERROR") ? new Failure("unavailable", "Things stumbled; try again.") : undefined,
    }
    await using t = await toolWorld(({ path }) => ({ body: path.includes("T1") ? "gone: T1" : "ERROR: backend" }), {
      connectors: [telling],
    })
    const gone = await t.call("science_fetch", { db: "things", id: "T1", format: "txt" })
    expect(gone.output).toBe("No such record: Things has no T1 (withdrawn in 2020).")
    const failed = await t.call("science_fetch", { db: "things", id: "T2", format: "txt" })
    expect(failed.metadata["error"]).toBe("unavailable")
    expect(t.world.server.requests.filter(({ path }) => path.includes("T2"))).toHaveLength(3)
    expect(await t.files()).toEqual([])
  })

  test("a .gz that the server compressed once more for the way loses only that", async () => {
    const inner = Bun.gzipSync("a,b\n1,2\n")
    const zipped = {
      ...single,
      files: {
        "csv.gz": { kind: "gzip" as const, extension: "csv.gz", locate: () => "https://files.example.org/x.csv.gz" },
      },
    }
    await using t = await toolWorld(
      () => ({
        headers: { "content-encoding": "gzip", "content-type": "application/gzip" },
        body: Bun.gzipSync(inner),
      }),
      { connectors: [zipped] },
    )
    const { metadata } = await t.call("science_fetch", { db: "things", id: "T1", format: "csv.gz" })
    const saved = await readFile(path.join(t.world.directory, String(metadata["path"])))
    expect(new Uint8Array(saved)).toEqual(new Uint8Array(inner))
  })

  test("several ids are one file where the service makes one, else a file each, and one question", async () => {
    await using t = await toolWorld(
      ({ path }) => ({ body: path.endsWith("fasta") ? ">T1\nA\n>T2\nC\n" : `${path}\n` }),
      { connectors: [single] },
    )
    const one = await t.call("science_fetch", { db: "things", id: "T1 T2", format: "fasta" })
    expect(one.metadata["paths"]).toHaveLength(1)
    expect(one.output).toContain("2 sequences")
    const edits = t.asked.filter(({ request }) => request.permission === "edit").length
    const two = await t.call("science_fetch", { db: "things", id: "T1 T2", format: "txt" })
    expect(two.metadata["paths"]).toEqual([".openscience/fetch/things/T1.txt", ".openscience/fetch/things/T2.txt"])
    expect(t.asked.filter(({ request }) => request.permission === "edit")).toHaveLength(edits + 1)
  })

  test("an unknown one is answered with those that there are", async () => {
    await using t = await toolWorld(thing, { connectors: [single] })
    const { output, metadata } = await t.call("science_fetch", { db: "things", id: "T1", format: "docx" })
    expect(metadata["error"]).toBe("unsupported_format")
    expect(output).toContain("txt, json, png, fasta")
  })

  test("a link that leads out of the project is refused", async () => {
    await using t = await toolWorld(() => text, { connectors: [single] })
    await using outside = await toolWorld(() => text)
    await mkdir(path.join(t.world.directory, ".openscience"))
    Bun.spawnSync(["ln", "-s", outside.world.directory, path.join(t.world.directory, ".openscience/fetch")])
    const { output, metadata } = await t.call("science_fetch", { db: "things", id: "T1", format: "txt" })
    expect(metadata["error"]).toBe("write_failed")
    expect(output).not.toContain(outside.world.directory)
    expect(await outside.files()).toEqual([])
  })
})

describe("a rule for a database", () => {
  test("forbids it before anything is asked of it", async () => {
    await using t = await toolWorld(
      thing,
      { connectors: [single] },
      { permission: { science_fetch: { "things:*": "deny" } } },
    )
    const { metadata } = await t.call("science_fetch", { db: "things", id: "T1" })
    expect(metadata["error"]).toBe("denied")
    expect(t.world.server.requests).toHaveLength(0)
  })
})
