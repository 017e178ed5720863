import type { Client } from "@modelcontextprotocol/client"
import { z } from "zod"
import { oneLine } from "../science/clean.ts"
import { NO_TIMEOUT } from "./open.ts"
import type { JsonSchema } from "../tool/tool.ts"

/** A server that goes on for ever is cut here; no honest one has so many. */
const MAX_PAGES = 50
const MAX_TOOLS = 500

/** A tool as its server describes it. */
export interface Offered {
  name: string
  title: string
  description: string
  inputSchema: JsonSchema
}

export interface Listed {
  tools: Offered[]
  /** What was left out and why, a sentence each. */
  notes: string[]
}

/** The library's own schema refuses a page for one bad tool in it. */
const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish().catch(undefined) })

const text = z.string().catch("")
const OfferedTool = z.looseObject({
  name: z.string().min(1),
  title: text,
  description: text,
  // Models' services refuse a whole request for one function whose schema is not an object's.
  inputSchema: z.looseObject({ type: z.literal("object") }),
})

/** All pages of a server's tools. A page that fails, or a list without an end, costs only what would have come after it. */
export async function listTools(client: Client, signal: AbortSignal): Promise<Listed> {
  const tools = new Map<string, Offered>()
  const notes: string[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 1; page <= MAX_PAGES; page++) {
    const answer = await request(client, signal, cursor).catch((error: unknown) => {
      if (page === 1 || signal.aborted) throw error
      notes.push(`page ${page} of its tools could not be had, so the rest is missing`)
      return undefined
    })
    if (!answer) return { tools: [...tools.values()], notes }
    for (const raw of answer.tools) {
      const read = OfferedTool.safeParse(raw)
      if (!read.success) notes.push(`${nameOf(raw)} is left out: ${faultOf(read.error)}`)
      else if (tools.has(read.data.name)) notes.push(`a second tool ${oneLine(read.data.name)} is left out`)
      else if (tools.size < MAX_TOOLS) tools.set(read.data.name, read.data)
    }
    cursor = answer.nextCursor ?? undefined
    if (cursor === undefined) return { tools: [...tools.values()], notes }
    if (tools.size >= MAX_TOOLS || seen.has(cursor)) break
    seen.add(cursor)
  }
  notes.push(`its list of tools does not end; ${tools.size} are taken`)
  return { tools: [...tools.values()], notes }
}

const request = (client: Client, signal: AbortSignal, cursor: string | undefined) =>
  client.request({ method: "tools/list", params: cursor === undefined ? {} : { cursor } }, Page, {
    signal,
    timeout: NO_TIMEOUT,
  })

function nameOf(raw: unknown): string {
  const named = z.looseObject({ name: z.string().min(1) }).safeParse(raw)
  return named.success ? `the tool ${oneLine(named.data.name).slice(0, 64)}` : "a tool without a name"
}

function faultOf({ issues }: z.ZodError): string {
  const [issue] = issues
  return issue?.path[0] === "inputSchema" ? "its schema is not one of an object" : "it is not described as a tool"
}
