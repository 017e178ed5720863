import type { commandLine } from "./command-line.ts"

/** Runs the command on a terminal of its own; `typed` is typed when the screen shows `when`. */
export async function onTerminal(
  c: Awaited<ReturnType<typeof commandLine>>,
  args: string[],
  env: Record<string, string> = {},
  when = "",
  typed = "",
) {
  let screen = ""
  let pending = typed
  const child = Bun.spawn(["node", c.bin, ...args], {
    cwd: c.project,
    env: { ...c.env, TERM: "xterm", ...env },
    terminal: {
      cols: 140,
      rows: 30,
      data(terminal, data) {
        screen += Buffer.from(data).toString("utf8")
        if (pending && screen.includes(when)) {
          terminal.write(pending)
          pending = ""
        }
      },
    },
  })
  const exitCode = await child.exited
  child.terminal?.close()
  return { screen, exitCode }
}
