import { randomUUID } from "node:crypto"
import {
  isInitializeRequest,
  legacyStatelessFallback,
  WebStandardStreamableHTTPServerTransport,
  type Server,
} from "@modelcontextprotocol/server"

/** One person's agents, or a lab's: beyond this the one that was idle longest has to begin anew. */
const MAX_SESSIONS = 200
const IDLE_MS = 30 * 60_000

interface Session {
  transport: WebStandardStreamableHTTPServerTransport
  usedAt: number
}

/**
 * Clients of the revisions before 2026-07-28 in sessions of their own, because only there a person can be asked, a call be cancelled and
 * the client's name be known. A request outside any session is answered all the same, as far as that goes.
 */
export function createSessions(createServer: (session: boolean) => Server) {
  const sessions = new Map<string, Session>()
  const outside = legacyStatelessFallback(() => createServer(false))

  async function begin(request: Request, parsedBody: unknown): Promise<Response> {
    await makeRoom()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, { transport, usedAt: Date.now() }),
    })
    const server = createServer(true)
    server.onclose = () => void (transport.sessionId && sessions.delete(transport.sessionId))
    await server.connect(transport)
    return await transport.handleRequest(request, { parsedBody })
  }

  async function makeRoom(): Promise<void> {
    const oldestFirst = [...sessions.values()].sort((a, b) => a.usedAt - b.usedAt)
    const tooMany = Math.max(0, oldestFirst.length - MAX_SESSIONS + 1)
    const idle = oldestFirst.filter(({ usedAt }, i) => i < tooMany || Date.now() - usedAt > IDLE_MS)
    await Promise.all(idle.map(({ transport }) => transport.close()))
  }

  return {
    async handle(request: Request, parsedBody: unknown): Promise<Response> {
      const id = request.headers.get("mcp-session-id")
      if (id === null) {
        const opens = request.method === "POST" && isInitializeRequest(parsedBody)
        return await (opens ? begin(request, parsedBody) : outside(request, { parsedBody }))
      }
      const session = sessions.get(id)
      if (!session) return noSuchSession()
      session.usedAt = Date.now()
      return await session.transport.handleRequest(request, { parsedBody })
    },
    close: async () => void (await Promise.all([...sessions.values()].map(({ transport }) => transport.close()))),
  }
}

/** 404 tells the client to begin anew. */
const noSuchSession = () =>
  Response.json(
    { jsonrpc: "2.0", id: null, error: { code: -32_001, message: "Session not found: begin anew with initialize." } },
    { status: 404 },
  )
