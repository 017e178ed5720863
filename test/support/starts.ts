import { createPace, type Pace } from "../../src/science/http/pace.ts"

/** A real pace, and when each request was let through: what arrives at a server is jittered by the machine, what is let through is not. */
export function notedPace(): { pace: Pace; starts: number[]; gaps: () => number[] } {
  const pace = createPace()
  const starts: number[] = []
  const noted: Pace = {
    ...pace,
    run: (host, limits, signal, task) =>
      pace.run(host, limits, signal, () => {
        starts.push(performance.now())
        return task()
      }),
  }
  return { pace: noted, starts, gaps: () => starts.slice(1).map((start, i) => start - (starts[i] ?? 0)) }
}
