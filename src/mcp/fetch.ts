import type { FetchLike } from "@modelcontextprotocol/client"
import { throughProxy } from "../science/http/transport.ts"
import { retryAfterMs } from "../science/http/retry.ts"
import { pause } from "./within.ts"

/** A server that asks for a longer wait is not waited for: the answer says so. */
const MAX_WAIT_MS = 10_000

/**
 * What both transports of one connection send with: proxies as for databases; and a server that is busy and says for how long is asked once
 * more. Only after a good answer is it waited for again: what negotiates would otherwise wait for each of its requests.
 */
export function patientFetch(): FetchLike {
  let patient = true
  return async (url, { method = "GET", headers, body, signal, redirect = "follow" } = {}) => {
    const send = () =>
      throughProxy(new URL(url), {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        redirect,
        ...(typeof body === "string" ? { body } : {}),
        ...(signal ? { signal } : {}),
      })
    const response = await send()
    if (response.status !== 429 && response.status !== 503) {
      patient ||= response.ok
      return response
    }
    const wait = retryAfterMs(response.headers.get("retry-after"), response.headers.get("date"))
    if (!patient || wait === undefined || wait > MAX_WAIT_MS) return response
    patient = false
    await response.body?.cancel()
    await pause(wait, signal)
    return await send()
  }
}
