/** Processor time from now, in ms, of this process: what else the machine does is not in it. */
export function processorTime(): () => number {
  const start = process.cpuUsage()
  return () => process.cpuUsage(start).user / 1000
}
