import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { loopback, type Loopback } from "../support/loopback.ts"
import { withPerson } from "../support/opencode-serve.ts"
import { runOpencode, type OpencodeOptions } from "../support/opencode.ts"

/** A PDBx/mmCIF file of some size, with bytes that a text mode would change. */
const CIF = `data_1A8O\r\n#\nloop_\n_atom_site.id\n${Array.from({ length: 2000 }, (_, i) => `ATOM   ${i} C CA . MET A 1 ${(i / 7).toFixed(3)}`).join("\n")}\n#\n`

/** 1.4 MB of record, as large as famous proteins are. */
const HUGE = JSON.stringify({
  entryType: "UniProtKB reviewed (Swiss-Prot)",
  primaryAccession: "P04637",
  uniProtkbId: "P53_HUMAN",
  genes: [{ geneName: { value: "TP53" } }],
  features: Array.from({ length: 9000 }, (_, i) => ({
    type: "Natural variant",
    location: { start: { value: i }, end: { value: i } },
    description: `in a sporadic cancer; somatic mutation number ${i}; dbSNP:rs${i}`,
  })),
})

const SMALL = JSON.stringify({
  entryType: "UniProtKB reviewed (Swiss-Prot)",
  primaryAccession: "P01308",
  uniProtkbId: "INS_HUMAN",
  genes: [{ geneName: { value: "INS" } }],
})

let databases: Loopback

beforeAll(async () => {
  databases = await loopback(({ host, path }) => {
    if (host === "files.rcsb.org" && path === "/download/1A8O.cif")
      return { headers: { "content-type": "application/octet-stream" }, body: CIF }
    if (path.startsWith("/uniprotkb/search"))
      return {
        headers: {
          "x-total-results": "1204",
          link: '<https://rest.uniprot.org/uniprotkb/search?cursor=1mkycb2xwxbouw6v&size=1>; rel="next"',
        },
        body: `{"results":[${SMALL}]}`,
      }
    if (path.startsWith("/uniprotkb/P01308")) return SMALL
    if (path.startsWith("/uniprotkb/P04637")) return HUGE
    return undefined
  })
})

afterAll(() => databases[Symbol.asyncDispose]())

const run = (options: Omit<OpencodeOptions, "mirrors">) => runOpencode({ mirrors: databases.mirrors, ...options })
const fetchCall = (args: Record<string, unknown>) => [{ call: [{ name: "science_fetch", args }] }, { say: "done" }]
const cif = fetchCall({ db: "rcsb-pdb", id: "1A8O", format: "cif" })
const huge = fetchCall({ db: "uniprot", id: "P04637" })
const saved = ".openscience/fetch/rcsb-pdb/1A8O.cif"

