import type { Plugin, ToolContext as HostContext, ToolDefinition } from "@opencode-ai/plugin"
import { ConfigError, loadConfig } from "../config.ts"
import { permissionOf, scienceOf, toolsOf } from "../create.ts"
import { PermissionDenied, type Ask, type PermissionRequest } from "../permission/index.ts"
import type { ToolContext } from "../tool/context.ts"
import type { Tool } from "../tool/tool.ts"

/** The opencode plugin (V1): the host's own permission system decides, its abort signal stops, its directory is written to. */
const server: Plugin = async ({ directory, client }, options) => {
  const given = options && Object.keys(options).length > 0 ? { options } : {}
  try {
    const config = await loadConfig({ directory, ...given })
    // Our own rules forbid as well (plan mode, a lab's `science_fetch` rules); what they would ask about, the host asks about.
    const own = permissionOf(config, async () => "once")
    const tools = toolsOf(scienceOf(directory, config))
    return { tool: Object.fromEntries(tools.map((tool) => [tool.id, definition(tool, own)])) }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // A wrong setting must not be worked round in silence, nor take the host down: the tools stay away and the log says why.
    await client.app.log({ body: { service: "opencode-science", level: "error", message: error.message } })
    return {}
  }
}

function definition({ description, parameters, run }: Tool, own: Ask): ToolDefinition {
  return {
    description,
    // The host only shows these to the model, it does not parse: `run` does.
    args: parameters.shape,
    execute: (args, host) => run(args, contextOf(host, own)),
  }
}

function contextOf({ directory, worktree, abort, ask }: HostContext, own: Ask): ToolContext {
  return {
    directory,
    worktree,
    signal: abort,
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
