import { Failure } from "../science/failure.ts"
import { prefixOf, type ServerConfig } from "./config.ts"
import { cleanHeaders, headerFault } from "./headers.ts"
import { presetOf } from "./presets/index.ts"

export interface Http {
  kind: "http"
  url: URL
  /** `auto`: Streamable HTTP, and HTTP+SSE where that is refused as the specification says. */
  transport: "auto" | "http" | "sse"
  headers: Record<string, string>
}

export interface Stdio {
  kind: "stdio"
  command: string
  args: string[]
  env: Record<string, string>
  cwd?: string
}

export interface Timeouts {
  startMs: number
  connectMs: number
  callMs: number
}

/** One server as it is to be used. */
export interface Settings {
  name: string
  prefix: string
  link: Http | Stdio
  tools?: string[]
  guide?: string
  timeouts: Timeouts
  /** What must not be shown: the values that the person gave as headers and variables. */
  secrets: string[]
}

/** A start waits little, so that one slow server costs nobody much; a server that wakes up first gets its time in the background. */
export const TIMEOUTS: Timeouts = { startMs: 3_000, connectMs: 20_000, callMs: 60_000 }

type Env = Record<string, string | undefined>

/** Puts together what the person configured, what the preset knows and what the environment says. Throws a Failure in words for the log. */
export function settingsOf(name: string, entry: boolean | ServerConfig, env: Env): Settings {
  const config: ServerConfig = typeof entry === "boolean" ? {} : entry
  const preset = presetOf(name)
  const place = config.url ?? config.command ?? preset?.at(env)
  if (place === undefined) throw new Failure("key_required", preset?.missing ?? "give url or command")
  const known = typeof place === "object" ? place : {}
  const link = linkOf({ ...known, ...config }, env)
  const { timeouts = {}, tools = preset?.tools } = config
  const values = link.kind === "http" ? link.headers : link.env
  return {
    name,
    prefix: prefixOf(name, entry),
    link,
    ...(tools ? { tools } : {}),
    ...(preset ? { guide: preset.guide } : {}),
    timeouts: {
      startMs: timeouts.startMs ?? TIMEOUTS.startMs,
      connectMs: timeouts.connectMs ?? TIMEOUTS.connectMs,
      callMs: timeouts.callMs ?? TIMEOUTS.callMs,
    },
    secrets: Object.values(values),
  }
}

function linkOf(config: ServerConfig, env: Env): Http | Stdio {
  const { url, command, args = [], cwd, transport } = config
  if (url !== undefined) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new Failure("invalid_query", "its address is no http or https URL")
    const headers = cleanHeaders(filled("headers", config.headers ?? {}, env))
    for (const [header, value] of Object.entries(headers)) {
      const fault = headerFault(header, value)
      if (fault) throw new Failure("invalid_query", `headers.${header} ${fault}`)
    }
    return {
      kind: "http",
      url: new URL(url),
      transport: transport === "http" || transport === "sse" ? transport : "auto",
      headers,
    }
  }
  return {
    kind: "stdio",
    command: command ?? "",
    args,
    env: filled("env", config.env ?? {}, env),
    ...(cwd === undefined ? {} : { cwd }),
  }
}

/** `${NAME}` becomes that variable's value; one that is not set is said, not sent as an empty credential. */
function filled(key: string, values: Record<string, string>, env: Env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+)\}/g, (_, variable: string) => {
        const found = env[variable]
        if (found) return found
        throw new Failure("key_required", `${key}.${name} names the variable ${variable}, which is not set`)
      }),
    ]),
  )
}
