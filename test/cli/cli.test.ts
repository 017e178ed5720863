import { describe, expect, test } from "bun:test"
import { readdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { listen } from "../mcp/servers/http.ts"
import { nemarServer } from "../mcp/servers/nemar.ts"
import { bin, commandLine } from "../support/command-line.ts"

const p53 = (features = 1) => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    entryType: "UniProtKB reviewed (Swiss-Prot)",
    primaryAccession: "P04637",
    uniProtkbId: "P53_HUMAN",
    genes: [{ geneName: { value: "TP53" } }],
    features: Array.from({ length: features }, (_, i) => ({
      type: "Natural variant",
      description: `variant number ${i} of many`,
    })),
  }),
})

describe("opencode-science fetch", () => {
  test("prints the record and exits 0; the second call, another process, makes no request", async () => {
    await using c = await commandLine(() => p53())
    const first = await c.run(["fetch", "uniprot", "P04637", "--select", "genes[0].geneName.value"])
    expect(first).toEqual({ exitCode: 0, stdout: "TP53\n", stderr: "" })
    const again = await c.run(["fetch", "uniprot", "P04637", "--json"])
    expect(JSON.parse(again.stdout).metadata).toMatchObject({ count: 1, requests: 0, cached: 1 })
    expect(c.server.requests).toHaveLength(1)
    expect(await c.files()).toEqual([])
  })

  test("of a large record saves it and says where, as JSON for programs", async () => {
    await using c = await commandLine(() => p53(2000))
    const { exitCode, stdout } = await c.run(["fetch", "uniprot", "P04637", "--json"])
    const { title, output, metadata } = JSON.parse(stdout)
    expect(exitCode).toBe(0)
    expect(title).toBe("uniprot P04637")
    expect(output).toContain("outline:")
    expect(metadata).toMatchObject({
      disposition: "spill",
      path: ".openscience/fetch/uniprot/P04637.json",
      truncated: false,
    })
    expect(await c.files()).toContain(".openscience/fetch/uniprot/P04637.json")
  })

  test("exits 3 for a miss and 1 for a failure", async () => {
    await using c = await commandLine(({ path }) =>
      path.includes("Q00000")
        ? { status: 404, body: '{"messages":["Resource not found"]}' }
        : { status: 400, body: '{"messages":["no"]}' },
    )
    expect(await c.run(["fetch", "uniprot", "Q00000"])).toMatchObject({
      exitCode: 3,
      stdout: "No such record: UniProt has no Q00000.\n",
    })
    expect((await c.run(["fetch", "uniprot", "P04637"])).exitCode).toBe(1)
    expect((await c.run(["fetch", "nosuchdb", "P04637"])).exitCode).toBe(1)
  })

  test("in plan mode writes nothing at all, not even to its cache", async () => {
    await using c = await commandLine(() => p53(2000))
    const { exitCode, stdout } = await c.run(["fetch", "uniprot", "P04637"], { OPENCODE_SCIENCE_MODE: "plan" })
    expect(exitCode).toBe(1)
    expect(stdout).toContain("not saved, denied")
    const home = await readdir(path.dirname(c.project), { recursive: true })
    expect(home).toEqual(["project"])
  })

  test("stopped by Ctrl-C in the middle of a download leaves nothing half-written and exits 130", async () => {
    await using c = await commandLine(() => (_, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-length": "10000000" })
      response.write(`>sp|P04637\n${"MEEPQ".repeat(10_000)}\n`)
    })
    const child = c.start(["fetch", "uniprot", "P04637", "--format", "fasta"])
    const deadline = Date.now() + 10_000
    while (!(await c.files()).some((name) => name.endsWith(".part")) && Date.now() < deadline) await Bun.sleep(50)
    expect((await c.files()).some((name) => name.endsWith(".part"))).toBe(true)
    child.kill("SIGINT")
    expect(await child.exited).toBe(130)
    expect(await new Response(child.stderr).text()).toContain("nothing was left half-written")
    expect(await c.files()).toEqual([])
  }, 20_000)

  test("with rules that ask, and nobody at a terminal, is denied and says which rule to set", async () => {
    await using c = await commandLine(() => p53(2000))
    const { stdout } = await c.run(["fetch", "uniprot", "P04637"], {
      OPENCODE_SCIENCE_CONFIG: '{"permission":{"edit":"ask"}}',
    })
    expect(stdout).toContain('"edit": {".openscience/fetch/*": "allow"}')
    expect(await c.files()).toEqual([])
  })
})

