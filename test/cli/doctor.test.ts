import { describe, expect, test } from "bun:test"
import { commandLine } from "../support/command-line.ts"
import type { Reply, Seen } from "../support/loopback.ts"

const INSULIN = { entryType: "UniProtKB reviewed (Swiss-Prot)", primaryAccession: "P04637", uniProtkbId: "P53_HUMAN" }

const works = ({ path }: Seen): Reply | undefined => {
  if (path.startsWith("/uniprotkb/search")) return JSON.stringify({ results: [INSULIN] })
  if (path.startsWith("/uniprotkb/P04637.fasta")) return ">sp|P04637|P53_HUMAN\nMEEPQ\n"
  if (path.startsWith("/uniprotkb/P04637")) return JSON.stringify(INSULIN)
  return { status: 404, body: '{"messages":["Resource not found"]}' }
}

describe("opencode-science doctor", () => {
  test("asks one search, one record, one file and one missing id, prints a table, writes nothing into the project, exits 0", async () => {
    await using c = await commandLine(works)
    const { exitCode, stdout, stderr } = await c.run(["doctor", "uniprot"])
    expect(stdout).toMatch(
      /^database +search +record +file +miss\nuniprot( +\d+ ms \d+ bytes){4}\n\n1 of 1 databases work\n$/,
    )
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(c.server.requests).toHaveLength(4)
    expect(await c.files()).toEqual([])
  })

  test("an outage, a record for a missing id and a miss for a known one are broken: a line each, exit 1", async () => {
    await using down = await commandLine(() => ({ status: 503, headers: { "retry-after": "100" } }))
    const outage = await down.run(["doctor", "uniprot"])
    expect(outage.exitCode).toBe(1)
    expect(outage.stdout).toContain('uniprot miss "Q00000": unavailable: UniProt is down or overloaded (503)')
    await using empty = await commandLine((request) =>
      request.path.includes("P04637") ? { status: 404, body: "{}" } : works(request),
    )
    expect((await empty.run(["doctor", "uniprot"])).stdout).toContain('uniprot record "P04637": no such record')
    await using generous = await commandLine((request) =>
      request.path.includes("Q00000") ? JSON.stringify({ ...INSULIN, primaryAccession: "Q00000" }) : works(request),
    )
    expect((await generous.run(["doctor", "uniprot"])).stdout).toContain(
      "a record came, where a miss was to be expected",
    )
  }, 30_000)

  test("--json is for a scheduled job", async () => {
    await using c = await commandLine(works)
    const { stdout, exitCode } = await c.run(["doctor", "uniprot", "--json"])
    expect(exitCode).toBe(0)
    const [examined] = JSON.parse(stdout)
    expect(examined).toMatchObject({ db: "uniprot", broken: false })
    expect(examined.checks.map(({ name, result }: { name: string; result: string }) => `${name} ${result}`)).toEqual([
      "search ok",
      "record ok",
      "file ok",
      "miss ok",
    ])
  })

  test("a database that there is not is wrong usage", async () => {
    await using c = await commandLine(works)
    const { exitCode, stderr } = await c.run(["doctor", "unipro"])
    expect(exitCode).toBe(2)
    expect(stderr).toContain("did you mean uniprot?")
  })
})
