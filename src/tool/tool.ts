import { z } from "zod"
import { Failure, type FailureCode } from "../science/failure.ts"
import { readArguments } from "./arguments.ts"
import { bound } from "./bound.ts"
import type { ToolContext, ToolResult } from "./context.ts"

export interface ToolDefinition<T> {
  id: string
  /** The prompt, from the `.txt` beside the tool. */
  description: string
  parameters: z.ZodObject & z.ZodType<T>
  /** Whether it can write below the project directory. */
  readOnly: boolean
  /** Throws a Failure for what it cannot do; an abort, a person's refusal and a bug go through. */
  execute(args: T, context: ToolContext): Promise<ToolResult>
}

export type JsonSchema = Record<string, unknown>

/** A tool as hosts wrap it, ours or an MCP server's: what the model is told, and a call that takes whatever the model sent. */
export interface Tool {
  id: string
  description: string
  /** Of the arguments, to be shown to the model as it is. Hosts need not check arguments against it: `run` reads them itself. */
  schema: JsonSchema
  /** The same in zod, for hosts that take nothing else; absent where the schema is an MCP server's. */
  parameters?: z.ZodObject
  /** Whether it can write below the project directory. */
  readOnly: boolean
  run(raw: unknown, context: ToolContext): Promise<ToolResult>
}

/** Which failure a refused argument is. */
const CODE_OF_FIELD: Record<string, FailureCode> = {
  db: "unknown_db",
  id: "invalid_id",
  format: "unsupported_format",
  select: "invalid_select",
}

function define<T>(definition: ToolDefinition<T>): Tool {
  const { id, description, parameters, readOnly, execute } = definition
  return {
    id,
    description: description.trim(),
    schema: z.toJSONSchema(parameters),
    parameters,
    readOnly,
    async run(raw, context) {
      context.signal.throwIfAborted()
      const read = readArguments(id, parameters, raw)
      if (!read.ok) return failed(id, new Failure(CODE_OF_FIELD[read.field] ?? "invalid_query", read.reason))
      const result = await execute(read.args, context).catch((error: unknown) => {
        if (error instanceof Failure) return failed(id, error)
        throw error
      })
      const unused =
        read.unused.length > 0
          ? `note: ${id} has no ${read.unused.map((name) => `\`${name}\``).join(", ")}: not used\n`
          : ""
      // A result that says whether it was truncated has bounded itself.
      if (!unused && typeof result.metadata.truncated === "boolean") return result
      const { text, truncated } = bound(unused + result.output, context.limits)
      return { ...result, output: text, metadata: { ...result.metadata, truncated } }
    },
  }
}

/** A failure as an answer: its code and its sentence. */
export function failed(id: string, failure: Failure): ToolResult {
  return {
    title: `${id}: ${failure.code}`,
    output: `${failure.code}: ${failure.message}`,
    metadata: { ...failureMetadata(failure), truncated: false },
  }
}

export function failureMetadata({ code, retryable, retryAfterMs }: Failure) {
  return { error: code, retryable, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}

export const Tool = { define }
