import type { Failure } from "../failure.ts"

export interface RetryOptions {
  /** Attempts in all, the first included. */
  attempts: number
  /** The first wait; each further one is twice as long, give or take a quarter. */
  baseMs: number
  /** A wait longer than this is not waited: the failure goes up with the time in it. */
  ceilingMs: number
}

export const RETRY: RetryOptions = { attempts: 3, baseMs: 500, ceilingMs: 20_000 }

/**
 * Milliseconds that a `Retry-After` header asks for: seconds, also with a fraction, or an HTTP date (RFC 9110 10.2.3). Digits come first,
 * or `120` would be read as a year. A date in the past is 0; what is neither is undefined. `date` is the same answer's Date header: the
 * difference to it is right even when this machine's clock is wrong.
 */
export function retryAfterMs(header: string | null, date: string | null, now = Date.now()): number | undefined {
  const value = header?.trim()
  if (!value) return undefined
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000)
  if (!/^[A-Za-z]{3}/.test(value)) return undefined
  const at = Date.parse(value)
  if (Number.isNaN(at)) return undefined
  const served = date === null ? NaN : Date.parse(date)
  return Math.max(0, at - (Number.isNaN(served) ? now : served))
}

/** How long to wait before attempt `next` (2, 3 …); undefined when it should not be made. */
export function waitBefore(next: number, failure: Failure, options: RetryOptions): number | undefined {
  // A body that is not the promised shape is worth one more try, not a minute of them; a time-out already took its time.
  const attempts = failure.code === "bad_response" || failure.code === "timeout" ? 2 : options.attempts
  if (!failure.retryable || next > Math.min(attempts, options.attempts)) return undefined
  const backoff = options.baseMs * 2 ** (next - 2) * (0.75 + Math.random() / 2)
  const wait = Math.max(backoff, failure.retryAfterMs ?? 0)
  return wait > options.ceilingMs ? undefined : wait
}
