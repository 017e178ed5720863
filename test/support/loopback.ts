import http from "node:http"
import type { AddressInfo } from "node:net"

/** What the far side answers: a body, or a body with status and headers, or full control of the response. */
export type Reply =
  | string
  | { status?: number; headers?: Record<string, string>; body?: string | Uint8Array }
  | ((request: Seen, response: http.ServerResponse) => void)

export interface Seen {
  method: string
  /** The database's host, from the first path segment. */
  host: string
  /** Path and query as they were sent, the host taken off. */
  path: string
  headers: http.IncomingHttpHeaders
  body: string
  /** Milliseconds on a monotonic clock. */
  at: number
}

export interface Loopback {
  url: string
  mirrors: { "*": string }
  requests: Seen[]
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Stands in for every database on one loopback socket: `https://HOST/PATH` is asked for at `http://127.0.0.1:PORT/HOST/PATH`, as the
 * `mirrors` setting does it. What `answer` does not answer is a 404 in plain text.
 */
export async function loopback(answer: (request: Seen) => Reply | undefined): Promise<Loopback> {
  const requests: Seen[] = []
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const [, host = "", path = "/"] = /^\/([^/?]+)(.*)$/.exec(request.url ?? "") ?? []
      const seen: Seen = {
        method: request.method ?? "GET",
        host,
        path: path || "/",
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
        at: performance.now(),
      }
      requests.push(seen)
      const reply = answer(seen) ?? { status: 404, headers: { "content-type": "text/plain" }, body: "nothing here" }
      if (typeof reply === "function") return reply(seen, response)
      const { status = 200, headers = {}, body = "" } = typeof reply === "string" ? { body: reply } : reply
      response.writeHead(status, { "content-type": "application/json", ...headers })
      response.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    mirrors: { "*": `${url}/{host}` },
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** An address where nothing listens. */
export async function closedPort(): Promise<string> {
  const server = await loopback(() => "")
  await server[Symbol.asyncDispose]()
  return server.url
}
