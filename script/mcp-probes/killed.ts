import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { stillAlive } from "./probe.ts"

/** The command is ended by a signal in the middle of a call; its server, and what that started, must be gone as well. */
export async function killed(probes: string, signal: NodeJS.Signals): Promise<string | undefined> {
  const directory = await mkdtemp(path.join(tmpdir(), "mcp-killed-"))
  const pids = path.join(directory, "pids")
  const args = [path.join(probes, "stdio-server.mjs"), "--mode", "grandchild", "--pidfile", pids]
  const servers = { probe: { command: "node", args } }
  const child = spawn(
    process.execPath,
    [
      path.resolve(import.meta.dirname, "../../src/cli/index.ts"),
      "--directory",
      directory,
      "call",
      "probe_progress",
      JSON.stringify({ steps: 1_000 }),
    ],
    {
      env: { PATH: process.env["PATH"] ?? "", HOME: directory, OPENCODE_SCIENCE_MCP: JSON.stringify(servers) },
      stdio: "ignore",
    },
  )
  try {
    const exited = once(child, "exit")
    for (const until = Date.now() + 10_000; Date.now() < until; await new Promise((resolve) => setTimeout(resolve, 50)))
      if ((await readFile(pids, "utf8").catch(() => "")).split("\n").length > 2) break
    await new Promise((resolve) => setTimeout(resolve, 700))
    child.kill(signal)
    await exited
    const alive = await stillAlive(pids)
    const started = (await readFile(pids, "utf8").catch(() => "")).split("\n").filter(Boolean).length
    if (started < 2) return `only ${started} processes were started`
    return alive.length > 0 ? `still alive after ${signal}: ${alive.join(", ")}` : undefined
  } finally {
    child.kill("SIGKILL")
    await rm(directory, { recursive: true, force: true })
  }
}
