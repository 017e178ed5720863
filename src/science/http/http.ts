import type { AnswerHead, Json } from "../connector.ts"
import type { Timeouts } from "./timeout.ts"

/** What a connector may say about one request. It never retries, waits, caches or checks hosts: the client does. */
export interface RequestOptions {
  /** Query parameters, encoded here; undefined ones are left out. */
  query?: Record<string, string | number | boolean | undefined>
  headers?: Record<string, string>
  /** Sent as POST, form-encoded. */
  form?: Record<string, string>
  /** Sent as POST, as JSON. */
  body?: unknown
  /** Sent as POST, as plain text. */
  text?: string
  /** For what is known to take longer than the usual limits. */
  timeouts?: Partial<Timeouts>
  /** The most that is read, where a whole listing is larger than a record may be (64 MB). */
  maxBytes?: number
  /** Which answers mean "nothing there" for this request; takes the place of the connector's `missing`. */
  miss?: (answer: AnswerHead) => boolean
  /**
   * Looks at a 2xx body before it is parsed and returns a Failure for an error that the service hides in one. Runs inside the attempt, so
   * a retryable one is tried again.
   */
  inspect?: (body: string) => Error | undefined
}

export interface Answer<T = Json> {
  status: number
  headers: Headers
  /** The address that answered, redirects followed, without keys. */
  url: string
  data: T
}

/** The one way out of a connector, for one tool call. Every method throws a Failure, or the caller's abort reason, and nothing else. */
export interface Http {
  /** JSON; undefined when the answer means "nothing there". */
  json(url: string, options?: RequestOptions): Promise<Json | undefined>
  text(url: string, options?: RequestOptions): Promise<string | undefined>
  /** XML by the mapping of xml.ts. */
  xml(url: string, options?: RequestOptions): Promise<Json | undefined>
  /** As above, with status and headers, for services that put totals and cursors there. */
  answer(as: "json" | "xml", url: string, options?: RequestOptions): Promise<Answer | undefined>
  answer(as: "text", url: string, options?: RequestOptions): Promise<Answer<string> | undefined>
  /**
   * One of several requests that make a record, beside the main one. When it fails the result is undefined and the call's `incomplete` names
   * it, so that a missing part is never read as an empty one.
   */
  part<T>(name: string, ask: () => Promise<T>): Promise<T | undefined>
}
