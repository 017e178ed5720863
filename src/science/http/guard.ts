import { isIP } from "node:net"
import type { Connector } from "../connector.ts"
import { Failure } from "../failure.ts"

/**
 * Lets an address through only when it is https, on its default port, without credentials, and on one of the connector's own hosts. It is
 * asked for every request: redirects and addresses found in records are text from outside. Names are not resolved here: behind a proxy
 * they need not resolve on this machine.
 */
export function guard(address: string, connector: Pick<Connector, "name" | "hosts">): URL {
  const refuse = (why: string) =>
    new Failure(
      "forbidden_host",
      `${connector.name} pointed to ${shown(address)}, which ${why}; nothing was sent there: report it if the address looks right.`,
    )
  if (!URL.canParse(address)) throw refuse("is not an address")
  const target = new URL(address)
  if (target.protocol !== "https:") throw refuse("is not https")
  if (target.username || target.password) throw refuse("carries credentials")
  if (target.port) throw refuse("names a port")
  if (isIP(target.hostname.replace(/^\[|\]$/g, ""))) throw refuse("is a bare IP address")
  if (!Object.hasOwn(connector.hosts, target.hostname)) throw refuse("is not one of its hosts")
  return target
}

/** Host and path only: a query may hold a key. */
function shown(address: string): string {
  if (!URL.canParse(address)) return JSON.stringify(address.slice(0, 80))
  const { protocol, host, pathname } = new URL(address)
  return `${protocol}//${host}${pathname}`.slice(0, 120)
}
