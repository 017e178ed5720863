import { describe, expect, test } from "bun:test"
import { commandLine } from "../support/command-line.ts"
import { loopback } from "../support/loopback.ts"
import { scriptedModel, type Turn } from "../support/scripted-model.ts"
import { onTerminal } from "../support/terminal.ts"

const databases = () =>
  commandLine(({ path }) =>
    path.endsWith(".fasta")
      ? { headers: { "content-type": "text/plain" }, body: ">sp|P04637|P53_HUMAN\nMEEPQ\n" }
      : '{"entryType":"UniProtKB reviewed (Swiss-Prot)","primaryAccession":"P04637","uniProtkbId":"P53_HUMAN","genes":[{"geneName":{"value":"TP53"}}]}',
  )

const select = { name: "science_fetch", args: { db: "uniprot", id: "P04637", select: "genes[0].geneName.value" } }
const fasta = { name: "science_fetch", args: { db: "uniprot", id: "P04637", format: "fasta" } }
const saved = ".openscience/fetch/uniprot/P04637.fasta"
const asking = { OPENCODE_SCIENCE_CONFIG: '{"permission":{"edit":"ask"}}' }

/** The command, the databases and a scripted model, each its own process or socket. */
async function world(turns: Turn[]) {
  const c = await databases()
  const model = await scriptedModel(turns)
  const env = { OPENCODE_SCIENCE_MODEL: "scripted", OPENCODE_SCIENCE_MODEL_URL: model.url }
  return {
    ...c,
    model,
    modelEnv: env,
    ask: (args: string[] = [], more: Record<string, string> = {}) =>
      c.run(["ask", "which gene is P04637?", ...args], { ...env, ...more }),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      await c[Symbol.asyncDispose]()
    },
  }
}

