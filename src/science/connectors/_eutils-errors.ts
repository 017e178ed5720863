/** What E-utilities means when it refuses. It says most of it under status 200, in JSON, XML or text; some of its own faults come as a 400. */
import { Failure, clip, plainText } from "../connector.ts"
import type { AnswerHead } from "../connector.ts"

export const NO_SUMMARY = "cannot get document summary"

/** For `missing`: none of the asked ids exists. A search is never asked this. */
export function eutilsMissing({ head, operation }: AnswerHead): boolean {
  return NO_SUCH_ID.test(complaint(head) ?? "") || (operation === "file" && NO_SUCH_SUMMARY.test(head))
}

const NO_SUCH_ID = /ID list is empty|Failed to understand id/
const NO_SUCH_SUMMARY = new RegExp(`"error"\\s*:\\s*"${NO_SUMMARY}"`)

/**
 * For `failure`: what an error means, also one under status 200. Statuses that speak for themselves are left to the general rule, which does
 * not show the body: a 429 names the caller's address or key in it.
 */
export function eutilsFailure({ status, head, operation }: AnswerHead): Failure | undefined {
  if (status === 429 || status >= 500) return undefined
  const said = complaint(head)
  if (said === undefined) return undefined
  const code = operation === "search" ? "invalid_query" : "invalid_id"
  return status < 400
    ? refusal(said, code)
    : (known(said, code) ?? new Failure(code, `NCBI does not accept this (${said}).`))
}

/** The error that an answer is, whichever way it is written; undefined for an answer that is none. */
export function complaint(head: string): string | undefined {
  const json =
    /^\s*\{\s*"error"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(head) ??
    /"ERROR"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(head) ??
    /"esummaryresult"\s*:\s*\[\s*"((?:[^"\\]|\\.)*)"/.exec(head)
  const xml = /<e[A-Z]\w*Result>\s*<ERROR>([^]*?)(?:<\/ERROR>|$)/.exec(head)
  const text = /^\s*\+?Error%3A[^\n]*/.exec(head)
  const said = json?.[1] ?? xml?.[1] ?? (text ? spelledOut(text[0]) : undefined)
  return said === undefined ? undefined : clip(plainText(said), 160)
}

/** EFetch of sequences writes `+F+a+i+l+e+d++t+o+…`, percent-encoded: single blanks between letters, double ones between words. */
function spelledOut(line: string): string {
  const decoded = line.replace(/%([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return decoded
    .split("++")
    .map((word) => word.replaceAll("+", ""))
    .join(" ")
}

/** Whose fault it is when what was asked cannot be understood. */
type Code = "invalid_query" | "invalid_id"

/** Errors by their texts, the first that fits; what the service stumbles over by itself is worth another try, whatever its status. */
const KNOWN: [RegExp, (said: string, code: Code) => Failure][] = [
  [/rate limit/i, () => new Failure("rate_limited", "NCBI asks for fewer requests; try again in some seconds.")],
  [
    /api key/i,
    () => new Failure("key_required", "NCBI does not accept the key in NCBI_API_KEY: correct it, or unset it."),
  ],
  [/nothing todo/i, (_, code) => new Failure(code, "NCBI finds nothing to look for in this; say what to look for.")],
  [
    /'retstart' cannot be larger/,
    () => new Failure("invalid_query", "this page is too deep: narrow the query instead."),
  ],
  [/too large|cannot be transformed/i, (said) => new Failure("too_large", `ask for fewer at once: NCBI says ${said}`)],
  [/^invalid|query_key|id parameter/i, (said, code) => new Failure(code, `NCBI does not accept this (${said}).`)],
  [
    /backend|proxy_stream|timeout|forwarding|lbsm|exception|PubOne|try again|unable to (?:obtain|open)/i,
    (said) => new Failure("unavailable", `NCBI's own backend failed (${said}); try again in a minute.`),
  ],
]

function known(said: string, code: Code): Failure | undefined {
  return KNOWN.find(([text]) => text.test(said))?.[1](said, code)
}

/** An error that came where an answer should have been. */
export function refusal(said: string, code: Code): Failure {
  return known(said, code) ?? new Failure("bad_response", `NCBI answered with an error (${said}); try again later.`)
}
