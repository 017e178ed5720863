import { createHash, timingSafeEqual } from "node:crypto"
import { isIP } from "node:net"
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server"

export interface GuardOptions {
  /** The address that is listened on. */
  host: string
  /** The secret that every request has to bring; without one only this machine is served. */
  token: string | undefined
}

export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))

/**
 * Refuses what must not come in, or lets it through with nothing. A page in a browser on this machine can send requests to it under a
 * name of its own (DNS rebinding): so on loopback Host and Origin must be loopback names. Elsewhere the server's names are not known (a
 * proxy may stand before it), and the token is what a page does not have; an Origin other than the server's own is refused there too.
 */
export function createGuard({ host, token }: GuardOptions): (request: Request) => Response | undefined {
  const local = isLoopback(host)
  return (request) => {
    const named = local ? hostHeaderValidationResponse(request, localhostAllowedHostnames()) : undefined
    const own = local ? [] : [hostnameOf(request)]
    return (
      named ??
      originValidationResponse(request, [...localhostAllowedOrigins(), ...own]) ??
      (token === undefined || brings(request, token) ? undefined : challenge())
    )
  }
}

const hostnameOf = (request: Request) =>
  URL.parse(`http://${request.headers.get("host") ?? ""}`)?.hostname ?? "localhost"

/** Hashes have one length and say nothing about where two secrets differ. */
function brings(request: Request, token: string): boolean {
  const [, given = ""] = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "") ?? []
  const hash = (text: string) => createHash("sha256").update(text).digest()
  return timingSafeEqual(hash(given), hash(token))
}

function challenge(): Response {
  const message = "This server wants a bearer token: send `Authorization: Bearer …` with the one it was started with."
  return Response.json(
    { jsonrpc: "2.0", id: null, error: { code: -32_000, message } },
    { status: 401, headers: { "www-authenticate": 'Bearer realm="opencode-science"' } },
  )
}