describe("in the real opencode", () => {
  test("the three tools are offered, and a list, a search and an inline record come back to the model in one turn", async () => {
    const calls = [
      { name: "science_list_dbs", args: {} },
      { name: "science_search", args: { db: "uniprot", query: "insulin", limit: "1", cursor: null } },
      { name: "science_fetch", args: { db: "uniprot", id: "P01308" } },
    ]
    await using r = await run({ turns: [{ call: calls }, { say: "done" }] })
    const offered = r.model.requests[0]?.tools
      ?.map((tool) => tool.function.name)
      .filter((name) => name.startsWith("science"))
    expect(offered?.sort()).toEqual(["science_fetch", "science_list_dbs", "science_search"])
    const [list, search, record] = r.model.toolResults()
    expect(list).toContain("uniprot · ")
    expect(search).toStartWith("UniProt · 1 of 1,204 · next: 1mkycb2xwxbouw6v")
    expect(record).toContain('"primaryAccession":"P01308"')
    expect(await r.files()).toEqual([])
    expect(r.exitCode).toBe(0)
  })

  test("a file is written byte for byte as the server sent it, and the model reads its path", async () => {
    await using r = await run({ turns: cif })
    expect(await readFile(path.join(r.project, saved), "utf8")).toBe(CIF)
    const [answer] = r.model.toolResults()
    expect(answer).toContain(`${saved} · `)
    expect(answer).toContain("2,000 atoms")
    expect(await r.files()).toEqual([
      ".openscience/",
      ".openscience/fetch/",
      ".openscience/fetch/.gitignore",
      ".openscience/fetch/manifest.jsonl",
      ".openscience/fetch/rcsb-pdb/",
      saved,
    ])
  })

  test("the answer about a 1.4 MB record stays under the host's bound: path, outline, selects", async () => {
    expect(HUGE.length).toBeGreaterThan(1_400_000)
    await using r = await run({ turns: huge })
    const [answer = ""] = r.model.toolResults()
    expect(Buffer.byteLength(answer)).toBeLessThan(10_000)
    expect(answer).toContain("saved to .openscience/fetch/uniprot/P04637.json")
    expect(answer).toContain("features: array of 9000")
    expect(answer).not.toContain("truncated")
    expect(JSON.parse(await readFile(path.join(r.project, ".openscience/fetch/uniprot/P04637.json"), "utf8"))).toEqual(
      JSON.parse(HUGE),
    )
  })

  test.each([
    ["edit: deny", { config: { permission: { edit: "deny" } } }],
    ["the plan agent", { args: ["--agent", "plan"] }],
    ["a rule for the folder", { config: { permission: { edit: { "*": "allow", ".openscience/*": "deny" } } } }],
    ["our own plan mode", { pluginOptions: { mode: "plan" } }],
  ])("%s: nothing at all appears in the project, and the model reads a useful answer", async (_, options) => {
    await using file = await run({ turns: cif, ...options })
    expect(await file.files()).toEqual([])
    expect(file.model.toolResults()[0]).toMatch(/denied: .*[Nn]othing was written/)
    await using record = await run({ turns: huge, ...options })
    expect(await record.files()).toEqual([])
    expect(record.model.toolResults()[0]).toContain("not saved, denied:")
    expect(record.model.toolResults()[0]).toContain("features: array of 9000")
    expect(record.model.requests).toHaveLength(2)
  })

  test("edit: ask with nobody there ends the run, with nothing written", async () => {
    await using r = await run({ turns: cif, config: { permission: { edit: "ask" } } })
    expect(await r.files()).toEqual([])
    expect(r.model.requests).toHaveLength(1)
  })

  test("where the host lets the plan agent write, because the user's rules come last, the answer is the path and no denial", async () => {
    await using r = await run({ turns: cif, args: ["--agent", "plan"], config: { permission: { edit: "allow" } } })
    expect(await r.files()).toContain(saved)
    expect(r.model.toolResults()[0]).toContain(`${saved} · `)
    expect(r.model.toolResults()[0]).not.toMatch(/denied|nothing was written/i)
  })

  const ask = { mirrors: {}, turns: cif, config: { permission: { edit: "ask" as const } } }

  test("a person who is asked sees path, database and address, and yes means that it is written", async () => {
    await using r = await withPerson({ ...ask, mirrors: databases.mirrors }, [{ reply: "once" }])
    expect(r.asked).toMatchObject([
      {
        permission: "edit",
        patterns: [saved],
        metadata: {
          filepath: saved,
          db: "rcsb-pdb",
          ids: ["1A8O"],
          format: "cif",
          url: "https://files.rcsb.org/download/1A8O.cif",
        },
      },
    ])
    expect(await r.files()).toContain(saved)
  })

  test("no means that nothing is written and the loop stops; no with a word means that the model reads it", async () => {
    await using no = await withPerson({ ...ask, mirrors: databases.mirrors }, [{ reply: "reject" }])
    expect(await no.files()).toEqual([])
    expect(no.model.requests).toHaveLength(1)
    await using corrected = await withPerson({ ...ask, mirrors: databases.mirrors }, [
      { reply: "reject", message: "use bcif instead" },
    ])
    expect(await corrected.files()).toEqual([])
    expect(corrected.model.toolResults()[0]).toContain("use bcif instead")
  })

  test("a rule for a database forbids it", async () => {
    const before = databases.requests.length
    await using r = await run({
      turns: fetchCall({ db: "uniprot", id: "P01308" }),
      config: { permission: { science_fetch: { "uniprot:*": "deny" } } },
    })
    expect(r.model.toolResults()[0]).toMatch(/denied: Nothing was asked of the database/)
    expect(databases.requests).toHaveLength(before)
  })

  test("from a folder below the worktree the rule's path is relative to the worktree, the file is in the project directory", async () => {
    await using denied = await run({
      turns: cif,
      start: "analysis",
      config: { permission: { edit: { "*": "allow", "analysis/.openscience/*": "deny" } } },
    })
    expect(denied.model.toolResults()[0]).toContain("denied")
    expect(await denied.files()).toEqual([])
    await using allowed = await run({
      turns: cif,
      start: "analysis",
      config: { permission: { edit: { "*": "allow", ".openscience/*": "deny" } } },
    })
    expect(await allowed.files()).toContain(`analysis/${saved}`)
  })

  test("outside git it works as well", async () => {
    await using r = await run({ turns: cif, git: false })
    expect(await r.files()).toContain(saved)
  })

  test("bad arguments come back in plain words, and the loop goes on", async () => {
    await using r = await run({ turns: fetchCall({ db: "uniprot" }) })
    expect(r.model.toolResults()[0]).toBe("invalid_id: science_fetch needs `id`; it takes db, id, format?, select?.")
    expect(r.model.requests).toHaveLength(2)
  })

  test("a wrong plugin option takes the tools away and is in the log; the host works", async () => {
    await using r = await run({ turns: [{ say: "done" }], pluginOptions: { mirors: {} }, args: ["--print-logs"] })
    expect(r.model.requests[0]?.tools?.map((tool) => tool.function.name)).not.toContain("science_fetch")
    expect(r.stderr).toContain("mirors: no such key")
    expect(r.exitCode).toBe(0)
  })

  test("the plugin's one built file works alone, copied where nothing is installed", async () => {
    const built = path.resolve(import.meta.dirname, "../../dist/server.js")
    await using r = await runOpencode({
      mirrors: databases.mirrors,
      turns: fetchCall({ db: "uniprot", id: "P01308" }),
      plugin: "./plugin.js",
      prepare: async (home) => writeFile(path.join(home, "plugin.js"), await readFile(built)),
    })
    expect(r.model.toolResults()[0]).toContain('"primaryAccession":"P01308"')
  })
})
