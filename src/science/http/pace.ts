import PQueue from "p-queue"
import type { Connector, HostPace } from "../connector.ts"

/** Spacing and concurrency per host, shared by every connector, every call and every attempt in this process. */
export interface Pace {
  /** Runs `task` when the host's turn comes. Rejects at once with the signal's reason when aborted while waiting. */
  run<T>(host: string, pace: HostPace, signal: AbortSignal, task: () => Promise<T>): Promise<T>
  /** Starts nothing on this host, or its pool, for `ms` from now: one 429 speaks for all who ask there. */
  hold(host: string, pace: HostPace, ms: number): void
}

export function createPace(): Pace {
  const queues = new Map<string, { queue: PQueue; until: number }>()
  const entry = (host: string, pace: HostPace) => {
    const name = pace.pool ?? host
    const known = queues.get(name)
    if (known) return known
    // A sliding window of one start: evenly spaced, never a burst at a window's edge.
    const interval =
      pace.perSecond === Infinity ? {} : { interval: 1000 / pace.perSecond, intervalCap: 1, strict: true }
    const made = { queue: new PQueue({ concurrency: pace.concurrent, ...interval }), until: 0 }
    queues.set(name, made)
    return made
  }
  return {
    run: async (host, pace, signal, task) => {
      signal.throwIfAborted()
      // The queue hears of an abort only while the task waits: once it runs, it ends by itself, its clean-up included.
      const waiting = new AbortController()
      const leave = () => waiting.abort(signal.reason)
      signal.addEventListener("abort", leave, { once: true })
      const start = () => {
        signal.removeEventListener("abort", leave)
        return task()
      }
      return await entry(host, pace).queue.add(start, { signal: waiting.signal })
    },
    hold: (host, pace, ms) => {
      const known = entry(host, pace)
      const until = Date.now() + ms
      if (until <= known.until) return
      known.until = until
      known.queue.pause()
      setTimeout(() => {
        if (known.until <= Date.now()) known.queue.start()
      }, ms + 1).unref()
    },
  }
}

/** What every instance in this process shares: two projects open in one host are one client to a database. */
export const processPace = createPace()

/** The pace of each host over all connectors: the slowest that any of them states, unless a key that is set buys more. */
export function paces(
  connectors: readonly Connector[],
  env: Record<string, string | undefined>,
): Map<string, HostPace> {
  const all = new Map<string, HostPace>()
  for (const { hosts } of connectors)
    for (const [host, pace] of Object.entries(hosts)) {
      const known = all.get(host) ?? pace
      all.set(host, {
        ...known,
        perSecond: Math.min(known.perSecond, pace.perSecond),
        concurrent: Math.min(known.concurrent, pace.concurrent),
      })
    }
  for (const { key } of connectors) {
    const known = key && all.get(key.host)
    if (known && key.raises && env[key.env]) all.set(key.host, { ...known, perSecond: key.raises.perSecond })
  }
  return all
}
