import http from "node:http"
import type { AddressInfo } from "node:net"
import { z } from "zod"
import type { Turn } from "./scripted-model.ts"

/** How one maker's agents talk to their model: what a request says, and how a turn is answered. */
export interface Wire {
  /** Requests that are turns of the agent; all others (counting tokens, titles) get `{}`. */
  path: RegExp
  read(body: unknown): { tools: number; results: string[] }
  events(turn: Turn, round: number): { event?: string; data: unknown }[]
}

export interface AgentModel extends AsyncDisposable {
  url: string
  /** Bodies of the agent's turns. */
  requests: unknown[]
  /** What the model read as tool results, in order. */
  results(): string[]
}

/** A model on loopback that does what it is told. Which turn it is, is read off the results so far: agents ask for other things in between. */
export async function agentModel(wire: Wire, turns: Turn[]): Promise<AgentModel> {
  const requests: unknown[] = []
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
    const url = new URL(request.url ?? "/", "http://localhost")
    const body: unknown = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString("utf8")) : undefined
    if (request.method !== "POST" || !wire.path.test(url.pathname)) {
      response.writeHead(200, { "content-type": "application/json" })
      return response.end("{}")
    }
    const { tools, results } = wire.read(body)
    if (tools > 0) requests.push(body)
    const turn = tools > 0 ? turnAfter(turns, results.length) : { say: "ok" }
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (const { event, data } of wire.events(turn, results.length))
      response.write(`${event ? `event: ${event}\n` : ""}data: ${JSON.stringify(data)}\n\n`)
    return response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    results: () => (requests.length > 0 ? wire.read(requests.at(-1)).results : []),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function turnAfter(turns: Turn[], results: number): Turn {
  let asked = 0
  for (const turn of turns) {
    if (asked >= results) return turn
    asked += "call" in turn ? turn.call.length : 0
  }
  return { say: "done" }
}

const text = (parts: unknown): string =>
  typeof parts === "string"
    ? parts
    : z
        .array(z.looseObject({ text: z.string().optional() }))
        .parse(parts)
        .map((part) => part.text ?? JSON.stringify(part))
        .join("\n")

const Anthropic = z.looseObject({
  tools: z.array(z.unknown()).default([]),
  messages: z.array(z.looseObject({ content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]) })),
})
const AnthropicResult = z.looseObject({ type: z.literal("tool_result"), content: z.unknown().optional() })

/** POST /v1/messages */
export const anthropic: Wire = {
  path: /\/v1\/messages$/,
  read(body) {
    const { tools, messages } = Anthropic.parse(body)
    const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content))
    const results = blocks.flatMap((block) => {
      const result = AnthropicResult.safeParse(block)
      return result.success ? [text(result.data.content)] : []
    })
    return { tools: tools.length, results }
  },
  events(turn, round) {
    const blocks =
      "say" in turn
        ? [{ start: { type: "text", text: "" }, delta: { type: "text_delta", text: turn.say } }]
        : turn.call.map(({ name, args }, i) => ({
            start: { type: "tool_use", id: `toolu_${round}_${i}`, name, input: {} },
            delta: { type: "input_json_delta", partial_json: JSON.stringify(args) },
          }))
    const usage = { input_tokens: 1, output_tokens: 1 }
    const message = { id: `msg_${round}`, type: "message", role: "assistant", model: "scripted", content: [] }
    const events = [
      { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null, usage } },
      ...blocks.flatMap(({ start, delta }, index) => [
        { type: "content_block_start", index, content_block: start },
        { type: "content_block_delta", index, delta },
        { type: "content_block_stop", index },
      ]),
      { type: "message_delta", delta: { stop_reason: "say" in turn ? "end_turn" : "tool_use" }, usage },
      { type: "message_stop" },
    ]
    return events.map((data) => ({ event: data.type, data }))
  },
}

const Responses = z.looseObject({
  tools: z.array(z.unknown()).default([]),
  input: z.array(z.looseObject({ type: z.string().optional(), output: z.unknown().optional() })),
})

/** POST /v1/responses */
export const responses: Wire = {
  path: /\/v1\/responses$/,
  read(body) {
    const { tools, input } = Responses.parse(body)
    const outputs = input.filter(({ type }) => type === "function_call_output")
    return { tools: tools.length, results: outputs.map(({ output }) => text(output)) }
  },
  events(turn, round) {
    const items =
      "say" in turn
        ? [{ type: "message", role: "assistant", id: `m_${round}`, content: [{ type: "output_text", text: turn.say }] }]
        : turn.call.map(({ name, args }, i) => {
            const [namespace, own] = name.split("/")
            const call = { type: "function_call", id: `f_${round}_${i}`, call_id: `c_${round}_${i}` }
            return { ...call, namespace, name: own, arguments: JSON.stringify(args) }
          })
    const id = `resp_${round}`
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
    const events = [
      { type: "response.created", response: { id } },
      ...items.map((item, output_index) => ({ type: "response.output_item.done", output_index, item })),
      { type: "response.completed", response: { id, usage, output: items } },
    ]
    return events.map((data) => ({ event: data.type, data }))
  },
}

const Gemini = z.looseObject({
  tools: z.array(z.unknown()).default([]),
  contents: z.array(
    z.looseObject({
      parts: z.array(z.looseObject({ functionResponse: z.looseObject({ response: z.unknown() }).optional() })),
    }),
  ),
})
const GeminiResponse = z.union([
  z.looseObject({ output: z.string() }).transform(({ output }) => output),
  z.looseObject({ error: z.string() }).transform(({ error }) => error),
  z.unknown().transform((other) => JSON.stringify(other)),
])

/** POST /v1beta/models/…:streamGenerateContent */
export const gemini: Wire = {
  path: /:streamGenerateContent$/,
  read(body) {
    const { tools, contents } = Gemini.parse(body)
    const parts = contents.flatMap((content) => content.parts)
    const found = parts.flatMap(({ functionResponse }) => functionResponse ?? [])
    return { tools: tools.length, results: found.map(({ response }) => GeminiResponse.parse(response)) }
  },
  events(turn) {
    const parts =
      "say" in turn ? [{ text: turn.say }] : turn.call.map(({ name, args }) => ({ functionCall: { name, args } }))
    const candidates = [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }]
    return [
      { data: { candidates, usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 } } },
    ]
  },
}
