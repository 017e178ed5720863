import { readFileSync } from "node:fs"
import http from "node:http"
import https from "node:https"
import net from "node:net"
import type { AddressInfo } from "node:net"
import path from "node:path"

const tls = (name: string) => path.join(import.meta.dirname, "tls", name)

/** The certificate authority that signed the test server's certificate. */
export const CA_FILE = tls("ca.pem")

export interface Proxy extends AsyncDisposable {
  url: string
  /** `CONNECT host:port` and `GET url`, as they came. */
  seen: string[]
}

const listening = async (server: net.Server | http.Server | https.Server) => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return port
}

/** A forward proxy that leads every CONNECT to one TLS server on this machine, which answers as the database of things. */
export async function forwardProxy(): Promise<Proxy> {
  const seen: string[] = []
  const origin = https.createServer(
    { key: readFileSync(tls("server.key")), cert: readFileSync(tls("server.pem")) },
    (request, response) => response.end(JSON.stringify({ id: request.url?.split("/").pop() })),
  )
  const originPort = await listening(origin)
  const proxy = http.createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    response.end('{"id":"through the proxy"}')
  })
  proxy.on("connect", (request, socket) => {
    seen.push(`CONNECT ${request.url}`)
    const upstream = net.connect(originPort, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
      upstream.pipe(socket).pipe(upstream)
    })
    for (const side of [socket, upstream]) side.on("error", () => side.destroy())
  })
  const proxyPort = await listening(proxy)
  return {
    url: `http://127.0.0.1:${proxyPort}`,
    seen,
    async [Symbol.asyncDispose]() {
      for (const server of [proxy, origin]) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}
