import {
  Client,
  ProtocolError,
  ProtocolErrorCode,
  SSEClientTransport,
  type ClientOptions,
  type PriorDiscovery,
  type Transport,
} from "@modelcontextprotocol/client"
import { z } from "zod"
import { version } from "../version.ts"
import { ChildTransport } from "./child.ts"
import { McpFailure, faultOf, statusOf } from "./fault.ts"
import { patientFetch } from "./fetch.ts"
import { HttpTransport } from "./http.ts"
import { redacted } from "./redact.ts"
import type { Http, Settings } from "./settings.ts"
import { atMost } from "./within.ts"

/** What an earlier connection taught: where the endpoint is, by which transport, and which revision is spoken there. */
export interface Known {
  url?: URL
  sse?: boolean
  prior?: PriorDiscovery
}

export interface Opened {
  client: Client
  /** The server keeps state for this client, so it is kept as well; otherwise it served one call and is closed. */
  kept: boolean
  known: Known
  /** Ends the session where there is one, then the connection. */
  end(): Promise<void>
}

/** The statuses of a POST by which a server of the older HTTP+SSE transport is known (specification 2025-11-25). */
const NOT_STREAMABLE = new Set([400, 404, 405])

/** Time limits are ours (`within`): the library's own is per request, and some of what it does has none. */
export const NO_TIMEOUT = 2 ** 31 - 1

const TERMINATE_MS = 1_000

/** Connects to a server. It ends in the signal's time whatever the server does; what it opened by then is closed. */
export async function open(settings: Settings, signal: AbortSignal, known: Known = {}): Promise<Opened> {
  const { link } = settings
  if (link.kind === "stdio") return await openChild(settings, new ChildTransport(link), signal)
  const url = known.url ?? link.url
  if (link.transport === "sse" || known.sse) return await openSse(link, url, signal)
  try {
    return await openHttp(link, url, signal, known.prior)
  } catch (first) {
    const status = statusOf(first)
    if (status === undefined || !NOT_STREAMABLE.has(status) || known.prior || signal.aborted) throw first
    if (status === 404 && url.pathname === "/") {
      const endpoint = await endpointOf(url, link, signal)
      return await openHttp(link, endpoint, signal)
    }
    if (link.transport === "http") throw first
    // The first refusal is what is reported: that of the fallback would say nothing about the server that was meant.
    return await openSse(link, url, signal).catch(() => {
      throw first
    })
  }
}

async function openHttp(link: Http, url: URL, signal: AbortSignal, prior?: PriorDiscovery): Promise<Opened> {
  const transport = new HttpTransport(url, sending(link))
  const client = await connect(transport, signal, { versionNegotiation: { mode: "auto" } }, prior)
  const discover = client.getDiscoverResult()
  const kept = transport.sessionId !== undefined
  return {
    client,
    kept,
    known: { url, prior: discover ? { kind: "modern", discover } : { kind: "legacy" } },
    async end() {
      // Closing alone leaves the session open on the server, which may allow only so many.
      if (kept) await atMost(TERMINATE_MS, transport.terminateSession()).catch(() => undefined)
      await client.close()
    },
  }
}

async function openSse(link: Http, url: URL, signal: AbortSignal): Promise<Opened> {
  const client = await connect(new SSEClientTransport(url, sending(link)), signal)
  return { client, kept: true, known: { url, sse: true }, end: () => client.close() }
}

async function openChild(settings: Settings, transport: ChildTransport, signal: AbortSignal): Promise<Opened> {
  try {
    // The handshake of 2025: probing for the newer one costs a second process, or a wait where a server ignores what it does not know.
    const client = await connect(transport, signal)
    return { client, kept: true, known: {}, end: () => client.close() }
  } catch (error) {
    await transport.close()
    if (signal.aborted) throw error
    const { code, message } = faultOf(settings, error)
    const said = redacted(transport.stderr.trim().split("\n").at(-1) ?? "", settings.secrets)
    const about = message.slice(message.indexOf(": ") + 2)
    throw new McpFailure(settings.name, code, said ? `${about}; it said: ${said}` : about)
  }
}

const sending = ({ headers }: Http) => ({
  fetch: patientFetch(),
  requestInit: { headers: { "user-agent": `opencode-science/${version}`, ...headers } },
})

async function connect(
  transport: Transport,
  signal: AbortSignal,
  options: ClientOptions = {},
  prior?: PriorDiscovery,
): Promise<Client> {
  const client = new Client({ name: "opencode-science", version }, { capabilities: {}, ...options })
  // Noise on the stream, a refused GET, an answer that nobody waits for: the call itself says what matters.
  client.onerror = () => undefined
  client.fallbackRequestHandler = async ({ method }) => {
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `${method} is declined: ${NOBODY_HERE}`)
  }
  const stop = () => void transport.close().catch(() => undefined)
  signal.addEventListener("abort", stop)
  try {
    await client.connect(transport, { signal, timeout: NO_TIMEOUT, ...(prior ? { prior } : {}) })
    return client
  } catch (error) {
    stop()
    throw error
  } finally {
    signal.removeEventListener("abort", stop)
  }
}

/** What a server is told that wants to ask a person or a model. */
export const NOBODY_HERE =
  "this client passes no questions on to a person and no prompts to a model; answer with what the arguments say"

const Descriptor = z.looseObject({ endpoint: z.string() })

/** A bare host is not the endpoint, but it may name it (NEMAR's does); otherwise it is where most servers have it. */
async function endpointOf(url: URL, { headers }: Http, signal: AbortSignal): Promise<URL> {
  const usual = new URL("/mcp", url)
  try {
    const response = await patientFetch()(url, { headers, signal, redirect: "error" })
    const { endpoint } = Descriptor.parse(await response.json())
    const named = new URL(endpoint, url)
    // The credential in the headers was given for this origin.
    return named.origin === url.origin ? named : usual
  } catch {
    return usual
  }
}
