import { setTimeout as sleep } from "node:timers/promises"

/** The requests that are being worked on, so that the process does not leave in the middle of one. */
export interface Running {
  track(work: Promise<unknown>): void
  /** Resolves when nothing runs any more, or when that took too long. */
  idle(limitMs: number): Promise<void>
}

export function createRunning(): Running {
  const running = new Set<Promise<unknown>>()
  return {
    track(work) {
      running.add(work)
      const done = () => void running.delete(work)
      work.then(done, done)
    },
    async idle(limitMs) {
      const ended = new AbortController()
      const limit = sleep(limitMs, undefined, { signal: ended.signal }).catch(() => undefined)
      let late = false
      void limit.then(() => (late = true))
      while (running.size > 0 && !late) await Promise.race([Promise.allSettled(running), limit])
      ended.abort()
    },
  }
}
