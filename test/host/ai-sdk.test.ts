import { describe, expect, test } from "bun:test"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { generateText, stepCountIs, streamText, type ModelMessage } from "ai"
import { mkdir, mkdtemp, readFile, readdir, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createScience, toAISDK, type CreateOptions, type Tool } from "../../src/index.ts"
import { loopback, type Reply, type Seen } from "../support/loopback.ts"
import { node22 } from "../support/node22.ts"
import { scriptedModel, type Turn } from "../support/scripted-model.ts"

const root = path.resolve(import.meta.dirname, "../..")
const FASTA = ">sp|P04637|P53_HUMAN\nMEEPQSDPSV\n"
const P53 =
  '{"entryType":"UniProtKB reviewed (Swiss-Prot)","primaryAccession":"P04637","uniProtkbId":"P53_HUMAN","genes":[{"geneName":{"value":"TP53"}}]}'
const uniprot = ({ path }: Seen): Reply | undefined =>
  path.endsWith(".fasta") ? { headers: { "content-type": "text/plain" }, body: FASTA } : P53

const record = { name: "science_fetch", args: { db: "uniprot", id: "P04637", select: "genes[0].geneName.value" } }
const file = { name: "science_fetch", args: { db: "uniprot", id: "P04637", format: "fasta" } }
const list = { name: "science_list_dbs", args: {} }

