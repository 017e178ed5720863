import { InsufficientScopeError, ProtocolError, SseError } from "@modelcontextprotocol/client"
import { Failure, type FailureCode, type FailureDetails } from "../science/failure.ts"
import { BROKEN_OFF } from "./http.ts"
import { redacted } from "./redact.ts"
import type { Settings } from "./settings.ts"
import { OutOfTime } from "./within.ts"

/** What is wrong with one server. The message begins with its name, and never holds a credential. */
export class McpFailure extends Failure {
  constructor(
    readonly serverName: string,
    code: FailureCode,
    message: string,
    details: FailureDetails = {},
  ) {
    super(code, `MCP server "${serverName}": ${message}`, details)
  }
}

/** Statuses that say who may enter: found at the first answer, and never a reason to try another transport. */
const AUTH: Record<number, string> = {
  401: "Authentication failed (401 Unauthorized)",
  402: "Payment Required (402)",
  403: "Forbidden (403)",
}

/** Names of system and library errors whose texts differ between runtimes. */
const SAYS: Record<string, [FailureCode, string]> = {
  ECONNREFUSED: ["unavailable", "nothing listens there (connection refused)"],
  ConnectionRefused: ["unavailable", "nothing listens there (connection refused)"],
  ENOTFOUND: ["unavailable", "its host name is not known"],
  EAI_AGAIN: ["unavailable", "its host name cannot be looked up now"],
  ECONNRESET: ["unavailable", "the connection broke"],
  UND_ERR_SOCKET: ["unavailable", "the connection broke"],
  ConnectionClosed: ["unavailable", "the connection broke"],
  REQUEST_TIMEOUT: ["timeout", "no answer in time"],
  CONNECTION_CLOSED: ["unavailable", "the connection was closed"],
  NOT_CONNECTED: ["unavailable", "the connection was closed"],
  CLIENT_HTTP_UNEXPECTED_CONTENT: ["bad_response", "what is there does not speak MCP"],
}

/** Where the server is, without what an address may hide in its query. */
export const placeOf = ({ link }: Settings): string =>
  link.kind === "http" ? `${link.url.origin}${link.url.pathname}` : link.command

/** Anything that went wrong with a server, as a Failure in plain words. An abort and what is no Error go through untouched. */
export function faultOf(settings: Settings, error: unknown): McpFailure {
  if (error instanceof McpFailure) return error
  const { name } = settings
  const say = (code: FailureCode, message: string) => new McpFailure(name, code, message)
  if (error instanceof OutOfTime) return say("timeout", `${error.message} from ${placeOf(settings)}`)
  if (error instanceof Failure) return say(error.code, error.message)
  const status = statusOf(error)
  if (status !== undefined) return httpFault(settings, status, error)
  if (error instanceof ProtocolError) return say("unavailable", "its answer broke off before it was whole")
  for (const cause of chain(error)) {
    if (cause instanceof SyntaxError) return say("bad_response", "its answer is not JSON")
    const known = SAYS[stringOf(cause, "code") ?? ""]
    if (known) return say(known[0], `${known[1]}: ${placeOf(settings)}`)
  }
  const words = redacted(messageOf(error), settings.secrets)
  // Node says just "fetch failed", and why in the cause.
  const root = chain(error).at(-1)
  if (chain(error).some((cause) => cause instanceof TypeError && cause.message === "fetch failed"))
    return say("unavailable", `${placeOf(settings)} cannot be reached (${redacted(messageOf(root), settings.secrets)})`)
  return say("bad_response", `what ${placeOf(settings)} answers is not MCP (${words})`)
}

function httpFault(settings: Settings, status: number, error: unknown): McpFailure {
  const { name } = settings
  const auth = AUTH[status]
  if (auth) {
    const key = `mcp.${name}.headers`
    const cure =
      status === 402
        ? "the service wants to be paid; see its terms"
        : `set a valid credential under ${key}, e.g. {"Authorization": "Bearer \${TOKEN}"}`
    return new McpFailure(name, "key_required", `${auth} at ${placeOf(settings)}; ${cure}.`)
  }
  const target = redirectTarget(error)
  if (target)
    return new McpFailure(
      name,
      "forbidden_host",
      `${placeOf(settings)} redirects (${status}) to ${redacted(target, settings.secrets)}, which was not followed; give that address if you trust it.`,
    )
  const code = status === 429 ? "rate_limited" : status >= 500 ? "unavailable" : "bad_response"
  const words = wordsOf(settings, error)
  return new McpFailure(name, code, `HTTP ${status} from ${placeOf(settings)}${words ? `: ${words}` : ""}`)
}

/** What the refusal says, where it is said in a sentence and not in a page. */
function wordsOf({ secrets }: Settings, error: unknown): string {
  const text = textOf(error)
  if (text.trim().startsWith("<")) return ""
  try {
    const body: unknown = JSON.parse(text)
    const said = field(field(body, "error"), "message") ?? field(body, "error") ?? field(body, "message")
    return typeof said === "string" ? redacted(said, secrets) : ""
  } catch {
    return redacted(text, secrets)
  }
}

/** The body of an HTTP refusal. It may echo a credential: not to be shown as it is. */
export function textOf(error: unknown): string {
  const texts = chain(error).map((cause) => field(field(cause, "data"), "text"))
  return texts.find((text) => typeof text === "string") ?? ""
}

/** The HTTP status of an error, wherever the transport put it. */
export function statusOf(error: unknown): number | undefined {
  for (const cause of chain(error)) {
    if (cause instanceof InsufficientScopeError) return 403
    const status = cause instanceof SseError ? cause.code : field(cause, "status")
    if (typeof status === "number" && status >= 100 && status < 600) return status
  }
  return undefined
}

/** A JSON-RPC error: the server's own refusal of a request that reached it. */
/** A JSON-RPC error: the server's own refusal of a request that reached it. */
export const isRefusal = (error: unknown): error is ProtocolError =>
  error instanceof ProtocolError && Number(error.code) !== BROKEN_OFF

/** The library names the target only in its message. */
function redirectTarget(error: unknown): string | undefined {
  const found = /redirect\w*[^]*?\b(https?:\/\/[^\s"')]+)/i.exec(messageOf(error))
  return found?.[1]
}

/** An error and what caused it, outermost first. */
function chain(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let at = error; at !== undefined && at !== null && causes.length < 6; at = field(at, "cause")) causes.push(at)
  return causes
}

function field(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && key in value ? Reflect.get(value, key) : undefined
}

function stringOf(value: unknown, key: string): string | undefined {
  const found = field(value, key)
  return typeof found === "string" ? found : undefined
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