describe("opencode-science search and list", () => {
  test("no hits is exit 3, an outage exit 1", async () => {
    await using c = await commandLine(() => ({ headers: { "x-total-results": "0" }, body: '{"results":[]}' }))
    expect(await c.run(["search", "uniprot", "xyzzy", "plugh"])).toMatchObject({
      exitCode: 3,
      stdout: 'UniProt · no hits for "xyzzy plugh"\n',
    })
    await using down = await commandLine(() => ({ status: 503, headers: { "retry-after": "60" } }))
    expect((await down.run(["search", "uniprot", "p53"])).exitCode).toBe(1)
  })

  test("the catalogue needs no network", async () => {
    await using c = await commandLine(() => undefined)
    const { exitCode, stdout } = await c.run(["list", "--find", "fasta", "--domain", "proteins"])
    expect(exitCode).toBe(0)
    expect(stdout).toContain("uniprot · ")
    expect(c.server.requests).toHaveLength(0)
  })

  test("a reader that closes early is no error", async () => {
    await using c = await commandLine(() => undefined)
    const child = Bun.spawn(["sh", "-c", `node ${bin} list | head -n 1`], { cwd: c.project, stderr: "pipe" })
    expect(await child.exited).toBe(0)
    expect(await new Response(child.stderr).text()).toBe("")
  })
})

describe("opencode-science tools and call", () => {
  test("lists what an agent gets, and calls it as an agent would", async () => {
    await using c = await commandLine(() => p53())
    const { stdout } = await c.run(["tools", "--json"])
    expect(JSON.parse(stdout).map(({ name }: { name: string }) => name)).toEqual([
      "science_list_dbs",
      "science_search",
      "science_fetch",
    ])
    const called = await c.run(["call", "science_fetch", '{"db":"uniprot","id":"p04637","select":"primaryAccession"}'])
    expect(called).toMatchObject({ exitCode: 0, stdout: "P04637\n" })
  })
})

describe("opencode-science tools and call, with MCP servers", () => {
  test("list what they offer beside ours, and call one of theirs without asking the others", async () => {
    await using c = await commandLine(() => undefined)
    await using nemar = await nemarServer()
    await using other = await nemarServer()
    const env = { OPENCODE_SCIENCE_MCP: JSON.stringify({ nemar: { url: nemar.url }, other: { url: other.url } }) }
    const { stdout } = await c.run(["tools", "--json"], env)
    const tools: { name: string; parameters: { properties: object } }[] = JSON.parse(stdout)
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["science_fetch", "nemar_read_window", "other_get_events"]),
    )
    other.asked.length = 0
    const called = await c.run(["call", "nemar_search_datasets", '{"query":"rest"}', "--json"], env)
    expect(JSON.parse(called.stdout).metadata).toMatchObject({ server: "nemar", disposition: "inline" })
    expect(other.asked).toEqual([])
    const refused = await c.run(["call", "nemar_describe_dataset", '{"dataset_id":"nm999999"}'], env)
    expect(refused).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("nemar refused: ") })
    expect((await c.run(["call", "nemar_nonsense"], env)).exitCode).toBe(2)
  })

  test("a server that is not there fails the call, and not the list", async () => {
    await using c = await commandLine(() => undefined)
    const env = { OPENCODE_SCIENCE_MCP: '{"lab":{"url":"http://127.0.0.1:9/mcp"}}' }
    const line = 'MCP server "lab": nothing listens there (connection refused): http://127.0.0.1:9/mcp'
    expect(await c.run(["call", "lab_x"], env)).toEqual({ exitCode: 1, stdout: `unavailable: ${line}\n`, stderr: "" })
    const listed = await c.run(["tools"], env)
    expect(listed).toMatchObject({ exitCode: 0, stderr: `${line}\n` })
  })

  test("stopped by Ctrl-C while a server hangs exits 130 at once", async () => {
    await using c = await commandLine(() => undefined)
    await using hung = await listen(() => undefined)
    const child = c.start(["tools"], { OPENCODE_SCIENCE_MCP: JSON.stringify({ lab: { url: hung.url } }) })
    while (hung.asked.length === 0) await Bun.sleep(20)
    child.kill("SIGINT")
    expect(await child.exited).toBe(130)
  })
})

