/** The reason of the abort when a time limit was reached. */
export class OutOfTime extends Error {
  override readonly name = "OutOfTime"

  constructor(readonly ms: number) {
    super(`no answer within ${ms / 1000} s`)
  }
}

/**
 * Runs work that has to end within a time, and ends when the caller gives up. The work is told by its signal, but it is not waited for:
 * some of what the protocol library does cannot be stopped (the start of an SSE stream ignores its own time limit).
 */
export async function within<T>(
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted()
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(new OutOfTime(ms)), ms)
  const signal = outer ? AbortSignal.any([outer, limit.signal]) : limit.signal
  const aborted = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
  try {
    return await Promise.race([work(signal), aborted])
  } catch (error) {
    // The library wraps the reason of an abort; the caller has to see its own.
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}

/** Waits for work to settle, but no longer than a time. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, limit]).finally(() => clearTimeout(timer))
}

/** Waits, or ends at once when the signal is aborted. */
export async function pause(ms: number, signal?: AbortSignal | null): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, ms)
    signal?.addEventListener("abort", stop, { once: true })
  })
}
