import http from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"

/** What a server was sent, in order. */
export interface Asked {
  method: string
  path: string
  /** The protocol's method, where the body is a message. */
  rpc: string | undefined
  headers: http.IncomingHttpHeaders
  body: unknown
}

export interface Listening extends AsyncDisposable {
  base: string
  url: string
  asked: Asked[]
  /** `POST tools/call`, `DELETE` …: what is usually asserted on. */
  lines(): string[]
}

export type Handler = (request: http.IncomingMessage, response: http.ServerResponse, body: unknown) => unknown

/** A server on a real socket of this machine, which notes what it is sent before it answers. */
export async function listen(answer: Handler, path = "/mcp"): Promise<Listening> {
  const asked: Asked[] = []
  const server = http.createServer(async (request, response) => {
    const sent = await text(request)
    const body: unknown = sent ? JSON.parse(sent) : undefined
    const rpc =
      typeof body === "object" && body !== null && "method" in body && typeof body.method === "string"
        ? body.method
        : undefined
    asked.push({ method: request.method ?? "", path: request.url ?? "", rpc, headers: request.headers, body })
    await answer(request, response, body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}`
  return {
    base,
    url: base + path,
    asked,
    lines: () => asked.map(({ method, rpc }) => (rpc ? `${method} ${rpc}` : method)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
