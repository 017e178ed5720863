import { describe, expect, test } from "bun:test"
import { readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { mcpWorld, type WorldOptions } from "./world.ts"

const script = path.join(import.meta.dirname, "servers/reactome-stdio.ts")

/** The server as a process of its own, which notes the processes that belong to it. */
async function child(config: Record<string, unknown> = {}, options: WorldOptions = {}) {
  const pids = path.join(tmpdir(), `pids-${crypto.randomUUID()}`)
  const { env = {}, ...more } = config
  const w = await mcpWorld(
    {
      reactome: {
        command: process.execPath,
        args: [script],
        tools: ["*"],
        env: { PIDS: pids, ...Object(env) },
        ...more,
      },
    },
    options,
  )
  const started = async () => (await readFile(pids, "utf8").catch(() => "")).split("\n").filter(Boolean).map(Number)
  const end = w[Symbol.asyncDispose]
  return Object.assign(w, {
    pids,
    started,
    alive: async () => (await started()).filter(isAlive),
    async [Symbol.asyncDispose]() {
      await end()
      await rm(pids, { force: true })
    },
  })
}

const isAlive = (pid: number) =>
  Bun.spawnSync(["ps", "-o", "stat=", "-p", String(pid)])
    .stdout.toString()
    .trim()
    .replace(/^Z.*/, "") !== ""

const eventually = async (holds: () => Promise<boolean>) => {
  for (const until = Date.now() + 5_000; Date.now() < until; await Bun.sleep(50)) if (await holds()) return true
  return false
}

describe("a server that is started here", () => {
  test("gives tools and answers, one process for all calls", async () => {
    await using w = await child()
    expect((await w.call("reactome_search", { query: "cell" })).output).toContain("Results for cell")
    const first = JSON.parse((await w.call("reactome_process")).output)
    const second = JSON.parse((await w.call("reactome_process")).output)
    expect(second.pid).toBe(first.pid)
    expect(await w.started()).toHaveLength(1)
  })

  test("gets the variables that the configuration names and a few harmless ones, not ours", async () => {
    process.env["OUR_OWN_KEY"] = "not for others"
    await using w = await child({ env: { GIVEN: "${FROM_US}" } }, { env: { FROM_US: "value" } })
    const { env } = JSON.parse((await w.call("reactome_process")).output)
    delete process.env["OUR_OWN_KEY"]
    expect(env).toContain("GIVEN")
    expect(env).toContain("PATH")
    expect(env).not.toContain("OUR_OWN_KEY")
  })

  test("ends with all that it started", async () => {
    await using w = await child({ env: { GRANDCHILD: "1" } })
    await w.mcp.tools()
    expect(await w.started()).toHaveLength(2)
    expect(await w.alive()).toHaveLength(2)
    await w.mcp.close()
    expect(await w.alive()).toEqual([])
    await w.mcp.close()
  })

  test("that died is started anew for the next call", async () => {
    await using w = await child()
    const died = await w.call("reactome_die")
    expect(died.metadata).toMatchObject({ error: "unavailable" })
    expect((await w.call("reactome_species")).output).toBe("Homo sapiens")
    expect(await w.started()).toHaveLength(2)
  })

  test("that cannot start is one line: what is wrong, and the end of what it said without a credential", async () => {
    await using missing = await mcpWorld({ x: { command: "no-such-command-here" } })
    expect(await missing.mcp.tools()).toEqual([])
    expect(missing.lines).toEqual(['MCP server "x": its command no-such-command-here cannot be started (ENOENT)'])
    await using elsewhere = await mcpWorld({ x: { command: process.execPath, cwd: "/no/such/place" } })
    await elsewhere.mcp.tools()
    expect(elsewhere.lines).toEqual(['MCP server "x": its cwd /no/such/place is not a directory'])
    const code =
      'console.error("cannot read its key: token sk-abcdef0123456789abcdef and pa55word-given"); process.exit(1)'
    await using broken = await mcpWorld({
      x: { command: process.execPath, args: ["-e", code], env: { KEY: "pa55word-given" } },
    })
    await broken.mcp.tools()
    expect(broken.lines).toEqual([
      expect.stringMatching(/^MCP server "x": .*; it said: cannot read its key: token \[hidden\]/),
    ])
    expect(broken.lines.join()).not.toMatch(/sk-abcdef|pa55word/)
  })

  test.each(["SIGTERM", "SIGKILL"] as const)(
    "ends with all that it started also when we are ended by %s",
    async (signal) => {
      await using w = await child({ env: { GRANDCHILD: "1" } })
      const servers = {
        reactome: { command: process.execPath, args: [script], env: { PIDS: w.pids, GRANDCHILD: "1" } },
      }
      const program = `
      import { createMcp } from ${JSON.stringify(path.resolve(import.meta.dirname, "../../src/mcp/index.ts"))}
      const mcp = createMcp({ servers: ${JSON.stringify(servers)}, place: { directory: "." }, env: {}, log: console.error })
      console.log((await mcp.tools()).length)
      setInterval(() => undefined, 1000)`
      const host = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe" })
      expect(await eventually(async () => (await w.started()).length === 2)).toBe(true)
      await Bun.sleep(500)
      expect(await w.alive()).toHaveLength(2)
      host.kill(signal)
      await host.exited
      expect(await eventually(async () => (await w.alive()).length === 0)).toBe(true)
    },
  )
})
