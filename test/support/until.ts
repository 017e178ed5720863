/** Waits for something that another process does. */
export async function until(holds: () => boolean | Promise<boolean>, limitMs = 5_000): Promise<void> {
  const began = performance.now()
  while (!(await holds())) {
    if (performance.now() - began > limitMs) throw new Error(`did not come true in ${limitMs} ms: ${holds}`)
    await Bun.sleep(25)
  }
}
