import { pathToFileURL } from "node:url"
import { Client as V2Client, StreamableHTTPClientTransport as V2Http } from "@modelcontextprotocol/client"
import { StdioClientTransport as V2Stdio } from "@modelcontextprotocol/client/stdio"
import { Client as V1Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as V1Stdio } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport as V1Http } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { ElicitRequestSchema, ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import { z } from "zod"

/** Where a server is: to be started, or at an address. */
export type Target =
  | { command: string; args: string[]; env: Record<string, string>; cwd: string }
  | { url: string; headers?: Record<string, string> }

export interface PeerOptions {
  /** What the client calls itself. */
  name?: string
  /** Directories it offers as roots; it has no roots at all when absent. */
  roots?: string[]
  /** A person who answers forms; undefined declines. Without one the client cannot show forms. */
  person?: (question: string, choices: string[]) => string | undefined
}

export interface CallOptions {
  signal?: AbortSignal
  onprogress?: (progress: { progress: number; total?: number | undefined; message?: string | undefined }) => void
}

/** What every client can do, whichever library it is made with. */
export interface Peer extends AsyncDisposable {
  instructions(): string | undefined
  tools(): Promise<unknown[]>
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<Called>
  resources(): Promise<{ uri: string; name: string }[]>
  read(uri: string): Promise<unknown[]>
  prompts(): Promise<{ name: string }[]>
  prompt(name: string, args: Record<string, string>): Promise<string>
}

const Called = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional(), uri: z.string().optional() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
})
export type Called = z.infer<typeof Called>

const Question = z.looseObject({
  message: z.string(),
  requestedSchema: z.looseObject({ properties: z.object({ answer: z.looseObject({ enum: z.array(z.string()) }) }) }),
})

const rootsOf = ({ roots = [] }: PeerOptions) => roots.map((directory) => ({ uri: pathToFileURL(directory).href }))

function answer({ person }: PeerOptions, params: unknown) {
  const { message, requestedSchema } = Question.parse(params)
  const given = person?.(message, requestedSchema.properties.answer.enum)
  return given === undefined
    ? { action: "decline" as const }
    : { action: "accept" as const, content: { answer: given } }
}

const capabilitiesOf = ({ roots, person }: PeerOptions) => ({
  ...(roots ? { roots: {} } : {}),
  ...(person ? { elicitation: {} } : {}),
})

const textOf = (content: { type: string; text?: string }) => content.text ?? ""

/** The SDK of the revisions until 2025-11-25. */
async function v1(target: Target, options: PeerOptions = {}): Promise<Peer> {
  const { name = "test" } = options
  const client = new V1Client({ name, version: "1" }, { capabilities: capabilitiesOf(options) })
  if (options.roots) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: rootsOf(options) }))
  if (options.person) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(options, params))
  const transport =
    "url" in target
      ? new V1Http(new URL(target.url), { requestInit: { headers: target.headers ?? {} } })
      : new V1Stdio({ ...target, stderr: "ignore" })
  await client.connect(transport)
  return {
    instructions: () => client.getInstructions(),
    tools: async () => (await client.listTools()).tools,
    call: async (name, args, more = {}) =>
      Called.parse(await client.callTool({ name, arguments: args }, undefined, { timeout: 60_000, ...more })),
    resources: async () => (await client.listResources()).resources,
    read: async (uri) => (await client.readResource({ uri })).contents,
    prompts: async () => (await client.listPrompts()).prompts,
    prompt: async (name, args) =>
      (await client.getPrompt({ name, arguments: args })).messages.map(({ content }) => textOf(content)).join("\n"),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

const v2 =
  (revision: "2025-11-25" | "2026-07-28") =>
  async (target: Target, options: PeerOptions = {}): Promise<Peer> => {
    const { name = "test" } = options
    const modern = revision === "2026-07-28"
    const client = new V2Client(
      { name, version: "1" },
      {
        capabilities: capabilitiesOf(options),
        ...(modern ? { versionNegotiation: { mode: { pin: revision } } } : {}),
      },
    )
    if (options.roots) client.setRequestHandler("roots/list", () => ({ roots: rootsOf(options) }))
    if (options.person) client.setRequestHandler("elicitation/create", ({ params }) => answer(options, params))
    const transport =
      "url" in target
        ? new V2Http(new URL(target.url), { requestInit: { headers: target.headers ?? {} } })
        : new V2Stdio({ ...target, stderr: "ignore" })
    await client.connect(transport)
    return {
      instructions: () => client.getInstructions(),
      tools: async () => (await client.listTools()).tools,
      call: async (name, args, more = {}) =>
        Called.parse(await client.callTool({ name, arguments: args }, { timeout: 60_000, ...more })),
      resources: async () => (await client.listResources()).resources,
      read: async (uri) => (await client.readResource({ uri })).contents,
      prompts: async () => (await client.listPrompts()).prompts,
      prompt: async (name, args) =>
        (await client.getPrompt({ name, arguments: args })).messages.map(({ content }) => textOf(content)).join("\n"),
      [Symbol.asyncDispose]: () => client.close(),
    }
  }

export const PEERS: [string, (target: Target, options?: PeerOptions) => Promise<Peer>][] = [
  ["the v1 SDK", v1],
  ["the v2 SDK, 2025-11-25", v2("2025-11-25")],
  ["the v2 SDK, 2026-07-28", v2("2026-07-28")],
]
