import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { z } from "zod"
import { Structured } from "../../src/host/mcp-server/describe.ts"
import { commandLine } from "../support/command-line.ts"
import type { Reply, Seen } from "../support/loopback.ts"
import { PEERS, type Peer, type PeerOptions } from "../support/mcp-peers.ts"
import { FASTA, HUGE, proteins } from "../support/proteins.ts"
import { until } from "../support/until.ts"
import { nemarServer, PNG } from "../mcp/servers/nemar.ts"

type World = Awaited<ReturnType<typeof commandLine>>

/** Downloads that never end: how many were begun, and how many of these the other side gave up. */
let hanging = 0
let broken = 0

/** A download that trickles for about two seconds, and one that never ends. */
function slow({ path }: Seen): Reply | undefined {
  if (path.startsWith("/uniprotkb/P69905.fasta"))
    return (_, response) => {
      response.writeHead(200, { "content-type": "text/plain", "content-length": String(20 * 61 * 200 + 10) })
      response.write(">sp|P6990\n")
      let chunks = 0
      const timer = setInterval(() => {
        response.write(`${"M".repeat(60)}\n`.repeat(200))
        if (++chunks === 20) {
          clearInterval(timer)
          response.end()
        }
      }, 80)
    }
  if (path.startsWith("/uniprotkb/P00000.fasta"))
    return (_, response) => {
      response.writeHead(200, { "content-type": "text/plain" })
      response.write(">sp|P00000|NEVER\nMMMM\n")
      hanging++
      response.on("close", () => broken++)
    }
  return undefined
}

let world: World
beforeAll(async () => {
  world = await commandLine((request) => slow(request) ?? proteins(request))
})
afterAll(() => world[Symbol.asyncDispose]())

/** Each test works in a project of its own. */
async function project(): Promise<string> {
  const directory = path.join(world.project, crypto.randomUUID())
  await mkdir(directory)
  return directory
}

const target = (cwd: string, env: Record<string, string> = {}, args: string[] = []) => ({
  command: "node",
  args: [world.bin, ...args, "mcp"],
  env: { ...world.env, ...env },
  cwd,
})

const config = (value: object) => ({ OPENCODE_SCIENCE_CONFIG: JSON.stringify(value) })
const textOf = ({ content }: Awaited<ReturnType<Peer["call"]>>) => content[0]?.text ?? ""
const filesOf = async (directory: string) =>
  (await Array.fromAsync(new Bun.Glob("**/*").scan({ cwd: directory, dot: true }))).sort()
const fasta = { db: "uniprot", id: "P01308", format: "fasta" }
const saved = ".openscience/fetch/uniprot/P01308.fasta"

