import { randomUUID } from "node:crypto"
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { z } from "zod"
import { listen, type Listening } from "./http.ts"

const text = (words: string) => ({ content: [{ type: "text" as const, text: words }] })

/** Reactome's tools in small, by the other library: names with their own prefix, markdown answers, no output schemas. */
export function reactome(): McpServer {
  const server = new McpServer({ name: "reactome", version: "1.4.0" }, { capabilities: { logging: {} } })
  const id = { id: z.string() }
  server.registerTool(
    "reactome_search",
    { description: "Full text search.", inputSchema: { query: z.string() } },
    ({ query }) => text(`# Results for ${query}\n- R-HSA-69278 Cell Cycle`),
  )
  server.registerTool("reactome_get_pathway", { description: "One pathway.", inputSchema: id }, ({ id }) =>
    text(`# ${id}`),
  )
  // The answer is streamed: progress first, when it is asked for.
  server.registerTool(
    "reactome_analyze_identifiers",
    { description: "Over-representation.", inputSchema: { identifiers: z.array(z.string()) } },
    async ({ identifiers }, { sendNotification }) => {
      for (const [progress, gene] of identifiers.entries())
        await sendNotification({
          method: "notifications/message",
          params: { level: "info", data: `${progress} ${gene}` },
        })
      return text(`token TOKEN for ${identifiers.length}`)
    },
  )
  for (const name of ["get_analysis_result", "pathways_for_entity", "pathway_contained_events", "participants"])
    server.registerTool(`reactome_${name}`, { description: name, inputSchema: id }, ({ id }) => text(`${name} ${id}`))
  server.registerTool("reactome_species", { description: "Species." }, () => text("Homo sapiens"))
  server.registerTool("reactome_database_info", { description: "Release." }, () => text("Reactome 97"))
  server.registerTool("reactome_export_pdf", { description: "Not one of the usual ones.", inputSchema: id }, () =>
    text("pdf"),
  )
  server.registerTool("reactome_ask", { description: "Asks the person." }, async () => {
    const { action } = await server.server.elicitInput({
      message: "Which species?",
      requestedSchema: { type: "object", properties: { species: { type: "string" } } },
    })
    return text(action)
  })
  return server
}

export interface SessionServer extends Listening {
  /** What a restart does: 404 for every session, or 400 as reactome-mcp says it. */
  forget(status?: 400 | 404): void
  open(): number
}

/** Streamable HTTP with sessions, of the 2025 revisions. */
export async function reactomeServer(): Promise<SessionServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  let unknown = 404
  const listening = await listen(async (request, response, body) => {
    const sid = request.headers["mcp-session-id"]
    const found = typeof sid === "string" ? sessions.get(sid) : undefined
    if (found) return await found.handleRequest(request, response, body)
    if (sid !== undefined || request.method !== "POST" || !isInitialize(body)) {
      const status = sid === undefined ? 400 : unknown
      response.writeHead(status, { "content-type": "application/json" })
      const message = status === 400 ? "Bad Request: no valid session id" : "Session not found"
      return response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32000, message } }))
    }
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await reactome().connect(transport)
    await transport.handleRequest(request, response, body)
  })
  return Object.assign(listening, {
    forget(status: 400 | 404 = 404) {
      unknown = status
      sessions.clear()
    },
    open: () => sessions.size,
  })
}

const isInitialize = (body: unknown) =>
  typeof body === "object" && body !== null && "method" in body && body.method === "initialize"