describe("ask", () => {
  test("prints the model's answer, and each call as a line on standard error", async () => {
    await using w = await world([{ call: [select] }, { say: "It is TP53 (uniprot P04637)." }])
    const { exitCode, stdout, stderr } = await w.ask()
    expect(stdout).toBe("It is TP53 (uniprot P04637).\n")
    expect(stderr).toBe('· science_fetch {"db":"uniprot","id":"P04637","select":"genes[0].geneName.value"}\n')
    expect(exitCode).toBe(0)
    expect(w.model.toolResults()).toEqual(["TP53"])
    const [system, user] = w.model.requests[0]?.messages ?? []
    expect(system?.content).toContain("cheapest call")
    expect(user?.content).toContain("which gene is P04637?")
    expect(await w.files()).toEqual([])
  })

  test("the text comes as the model writes it", async () => {
    const half = Promise.withResolvers<void>()
    await using c = await databases()
    await using model = await loopback(() => async (_, response) => {
      const chunk = (content: string, finish_reason: string | null) =>
        response.write(
          `data: ${JSON.stringify({ id: "x", choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`,
        )
      response.writeHead(200, { "content-type": "text/event-stream" })
      chunk("first ", null)
      await half.promise
      chunk("second\u001B[2J", "stop")
      response.end("data: [DONE]\n\n")
    })
    const child = c.start(["ask", "x", "--model", "m"], { OPENCODE_SCIENCE_MODEL_URL: `${model.url}/lab/v1` })
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toBe("first ")
    half.resolve()
    // What a terminal would obey is not printed.
    expect((await reader.read()).value).toBe("second")
    expect(await child.exited).toBe(0)
    expect(model.requests[0]).toMatchObject({ host: "lab", path: "/v1/chat/completions" })
    expect(JSON.parse(model.requests[0]?.body ?? "").model).toBe("m")
  })

  test("--json prints one object for programs", async () => {
    await using w = await world([{ call: [select] }, { say: "TP53" }])
    const { stdout } = await w.ask(["--json"])
    expect(JSON.parse(stdout)).toEqual({
      title: "which gene is P04637?",
      output: "TP53",
      metadata: {
        calls: [{ tool: "science_fetch", args: select.args }],
        steps: 2,
        tokens: { input: 2, output: 2 },
        truncated: false,
      },
    })
  })

  test("with no model configured one sentence says what to set, and it exits 2", async () => {
    await using c = await databases()
    for (const env of [{}, { OPENCODE_SCIENCE_MODEL: "x" }, { AI_GATEWAY_API_KEY: "k" }]) {
      const { exitCode, stdout, stderr } = await c.run(["ask", "x"], env)
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
      expect(stderr).toStartWith("No model is configured: set OPENCODE_SCIENCE_MODEL")
      expect(stderr.trim().split("\n")).toHaveLength(1)
    }
  }, 20_000)

  test("--plan writes nothing, and the model reads why", async () => {
    await using w = await world([{ call: [fasta] }, { say: "not saved" }])
    const { exitCode, stderr } = await w.ask(["--plan"])
    expect(exitCode).toBe(0)
    expect(stderr).toContain("denied: Denied by plan mode")
    expect(w.model.toolResults()[0]).toContain("denied: Denied by plan mode")
    expect(await w.files()).toEqual([])
  })

  test("a rule that asks is put to the person at the terminal", async () => {
    for (const [typed, files] of [
      ["y\r", [".openscience/fetch/.gitignore", saved, ".openscience/fetch/manifest.jsonl"]],
      ["n\r", []],
    ] as const) {
      await using w = await world([{ call: [fasta] }, { say: "done" }])
      const { screen, exitCode } = await onTerminal(w, ["ask", "x"], { ...w.modelEnv, ...asking }, "[N]o:", typed)
      expect(screen).toContain(`Allow edit of ${saved}`)
      expect(screen).toContain("done")
      expect(exitCode).toBe(0)
      expect(w.model.toolResults()[0]).toContain(typed === "y\r" ? saved : "said no, so nothing was written")
      expect((await w.files()).sort()).toEqual([...files].sort())
    }
  }, 20_000)

  test("Ctrl-C at the question ends the command: nothing is written and the model is not asked again", async () => {
    await using w = await world([{ call: [fasta] }, { say: "done" }])
    const { exitCode } = await onTerminal(w, ["ask", "x"], { ...w.modelEnv, ...asking }, "[N]o:", "\u0003")
    expect(exitCode).toBe(130)
    expect(w.model.requests).toHaveLength(1)
    expect(await w.files()).toEqual([])
  }, 20_000)

  test("where nobody sits at a terminal, asking means denied", async () => {
    await using w = await world([{ call: [fasta] }, { say: "done" }])
    await w.ask([], asking)
    expect(w.model.toolResults()[0]).toContain("Nobody can be asked here")
    expect(await w.files()).toEqual([])
  })

  test("Ctrl-C while the model thinks exits 130 and closes the connection", async () => {
    const asked = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    await using c = await databases()
    await using model = await loopback(() => (_, response) => {
      response.on("close", () => closed.resolve())
      asked.resolve()
    })
    const child = c.start(["ask", "x", "--model", "m"], { OPENCODE_SCIENCE_MODEL_URL: `${model.url}/lab/v1` })
    await asked.promise
    child.kill("SIGINT")
    expect(await child.exited).toBe(130)
    await closed.promise
  })

  test("--steps bounds the loop: in the last one the model may call nothing, and if it does all the same it exits 1", async () => {
    await using w = await world([{ call: [select] }])
    const { exitCode, stderr } = await w.ask(["--steps", "2"])
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^No answer after 2 steps \(.*\); --steps allows more\.$/m)
    expect(w.model.requests).toHaveLength(2)
    expect(w.model.requests.map(({ tool_choice }) => tool_choice)).toEqual(["auto", "none"])
    expect((await w.ask(["--steps", "0"])).exitCode).toBe(2)
  }, 20_000)

  test("what the model's endpoint refuses is said in a line, and it exits 1", async () => {
    await using c = await databases()
    await using model = await loopback(() => ({ status: 401, body: '{"error":{"message":"wrong key"}}' }))
    const env = { OPENCODE_SCIENCE_MODEL_URL: `${model.url}/lab/v1`, OPENCODE_SCIENCE_MODEL_KEY: "s3cret" }
    const { exitCode, stdout, stderr } = await c.run(["ask", "x", "--model", "m"], env)
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: "The model gave no answer: wrong key\n",
    })
    expect(model.requests[0]?.headers.authorization).toBe("Bearer s3cret")
  })

  test("a key goes only to the endpoint that it was set for", async () => {
    await using c = await databases()
    await using model = await loopback(() => ({ status: 400, body: '{"error":{"message":"no"}}' }))
    const url = `${model.url}/lab/v1`
    const keys = { OPENAI_API_KEY: "openai", AI_GATEWAY_API_KEY: "" }
    await c.run(["ask", "x", "--model", "m"], { ...keys, OPENCODE_SCIENCE_MODEL_URL: url })
    await c.run(["ask", "x", "--model", "m"], { ...keys, OPENAI_BASE_URL: url })
    expect(model.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, "Bearer openai"])
  }, 20_000)
})
