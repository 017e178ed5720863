import { readFile } from "node:fs/promises"
import { homedir } from "node:os"
import path from "node:path"
import { z } from "zod"
import { mcpConfig } from "./mcp/config.ts"
import { permissionConfig } from "./permission/index.ts"

/** One configuration for every host: plugin options, a file, or the environment. */
export const configSchema = z.strictObject({
  /** Host or `*` → origin that stands in for it; `{host}` is replaced. */
  mirrors: z.record(z.string(), z.url({ protocol: /^https?$/ })).optional(),
  permission: permissionConfig.optional(),
  /** MCP servers whose tools are offered too, by name. */
  mcp: mcpConfig.optional(),
  mode: z.enum(["build", "plan"]).optional(),
  offline: z.boolean().optional(),
  cache: z.strictObject({ dir: z.string().optional(), maxBytes: z.number().int().positive().optional() }).optional(),
  databases: z
    .strictObject({ enable: z.array(z.string()).optional(), disable: z.array(z.string()).optional() })
    .optional(),
  /** An e-mail or a page, for the User-Agent. */
  contact: z
    .string()
    .regex(/^[\x20-\x7e]+$/, "printable ASCII only")
    .optional(),
  spill: z.strictObject({ dir: z.string().optional(), maxBytes: z.number().int().positive().optional() }).optional(),
})

export type Config = z.infer<typeof configSchema>

/** A wrong configuration: names the source and the key, and is meant for the person's eyes. */
export class ConfigError extends Error {
  override readonly name = "ConfigError"
}

type Env = Record<string, string | undefined>

/**
 * The configuration in force: `options` (a host's own) or else the project's file or else the user's; over these what
 * OPENCODE_SCIENCE_CONFIG holds (a path or JSON), and over that the single settings of the environment.
 */
export async function loadConfig({
  directory,
  options,
  env = process.env,
}: {
  directory: string
  options?: unknown
  env?: Env
}): Promise<Config> {
  const base =
    options !== undefined
      ? read(options, "the plugin's options")
      : ((await readConfigFile(path.join(directory, ".openscience", "config.json"))) ??
        (await readConfigFile(path.join(userConfigDir(env), "opencode-science", "config.json"))) ??
        {})
  return { ...base, ...(await fromVariable(env)), ...fromSettings(env) }
}

const userConfigDir = (env: Env) => env["XDG_CONFIG_HOME"] || path.join(env["HOME"] || homedir(), ".config")

/** Where answers are kept: outside every project. */
export const userCacheDir = (env: Env = process.env): string =>
  path.join(env["XDG_CACHE_HOME"] || path.join(env["HOME"] || homedir(), ".cache"), "opencode-science")

async function readConfigFile(file: string): Promise<Config | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined
    throw new ConfigError(`${file} cannot be read (${error.code}); mend or remove it.`)
  })
  return text === undefined ? undefined : read(json(text, file), file)
}

async function fromVariable(env: Env): Promise<Config> {
  const value = env["OPENCODE_SCIENCE_CONFIG"]?.trim()
  if (!value) return {}
  if (value.startsWith("{")) return read(json(value, "OPENCODE_SCIENCE_CONFIG"), "OPENCODE_SCIENCE_CONFIG")
  const found = await readConfigFile(path.resolve(value))
  if (!found)
    throw new ConfigError(`OPENCODE_SCIENCE_CONFIG names ${value}, which is not there; name a file or give JSON.`)
  return found
}

function fromSettings(env: Env): Config {
  const { OPENCODE_SCIENCE_MIRRORS: mirrors, OPENCODE_SCIENCE_OFFLINE: offline, OPENCODE_SCIENCE_MODE: mode } = env
  const { OPENCODE_SCIENCE_MCP: mcp } = env
  return {
    ...(mirrors ? read({ mirrors: json(mirrors, "OPENCODE_SCIENCE_MIRRORS") }, "OPENCODE_SCIENCE_MIRRORS") : {}),
    ...(mcp ? read({ mcp: json(mcp, "OPENCODE_SCIENCE_MCP") }, "OPENCODE_SCIENCE_MCP") : {}),
    ...(offline ? { offline: !["0", "false", "no"].includes(offline.toLowerCase()) } : {}),
    ...(mode ? read({ mode }, "OPENCODE_SCIENCE_MODE") : {}),
  }
}

function json(text: string, source: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ConfigError(`${source} is not JSON; it should be an object such as {"mode":"plan"}.`)
  }
}

function read(value: unknown, source: string): Config {
  const parsed = configSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined
  const key = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].join(".")
  const why =
    // Deeper down the part's own schema says which keys there are.
    unknown === undefined || issue?.path.length
      ? issue?.message
      : `no such key; the keys are ${Object.keys(configSchema.shape).join(", ")}`
  throw new ConfigError(`${source}: ${key || "the whole"}: ${why}.`)
}
