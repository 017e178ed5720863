import type { Tool as Definition, ToolAnnotations } from "@modelcontextprotocol/server"
import { z } from "zod"
import type { JsonSchema, Tool } from "../../tool/tool.ts"
import type { HostTraits } from "./hosts.ts"

/** What `structuredContent` holds: what is known about the call, and the text, because a host may show this in place of it. */
export const Structured = z.object({
  output: z.string(),
  truncated: z.boolean(),
  db: z.string().optional(),
  query: z.string().optional(),
  id: z.string().optional(),
  format: z.string().optional(),
  select: z.string().optional(),
  count: z.number().optional(),
  total: z.number().optional(),
  next: z.string().optional(),
  missed: z.array(z.string()).optional(),
  failed: z.array(z.string()).optional(),
  incomplete: z.array(z.string()).optional(),
  resolvedId: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  disposition: z.enum(["inline", "spill"]).optional(),
  bytes: z.number().optional(),
  path: z.string().optional(),
  paths: z.array(z.string()).optional(),
  error: z.string().optional(),
  retryable: z.boolean().optional(),
  retryAfterMs: z.number().optional(),
  requests: z.number().optional(),
  cached: z.number().optional(),
  ms: z.number().optional(),
})

/** What cannot be read off a tool: its name for people, and that the catalogue is here while all else asks a service. */
const KNOWN: Record<string, { title: string; openWorldHint: boolean }> = {
  science_list_dbs: { title: "List scientific databases", openWorldHint: false },
  science_search: { title: "Search a scientific database", openWorldHint: true },
  science_fetch: { title: "Fetch scientific records and files", openWorldHint: true },
}

/** How the prompts say where a record stops being shown: opencode's limit, in which they were written. */
const INLINE = "to 50 KB inline"

/** A tool as MCP lists it, for one host. */
export function describe(tool: Tool, { limits, structured }: HostTraits): Definition {
  const known = KNOWN[tool.id]
  return {
    name: tool.id,
    ...(known ? { title: known.title } : {}),
    description: tool.description.replace(INLINE, `to ${Math.floor(limits.bytes / 1000)} KB inline`),
    inputSchema: objectOf(tool.schema),
    ...(known && structured ? { outputSchema: objectOf(z.toJSONSchema(Structured, { io: "input" })) } : {}),
    annotations: annotationsOf(tool, known),
  }
}

/** A fetch adds files and never replaces a person's work; the same fetch again changes nothing. */
function annotationsOf({ readOnly }: Tool, known = { title: "", openWorldHint: true }): ToolAnnotations {
  const { title, openWorldHint } = known
  const writes = readOnly ? {} : { destructiveHint: false, idempotentHint: true }
  return { ...(title ? { title } : {}), readOnlyHint: readOnly, ...writes, openWorldHint }
}

/** An object's schema, whatever else is in it: MCP asks no more of one. */
const JsonObject = z.looseObject({ type: z.literal("object"), properties: z.record(z.string(), z.json()).optional() })

/** MCP's default dialect is the one that zod writes: it need not be named in every schema. */
function objectOf({ $schema: _, ...rest }: JsonSchema): Definition["inputSchema"] {
  return JsonObject.parse(rest)
}
