import type { ServerContext } from "@modelcontextprotocol/server"
import type { ToolContext } from "../../tool/context.ts"
import { size } from "../../tool/say.ts"

/** Often enough to be seen to move, rarely enough to cost nothing. */
const EVERY_MS = 250

/** Bytes of all downloads of a call, to a client that gave a token for it. A file's last bytes are not waited for: the answer comes. */
export function progressOf({ mcpReq }: ServerContext): ToolContext["onProgress"] {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  const downloads = new Map<string, { bytes: number; total?: number }>()
  const began = performance.now()
  let last = began
  let sent = 0
  return ({ id, ...download }) => {
    downloads.set(id, download)
    const all = [...downloads.values()]
    const progress = all.reduce((sum, { bytes }) => sum + bytes, 0)
    const now = performance.now()
    if (now - last < EVERY_MS || progress <= sent) return
    last = now
    sent = progress
    const total = all.reduce((sum, each) => sum + (each.total ?? NaN), 0)
    const message = `${size(progress)}${Number.isNaN(total) ? "" : ` of ${size(total)}`}`
    const params = { progressToken, progress, ...(Number.isNaN(total) ? {} : { total }), message }
    // A client that is gone needs no progress; its leaving ends the call elsewhere.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined)
  }
}
