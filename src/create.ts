import { userCacheDir, type Config } from "./config.ts"
import { createMcp, type Mcp, type McpOptions } from "./mcp/index.ts"
import { createAsk, rulesFor, type Ask, type Prompt, type Rule } from "./permission/index.ts"
import { connectors } from "./science/connectors/index.ts"
import { diskCache, readOnlyCache, type Cache } from "./science/http/cache.ts"
import { createScience, type Science } from "./science/science.ts"
import { scienceFetch } from "./tool/science-fetch.ts"
import { scienceListDbs } from "./tool/science-list-dbs.ts"
import { scienceSearch } from "./tool/science-search.ts"
import type { Tool } from "./tool/tool.ts"
import { version } from "./version.ts"

/** The science of one project directory, as a configuration wants it. Nothing is read or written before the first call. */
export function scienceOf(
  directory: string,
  config: Config,
  env: Env = process.env,
  cache = cacheOf(config, env),
): Science {
  return createScience({
    connectors,
    env,
    version,
    cache,
    place: { directory, folder: config.spill?.dir, maxBytes: config.spill?.maxBytes },
    ...(config.mirrors ? { mirrors: config.mirrors } : {}),
    ...(config.offline ? { offline: true } : {}),
    ...(config.contact ? { contact: config.contact } : {}),
    ...(config.databases ? { databases: config.databases } : {}),
  })
}

/** The tools that every host offers, however many databases there are. */
export const toolsOf = (science: Science): Tool[] => [
  scienceListDbs(science),
  scienceSearch(science),
  scienceFetch(science),
]

/** The MCP servers that a configuration names, whose tools are offered beside ours. Nothing is connected before it is asked for. */
export const mcpOf = (
  { place }: Science,
  { mcp: servers = {} }: Config,
  { log, onTools, env = process.env }: Pick<McpOptions, "log" | "onTools"> & { env?: Env },
): Mcp => createMcp({ servers, place, env, log, ...(onTools ? { onTools } : {}) })

export const rulesOf = ({ mode = "build", permission = {} }: Config): Rule[] => rulesFor(mode, permission)

/** Our own permission system, for hosts that have none, or beside theirs. */
export const permissionOf = (config: Config, prompt?: Prompt): Ask =>
  createAsk({ rules: rulesOf(config), ...(prompt ? { prompt } : {}) })

type Env = Record<string, string | undefined>

function cacheOf({ cache, mode }: Config, env: Env): Cache {
  const disk = diskCache(cache?.dir ?? userCacheDir(env), cache?.maxBytes)
  // Plan mode writes nothing, the cache included; what is there already still spares a request.
  return mode === "plan" ? readOnlyCache(disk) : disk
}
