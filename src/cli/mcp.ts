import path from "node:path"
import { Command, InvalidArgumentError } from "commander"
import { ConfigError } from "../config.ts"
import { isLoopback } from "../host/mcp-server/guard.ts"
import { serveOverHttp } from "../host/mcp-server/http.ts"
import { createProjects } from "../host/mcp-server/project.ts"
import { serveOverStdio } from "../host/mcp-server/stdio.ts"
import type { Status } from "./exit.ts"
import { directoryOf } from "./run.ts"

const TOKEN = "OPENCODE_SCIENCE_MCP_TOKEN"
const DEFAULT_PORT = 8717

interface Flags {
  http?: boolean
  port: number
  host: string
}

export const mcpCommand = (status: Status): Command =>
  new Command("mcp")
    .description("serves the tools to any agent over MCP: on standard input and output, or over HTTP")
    .option("--http", "over Streamable HTTP, for clients that connect by address")
    .option("--port <port>", "with --http; 0 takes a free one", readPort, DEFAULT_PORT)
    .option("--host <address>", `with --http; any but loopback needs ${TOKEN}`, "127.0.0.1")
    .action(async ({ http, port, host }: Flags, command: Command) => {
      const directory = path.resolve(directoryOf(command))
      const projects = createProjects()
      // A wrong configuration is said at once, where the person who starts it can read it.
      await projects(directory)
      const stopped = stopSignal()
      if (http) {
        const token = process.env[TOKEN] || undefined
        if (token === undefined && !isLoopback(host))
          throw new ConfigError(
            `--host ${host} can be reached from other machines; set ${TOKEN} to a secret that clients then send as a bearer token.`,
          )
        const server = await serveOverHttp({ projects, directory }, { host, port, token })
        process.stderr.write(`MCP at ${server.url}\n`)
        await aborted(stopped)
        await server.close()
      } else {
        // Standard output is the protocol's: a library's stray line would break it.
        console.log = console.info = console.debug = console.error
        const named = command.parent?.getOptionValueSource("directory") !== "default"
        await serveOverStdio({ projects, directory, roots: !named }, stopped)
      }
      // Nothing that is still waiting for something (a kept connection, a pause between requests) may keep the process.
      process.exit(status.code)
    })

function readPort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("a port is a number from 0 to 65535.")
  return port
}

function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort())
  return stop.signal
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve(), { once: true }),
  )