describe.each(PEERS)("%s, over stdio", (_, connect) => {
  const open = (cwd: string, options?: PeerOptions, env?: Record<string, string>, args?: string[]) =>
    connect(target(cwd, env, args), options)

  test("the three tools say what they do, and the instructions are the ladder", async () => {
    await using peer = await open(await project())
    const tools = await peer.tools()
    expect(tools).toMatchObject([
      { name: "science_list_dbs", annotations: { readOnlyHint: true, openWorldHint: false } },
      { name: "science_search", annotations: { readOnlyHint: true, openWorldHint: true } },
      {
        name: "science_fetch",
        inputSchema: { type: "object", required: ["db", "id"] },
        outputSchema: { type: "object", required: ["output", "truncated"] },
        annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
      },
    ])
    expect(peer.instructions()).toContain("science_search: from a name to ids")
  })

  test("the tools of an MCP server stand beside them and are called through; one that is down costs a line", async () => {
    await using nemar = await nemarServer()
    const mcp = { nemar: { url: nemar.url }, gone: { url: "http://127.0.0.1:9/mcp" } }
    await using peer = await open(await project(), {}, config({ mcp }))
    const tools = z.array(z.looseObject({ name: z.string(), annotations: z.unknown() })).parse(await peer.tools())
    expect(tools.map(({ name }) => name).slice(0, 4)).toEqual([
      "science_list_dbs",
      "science_search",
      "science_fetch",
      "nemar_search_datasets",
    ])
    expect(tools.at(-1)?.annotations).toEqual({ openWorldHint: true })
    expect(textOf(await peer.call("nemar_search_datasets", { query: "rest", limit: 1 }))).toContain("nm000001")
    const picture = await peer.call("nemar_render_overview", { dataset_id: "nm000001", recording: "sub-01" })
    expect(picture.content[1]).toMatchObject({ type: "image", mimeType: "image/png", data: PNG })
    const gone = await peer.call("gone_anything", {})
    expect(gone.isError).toBeTrue()
    expect(textOf(gone)).toStartWith("unavailable: ")
    await expect(peer.call("nemar_nothing", {})).rejects.toThrow("There is no tool nemar_nothing")
  })

  test("a list, a search, a record and a miss are answers; a failure is an error", async () => {
    await using peer = await open(await project())
    const list = await peer.call("science_list_dbs", { find: "protein" })
    expect(textOf(list)).toContain("uniprot · ")
    const search = await peer.call("science_search", { db: "uniprot", query: "insulin", limit: "1", cursor: "null" })
    expect(textOf(search)).toStartWith("UniProt · 1 of 1,204")
    expect(search.structuredContent).toMatchObject({ db: "uniprot", count: 1, total: 1204 })
    const record = await peer.call("science_fetch", { db: "uniprot", id: "P01308" })
    expect(textOf(record)).toContain('"primaryAccession":"P01308"')
    const miss = await peer.call("science_fetch", { db: "uniprot", id: "Q00000" })
    expect(textOf(miss)).toBe("No such record: UniProt has no Q00000.")
    const failure = await peer.call("science_fetch", { db: "nope", id: "1" })
    expect(textOf(failure)).toStartWith("unknown_db: ")
    expect([list, search, record, miss, failure].map(({ isError }) => isError ?? false)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ])
    for (const { structuredContent, content } of [list, search, record, miss, failure])
      expect(Structured.parse(structuredContent).output).toBe(content[0]?.text ?? "no text")
  })

  test("a saved file is a link that can be read; what is outside the folder for files cannot", async () => {
    const directory = await project()
    await writeFile(path.join(directory, "secret.txt"), "secret")
    await using peer = await open(directory)
    const answer = await peer.call("science_fetch", fasta)
    const uri = pathToFileURL(path.join(directory, saved)).href
    expect(answer.content[1]).toMatchObject({ type: "resource_link", uri, name: "P01308.fasta" })
    expect(await peer.read(uri)).toMatchObject([{ uri, text: FASTA, mimeType: "text/x-fasta" }])
    expect(await peer.resources()).toMatchObject([{ uri, name: saved }])
    await symlink(path.join(directory, "secret.txt"), path.join(directory, ".openscience/fetch/uniprot/link.txt"))
    const folder = pathToFileURL(path.join(directory, ".openscience/fetch")).href
    const outside = [
      pathToFileURL(path.join(directory, "secret.txt")).href,
      `${folder}/../../secret.txt`,
      `${folder}/%2e%2e/%2e%2e/secret.txt`,
      `${folder}/uniprot/link.txt`,
      folder,
      `${folder}/uniprot`,
      "https://rest.uniprot.org/x",
      "file:///etc/passwd",
    ]
    for (const each of outside) await expect(peer.read(each)).rejects.toThrow("no such saved file")
  })

  test("a large record goes to disk with its outline", async () => {
    const directory = await project()
    await using peer = await open(directory)
    const answer = await peer.call("science_fetch", { db: "uniprot", id: "P04637" })
    expect(textOf(answer)).toContain("saved to .openscience/fetch/uniprot/P04637.json")
    expect(answer.structuredContent).toMatchObject({ disposition: "spill" })
    const text = await readFile(path.join(directory, ".openscience/fetch/uniprot/P04637.json"), "utf8")
    expect(JSON.parse(text)).toEqual(JSON.parse(HUGE))
  })

  test("a download that takes a while tells how far it is", async () => {
    await using peer = await open(await project())
    const seen: number[] = []
    const totals = new Set<number | undefined>()
    const onprogress = ({ progress, total }: { progress: number; total?: number | undefined }) => {
      seen.push(progress)
      totals.add(total)
    }
    await peer.call("science_fetch", { db: "uniprot", id: "P69905", format: "fasta" }, { onprogress })
    expect(seen.length).toBeGreaterThan(2)
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
    expect([...totals]).toEqual([20 * 61 * 200 + 10])
  })

  test("a cancelled call ends the request to the database and leaves no file", async () => {
    const directory = await project()
    await using peer = await open(directory)
    const before = hanging
    const stop = new AbortController()
    const call = peer.call("science_fetch", { db: "uniprot", id: "P00000", format: "fasta" }, { signal: stop.signal })
    await Promise.race([until(() => hanging > before), call])
    stop.abort()
    await expect(call).rejects.toThrow()
    await until(() => broken === hanging)
    await until(async () => (await filesOf(directory)).length === 0)
  })

  test("a rule's denial and plan mode write nothing, and are told", async () => {
    const directory = await project()
    await using denied = await open(directory, {}, config({ permission: { edit: "deny" } }))
    expect(textOf(await denied.call("science_fetch", fasta))).toMatch(/denied: .*nothing was written/)
    await using plan = await open(directory, {}, { OPENCODE_SCIENCE_MODE: "plan" })
    expect(textOf(await plan.call("science_fetch", fasta))).toContain("plan mode")
    const record = await plan.call("science_fetch", { db: "uniprot", id: "P04637" })
    expect(textOf(record)).toContain("not saved, denied:")
    expect(textOf(record)).toContain("features: array of 9000")
    await using forbidden = await open(
      directory,
      {},
      config({ permission: { science_fetch: { "uniprot:*": "deny" } } }),
    )
    const answer = await forbidden.call("science_fetch", { db: "uniprot", id: "P01308" })
    expect(textOf(answer)).toMatch(/^denied: .*"science_fetch": \{"uniprot:\*": "deny"\}/)
    expect(answer.isError).toBe(true)
    expect(await filesOf(directory)).toEqual([])
  })

  const asking = config({ permission: { edit: "ask" } })

  test("where nobody can be asked the answer says which rule to set", async () => {
    const directory = await project()
    await using peer = await open(directory, {}, asking)
    expect(textOf(await peer.call("science_fetch", fasta))).toContain('"edit": {".openscience/fetch/*": "allow"}')
    expect(await filesOf(directory)).toEqual([])
  })

  test("a person is asked before anything is written; once is once, always lasts, no is no", async () => {
    const directory = await project()
    const asked: string[] = []
    let says: string | undefined = "no"
    const person = (question: string, choices: string[]) => {
      expect(choices).toEqual(["allow once", "always allow in this session", "no"])
      asked.push(question)
      return says
    }
    await using peer = await open(directory, { person }, asking)
    const no = await peer.call("science_fetch", fasta)
    expect(textOf(no)).toMatch(/^denied: The person who was asked said no, so nothing was written/)
    expect(no.isError).toBe(true)
    says = undefined
    const putAway = textOf(await peer.call("science_fetch", { db: "uniprot", id: "P04637" }))
    expect(putAway).toContain("not saved, denied: Permission was asked for and not given")
    expect(putAway).toContain('"edit": {".openscience/fetch/*": "allow"}')
    expect(putAway).toContain("features: array of 9000")
    expect(await filesOf(directory)).toEqual([])
    says = "allow once"
    expect(textOf(await peer.call("science_fetch", fasta))).toContain(saved)
    expect(await readFile(path.join(directory, saved), "utf8")).toBe(FASTA)
    expect(asked).toHaveLength(3)
    expect(asked[0]).toContain(`write ${saved} from https://rest.uniprot.org/`)
    says = "always allow in this session"
    await peer.call("science_fetch", { db: "uniprot", id: "P04637" })
    await peer.call("science_fetch", { db: "uniprot", id: "P38398" })
    expect(asked).toHaveLength(4)
    expect(await filesOf(directory)).toContain(".openscience/fetch/uniprot/P38398.json")
  })

  test("two questions in one call are asked one after the other", async () => {
    const asked: string[] = []
    const person = (question: string) => (asked.push(question), "allow once")
    const rules = config({ permission: { edit: "ask", science_fetch: "ask" } })
    await using peer = await open(await project(), { person }, rules)
    expect(textOf(await peer.call("science_fetch", fasta))).toContain(saved)
    expect(asked).toHaveLength(2)
    expect(asked[0]).toContain("use science_fetch for uniprot:P01308")
    await peer.call("science_fetch", { db: "uniprot", id: "P01308\u202e\u0007 ?" })
    expect(asked[2]).toMatch(/^May the agent use science_fetch for uniprot:P01308 \?\?/)
  })

  test("the client's only root is the project; of several, or with --directory, it is not", async () => {
    const [started, root, other] = [await project(), await project(), await project()]
    await using one = await open(started, { roots: [root] })
    await one.call("science_fetch", fasta)
    expect(await filesOf(root)).toContain(saved)
    await using two = await open(started, { roots: [root, other] })
    await two.call("science_fetch", { ...fasta, id: "P69905" })
    expect(await filesOf(started)).toContain(".openscience/fetch/uniprot/P69905.fasta")
    await using named = await open(started, { roots: [root] }, {}, ["--directory", other])
    await named.call("science_fetch", fasta)
    expect(await filesOf(other)).toContain(saved)
  })

  test("the prompts can be had, and say what they need", async () => {
    await using peer = await open(await project())
    expect((await peer.prompts()).map(({ name }) => name)).toEqual(["look_up", "get_files"])
    expect(await peer.prompt("look_up", { question: "What is p53?" })).toStartWith("What is p53?")
    await expect(peer.prompt("look_up", {})).rejects.toThrow("needs question")
  })

  test("a tool that does not exist is an error that names those that do", async () => {
    await using peer = await open(await project())
    await expect(peer.call("science_delete", {})).rejects.toThrow("science_list_dbs, science_search, science_fetch")
  })
})

