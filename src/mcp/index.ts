import { Failure } from "../science/failure.ts"
import type { SpillPlace } from "../science/save.ts"
import type { Tool } from "../tool/tool.ts"
import { isEnabled, prefixOf, type McpConfig, type ServerConfig } from "./config.ts"
import type { Loaded } from "./load.ts"
import { settingsOf, TIMEOUTS, type Settings } from "./settings.ts"
import { atMost } from "./within.ts"

export interface McpOptions {
  servers: McpConfig
  place: SpillPlace
  env: Record<string, string | undefined>
  /** One line about one server: what is wrong with it, or what of it was left out. */
  log: (line: string) => void
  /** Called once for each server that answered, also for one that was too slow for `start`. */
  onTools?: (tools: Tool[]) => void
}

/** The MCP servers of a configuration. Nothing is connected before it is asked for. */
export interface Mcp {
  /** Connects to all servers at once; resolves when each has answered, has failed, or has had its short wait. Never rejects. */
  start(): Promise<void>
  /** All tools of all servers that answer within their time. Never rejects. */
  tools(): Promise<Tool[]>
  /** One tool by its name; only servers whose tools may be called so are connected. Throws the Failure of one that could not be. */
  find(id: string): Promise<Tool | undefined>
  /** Ends sessions and processes, all at once. Safe to call twice, and while servers are connecting. */
  close(): Promise<void>
}

interface Server {
  prefix: string
  /** Connects, once. Resolves to no tools where that failed, and keeps why. */
  load(): Promise<Tool[]>
  failure?: Failure
  /** The failure was said already. */
  told?: true
  startMs: number
}

export function createMcp({ servers, place, env, log, onTools }: McpOptions): Mcp {
  const closing = new AbortController()
  const opened: Promise<Loaded>[] = []
  const enabled = Object.entries(servers).filter(([, entry]) => isEnabled(entry))
  const prefixes = enabled.map(([name, entry]) => prefixOf(name, entry))

  async function connect(name: string, entry: boolean | ServerConfig): Promise<Tool[]> {
    const settings = readSettings(name, entry, env)
    const longer = prefixes.filter((other) => other.startsWith(`${settings.prefix}_`))
    // The protocol library takes a second to load: only who has servers pays for it.
    const loading = import("./load.ts").then(({ load }) => load(settings, place, closing.signal, longer))
    opened.push(loading)
    const { tools, notes } = await loading
    for (const note of notes) log(`MCP server "${name}": ${note}.`)
    onTools?.(tools)
    return tools
  }

  const all = enabled.map(([name, entry]): Server => {
    let loading: Promise<Tool[]> | undefined
    const server: Server = {
      prefix: prefixOf(name, entry),
      startMs: (typeof entry === "object" ? entry.timeouts?.startMs : undefined) ?? TIMEOUTS.startMs,
      load: () =>
        (loading ??= connect(name, entry).catch((error: unknown) => {
          if (!(error instanceof Failure)) throw error
          server.failure = error
          return []
        })),
    }
    return server
  })

  async function loadAndTell(server: Server): Promise<Tool[]> {
    const tools = await server.load()
    if (server.failure && !server.told && !closing.signal.aborted) {
      server.told = true
      log(server.failure.message)
    }
    return tools
  }

  return {
    async start() {
      await Promise.all(all.map((server) => atMost(server.startMs, loadAndTell(server))))
    },
    tools: async () => (await Promise.all(all.map(loadAndTell))).flat(),
    async find(id) {
      const mayHave = all.filter(({ prefix }) => id.startsWith(`${prefix}_`))
      const tools = await Promise.all(mayHave.map(({ load }) => load()))
      const found = tools.flat().find((tool) => tool.id === id)
      const failure = mayHave.map((server) => server.failure).find((each) => each !== undefined)
      if (!found && failure) throw failure
      return found
    },
    async close() {
      closing.abort(new Failure("unavailable", "it was closed"))
      const settled = await Promise.allSettled(opened)
      await Promise.all(settled.map((each) => (each.status === "fulfilled" ? each.value.session.close() : undefined)))
    },
  }
}

function readSettings(name: string, entry: boolean | ServerConfig, env: McpOptions["env"]): Settings {
  try {
    return settingsOf(name, entry, env)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(error.code, `MCP server "${name}": ${error.message}.`)
  }
}