describe("wrong usage", () => {
  test.each([
    [["fetch"]],
    [["fetch", "uniprot"]],
    [["nonsense"]],
    [["fetch", "uniprot", "P1", "--nonsense"]],
    [["call", "science_fetch", "{"]],
    [["call", "nonsense", "{}"]],
    [["--directory", "/nonexistent/x", "list"]],
  ])("%p exits 2 with one sentence on standard error", async (args) => {
    await using c = await commandLine(() => undefined)
    const { exitCode, stdout, stderr } = await c.run(args)
    expect(exitCode).toBe(2)
    expect(stdout).toBe("")
    expect(stderr.trim().length).toBeGreaterThan(10)
    expect(stderr).not.toContain("    at ")
  })

  test.each([
    [
      { OPENCODE_SCIENCE_CONFIG: '{"mirors":{}}' },
      /OPENCODE_SCIENCE_CONFIG: mirors: no such key; the keys are mirrors/,
    ],
    [{ OPENCODE_SCIENCE_CONFIG: '{"mode":"fast"}' }, /mode/],
    [{ OPENCODE_SCIENCE_CONFIG: "/nonexistent.json" }, /nonexistent\.json/],
    [{ OPENCODE_SCIENCE_MIRRORS: "not json" }, /OPENCODE_SCIENCE_MIRRORS is not JSON/],
    [{ OPENCODE_SCIENCE_CONFIG: '{"permission":{"edit":"perhaps"}}' }, /permission.*perhaps/],
  ])("a wrong setting %p is an error that names it", async (env, message) => {
    await using c = await commandLine(() => undefined)
    const { exitCode, stderr } = await c.run(["list"], env)
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(message)
  })

  test("a project's configuration file is read", async () => {
    await using c = await commandLine(() => undefined)
    await Bun.$`mkdir -p ${c.project}/.openscience`.quiet()
    await writeFile(path.join(c.project, ".openscience/config.json"), '{"databases":{"enable":["uniprot"]}}')
    const { stdout } = await c.run(["list"])
    expect(stdout.trim().split("\n")).toHaveLength(2)
  })
})

describe("--help", () => {
  test.each([[[]], [["fetch"]], [["search"]], [["call"]], [["demo"]]])(
    "of %p explains it and exits 0",
    async (command) => {
      await using c = await commandLine(() => undefined)
      const { exitCode, stdout } = await c.run([...command, "--help"])
      expect(exitCode).toBe(0)
      expect(stdout).toContain("Usage: opencode-science")
    },
  )
})

describe("demo", () => {
  test("shows the main job on embedded answers, without a network", async () => {
    await using c = await commandLine(() => undefined)
    const { exitCode, stdout } = await c.run(["demo"], { OPENCODE_SCIENCE_MIRRORS: "" })
    expect(stdout).not.toContain("not what the step should have shown")
    expect(exitCode).toBe(0)
    for (const shown of [
      "saved to .openscience/fetch/uniprot/P04637.json",
      "1 sequence",
      "No such record",
      "unavailable: RCSB PDB",
      "Denied by plan mode",
      "plan mode: nothing",
    ])
      expect(stdout).toContain(shown)
  })
})

test("the files of the built-in prompts are what the tools say", async () => {
  const prompt = await readFile(path.resolve(import.meta.dirname, "../../src/tool/science-fetch.txt"), "utf8")
  await using c = await commandLine(() => undefined)
  const { stdout } = await c.run(["tools"])
  expect(stdout).toContain(prompt.trim())
})