describe("limits and forms by the client's name", () => {
  const connect = PEERS[1]?.[1] ?? never()
  const record = { db: "uniprot", id: "P38398" }

  test("a record of 20 KB is shown by Claude Code, goes to disk for Codex and a client that is not known", async () => {
    const directory = await project()
    await using claude = await connect(target(directory), { name: "claude-code" })
    const shown = await claude.call("science_fetch", record)
    expect(textOf(shown)).toContain("feature 99 ")
    expect(shown.structuredContent).toBeUndefined()
    expect(JSON.stringify(await claude.tools())).not.toContain("outputSchema")
    for (const name of ["codex-mcp-client", "someone-else"]) {
      await using other = await connect(target(directory), { name })
      const spilled = await other.call("science_fetch", record)
      expect(textOf(spilled)).toContain("saved to .openscience/fetch/uniprot/P38398.json")
      expect(textOf(await other.call("science_list_dbs", {})).length).toBeLessThan(8_500)
    }
  })

  test("the fetch tool says each host's own limit", async () => {
    await using unknown = await connect(target(await project()))
    expect(JSON.stringify(await unknown.tools())).toContain("to 8 KB inline")
    await using claude = await connect(target(await project()), { name: "claude-code" })
    expect(JSON.stringify(await claude.tools())).toContain("to 40 KB inline")
  })
})

function never(): never {
  throw new Error("there is no such peer")
}
