import type { AnswerHead, Connector, Location, Miss } from "../connector.ts"
import { Failure } from "../failure.ts"
import { decodeText } from "../xml.ts"
import { collect, peek } from "./body.ts"
import { cacheKey, memoryCache, type Cache, type Kept } from "./cache.ts"
import { exchange, missOf, type Call, type Prepared, type Report, type Surroundings } from "./exchange.ts"
import { isFresh, keepable, renewed, validators, type Asked } from "./freshness.ts"
import { guard } from "./guard.ts"
import type { Answer, Http, RequestOptions } from "./http.ts"
import { createRedact, requireKey } from "./keys.ts"
import { createMirror, type Mirrors } from "./mirror.ts"
import { ACCEPT, parse, type As } from "./parse.ts"
import { paces, processPace, type Pace } from "./pace.ts"
import { RETRY, type RetryOptions } from "./retry.ts"
import { FILE_TIMEOUTS, TIMEOUTS, type Timeouts } from "./timeout.ts"
import { withQuery } from "./url.ts"

export type { Report } from "./exchange.ts"

export interface ClientOptions {
  connectors: readonly Connector[]
  mirrors?: Mirrors
  /** Answers from the cache only; what is not there is the failure `offline`. */
  offline?: boolean
  cache?: Cache
  /** An e-mail or a page, put into the User-Agent. */
  contact?: string
  env?: Record<string, string | undefined>
  version?: string
  pace?: Pace
  retry?: Partial<RetryOptions>
  timeouts?: Partial<Timeouts>
}

export interface Download {
  headers: Headers
  /** The address that answered, redirects followed, without keys. */
  url: string
  body: AsyncIterable<Uint8Array>
}

/** One tool call's way out. */
export interface Session extends Http {
  readonly report: Report
  /**
   * Streams a file to `consume`, which is run again from the start when an attempt fails. Resolves to a Miss when the service has no such
   * file, whether its status or the beginning of a good answer's body says so.
   */
  download<T>(location: Location, consume: (answer: Download) => Promise<T>): Promise<T | Miss>
  /** Keeps this call's answers in the cache: only once they turned out to be a result, so that a miss or a failure is asked anew. */
  keep(): Promise<void>
}

export interface Client {
  open(call: { connector: Connector; operation: AnswerHead["operation"]; signal: AbortSignal }): Session
  /** Takes every key that is set out of a text. */
  redact: (text: string) => string
}

const PAGE = "https://www.npmjs.com/package/opencode-science"

