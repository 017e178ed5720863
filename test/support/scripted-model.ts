import http from "node:http"
import type { AddressInfo } from "node:net"
import { z } from "zod"

/** One turn of the model: tools that it calls, or what it says. */
export type Turn = { call: { name: string; args: unknown }[] } | { say: string }

const Request = z.looseObject({
  stream: z.boolean().optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  tools: z
    .array(
      z.looseObject({
        function: z.looseObject({ name: z.string(), description: z.string(), parameters: z.unknown() }),
      }),
    )
    .optional(),
})

export type ModelRequest = z.infer<typeof Request>

export interface ScriptedModel extends AsyncDisposable {
  url: string
  requests: ModelRequest[]
  /** What the model read as tool results, in order. */
  toolResults(): string[]
}

/** An OpenAI-compatible model on loopback that says what it is told, whatever it is asked; the last turn repeats. */
export async function scriptedModel(turns: Turn[]): Promise<ScriptedModel> {
  const requests: ModelRequest[] = []
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      requests.push(Request.parse(JSON.parse(Buffer.concat(chunks).toString("utf8"))))
      const turn = turns[Math.min(requests.length, turns.length) - 1] ?? { say: "done" }
      const delta =
        "say" in turn
          ? { role: "assistant", content: turn.say }
          : {
              role: "assistant",
              tool_calls: turn.call.map(({ name, args }, index) => ({
                index,
                id: `call_${requests.length}_${index}`,
                type: "function",
                function: { name, arguments: JSON.stringify(args) },
              })),
            }
      const base = { id: "x", object: "chat.completion.chunk", created: 0, model: "scripted" }
      const finish_reason = "say" in turn ? "stop" : "tool_calls"
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
      if (!requests.at(-1)?.stream) {
        response.writeHead(200, { "content-type": "application/json" })
        response.end(JSON.stringify({ ...base, choices: [{ index: 0, message: delta, finish_reason }], usage }))
        return
      }
      const events = [
        { ...base, choices: [{ index: 0, delta, finish_reason: null }] },
        { ...base, choices: [{ index: 0, delta: {}, finish_reason }], usage },
      ]
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("") + "data: [DONE]\n\n")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    toolResults: () =>
      (requests.at(-1)?.messages ?? [])
        .filter(({ role }) => role === "tool")
        .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content))),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
