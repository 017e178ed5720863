import { PassThrough } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { createRunning } from "./running.ts"
import { createMcpServer, type ServerOptions } from "./server.ts"

/** After its input ended a client may still read: what is asked by `printf … | opencode-science mcp` gets this long to be answered. */
const ANSWER_MS = 1_500

/** What was aborted gets this long to take its temporary files away. */
const CLEAN_MS = 1_000

/** What was read is handed on in the next turns of the event loop; only then it counts as being worked on. */
const HANDED_ON_MS = 50

/** Serves one client over standard input and output; resolves when it is gone, or when `signal` says to stop, with nothing left half done. */
export async function serveOverStdio(
  options: Omit<ServerOptions, "session" | "track">,
  signal: AbortSignal,
): Promise<void> {
  const { track, idle } = createRunning()
  // One client from beginning to end, in either revision: what is remembered for a session lives here.
  const factory = ({ era }: { era: "legacy" | "modern" }) =>
    createMcpServer({ ...options, session: true, track }, era === "modern")
  const input = new PassThrough()
  const ended = new Promise<void>((resolve) => {
    process.stdin.once("end", resolve).once("close", resolve).once("error", resolve)
    signal.addEventListener("abort", () => resolve(), { once: true })
  })
  process.stdin.pipe(input, { end: false })
  const handle = serveStdio(factory, { transport: new StdioServerTransport(input, process.stdout) })
  await ended
  if (!signal.aborted) {
    await sleep(HANDED_ON_MS)
    await idle(ANSWER_MS)
    await sleep(0)
  }
  await handle.close()
  await idle(CLEAN_MS)
}