export function createClient(options: ClientOptions): Client {
  const env = options.env ?? process.env
  const cache = options.cache ?? memoryCache()
  const around: Surroundings = {
    env,
    mirror: createMirror(options.mirrors),
    pace: options.pace ?? processPace,
    paces: paces(options.connectors, env),
    retry: { ...RETRY, ...options.retry },
  }
  const userAgent = `opencode-science/${options.version ?? "0"} (+${PAGE}${options.contact ? `; ${options.contact}` : ""})`

  function prepare(address: string, request: RequestOptions, accept: string): Prepared {
    const { query, headers } = request
    const [type, sent] = bodyOf(request) ?? []
    const own = { accept, "user-agent": userAgent, ...(type === undefined ? {} : { "content-type": type }) }
    const whole = withQuery(address, query)
    return {
      // What is no address (records hold all sorts) is refused by the guard.
      url: URL.canParse(whole) ? new URL(whole).href : whole,
      method: sent === undefined ? "GET" : "POST",
      headers: { ...own, ...headers },
      ...(sent === undefined ? {} : { body: sent }),
    }
  }

  function open({ connector, operation, signal }: Omit<Call, "report">): Session {
    const { name } = connector
    const report: Report = { requests: 0, cached: 0, bytes: 0, incomplete: [] }
    const call: Call = { connector, operation, signal, report }
    const pending = new Map<string, Kept>()

    async function answer(as: As, address: string, request: RequestOptions = {}): Promise<Answer | undefined> {
      requireKey(connector, env)
      const prepared = prepare(address, request, ACCEPT[as])
      const asked: Asked = { url: prepared.url, method: "GET", headers: prepared.headers }
      const key = keyOf(prepared, as)
      const kept = pending.get(key) ?? (await cache.get(key))
      if (kept && (options.offline || pending.has(key) || isFresh(kept, asked))) return reuse(as, kept)
      if (options.offline)
        throw new Failure(
          "offline",
          `${name}'s answer is not in the cache, and only the cache is used while offline; go online to ask.`,
        )
      const conditional = kept
        ? { ...prepared, headers: { ...prepared.headers, ...validators(kept, asked) } }
        : prepared
      const limits = { ...TIMEOUTS, ...request.timeouts, ...options.timeouts }
      return await exchange(call, around, conditional, limits, async (received) => {
        const { response, url } = received
        if (response.status === 304 && kept) {
          pending.set(key, renewed(kept, asked, response.headers))
          return reuse(as, kept)
        }
        const bytes = await collect(name, received.body, request.maxBytes)
        const type = response.headers.get("content-type")
        const text = decodeText(bytes, type ?? undefined)
        if (missOf(call, received, text, request.miss)) return undefined
        const hidden = request.inspect?.(text)
        if (hidden) throw hidden
        const data = parse(name, as, bytes, type)
        const keep = keepable(asked, url, response, bytes)
        if (keep) pending.set(key, keep)
        return { status: response.status, headers: response.headers, url, data }
      })
    }

    function keyOf({ method, url, body = "" }: Prepared, as: As): string {
      const target = guard(url, connector)
      const mirror = around.mirror.covers(target) ? around.mirror.to(target).origin : ""
      return cacheKey({ method, url, body, accept: ACCEPT[as], mirror })
    }

    function reuse(as: As, kept: Kept): Answer {
      report.cached++
      const headers = new Headers(kept.headers)
      return { status: 200, headers, url: kept.url, data: parse(name, as, kept.body, headers.get("content-type")) }
    }

    function answerAs(as: "json" | "xml", address: string, request?: RequestOptions): Promise<Answer | undefined>
    function answerAs(as: "text", address: string, request?: RequestOptions): Promise<Answer<string> | undefined>
    async function answerAs(as: As, address: string, request?: RequestOptions): Promise<Answer | undefined> {
      return await answer(as, address, request)
    }

    return {
      report,
      answer: answerAs,
      json: async (address, request) => (await answer("json", address, request))?.data,
      xml: async (address, request) => (await answer("xml", address, request))?.data,
      text: async (address, request) => (await answerAs("text", address, request))?.data,
      async part(part, ask) {
        try {
          return await ask()
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          report.incomplete.push(part)
          return undefined
        }
      },
      async download(location, consume) {
        requireKey(connector, env)
        if (options.offline)
          throw new Failure(
            "offline",
            `${name}'s files are not cached, and only the cache is used while offline; go online to download.`,
          )
        const { url, ...request } = typeof location === "string" ? { url: location } : location
        // Without a transfer coding the length that the server declares is the file's own, and a cut-off body is noticed in every runtime.
        const prepared = prepare(
          url,
          { ...request, headers: { "accept-encoding": "identity", ...request.headers } },
          "*/*",
        )
        return await exchange(call, around, prepared, { ...FILE_TIMEOUTS, ...options.timeouts }, async (received) => {
          const { response, url } = received
          const { head, chunks } = await peek(received.body)
          const text = decodeText(head, response.headers.get("content-type") ?? undefined)
          return missOf(call, received, text) ?? (await consume({ headers: response.headers, url, body: chunks }))
        })
      },
      async keep() {
        await Promise.all([...pending].map(([key, entry]) => cache.put(key, entry)))
        pending.clear()
      },
    }
  }

  return { open, redact: createRedact(options.connectors, env) }
}

/** What a request sends, with its media type; undefined for a GET. */
function bodyOf({ form, body, text }: RequestOptions): [type: string, body: string] | undefined {
  if (form) return ["application/x-www-form-urlencoded", new URLSearchParams(form).toString()]
  if (body !== undefined) return ["application/json", JSON.stringify(body)]
  return text === undefined ? undefined : ["text/plain", text]
}
