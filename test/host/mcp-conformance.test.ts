import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { mkdtemp, readFile, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { z } from "zod"
import { commandLine } from "../support/command-line.ts"
import { devTool } from "../support/dev-tool.ts"
import { node22 } from "../support/node22.ts"
import { proteins } from "../support/proteins.ts"
import { until } from "../support/until.ts"

let world: Awaited<ReturnType<typeof commandLine>>
beforeAll(async () => {
  world = await commandLine(proteins)
})
afterAll(() => world[Symbol.asyncDispose]())

/** The scenarios of the suite that any server can be held against; the others call tools and resources that only a test server has. */
const SCENARIOS = {
  "2025-11-25": [
    ...["server-initialize", "server-session-lifecycle", "ping", "tools-list", "server-sse-multiple-streams"],
    ...["resources-list", "prompts-list", "dns-rebinding-protection"],
  ],
  "2026-07-28": [
    ...["server-stateless", "tools-list", "server-sse-multiple-streams", "resources-list", "prompts-list"],
    ...["sep-2164-resource-not-found", "dns-rebinding-protection", "caching", "http-header-validation"],
    ...["input-required-result-unsupported-methods", "input-required-result-validate-input"],
  ],
}

const Checks = z.array(z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }))

const suite = devTool("@modelcontextprotocol/conformance", "0.2.0-alpha.12")
const inspector = devTool("@modelcontextprotocol/inspector", "2.12.0")

describe("the MCP conformance suite", () => {
  test.skipIf(!suite).each(Object.entries(SCENARIOS))("%s", async (revision, scenarios) => {
    await using server = await serve()
    const results = await mkdtemp(path.join(tmpdir(), "conformance-"))
    try {
      const program = path.join(suite ?? "", "@modelcontextprotocol/conformance/dist/index.js")
      const options = ["--url", server.url, "--suite", "all", "--spec-version", revision, "-o", results]
      await Bun.$`${process.execPath} ${[program, "server", ...options]}`.cwd(results).nothrow().quiet()
      for (const scenario of scenarios) {
        const checks = await checksOf(results, scenario)
        expect([scenario, checks.filter(({ status }) => status === "SUCCESS").length > 0]).toEqual([scenario, true])
        // "Not testable" is what the suite says where it misses a tool of its own test server.
        const wrong = checks.filter(
          ({ status, errorMessage }) =>
            !["SUCCESS", "SKIPPED", "INFO"].includes(status) && !errorMessage?.startsWith("Not testable"),
        )
        expect([scenario, wrong]).toEqual([scenario, []])
      }
    } finally {
      await rm(results, { recursive: true, force: true })
    }
  })
})

async function checksOf(results: string, scenario: string) {
  const folders = (await readdir(results)).filter((name) => name.startsWith(`server-${scenario}-2`))
  const file = path.join(results, folders[0] ?? "", "checks.json")
  return existsSync(file) ? Checks.parse(JSON.parse(await readFile(file, "utf8"))) : []
}

async function serve() {
  const child = Bun.spawn(["node", world.bin, "mcp", "--http", "--port", "0"], {
    cwd: world.project,
    env: world.env,
    stderr: "pipe",
  })
  let url = ""
  void (async () => {
    for await (const chunk of child.stderr) url ||= /http:\S+/.exec(Buffer.from(chunk).toString("utf8"))?.[0] ?? ""
  })()
  await until(() => url !== "")
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill()
      await child.exited
    },
  }
}

describe("the MCP inspector's command", () => {
  const node = inspector === undefined ? undefined : node22()

  async function inspect(...options: string[]) {
    const program = path.join(inspector ?? "", "@modelcontextprotocol/inspector/clients/launcher/build/index.js")
    // The server it starts gets the environment that is named, and no more.
    const env = Object.entries(world.env).flatMap(([name, value]) => ["-e", `${name}=${value}`])
    const child = Bun.spawn([node ?? "", program, "--cli", ...env, "node", world.bin, "mcp", ...options], {
      cwd: world.project,
      env: world.env,
      stdout: "pipe",
      stderr: "pipe",
    })
    const [stdout, stderr, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { stdout, stderr, exitCode }
  }

  test.skipIf(!node)("finds nothing wrong with the tools' schemas", async () => {
    const { stderr, exitCode } = await inspect("--method", "tools/list", "--strict")
    expect(stderr).not.toContain("Issue:")
    expect(exitCode).toBe(0)
  })

  test.skipIf(!node)("calls a search, a file and a denial", async () => {
    const call = (tool: string, ...args: string[]) =>
      inspect("--method", "tools/call", "--tool-name", tool, ...args.flatMap((each) => ["--tool-arg", each]))
    const search = await call("science_search", "db=uniprot", "query=insulin", "limit=1")
    expect(JSON.parse(search.stdout).structuredContent).toMatchObject({ count: 1, total: 1204 })
    const file = await call("science_fetch", "db=uniprot", "id=P01308", "format=fasta")
    expect(JSON.parse(file.stdout).content).toMatchObject([{ type: "text" }, { type: "resource_link" }])
    const miss = await call("science_fetch", "db=uniprot", "id=Q00000")
    expect(JSON.parse(miss.stdout).isError).toBeUndefined()
  })
})
