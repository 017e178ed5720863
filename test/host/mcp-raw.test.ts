import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { commandLine } from "../support/command-line.ts"
import { proteins } from "../support/proteins.ts"
import { until } from "../support/until.ts"

let world: Awaited<ReturnType<typeof commandLine>>
beforeAll(async () => {
  world = await commandLine((request) =>
    request.path.startsWith("/uniprotkb/P00000.fasta")
      ? (_, response) => {
          response.writeHead(200, { "content-type": "text/plain" })
          response.write(`>sp|P00000|NEVER\n${"M".repeat(60)}\n`.repeat(2_000))
        }
      : request.path.startsWith("/uniprotkb/Q99999")
        ? (_, response) => void setTimeout(() => response.end("{}"), 60_000)
        : proteins(request),
  )
})
afterAll(() => world[Symbol.asyncDispose]())

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
}
const initialized = { jsonrpc: "2.0", method: "notifications/initialized" }
const call = (id: number, name: string, args: object) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
})

function start(args: string[] = ["mcp"], env: Record<string, string> = {}) {
  const child = Bun.spawn(["node", world.bin, ...args], {
    cwd: world.project,
    env: { ...world.env, ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  })
  return {
    child,
    stdout: new Response(child.stdout).text(),
    stderr: new Response(child.stderr).text(),
    say(...messages: object[]) {
      for (const message of messages) child.stdin.write(`${JSON.stringify(message)}\n`)
      child.stdin.flush()
    },
  }
}

/** Every process that has this one among its forebears. */
function descendants(pid: number): number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): [number, number][] => {
      try {
        const [, parent = ""] = /\) \S (\d+) /.exec(readFileSync(`/proc/${name}/stat`, "utf8")) ?? []
        return [[Number(name), Number(parent)]]
      } catch {
        return []
      }
    })
  const children = parents.filter(([, parent]) => parent === pid).map(([child]) => child)
  return [...children, ...children.flatMap(descendants)]
}

const alive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const answers = (stdout: string) =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

describe("raw JSON-RPC on standard input and output", () => {
  test("what was asked before the input ended is answered, and nothing else is on standard output", async () => {
    const server = start()
    server.say(initialize, initialized, { jsonrpc: "2.0", id: 2, method: "tools/list" })
    server.say(call(3, "science_fetch", { db: "uniprot", id: "P01308" }), call(4, "science_list_dbs", {}))
    server.child.stdin.end()
    const lines = answers(await server.stdout)
    expect(lines.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4])
    expect(lines.every(({ jsonrpc, error }) => jsonrpc === "2.0" && error === undefined)).toBe(true)
    expect(await server.stderr).toBe("")
    expect(await server.child.exited).toBe(0)
  })

  test("a reader that takes its time gets all of a long answer", async () => {
    const text = "a".repeat(3_000_000)
    await Bun.write(path.join(world.project, ".openscience/fetch/long.txt"), text)
    const uri = pathToFileURL(path.join(world.project, ".openscience/fetch/long.txt")).href
    const messages = [initialize, initialized, { jsonrpc: "2.0", id: 2, method: "resources/read", params: { uri } }]
    await Bun.write(path.join(world.project, "asked"), messages.map((each) => `${JSON.stringify(each)}\n`).join(""))
    const server = Bun.spawn(["sh", "-c", `node "${world.bin}" mcp < asked | (sleep 3; cat)`], {
      cwd: world.project,
      env: world.env,
      stdout: "pipe",
    })
    const [, answer] = answers(await new Response(server.stdout).text())
    expect(answer.result.contents[0].text).toHaveLength(text.length)
  })

  test("a line that is no JSON, and one that is no request, do no harm", async () => {
    const server = start()
    server.child.stdin.write("hello\n[]\n{}\n")
    server.say(initialize, initialized, { jsonrpc: "2.0", id: 2, method: "nothing/such" })
    server.child.stdin.end()
    const lines = answers(await server.stdout)
    expect(lines.find(({ id }) => id === 1).result.serverInfo.name).toBe("opencode-science")
    expect(lines.find(({ id }) => id === 2).error.code).toBe(-32601)
  })

  test("when the input ends in the middle of a download, a request and a session, all processes end and no file is left", async () => {
    const server = start()
    const before = world.server.requests.length
    server.say(initialize, initialized)
    server.say(call(2, "science_fetch", { db: "uniprot", id: "P00000", format: "fasta" }))
    server.say(call(3, "science_fetch", { db: "uniprot", id: "Q99999" }))
    await until(() => world.server.requests.length >= before + 2)
    const processes = [server.child.pid, ...descendants(server.child.pid)]
    expect(processes.length).toBeGreaterThan(1)
    const began = performance.now()
    server.child.stdin.end()
    expect(await server.child.exited).toBe(0)
    expect(performance.now() - began).toBeLessThan(4_000)
    expect(processes.filter(alive)).toEqual([])
    expect((await world.files()).filter((file) => file.includes("P00000"))).toEqual([])
  })

  test.each(["SIGTERM", "SIGINT"] as const)("%s ends it at once, in the middle of a download", async (signal) => {
    const server = start()
    const before = world.server.requests.length
    server.say(initialize, initialized)
    server.say(call(2, "science_fetch", { db: "uniprot", id: "P00000", format: "fasta" }))
    await until(() => world.server.requests.length > before)
    const processes = [server.child.pid, ...descendants(server.child.pid)]
    const began = performance.now()
    server.child.kill(signal)
    await server.child.exited
    expect(performance.now() - began).toBeLessThan(2_000)
    await until(() => processes.filter(alive).length === 0, 1_000)
    expect((await world.files()).filter((file) => file.includes("P00000"))).toEqual([])
  })

  test("a line that is longer than any request ends the connection, and with it the process", async () => {
    const server = start()
    server.say(initialize, initialized)
    server.child.stdin.write("x".repeat(11 * 1024 * 1024))
    // The other side may be gone before all of it is written.
    await Promise.resolve(server.child.stdin.flush()).catch(() => undefined)
    expect(await server.child.exited).toBe(0)
  })

  test("a wrong configuration, folder, port or address is said and nothing is served", async () => {
    const mode = start(["mcp"], { OPENCODE_SCIENCE_MODE: "nonsense" })
    expect(await mode.stderr).toContain("OPENCODE_SCIENCE_MODE")
    expect(await mode.child.exited).toBe(2)
    const folder = start(["--directory", "/nowhere", "mcp"])
    expect(await folder.stderr).toContain("/nowhere is not a directory")
    const port = start(["mcp", "--http", "--port", "x"])
    expect(await port.stderr).toContain("a port is a number")
    const open = start(["mcp", "--http", "--port", "0", "--host", "0.0.0.0"])
    expect(await open.stderr).toContain("OPENCODE_SCIENCE_MCP_TOKEN")
    expect(await open.child.exited).toBe(2)
    expect(await Promise.all([mode, folder, port, open].map(({ stdout }) => stdout))).toEqual(["", "", "", ""])
  })
})
