import http from "node:http"
import { toNodeHandler } from "@modelcontextprotocol/node"
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server"
import { ConfigError } from "../../config.ts"
import { createGuard, type GuardOptions } from "./guard.ts"
import { createRunning } from "./running.ts"
import { createMcpServer, type ServerOptions } from "./server.ts"
import { createSessions } from "./sessions.ts"

export const ENDPOINT = "/mcp"

/** What was aborted gets this long to take its temporary files away. */
const CLEAN_MS = 1_000

export interface HttpServer {
  url: string
  close(): Promise<void>
}

/** Serves any number of clients over Streamable HTTP, both revisions on one path. */
export async function serveOverHttp(
  options: Omit<ServerOptions, "session" | "track" | "roots">,
  { port, ...guardOptions }: GuardOptions & { port: number },
): Promise<HttpServer> {
  const { track, idle } = createRunning()
  // A client over HTTP may be on another machine, or another person's: it does not choose the directory.
  const create = (session: boolean, modern: boolean) =>
    createMcpServer({ ...options, roots: false, session, track }, modern)
  const modern = createMcpHandler(() => create(false, true), { legacy: "reject" })
  const sessions = createSessions((session) => create(session, false))
  const refused = createGuard(guardOptions)

  const handle = toNodeHandler({
    async fetch(request) {
      const refusal = refused(request)
      if (refusal) return refusal
      if (new URL(request.url).pathname !== ENDPOINT)
        return new Response(`MCP is served at ${ENDPOINT}.\n`, { status: 404 })
      if (!(await isLegacyRequest(request))) return await modern.fetch(request)
      return await sessions.handle(request, await jsonOf(request))
    },
  })
  const server = http.createServer((request, response) => {
    const { method = "GET", url = "/" } = request
    void handle(Object.assign(request, { method, url }), response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        new ConfigError(
          `Cannot listen on ${guardOptions.host} port ${port} (${error.code}); choose another --port or --host.`,
        ),
      ),
    )
    server.listen(port, guardOptions.host, resolve)
  })
  return {
    url: `${addressOf(server, guardOptions.host)}${ENDPOINT}`,
    async close() {
      server.close()
      await Promise.all([modern.close(), sessions.close()])
      await idle(CLEAN_MS)
      server.closeAllConnections()
    },
  }
}

/** The body of a POST; what is no JSON is left to the protocol's own answer. */
async function jsonOf(request: Request): Promise<unknown> {
  if (request.method !== "POST") return undefined
  return await request
    .clone()
    .json()
    .catch(() => undefined)
}

function addressOf(server: http.Server, host: string): string {
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : ""
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`
}
