import { once } from "node:events"
import { PassThrough, type Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { createRunning } from "./running.ts"
import { createMcpServer, type ServerOptions } from "./server.ts"

/** After its input ended a client may still read: what is asked by `printf … | opencode-science mcp` gets this long to be answered. */
const ANSWER_MS = 1_500

/** A client that ended its input and reads slowly gets this long to read what was said. */
const READ_MS = 10_000

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
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  process.stdin.once("end", resolve).once("close", resolve).once("error", resolve)
  signal.addEventListener("abort", () => resolve(), { once: true })
  process.stdin.pipe(input, { end: false })
  const handle = serveStdio(factory, { transport: new WatchedTransport(input, resolve) })
  await ended
  if (!signal.aborted) {
    await sleep(HANDED_ON_MS)
    await idle(ANSWER_MS)
    await sleep(0)
  }
  await handle.close()
  await idle(CLEAN_MS)
  if (!signal.aborted) await Promise.race([written(), sleep(READ_MS), once(signal, "abort")])
}

/** Resolves when the reader has taken all that was said. */
const written = () => new Promise<void>((resolve) => process.stdout.end(() => resolve()))

/** The SDK gives up the connection when a line is too long (10 MB): then there is nobody to stay for. */
class WatchedTransport extends StdioServerTransport {
  readonly #closed: () => void

  constructor(input: Readable, closed: () => void) {
    super(input, process.stdout)
    this.#closed = closed
  }

  override async close(): Promise<void> {
    await super.close()
    this.#closed()
  }
}
