import { jsonSchema, type ToolSet } from "ai"
import type { Config } from "../config.ts"
import { permissionOf, rulesOf } from "../create.ts"
import { evaluate, mayAsk, type Ask, type PermissionRequest, type Prompt } from "../permission/index.ts"
import type { ToolContext, ToolResult } from "../tool/context.ts"
import type { JsonSchema, Tool } from "../tool/tool.ts"

export interface AISDKContext extends Partial<Pick<ToolContext, "worktree" | "limits" | "onProgress">> {
  /** The project: files land below it. */
  directory: string
  /** Whose `permission` and `mode` decide; everything is allowed by default. */
  config?: Config
  /**
   * Asked in the middle of a call where the rules say `ask`; true allows. Without it the SDK's own approval is used, which comes before a
   * call and holds for all of it.
   */
  ask?: (request: PermissionRequest) => boolean | Promise<boolean>
}

/** The tools for `generateText` and `streamText` of `ai`. The model reads an answer's text; its metadata is in the tool result. */
export function toAISDK(tools: readonly Tool[], { config = {}, ask: person, ...place }: AISDKContext): ToolSet {
  if (person) {
    const ask = permissionOf(config, async (request) => ((await person(request)) ? "once" : "reject"))
    return toolSet(tools, place, { ask: () => ask })
  }
  const needsApproval = approvalOf(config, place)
  const approved: Prompt = async () => "once"
  return toolSet(tools, place, {
    needsApproval,
    // The SDK runs a call that needs approval only when it has it.
    ask: async (tool, input) => permissionOf(config, (await needsApproval(tool, input)) ? approved : undefined),
  })
}

export interface Permission {
  ask(tool: Tool, input: unknown): Ask | Promise<Ask>
  needsApproval?(tool: Tool, input: unknown): Promise<boolean>
}

type Place = Omit<AISDKContext, "config" | "ask">

/** What `toAISDK` gives, with a permission of the caller's own. */
export function toolSet(tools: readonly Tool[], place: Place, { ask, needsApproval }: Permission): ToolSet {
  return Object.fromEntries(
    tools.map((tool) => [
      tool.id,
      {
        description: tool.description,
        inputSchema: shown(tool.schema),
        ...(needsApproval ? { needsApproval: (input: unknown) => needsApproval(tool, input) } : {}),
        async execute(input: unknown, { abortSignal }: { abortSignal?: AbortSignal }): Promise<ToolResult> {
          return await tool.run(input, contextOf(place, await ask(tool, input), abortSignal))
        },
        toModelOutput: ({ output }: { output: ToolResult }) => ({ type: "text" as const, value: output.output }),
      },
    ]),
  )
}

/**
 * A schema that is shown to the model and not checked by the SDK: our tools read arguments more kindly (`"5"` for 5) and say in plain words
 * what is wrong. Not a Standard Schema, in which the SDK closes every object, those of MCP servers' tools too that take any key. A copy,
 * so that the tool's own stays as it is.
 */
const shown = (schema: JsonSchema) => jsonSchema(JSON.parse(JSON.stringify(schema)))

const NEVER_ABORTED = new AbortController().signal

const contextOf = ({ worktree, ...place }: Place, ask: Ask, signal = NEVER_ABORTED): ToolContext => ({
  ...place,
  worktree: worktree ?? place.directory,
  signal,
  ask,
})

/** Whether a person has to approve of a call, as far as that is known before it. */
function approvalOf(config: Config, place: Place) {
  const rules = rulesOf(config)
  return async (tool: Tool, input: unknown): Promise<boolean> => {
    // Which records turn out too large to show is known only after they came: every call that could write is asked about.
    if (!tool.readOnly && mayAsk(rules, "edit")) return true
    if (!mayAsk(rules, tool.id)) return false
    const requests = await firstRequests(tool, input, place)
    return requests.some(({ permission, patterns }) =>
      patterns.some((pattern) => evaluate(rules, permission, pattern).action === "ask"),
    )
  }
}

/** What a call asks for before anything else, its patterns as only the tool knows them. The call ends there: nothing was done. */
async function firstRequests(tool: Tool, input: unknown, place: Place): Promise<PermissionRequest[]> {
  const requests: PermissionRequest[] = []
  const stop = new Error("stopped at the first question")
  const noted: Ask = async (request) => {
    requests.push(request)
    throw stop
  }
  await tool.run(input, contextOf(place, noted)).catch((error: unknown) => {
    if (error !== stop) throw error
  })
  return requests
}
