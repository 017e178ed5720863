import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { claudeCode, codex, geminiCli, runAgent } from "../support/agents.ts"
import { loopback, type Loopback } from "../support/loopback.ts"
import { proteins } from "../support/proteins.ts"

let databases: Loopback
beforeAll(async () => {
  databases = await loopback(proteins)
})
afterAll(() => databases[Symbol.asyncDispose]())

const fasta = { name: "science_fetch", args: { db: "uniprot", id: "P01308", format: "fasta" } }
const huge = { name: "science_fetch", args: { db: "uniprot", id: "P04637" } }
const saved = ".openscience/fetch/uniprot/P01308.fasta"
const config = (value: object) => ({ OPENCODE_SCIENCE_CONFIG: JSON.stringify(value) })

describe.each([claudeCode, codex, geminiCli].map((agent) => [agent.title, agent] as const))(
  "in the real %s",
  (_, agent) => {
    const program = agent.program()
    const run = (calls: { name: string; args: unknown }[], env: Record<string, string> = {}) =>
      runAgent(agent, program ?? [], {
        calls,
        env: { OPENCODE_SCIENCE_MIRRORS: JSON.stringify(databases.mirrors), ...env },
      })

    test.skipIf(!program)("the model reads the text of a list, a search, a record, a miss and a failure", async () => {
      await using r = await run([
        { name: "science_list_dbs", args: {} },
        { name: "science_search", args: { db: "uniprot", query: "insulin", limit: 1 } },
        { name: "science_fetch", args: { db: "uniprot", id: "P01308" } },
        { name: "science_fetch", args: { db: "uniprot", id: "Q00000" } },
        { name: "science_fetch", args: { db: "uniprot", id: "no id" } },
      ])
      const [list, search, record, miss, failure] = r.results
      expect(list).toContain("uniprot · protein sequences")
      expect(list).toContain("opentargets · ")
      expect(search).toContain("UniProt · 1 of 1,204")
      expect(record).toContain('"primaryAccession":"P01308"')
      expect(miss).toContain("No such record: UniProt has no Q00000.")
      expect(failure).toContain("invalid_id: ")
      expect(await r.files()).toEqual([])
      expect(r.exitCode).toBe(0)
    })

    test.skipIf(!program)("a file and a large record land in the project, and the model reads where", async () => {
      await using r = await run([fasta, huge])
      const [file, record] = r.results
      expect(file).toContain(`${saved} · `)
      expect(record).toContain("saved to .openscience/fetch/uniprot/P04637.json")
      expect(record).toContain("features: array of 9000")
      expect(await r.files()).toEqual([
        ".openscience/fetch/.gitignore",
        ".openscience/fetch/manifest.jsonl",
        saved,
        ".openscience/fetch/uniprot/P04637.json",
      ])
    })

    test.skipIf(!program)("our plan mode writes nothing, and the model reads why and what is left to do", async () => {
      await using r = await run([fasta, huge], { OPENCODE_SCIENCE_MODE: "plan" })
      const [file, record] = r.results
      expect(file).toContain("denied: Denied by plan mode")
      expect(record).toContain("not saved, denied: Denied by plan mode")
      expect(record).toContain("for a part: select ")
      expect(await r.files()).toEqual([])
    })

    test.skipIf(!program)("a rule that forbids, and one that wants a person where none is, write nothing", async () => {
      await using denied = await run([fasta], config({ permission: { edit: "deny" } }))
      expect(denied.results[0]).toMatch(/denied: Denied by the rule .*nothing was written/)
      expect(await denied.files()).toEqual([])
      await using asking = await run([fasta], config({ permission: { edit: "ask" } }))
      expect(asking.results[0]).toMatch(/denied: .*nothing was written.*a person can allow it by /)
      expect(await asking.files()).toEqual([])
    })
  },
)
