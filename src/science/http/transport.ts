import { isIP } from "node:net"
import { getProxyForUrl } from "proxy-from-env"

export interface Outgoing {
  method: string
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
}

interface Sent extends Omit<Outgoing, "signal"> {
  signal?: AbortSignal
  redirect: "manual" | "follow" | "error"
}

/** One HTTP exchange, redirects left to the caller. */
export const transport = (address: URL, outgoing: Outgoing): Promise<Response> =>
  throughProxy(address, { ...outgoing, redirect: "manual" })

/**
 * The runtime's fetch, with HTTPS_PROXY, HTTP_PROXY and NO_PROXY honoured in both runtimes; an address on this machine is always reached
 * directly. NODE_EXTRA_CA_CERTS adds a certificate authority: both runtimes read it by themselves.
 */
export async function throughProxy(address: URL, init: Sent): Promise<Response> {
  const proxy = isLoopback(address.hostname) ? "" : getProxyForUrl(address.href)
  if (process.versions.bun)
    return await (proxy || !proxyIsSet() ? fetch(address, init) : withoutProxy(() => fetch(address, init)))
  if (!proxy) return await fetch(address, init)
  // Node's fetch ignores the proxy variables; undici's own takes an agent. Its types and the runtime's differ in name only.
  const { ProxyAgent, fetch: proxied } = await import("undici")
  const agent = (agents[proxy] ??= new ProxyAgent(proxy))
  const response = await proxied(address, { ...init, dispatcher: agent as InstanceType<typeof ProxyAgent> })
  return response as unknown as Response
}

const agents: Record<string, unknown> = {}

const proxyIsSet = () => ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"].some((name) => process.env[name])

export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "")
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))
}

/** Bun reads NO_PROXY when fetch is called and offers no other way to go direct (an empty `proxy` option is ignored). */
function withoutProxy<T>(call: () => T): T {
  const before = process.env.NO_PROXY
  process.env.NO_PROXY = "*"
  try {
    return call()
  } finally {
    process.env.NO_PROXY = before ?? ""
  }
}
