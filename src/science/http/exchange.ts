import { Miss, type AnswerHead, type Connector, type HostPace } from "../connector.ts"
import { Failure } from "../failure.ts"
import { chunks } from "./body.ts"
import { classify, isHtml, networkFailure } from "./classify.ts"
import { guard } from "./guard.ts"
import { keyFor } from "./keys.ts"
import type { Mirror } from "./mirror.ts"
import type { Pace } from "./pace.ts"
import { retryAfterMs, waitBefore, type RetryOptions } from "./retry.ts"
import { createDeadline, type Timeouts } from "./timeout.ts"
import { transport } from "./transport.ts"
import { withQuery } from "./url.ts"

/** What a client holds for all its calls. */
export interface Surroundings {
  env: Record<string, string | undefined>
  mirror: Mirror
  pace: Pace
  paces: ReadonlyMap<string, HostPace>
  retry: RetryOptions
}

export interface Call {
  connector: Connector
  operation: AnswerHead["operation"]
  signal: AbortSignal
  report: Report
}

/** What one tool call cost. */
export interface Report {
  requests: number
  cached: number
  bytes: number
  /** Parts of the record that failed, by name. */
  incomplete: string[]
}

/** A request without its key: that is added at the last moment, so that nothing can keep or show it. */
export interface Prepared {
  url: string
  method: "GET" | "POST"
  headers: Record<string, string>
  body?: string
}

export interface Received {
  response: Response
  /** The address that answered, redirects followed. */
  url: string
  body: AsyncIterable<Uint8Array>
}

type Use<T> = (received: Received) => Promise<T>

const MAX_REDIRECTS = 5

/** From a request to the use of its answer: turn, key, redirects, time limits, and further attempts when one fails. */
export async function exchange<T>(
  call: Call,
  around: Surroundings,
  request: Prepared,
  limits: Timeouts,
  use: Use<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await follow(call, around, request, limits, use)
    } catch (error) {
      call.signal.throwIfAborted()
      if (!(error instanceof Failure)) throw error
      const wait = waitBefore(attempt + 1, error, around.retry)
      if (error.code === "rate_limited") hold(around, request, wait ?? around.retry.ceilingMs)
      if (wait === undefined) throw error
      await sleep(wait, call.signal)
    }
  }
}

function hold({ pace, paces }: Surroundings, { url }: Prepared, ms: number): void {
  const target = new URL(url)
  pace.hold(target.hostname, paceOf(paces, target), ms)
}

const paceOf = (paces: Surroundings["paces"], { hostname }: URL): HostPace =>
  paces.get(hostname) ?? { perSecond: 1, concurrent: 1 }

async function follow<T>(
  call: Call,
  around: Surroundings,
  request: Prepared,
  limits: Timeouts,
  use: Use<T>,
): Promise<T> {
  let current = request
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const result = await hop(call, around, current, limits, use)
    if ("value" in result) return result.value
    // Every redirect of these services is answered by a GET (303, or 301/302 as clients have always read them).
    const { body: _, ...rest } = current
    current = { ...rest, url: result.next, method: "GET" }
  }
  throw new Failure("bad_response", `${call.connector.name} redirected more than ${MAX_REDIRECTS} times; report it.`, {
    retryable: false,
  })
}

/** One hop in the host's turn, held until `use` is done with the body. A redirect comes back as the next address. */
function hop<T>(
  { connector, signal, report }: Call,
  { pace, paces, mirror, env }: Surroundings,
  request: Prepared,
  limits: Timeouts,
  use: Use<T>,
): Promise<{ next: string } | { value: T }> {
  const target = guard(request.url, connector)
  return pace.run(target.hostname, paceOf(paces, target), signal, async () => {
    const deadline = createDeadline(connector.name, limits, signal)
    try {
      const { url, ...outgoing } = withKey(request, connector, target, env)
      report.requests++
      const response = await transport(mirror.to(new URL(url)), { ...outgoing, signal: deadline.signal })
      deadline.alive()
      const location = [301, 302, 303, 307, 308].includes(response.status) && response.headers.get("location")
      if (location) {
        await response.body?.cancel()
        return { next: mirror.back(location, target) }
      }
      const body = counted(chunks(response, deadline.alive), report)
      try {
        return { value: await use({ response, url: request.url, body }) }
      } finally {
        // What was not read to its end (a refusal, of which the beginning is enough) must not hold the connection.
        void body
          .return(undefined)
          .then(() => response.body?.cancel())
          .catch(() => undefined)
      }
    } catch (error) {
      throw networkFailure(connector.name, deadline.signal.aborted ? deadline.signal.reason : error, signal)
    } finally {
      deadline.end()
    }
  })
}

function withKey(request: Prepared, connector: Connector, target: URL, env: Surroundings["env"]): Prepared {
  const found = keyFor(connector, target.hostname, env)
  if (!found) return request
  const { key, value } = found
  return key.in === "query"
    ? { ...request, url: withQuery(request.url, { [key.name]: value }) }
    : { ...request, headers: { ...request.headers, [key.name]: value } }
}

async function* counted(body: AsyncIterable<Uint8Array>, report: Report) {
  for await (const part of body) {
    report.bytes += part.length
    yield part
  }
}

/** The Miss that an answer means; undefined for a good answer. Throws the Failure that it is otherwise. */
export function missOf(
  { connector, operation }: Call,
  { response }: Pick<Received, "response">,
  body: string,
  miss?: (answer: AnswerHead) => boolean,
): Miss | undefined {
  const answer: AnswerHead = { status: response.status, head: body.slice(0, 2000), html: isHtml(body), operation }
  const missing = miss ?? (operation === "search" ? undefined : (connector.missing ?? notFound))
  const told = missing?.(answer) ?? false
  if (told) return told instanceof Miss ? told : new Miss()
  const asked = retryAfterMs(response.headers.get("retry-after"), response.headers.get("date"))
  const hidden = operation === "file" || !response.ok ? connector.failure?.(answer) : undefined
  if (response.ok && !hidden) return undefined
  const failure = hidden ?? classify(connector.name, answer, asked)
  const wait = failure.retryAfterMs ?? asked
  throw new Failure(failure.code, failure.message, {
    retryable: failure.retryable,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  })
}

const notFound = ({ status, html, operation }: AnswerHead) => status === 404 && (operation === "file" || !html)

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop)
      resolve()
    }, ms)
    signal.addEventListener("abort", stop, { once: true })
  })
}
