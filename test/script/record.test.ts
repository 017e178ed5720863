import { expect, test } from "bun:test"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { loopback } from "../support/loopback.ts"

const script = path.resolve(import.meta.dirname, "../../script/record.ts")

test("record.ts writes each exchange as a pair that can be replayed, without keys", async () => {
  await using server = await loopback(({ path }) =>
    path.includes("efetch") && path.includes("99999999")
      ? { headers: { "content-type": "text/xml" }, body: '<?xml version="1.0"?><PubmedArticleSet></PubmedArticleSet>' }
      : { status: 404, body: '{"error":"nothing"}' },
  )
  const out = await mkdtemp(path.join(tmpdir(), "record-test-"))
  try {
    const run = Bun.spawn([process.execPath, script, "--out", out, "--upstream", `${server.url}/{host}`, "pubmed"], {
      env: { PATH: process.env["PATH"] ?? "", NCBI_API_KEY: "secret-key" },
      stdout: "pipe",
      stderr: "inherit",
    })
    expect(await new Response(run.stdout).text()).toMatch(/^pubmed +\d+ exchanges\n$/)
    const names = await readdir(path.join(out, "pubmed"))
    expect(names).toContain("miss-99999999.json")
    const exchange = JSON.parse(await readFile(path.join(out, "pubmed/miss-99999999.json"), "utf8"))
    expect(exchange).toMatchObject({
      db: "pubmed",
      operation: "miss",
      id: "99999999",
      request: { method: "GET" },
      response: { status: 200 },
      body: "miss-99999999.body",
      fidelity: "raw",
    })
    expect(exchange.request.url).toStartWith("https://eutils.ncbi.nlm.nih.gov/entrez/eutils/efetch.fcgi?")
    expect(await readFile(path.join(out, "pubmed/miss-99999999.body"), "utf8")).toContain("<PubmedArticleSet>")
    expect(server.requests.some(({ path }) => path.includes("api_key=secret-key"))).toBe(true)
    for (const name of names) expect(await readFile(path.join(out, "pubmed", name), "utf8")).not.toContain("secret-key")
  } finally {
    await rm(out, { recursive: true, force: true })
  }
}, 30_000)

test("record.ts without a place to write to, or for a database that there is not, says so and exits 2", () => {
  for (const args of [[], ["--out", "/nonexistent", "nosuch"]]) {
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, script, ...args])
    expect(exitCode).toBe(2)
    expect(stderr.toString()).toMatch(/--out|nosuch/)
  }
})
