import { Failure } from "../failure.ts"

export interface Timeouts {
  /** Until the answer's headers are there. */
  connectMs: number
  /** Between two pieces of a body. */
  idleMs: number
  /** One attempt in all. */
  totalMs: number
}

/** PubChem gives itself 30 s to answer (PUG REST, "Request Volume Limitations"): less would cut off honest work. */
export const TIMEOUTS: Timeouts = { connectMs: 35_000, idleMs: 30_000, totalMs: 120_000 }

/** A file may be gigabytes; what matters is that it keeps coming. */
export const FILE_TIMEOUTS: Timeouts = { ...TIMEOUTS, totalMs: 3_600_000 }

/** Watches one attempt: its signal aborts for the caller and for each limit; `alive` is called when something arrived. */
export function createDeadline(name: string, timeouts: Timeouts, caller: AbortSignal) {
  const controller = new AbortController()
  const late = (what: string) =>
    controller.abort(new Failure("timeout", `${name} ${what}; it may be overloaded: try again later.`))
  const forward = () => controller.abort(caller.reason)
  caller.addEventListener("abort", forward, { once: true })
  if (caller.aborted) forward()
  const seconds = (ms: number) => `${Number((ms / 1000).toPrecision(2))} s`
  const total = setTimeout(() => late(`did not finish within ${seconds(timeouts.totalMs)}`), timeouts.totalMs)
  let idle = setTimeout(() => late(`did not answer within ${seconds(timeouts.connectMs)}`), timeouts.connectMs)
  return {
    signal: controller.signal,
    alive() {
      clearTimeout(idle)
      idle = setTimeout(() => late(`stopped sending for ${seconds(timeouts.idleMs)}`), timeouts.idleMs)
    },
    end() {
      clearTimeout(total)
      clearTimeout(idle)
      caller.removeEventListener("abort", forward)
    },
  }
}
