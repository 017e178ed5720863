import type { Plugin, ToolContext as HostContext, ToolDefinition } from "@opencode-ai/plugin"
import { ConfigError, loadConfig } from "../config.ts"
import { mcpOf, permissionOf, scienceOf, toolsOf } from "../create.ts"
import { PermissionDenied, type Ask, type PermissionRequest } from "../permission/index.ts"
import type { Image, ToolContext } from "../tool/context.ts"
import type { JsonSchema, Tool } from "../tool/tool.ts"

/** The opencode plugin (V1): the host's own permission system decides, its abort signal stops, its directory is written to. */
const server: Plugin = async ({ directory, client }, options) => {
  const log = (level: "warn" | "error", message: string) =>
    client.app.log({ body: { service: "opencode-science", level, message } }).catch(() => undefined)
  const given = options && Object.keys(options).length > 0 ? { options } : {}
  try {
    const config = await loadConfig({ directory, ...given })
    // Our own rules forbid as well (plan mode, a lab's `science_fetch` rules); what they would ask about, the host asks about.
    const own = permissionOf(config, async () => "once")
    const science = scienceOf(directory, config)
    const tool = Object.fromEntries(toolsOf(science).map((each) => [each.id, definition(each, own)]))
    const schemas = new Map<string, JsonSchema>()
    let started = false
    const mcp = mcpOf(science, config, {
      log: (message) => void log("warn", message),
      onTools(tools) {
        for (const each of tools) {
          schemas.set(each.id, each.schema)
          tool[each.id] = definition(each, own)
        }
        // The host reads its plugins' tools once, at a session's first turn.
        const [first] = tools
        if (started && first)
          void log(
            "warn",
            `${first.id} and ${tools.length - 1} more came after the start: offered if no turn has begun.`,
          )
      },
    })
    await mcp.start()
    started = true
    return {
      tool,
      // The API takes zod only; what the model is shown may be replaced here, so that it reads the server's schema as it is.
      async "tool.definition"({ toolID }, output) {
        const jsonSchema = schemas.get(toolID)
        if (jsonSchema) Object.assign(output, { jsonSchema })
      },
      dispose: mcp.close,
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // A wrong setting must not be worked round in silence, nor take the host down: the tools stay away and the log says why.
    await log("error", error.message)
    return {}
  }
}

function definition({ description, parameters, run }: Tool, own: Ask): ToolDefinition {
  return {
    description,
    // The host only shows these to the model, it does not parse: `run` does.
    args: parameters?.shape ?? {},
    async execute(args, host) {
      const { images = [], ...result } = await run(args, contextOf(host, own))
      return images.length > 0 ? { ...result, attachments: images.map(attachmentOf) } : result
    },
  }
}

const attachmentOf = ({ mediaType, data }: Image) => ({
  type: "file" as const,
  mime: mediaType,
  url: `data:${mediaType};base64,${data}`,
})

function contextOf({ directory, worktree, abort, ask }: HostContext, own: Ask): ToolContext {
  return {
    directory,
    worktree,
    signal: abort,
    showsImages: true,
    async ask(request) {
      await own(request)
      await ask({ ...request }).catch((error: unknown) => {
        // A rule's denial is an answer to the model; a person's refusal steers the host's loop and goes up as it is.
        throw nameOf(error) === "PermissionDeniedError" ? new PermissionDenied(denial(error, request), []) : error
      })
    },
  }
}

/** The host's errors carry their kind in `name` or `_tag`; their classes are not exported. */
function nameOf(error: unknown): unknown {
  if (typeof error !== "object" || error === null) return undefined
  if ("_tag" in error) return error._tag
  return "name" in error ? error.name : undefined
}

/** The host's own words, and what they came to. */
function denial(error: unknown, { permission }: PermissionRequest): string {
  const consequence = permission === "edit" ? "Nothing was written." : "Nothing was asked of the database."
  return `${consequence} ${error instanceof Error ? error.message : "A rule forbids it."}`
}

export default { id: "opencode-science", server }
