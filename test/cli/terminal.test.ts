import { describe, expect, test } from "bun:test"
import { commandLine } from "../support/command-line.ts"
import { onTerminal } from "../support/terminal.ts"

const slowly = async () => {
  const total = 400_000
  return await commandLine(() => async (_, response) => {
    response.writeHead(200, { "content-type": "text/plain", "content-length": String(total) })
    for (let sent = 0; sent < total; sent += 20_000) {
      response.write(sent === 0 ? `>sp|P04637|P53_HUMAN\n${"M".repeat(19_978)}\n` : `${"A".repeat(19_999)}\n`)
      await Bun.sleep(80)
    }
    response.end()
  })
}

const quickly = () => commandLine(() => ({ body: ">sp|P04637|P53_HUMAN\nMEEPQ\n" }))
const asking = { OPENCODE_SCIENCE_CONFIG: '{"permission":{"edit":"ask"}}' }
const fasta = ["fetch", "uniprot", "P04637", "--format", "fasta"]

describe("on a terminal", () => {
  test("a long download shows a bar with what came and how much is to come", async () => {
    await using c = await slowly()
    const { screen, exitCode } = await onTerminal(c, fasta)
    expect(screen).toMatch(/P04637 .*[=-]+ [\d.]+ KB of 391 KB/)
    expect(screen).toContain("1 sequence")
    expect(exitCode).toBe(0)
  }, 20_000)

  test("a rule that asks is put to the person, and yes means that it is written", async () => {
    await using c = await quickly()
    const { screen, exitCode } = await onTerminal(c, fasta, asking, "[N]o:", "y\r")
    expect(screen).toContain(
      "Allow edit of .openscience/fetch/uniprot/P04637.fasta (from https://rest.uniprot.org/uniprotkb/P04637.fasta)?",
    )
    expect(exitCode).toBe(0)
    expect(await c.files()).toContain(".openscience/fetch/uniprot/P04637.fasta")
  }, 20_000)

  test("no, or just Enter, means that nothing is written, and exit 1", async () => {
    for (const typed of ["n\r", "\r"]) {
      await using c = await quickly()
      const { screen, exitCode } = await onTerminal(c, fasta, asking, "[N]o:", typed)
      expect(screen).toContain("said no, so nothing was written")
      expect(exitCode).toBe(1)
      expect(await c.files()).toEqual([])
    }
  }, 20_000)

  test("Ctrl-C at the question ends the command with nothing written", async () => {
    await using c = await quickly()
    const { exitCode } = await onTerminal(c, fasta, asking, "[N]o:", "\u0003")
    expect(exitCode).toBe(130)
    expect(await c.files()).toEqual([])
  }, 20_000)

  test("Ctrl-C in the middle of a download cleans up and exits 130", async () => {
    await using c = await slowly()
    const { screen, exitCode } = await onTerminal(c, fasta, {}, " KB of ", "\u0003")
    expect(screen).toContain("nothing was left half-written")
    expect(exitCode).toBe(130)
    expect(await c.files()).toEqual([])
  }, 20_000)
})
