import { SdkError, SdkErrorCode, type Client } from "@modelcontextprotocol/client"
import { Failure } from "../science/failure.ts"
import { faultOf, isRefusal, statusOf, textOf } from "./fault.ts"
import { open, type Known, type Opened } from "./open.ts"
import type { Settings } from "./settings.ts"
import { within } from "./within.ts"

/** One server, for as long as the host runs. */
export interface Session {
  /**
   * Runs requests on a client of this server: one of its own where the server keeps no state, so that no call hangs on another's failure;
   * else the one that is kept, connected anew once where the server has lost it. Throws an McpFailure, the server's refusal
   * (ProtocolError), or the abort's reason.
   */
  use<T>(
    ms: number,
    signal: AbortSignal | undefined,
    work: (client: Client, signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  /** Ends sessions and processes. Safe to call twice. */
  close(): Promise<void>
}

/** A server of another revision than it was, or a session that it does not know: it did nothing, so the call may be made again. */
const UNKNOWN_REVISION = -32022
const NOT_THERE = new Set([400, 404, 405])

export function createSession(settings: Settings): Session {
  let known: Known | undefined
  let stateless = false
  let kept: Promise<Opened> | undefined
  const closing = new AbortController()
  const alive = new Set<Opened>()

  async function connect(signal: AbortSignal): Promise<Opened> {
    const opened = await openAsKnown(AbortSignal.any([signal, closing.signal]))
    known = opened.known
    stateless = !opened.kept
    alive.add(opened)
    opened.client.onclose = () => {
      alive.delete(opened)
      if (opened.kept) kept = undefined
    }
    return opened
  }

  async function openAsKnown(signal: AbortSignal): Promise<Opened> {
    try {
      return await open(settings, signal, known)
    } catch (error) {
      if (signal.aborted || !known?.prior || !changedRevision(error)) throw error
      return await open(settings, signal)
    }
  }

  /** Calls that find no kept client share one attempt, which goes on when one of them gives up. */
  async function acquire(signal: AbortSignal): Promise<Opened> {
    if (stateless) return await connect(signal)
    const attempt = (kept ??= within(settings.timeouts.connectMs, closing.signal, connect))
    try {
      return await attempt
    } catch (error) {
      if (kept === attempt) kept = undefined
      throw error
    }
  }

  async function release(opened: Opened): Promise<void> {
    if (opened.kept) return
    kept = undefined
    alive.delete(opened)
    await opened.end()
  }

  /** Drops what the server no longer knows; it need not be told to end it. */
  async function forget(opened: Opened): Promise<void> {
    if (known) delete known.prior
    if (opened.kept) await opened.client.close()
  }

  async function useTwice<T>(
    signal: AbortSignal,
    work: (client: Client, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const first = await acquire(signal)
    try {
      return await work(first.client, signal)
    } catch (error) {
      if (signal.aborted || !(first.kept ? lostSession(error) : changedRevision(error))) throw error
      await forget(first)
    } finally {
      await release(first)
    }
    const again = await acquire(signal)
    try {
      return await work(again.client, signal)
    } finally {
      await release(again)
    }
  }

  return {
    async use(ms, outer, work) {
      try {
        return await within(ms, outer, (signal) => useTwice(signal, work))
      } catch (error) {
        if (outer?.aborted || isRefusal(error)) throw error
        throw faultOf(settings, error)
      }
    },
    async close() {
      closing.abort(new Failure("unavailable", "it was closed"))
      await Promise.allSettled([...alive].map((opened) => opened.end()))
    },
  }
}

const changedRevision = (error: unknown): boolean =>
  isRefusal(error) ? error.code === UNKNOWN_REVISION : NOT_THERE.has(statusOf(error) ?? 0)

/** 404 is the specification's word for it; reactome-mcp says 400 and mentions the session. A process that has ended meanwhile is the same. */
function lostSession(error: unknown): boolean {
  const status = statusOf(error)
  if (status === 404) return true
  if (status === 400) return /session/i.test(textOf(error))
  return error instanceof SdkError && error.code === SdkErrorCode.NotConnected
}
