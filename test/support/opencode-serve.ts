import { z } from "zod"
import { isolated, opencodeBinary, type OpencodeOptions } from "./opencode.ts"

const Asked = z.object({
  type: z.literal("permission.asked"),
  properties: z.looseObject({
    id: z.string(),
    permission: z.string(),
    patterns: z.array(z.string()),
    metadata: z.record(z.string(), z.unknown()),
  }),
})

export type Answer = { reply: "once" | "always" | "reject"; message?: string }

/** Runs one prompt in `opencode serve` with a person who answers each request for permission in turn; resolves when the session is idle. */
export async function withPerson(options: OpencodeOptions, answers: Answer[]) {
  const home = await isolated(options)
  const child = Bun.spawn([opencodeBinary(), "serve", "--hostname", "127.0.0.1", "--port", "0"], {
    cwd: home.cwd,
    env: home.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  })
  const asked: z.infer<typeof Asked>["properties"][] = []
  try {
    const url = await address(child.stdout)
    const post = (path: string, body: unknown) =>
      fetch(url + path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
    const events = await fetch(`${url}/event`)
    let session = ""
    for await (const event of messages(events)) {
      if (typeOf(event) === "server.connected") {
        session = z.object({ id: z.string() }).parse(await (await post("/session", { title: "x" })).json()).id
        await post(`/session/${session}/prompt_async`, {
          model: { providerID: "scripted", modelID: "scripted" },
          parts: [{ type: "text", text: "do it" }],
        })
      }
      const request = Asked.safeParse(event)
      if (request.success) {
        asked.push(request.data.properties)
        const answer = answers[Math.min(asked.length, answers.length) - 1] ?? { reply: "reject" as const }
        await post(`/permission/${request.data.properties.id}/reply`, answer)
      }
      if (typeOf(event) === "session.idle") break
    }
  } finally {
    child.kill()
    await child.exited
  }
  return { ...home, asked }
}

const typeOf = (event: unknown) => z.object({ type: z.string() }).safeParse(event).data?.type

async function address(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let text = ""
  for await (const chunk of stdout) {
    text += Buffer.from(chunk).toString("utf8")
    const found = /https?:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]
    if (found) return found
  }
  throw new Error(`opencode serve printed no address: ${text}`)
}

async function* messages(events: Response): AsyncGenerator<unknown> {
  let text = ""
  for await (const chunk of events.body ?? []) {
    text += Buffer.from(chunk).toString("utf8")
    const parts = text.split("\n\n")
    text = parts.pop() ?? ""
    for (const part of parts) if (part.startsWith("data: ")) yield JSON.parse(part.slice("data: ".length))
  }
}
