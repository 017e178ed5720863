import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { loopback, type Reply, type Seen } from "./loopback.ts"

export const bin = path.resolve(import.meta.dirname, "../../bin/opencode-science.mjs")

export interface Ran {
  exitCode: number
  stdout: string
  stderr: string
}

/** The real command in a real process, as `npx .` starts it, against a loopback mirror and a fresh project and home. */
export async function commandLine(answer: (request: Seen) => Reply | undefined) {
  const server = await loopback(answer)
  const home = await mkdtemp(path.join(tmpdir(), "cli-"))
  const project = path.join(home, "project")
  await Bun.$`mkdir -p ${project}`.quiet()
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    XDG_CACHE_HOME: path.join(home, "cache"),
    XDG_CONFIG_HOME: path.join(home, "config"),
    // Bun keeps what it transpiled of a checkout's sources in the user's cache: not ours to count.
    BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
    OPENCODE_SCIENCE_MIRRORS: JSON.stringify(server.mirrors),
  }
  const start = (args: string[], more: Record<string, string> = {}) =>
    Bun.spawn(["node", bin, ...args], {
      cwd: project,
      env: { ...env, ...more },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    })
  return {
    server,
    project,
    bin,
    env,
    start,
    async run(args: string[], more: Record<string, string> = {}): Promise<Ran> {
      const child = start(args, more)
      const [stdout, stderr, exitCode] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ])
      return { exitCode, stdout, stderr }
    },
    files: async () =>
      (await readdir(project, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(project, path.join(entry.parentPath, entry.name)))
        .sort(),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await rm(home, { recursive: true, force: true })
    },
  }
}
