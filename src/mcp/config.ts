import { z } from "zod"
import { headerFault } from "./headers.ts"
import { isPreset, PRESET_NAMES } from "./presets/index.ts"

const ms = z.number().int().positive().max(3_600_000)
const text = z.string().min(1)

const shape = {
  /** Of a server over HTTP. */
  url: text.optional(),
  /** Of a server that is started here, with its arguments one by one. */
  command: text.optional(),
  args: z.array(z.string()).optional(),
  cwd: text.optional(),
  /** Beside a few harmless variables (PATH, HOME …) the command gets only these. `${NAME}` stands for a variable of ours. */
  env: z.record(z.string(), z.string()).optional(),
  /** By default what `url` or `command` says, and for a URL the older HTTP+SSE where Streamable HTTP is refused. */
  transport: z.enum(["http", "sse", "stdio"], { error: ({ input }) => notATransport(input) }).optional(),
  /** `${NAME}` stands for a variable of the environment, so that a credential need not stand here. */
  headers: z.record(z.string(), z.string()).optional(),
  /** What its tools' names begin with; by default the server's own name. */
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,32}$/, "1 to 32 letters, digits, _ or -")
    .optional(),
  /** Only these tools, by the server's names; `*` stands for any characters. */
  tools: z.array(text).optional(),
  timeouts: z
    .strictObject({
      /** How long the host's start waits for it. */
      startMs: ms.optional(),
      /** How long it may take in all to answer with its tools. */
      connectMs: ms.optional(),
      /** How long one call may take. */
      callMs: ms.optional(),
    })
    .optional(),
  enabled: z.boolean().optional(),
}

const server = z.strictObject(shape, {
  error: ({ code }) =>
    code === "unrecognized_keys" ? `no such key; the keys are ${Object.keys(shape).join(", ")}` : undefined,
})

export type ServerConfig = z.infer<typeof server>

/** Servers by name. `true` is a preset as it is, `false` leaves one out. */
export const mcpConfig = z
  .record(z.string(), z.union([z.boolean(), server], { error: nameTheKey }))
  .superRefine((servers, context) => {
    for (const [name, entry] of Object.entries(servers)) {
      const fault = entry === false ? undefined : faultOf(name, entry === true ? {} : entry)
      if (fault) context.addIssue({ code: "custom", path: [name, ...fault.path], message: fault.message })
    }
    const prefixes = new Map<string, string>()
    for (const [name, entry] of Object.entries(servers)) {
      if (!isEnabled(entry)) continue
      const prefix = prefixOf(name, entry)
      const other = prefixes.get(prefix)
      if (other !== undefined)
        context.addIssue({
          code: "custom",
          path: [name, "prefix"],
          message: `tools of ${other} begin with ${prefix}_ already; give one of the two another prefix`,
        })
      prefixes.set(prefix, name)
    }
  })

export type McpConfig = z.infer<typeof mcpConfig>

export const isEnabled = (entry: boolean | ServerConfig): boolean =>
  typeof entry === "boolean" ? entry : entry.enabled !== false

export const prefixOf = (name: string, entry: boolean | ServerConfig): string =>
  (typeof entry === "object" ? entry.prefix : undefined) ?? name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 32)

interface Fault {
  path: string[]
  message: string
}

/** Nonsense and contradictions, by the key that is to be changed. */
function faultOf(name: string, config: ServerConfig): Fault | undefined {
  const { url, command, transport, headers = {} } = config
  const at = (key: string, message: string): Fault => ({ path: [key], message })
  if (name === "" || /^(?:science|__proto__)$/.test(prefixOf(name, config)))
    return at("prefix", "is taken by the tools of this package; give another")
  if (url !== undefined && command !== undefined) return at("url", "stands beside command; give one of the two")
  if (url === undefined && command === undefined && !isPreset(name))
    return at("url", `is missing, and so is command; without them only ${PRESET_NAMES.join(" and ")} are known`)
  if (url !== undefined) {
    const wrong = urlFault(url)
    if (wrong) return at("url", wrong)
    if (transport === "stdio") return at("transport", "is stdio, which goes with command, not with url")
    const foreign = (["args", "cwd", "env"] as const).find((key) => config[key] !== undefined)
    if (foreign) return at(foreign, "goes with command, not with url")
  }
  if (command !== undefined) {
    if (transport !== undefined && transport !== "stdio")
      return at("transport", `is ${transport}, which goes with url, not with command`)
    if (config.headers) return at("headers", "goes with url, not with command")
  }
  const seen = new Set<string>()
  for (const [header, value] of Object.entries(headers)) {
    const wrong = seen.has(header.toLowerCase()) ? "is given twice" : headerFault(header, value)
    if (wrong) return { path: ["headers", header], message: wrong }
    seen.add(header.toLowerCase())
  }
  return undefined
}

function urlFault(text: string): string | undefined {
  if (!URL.canParse(text)) return "is no URL; an example is https://mcp.example.org/mcp"
  const { protocol, username, password } = new URL(text)
  if (protocol === "ws:" || protocol === "wss:")
    return "is a WebSocket, which is not served; give the http or https URL"
  if (protocol !== "http:" && protocol !== "https:")
    return `begins with ${protocol}, and only http and https are served`
  return username || password ? "holds a credential; give it under headers" : undefined
}

function notATransport(input: unknown): string {
  const asked = typeof input === "string" ? JSON.stringify(input.slice(0, 40)) : typeof input
  return `${asked} is no transport; there are "http" (Streamable HTTP), "sse" and "stdio"`
}

/** zod says of a union that fits nowhere just "invalid input"; its object form knows which key is wrong. */
function nameTheKey({ input, errors }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const wrong = typeof input === "object" && input !== null && !Array.isArray(input) ? errors.at(-1)?.[0] : undefined
  if (!wrong) return "should be true, false, or an object with url or command"
  const unknown = wrong.code === "unrecognized_keys" ? wrong.keys.slice(0, 1) : []
  return `${[...wrong.path, ...unknown].join(".")}: ${wrong.message}`
}
