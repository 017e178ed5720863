import type { ServerResponse } from "node:http"
import { listen, type Listening } from "./http.ts"

export type Message = { id: number; method: string; params: { cursor?: string; name?: string } }

/** A 2025 server without a library, whose answers no library would send: `result` of each request but the handshake is the test's. */
export async function rawServer(answer: (message: Message, response: ServerResponse) => unknown): Promise<Listening> {
  return await listen((request, response, body) => {
    if (request.method !== "POST") return response.writeHead(405).end()
    const message = body as Message
    if (message.id === undefined) return response.writeHead(202).end()
    const unknown = message.method === "server/discover"
    const result = unknown
      ? {}
      : message.method === "initialize"
        ? { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "raw", version: "1" } }
        : answer(message, response)
    if (response.headersSent || response.destroyed || result === undefined) return
    response.writeHead(200, { "content-type": "application/json" })
    response.end(
      JSON.stringify({
        jsonrpc: "2.0",
        id: message.id,
        ...(unknown ? { error: { code: -32601, message: "Method not found" } } : { result }),
      }),
    )
  })
}

export const tool = (name: unknown, more: Record<string, unknown> = {}) => ({
  name,
  description: `the tool ${String(name)}`,
  inputSchema: { type: "object" },
  ...more,
})
