import type { AnswerHead } from "../connector.ts"
import { Failure } from "../failure.ts"
import { clip, oneLine } from "../clean.ts"

const HTML = /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i

/** An HTML page, whatever the header calls it: a maintenance page, a challenge, a folder listing. */
export const isHtml = (head: string): boolean => HTML.test(head)

/** The first words of a body, for an error message. */
export const words = (head: string): string => clip(oneLine(isHtml(head) ? head.replace(/<[^>]*>/g, " ") : head), 160)

/** The failure that a status means. What it says is the service's word about itself, never "no such record". */
export function classify(name: string, { status, head, html, operation }: AnswerHead, retryAfterMs?: number): Failure {
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs }
  const said = head.trim() && !html ? `: ${words(head)}` : ""
  if (status === 429 || status === 425)
    return new Failure("rate_limited", `${name} asks for fewer requests (${status}); ${again(retryAfterMs)}.`, wait)
  if (status === 408 || status === 504)
    return new Failure("timeout", `${name} timed out on its side (${status}); ${again(retryAfterMs)}.`, wait)
  if (status >= 500)
    return new Failure("unavailable", `${name} is down or overloaded (${status}); ${again(retryAfterMs)}.`, wait)
  if (status === 401 || status === 403)
    return new Failure("unavailable", `${name} refuses this request (${status})${said}.`, { retryable: false })
  if (html || status < 400 || ![400, 413, 414, 422].includes(status))
    return new Failure(
      "bad_response",
      `${name} answered ${status}${said || (html ? " with an HTML page" : "")}, which is no answer to this request.`,
      {
        retryable: false,
      },
    )
  return operation === "search"
    ? new Failure("invalid_query", `${name} does not accept this query${said}`)
    : new Failure("invalid_id", `${name} does not accept this id${said}`)
}

const again = (ms: number | undefined) =>
  ms === undefined ? "try again in a minute" : `try again in ${Math.max(1, Math.ceil(ms / 1000))} s`

/** What a broken exchange means: no route, no name, refused, TLS, cut off. The caller's abort and our own Failures pass unchanged. */
export function networkFailure(name: string, error: unknown, caller: AbortSignal): unknown {
  if (caller.aborted) return caller.reason
  if (error instanceof Failure) return error
  const code = causes(error).find((c) => c.code)?.code ?? ""
  const text = causes(error)
    .map((c) => c.message)
    .join(" ")
  if (/ZLIB|Z_DATA|Z_BUF|Decompress|zlib/i.test(`${code} ${text}`))
    return new Failure("bad_response", `${name} sent a body that does not decompress; try again.`)
  if (/terminated|other side closed|socket|RESET|closed|EPIPE/i.test(`${code} ${text}`))
    return new Failure("unavailable", `${name} cut the connection before its answer was whole; try again.`)
  const reason = /ENOTFOUND|EAI_AGAIN|ConnectionRefused|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|CERT|SSL|TLS|PROXY/i.exec(
    `${code} ${text}`,
  )?.[0]
  return new Failure(
    "unavailable",
    `${name} cannot be reached${reason ? ` (${reason})` : ""}; check the network or the proxy settings, or try again later.`,
  )
}

function causes(error: unknown): { code: string; message: string }[] {
  if (!(error instanceof Error)) return []
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  return [{ code, message: error.message }, ...causes(error.cause)]
}
