import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createInterface } from "node:readline"
import { createMcp } from "../../src/mcp/index.ts"
import type { ServerConfig } from "../../src/mcp/config.ts"
import type { Tool } from "../../src/tool/tool.ts"
import { CALL_MS, CONNECT_MS, SECRET, type Noted, type Row } from "./rows.ts"

export interface Outcome {
  tools: number
  lines: string[]
  ms: number
  wrong: string[]
}

/** What a probe server prints on a credential of its own. */
const ITS_SECRET = "sk-probe-0123456789abcdef"

/** More than the limits for what is not the server's: starting a process, loading the library, ending a session. */
const SLACK_MS = 2_500

/** One row: its server is started, its tools are loaded and called as a host does it, and all is ended again. */
export async function probe(probes: string, row: Row): Promise<Outcome> {
  const directory = await mkdtemp(path.join(tmpdir(), "mcp-probe-"))
  const pids = path.join(directory, "pids")
  const server = row.server === "stdio-server" ? undefined : await start(probes, row)
  const wrong: string[] = []
  const lines: string[] = []
  const said: string[] = []
  const place: ServerConfig = server
    ? { url: row.path === undefined ? server.url : server.base + row.path }
    : {
        command: "node",
        args: [script(probes, row), ...(row.flags ?? []), "--pidfile", pids],
        env: { PROBE_KEY: SECRET },
      }
  const config = { ...place, timeouts: { connectMs: CONNECT_MS, callMs: CALL_MS }, ...row.config }
  const mcp = createMcp({ servers: { probe: config }, place: { directory }, env: {}, log: (line) => lines.push(line) })
  try {
    const began = performance.now()
    const tools = await mcp.tools()
    const ms = performance.now() - began
    if (ms > CONNECT_MS + SLACK_MS) wrong.push(`took ${Math.round(ms)} ms`)
    if (row.tools === 0 ? tools.length > 0 : tools.length < row.tools)
      wrong.push(`${tools.length} tools, not ${row.tools}`)
    if (row.tools === 0 && lines.length !== 1) wrong.push(`${lines.length} lines in the log, not one`)
    if (row.line && !row.line.test(lines.join("\n"))) wrong.push(`the log says ${JSON.stringify(lines.join("\n"))}`)
    const ids = tools.map(({ id }) => id)
    if (new Set(ids).size < ids.length) wrong.push("two tools of one name")
    wrong.push(...ids.filter((id) => !/^[A-Za-z0-9_-]{1,64}$/.test(id)).map((id) => `the name ${id}`))
    for (const [tool, args, answer] of row.calls ?? []) {
      const output = await call(tools, tool, args, directory)
      said.push(output)
      if (!answer.test(output)) wrong.push(`${tool} answers ${JSON.stringify(output.slice(0, 160))}`)
    }
    await mcp.close()
    await mcp.close()
    said.push(...lines, JSON.stringify(tools))
    if (said.some((text) => text.includes(SECRET) || text.includes(ITS_SECRET))) wrong.push("a credential is shown")
    if (server) {
      const noted = await server.noted()
      const complaint = row.requests?.(noted, tools.length)
      if (complaint) wrong.push(complaint)
      const elsewhere = await server.elsewhere()
      if (elsewhere.includes(SECRET)) wrong.push("a credential went to another origin")
    }
    const alive = await stillAlive(pids)
    if (alive.length > 0) wrong.push(`still alive: ${alive.join(", ")}`)
    return { tools: tools.length, lines, ms: Math.round(ms), wrong }
  } finally {
    await mcp.close()
    server?.child.kill()
    await rm(directory, { recursive: true, force: true })
  }
}

async function call(tools: Tool[], name: string, args: Record<string, unknown>, directory: string): Promise<string> {
  const wanted = name.replace(/[^A-Za-z0-9_-]/g, "_")
  const candidates = tools.filter(({ id }) => id.startsWith(`probe_${wanted}`.slice(0, 55)))
  const context = { directory, worktree: directory, signal: new AbortController().signal, ask: async () => undefined }
  // Names that were cut or would collide carry a hash, so the one is found by what its server says it was called.
  let last = `there is no tool for ${name}`
  for (const tool of candidates) {
    last = (await tool.run(args, context)).output
    if (candidates.length === 1 || last.includes(`"tool":${JSON.stringify(name)}`)) return last
    if (tool.id === `probe_${name}`) return last
  }
  return last
}

export const script = (probes: string, { server }: Row): string => path.join(probes, `${server}.mjs`)

async function start(probes: string, row: Row) {
  const child = spawn("node", [script(probes, row), ...(row.flags ?? []), "--ttl", "120"], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const { url, base, crossBase } = JSON.parse(await firstLine(child))
  const logOf = async (origin: string) => JSON.parse(await (await fetch(`${origin}/__log`)).text())
  return {
    child,
    url: String(url),
    base: String(base),
    // A server whose process died in a call has nothing to tell.
    noted: (): Promise<Noted[]> => logOf(base).catch(() => []),
    elsewhere: async () => (crossBase ? JSON.stringify(await logOf(crossBase)) : ""),
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error("the probe server has no output")
  const [line] = await once(createInterface({ input: child.stdout }), "line")
  return String(line)
}

/** Processes whose numbers a probe server wrote down, and which have not ended shortly after. */
export async function stillAlive(pids: string, withinMs = 3_000): Promise<number[]> {
  const text = await readFile(pids, "utf8").catch(() => "")
  const all = text.split("\n").filter(Boolean).map(Number)
  for (const until = Date.now() + withinMs; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const alive = await Promise.all(all.map(isAlive))
    if (!alive.includes(true) || Date.now() > until) return all.filter((_, i) => alive[i])
  }
}

/** One that ended but was not yet taken note of by its parent counts as ended. */
async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")
  return !/\) Z/.test(state)
}