/** A project, a scripted model and the databases, each on a socket. */
async function world(
  turns: Turn[],
  config: CreateOptions = {},
  answer: (request: Seen) => Reply | undefined = uniprot,
) {
  const home = await mkdtemp(path.join(tmpdir(), "ai-sdk-"))
  const directory = path.join(home, "project")
  await mkdir(directory)
  const server = await loopback(answer)
  const scripted = await scriptedModel(turns)
  const cache = { dir: path.join(home, "cache") }
  return {
    home,
    directory,
    server,
    scripted,
    model: createOpenAICompatible({ name: "lab", baseURL: scripted.url })("scripted"),
    science: createScience({ directory, mirrors: server.mirrors, cache, ...config }),
    files: async () => (await readdir(directory, { recursive: true })).sort(),
    async [Symbol.asyncDispose]() {
      await scripted[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
      await rm(home, { recursive: true, force: true })
    },
  }
}

const settings = { stopWhen: stepCountIs(5), prompt: "do it", maxRetries: 0 } as const
const saved = ".openscience/fetch/uniprot/P04637.fasta"

describe("toAISDK", () => {
  test("gives generateText the three tools; the model reads the text, the program the metadata", async () => {
    await using w = await world([{ call: [list, record] }, { call: [file] }, { say: "TP53" }])
    const tools = toAISDK(w.science.tools, w.science)
    const { text, steps } = await generateText({ ...settings, model: w.model, tools })
    expect(text).toBe("TP53")
    expect(w.scripted.requests[0]?.tools?.map((tool) => tool.function.name)).toEqual([
      "science_list_dbs",
      "science_search",
      "science_fetch",
    ])
    const [listed, selected, fetched] = w.scripted.toolResults()
    expect(listed).toContain("uniprot · ")
    expect(selected).toBe("TP53")
    expect(fetched).toContain(`UniProt P04637 as fasta · ${saved}`)
    expect(await readFile(path.join(w.directory, saved), "utf8")).toBe(FASTA)
    expect(steps[1]?.toolResults[0]?.output).toMatchObject({ metadata: { disposition: "spill", path: saved } })
  })

  test("arguments that a model spells loosely are read, and wrong ones refused in plain words", async () => {
    const search = { name: "science_search", args: { db: "uniprot", query: "p53", limit: "1", cursor: null } }
    const wrong = { name: "science_search", args: { db: "uniprot", query: "p53", limit: "many" } }
    await using w = await world([{ call: [search, wrong] }, { say: "ok" }], {}, () => ({
      headers: { "x-total-results": "1" },
      body: `{"results":[${P53}]}`,
    }))
    await streamText({ ...settings, model: w.model, tools: toAISDK(w.science.tools, w.science) }).text
    const [found, refused] = w.scripted.toolResults()
    expect(found).toStartWith("UniProt · 1 of 1")
    expect(refused).toStartWith("invalid_query: ")
  })

  test("a tool's schema reaches the model as it is, also one that takes any key, and is not changed", async () => {
    await using w = await world([{ say: "done" }])
    const schema = { type: "object", properties: { filter: { type: "object", additionalProperties: true } } }
    const foreign: Tool = {
      id: "lab_query",
      description: "an MCP server's",
      schema,
      readOnly: true,
      run: async () => ({ title: "", output: "", metadata: { truncated: false } }),
    }
    await generateText({ ...settings, model: w.model, tools: toAISDK([foreign], w.science) })
    expect(w.scripted.requests[0]?.tools?.[0]?.function.parameters).toEqual(schema)
    expect(schema.properties.filter.additionalProperties).toBe(true)
    expect(Object.keys(schema)).toEqual(["type", "properties"])
  })

  test("a rule that asks becomes the SDK's approval: nothing happens before it, everything after a yes, nothing after a no", async () => {
    for (const approved of [true, false]) {
      await using w = await world([{ call: [file] }, { say: "done" }], { permission: { edit: "ask" } })
      const tools = toAISDK(w.science.tools, w.science)
      const messages: ModelMessage[] = [{ role: "user", content: "do it" }]
      const first = await generateText({ model: w.model, tools, messages, stopWhen: stepCountIs(5) })
      const request = first.content.find((part) => part.type === "tool-approval-request")
      expect(request?.toolCall.toolName).toBe("science_fetch")
      expect(w.server.requests).toHaveLength(0)
      messages.push(...first.response.messages, {
        role: "tool",
        content: [{ type: "tool-approval-response", approvalId: request?.approvalId ?? "", approved }],
      })
      await generateText({ model: w.model, tools, messages, stopWhen: stepCountIs(5) })
      expect(await w.files()).toEqual(
        approved ? expect.arrayContaining([saved, ".openscience/fetch/manifest.jsonl"]) : [],
      )
      expect(w.server.requests).toHaveLength(approved ? 1 : 0)
    }
  })

  test("a rule about one database asks for that one only", async () => {
    const kegg = { name: "science_fetch", args: { db: "kegg", id: "hsa:7157" } }
    await using w = await world([{ call: [record] }, { call: [kegg] }, { say: "done" }], {
      permission: { science_fetch: { "*": "allow", "kegg:*": "ask" } },
    })
    const { steps } = await generateText({
      ...settings,
      model: w.model,
      tools: toAISDK(w.science.tools, w.science),
    })
    expect(steps.map(({ content }) => content.some(({ type }) => type === "tool-approval-request"))).toEqual([
      false,
      true,
    ])
    expect(w.server.requests.map(({ host }) => host)).toEqual(["rest.uniprot.org"])
  })

  test("with `ask` the program is asked in the middle of the call, about just what would be written", async () => {
    await using w = await world([{ call: [record, file] }, { say: "done" }], { permission: { edit: "ask" } })
    const asked: string[][] = []
    const tools = toAISDK(w.science.tools, {
      ...w.science,
      ask: ({ patterns }) => {
        asked.push(patterns)
        return false
      },
    })
    await generateText({ ...settings, model: w.model, tools })
    expect(asked).toEqual([[saved]])
    expect(w.scripted.toolResults()[1]).toContain("said no, so nothing was written")
    expect(await w.files()).toEqual([])
  })

  test("plan mode denies in words, and asks nobody", async () => {
    await using w = await world([{ call: [file] }, { say: "done" }], { mode: "plan", permission: { edit: "ask" } })
    await generateText({ ...settings, model: w.model, tools: toAISDK(w.science.tools, w.science) })
    expect(w.scripted.toolResults()[0]).toContain("denied: Denied by plan mode")
    expect(await w.files()).toEqual([])
  })

  test("an abort reaches the request", async () => {
    const gone = Promise.withResolvers<void>()
    const controller = new AbortController()
    await using w = await world([{ call: [record] }, { say: "done" }], {}, () => (_, response) => {
      response.on("close", () => gone.resolve())
      controller.abort()
    })
    const tools = toAISDK(w.science.tools, w.science)
    const run = generateText({ ...settings, model: w.model, tools, abortSignal: controller.signal })
    await expect(run).rejects.toThrow()
    await gone.promise
    expect(w.scripted.requests).toHaveLength(1)
  })
})

describe("the program in the README", () => {
  /** A project folder in which the packages that the program imports are there. */
  async function run(command: string[]) {
    await using w = await world([{ call: [record] }, { say: "P04637 is TP53." }])
    const readme = await readFile(path.join(root, "README.md"), "utf8")
    const program = [...readme.matchAll(/```ts\n(.*?)```/gs)]
      .map(([, code = ""]) => code)
      .find((code) => code.includes("toAISDK"))
    expect(program?.trim().split("\n").length).toBeLessThanOrEqual(16)
    const modules = path.join(w.directory, "node_modules")
    await mkdir(modules)
    for (const name of ["ai", "@ai-sdk"]) await symlink(path.join(root, "node_modules", name), path.join(modules, name))
    await symlink(root, path.join(modules, "opencode-science"))
    await Bun.write(path.join(w.directory, "program.mjs"), program ?? "")
    const child = Bun.spawn([...command, "program.mjs"], {
      cwd: w.directory,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: w.home,
        MODEL_URL: w.scripted.url,
        OPENCODE_SCIENCE_MIRRORS: JSON.stringify(w.server.mirrors),
      },
      stdout: "pipe",
      stderr: "pipe",
    })
    const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
    expect(stderr).toBe("")
    expect(stdout).toBe("P04637 is TP53.")
    expect(w.scripted.toolResults()).toEqual(["TP53"])
  }

  test("runs under Bun", () => run([process.execPath]))

  test("runs under Node 22", () => run([node22() ?? "no Node 22"]))
})
