import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import http from "node:http"
import { tmpdir } from "node:os"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { commandLine } from "../support/command-line.ts"
import { PEERS, type Peer } from "../support/mcp-peers.ts"
import { FASTA, proteins } from "../support/proteins.ts"
import { until } from "../support/until.ts"

let hanging = 0
let broken = 0
let world: Awaited<ReturnType<typeof commandLine>>

beforeAll(async () => {
  world = await commandLine((request) => {
    if (request.path.startsWith("/uniprotkb/P00000"))
      return (_, response) => {
        hanging++
        response.on("close", () => broken++)
      }
    if (/\/uniprotkb\/P1111\d/.test(request.path))
      return (_, response) =>
        void setTimeout(
          () =>
            response.end(
              `{"entryType":"UniProtKB reviewed","primaryAccession":"${idIn(request.path)}","uniProtkbId":"SLOW"}`,
            ),
          14_000,
        )
    return proteins(request)
  })
})
afterAll(() => world[Symbol.asyncDispose]())

/** `npx . mcp --http` on a free port. */
async function serve(env: Record<string, string> = {}, args: string[] = []) {
  const child = Bun.spawn(["node", world.bin, "mcp", "--http", "--port", "0", ...args], {
    cwd: world.project,
    env: { ...world.env, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  })
  const stdout = new Response(child.stdout).text()
  let stderr = ""
  const reading = (async () => {
    for await (const chunk of child.stderr) stderr += Buffer.from(chunk).toString("utf8")
  })()
  await until(() => /http:\S+/.test(stderr) || child.exitCode !== null, 10_000)
  const url = /http:\S+/.exec(stderr)?.[0] ?? ""
  return {
    url,
    child,
    async [Symbol.asyncDispose]() {
      child.kill()
      expect(await child.exited).toBe(0)
      await reading
      expect(await stdout).toBe("")
      expect(stderr).toBe(`MCP at ${url}\n`)
    },
  }
}

const idIn = (path: string) => /P1111\d/.exec(path)?.[0] ?? ""

const config = (value: object) => ({ OPENCODE_SCIENCE_CONFIG: JSON.stringify(value) })
const textOf = ({ content }: Awaited<ReturnType<Peer["call"]>>) => content[0]?.text ?? ""
const fasta = { db: "uniprot", id: "P01308", format: "fasta" }
const saved = ".openscience/fetch/uniprot/P01308.fasta"

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" }

/** One request whose headers may be anything, `Host` included, which fetch would not send. */
function post(url: string, headers: Record<string, string>, body: object | string = LIST) {
  return new Promise<{ status: number; body: string; headers: http.IncomingHttpHeaders }>((resolve, reject) => {
    const all = { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers }
    const request = http.request(url, { method: "POST", headers: all }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(Buffer.from(chunk))
      const text = Buffer.concat(chunks).toString("utf8")
      resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers })
    })
    request.on("error", reject)
    request.end(typeof body === "string" ? body : JSON.stringify(body))
  })
}

describe.each(PEERS)("%s, over HTTP", (name, connect) => {
  const modern = name.includes("2026")

  test("search, record, file, link and denial", async () => {
    await using server = await serve()
    await using peer = await connect(server)
    expect(await peer.tools()).toHaveLength(3)
    const search = await peer.call("science_search", { db: "uniprot", query: "insulin" })
    expect(textOf(search)).toStartWith("UniProt · 1 of 1,204")
    expect(textOf(await peer.call("science_fetch", { db: "uniprot", id: "P01308" }))).toContain('"P01308"')
    expect(textOf(await peer.call("science_fetch", fasta))).toContain(saved)
    expect(await readFile(path.join(world.project, saved), "utf8")).toBe(FASTA)
    const uri = pathToFileURL(path.join(world.project, saved)).href
    expect(await peer.read(uri)).toMatchObject([{ text: FASTA }])
    await using planned = await serve({ OPENCODE_SCIENCE_MODE: "plan" })
    await using second = await connect(planned)
    const denied = await second.call("science_fetch", { db: "uniprot", id: "P04637" })
    expect(textOf(denied)).toContain("plan mode")
  })

  test("a cancelled call ends the request to the database", async () => {
    await using server = await serve()
    await using peer = await connect(server)
    const before = hanging
    const stop = new AbortController()
    const call = peer.call("science_fetch", { db: "uniprot", id: "P00000" }, { signal: stop.signal })
    await Promise.race([until(() => hanging > before), call])
    stop.abort()
    await expect(call).rejects.toThrow()
    await until(() => broken === hanging)
  })

  test("a person can be asked; where there is no session, nothing is offered for one", async () => {
    await using server = await serve(config({ permission: { science_fetch: "ask" } }))
    const asked: string[][] = []
    let says = "no"
    const person = (_: string, choices: string[]) => (asked.push(choices), says)
    await using peer = await connect(server, { person })
    const record = { db: "uniprot", id: "P01308" }
    expect(textOf(await peer.call("science_fetch", record))).toMatch(/^denied: The person who was asked said no/)
    says = "allow once"
    expect(textOf(await peer.call("science_fetch", record))).toContain('"P01308"')
    expect(asked[0]).toEqual(modern ? ["allow once", "no"] : ["allow once", "always allow in this session", "no"])
    expect(asked).toHaveLength(2)
    if (modern) return
    says = "always allow in this session"
    await peer.call("science_fetch", record)
    await peer.call("science_fetch", record)
    expect(asked).toHaveLength(3)
    // Another client's session is another person's.
    await using other = await connect(server, { person })
    await other.call("science_fetch", record)
    expect(asked).toHaveLength(4)
  })

  test("a client's roots do not choose the directory", async () => {
    await using server = await serve()
    await using peer = await connect(server, { roots: [tmpdir()] })
    const answer = await peer.call("science_fetch", fasta)
    expect(answer.content[1]?.uri).toBe(pathToFileURL(path.join(world.project, saved)).href)
  })

  test("an answer that takes long arrives", async () => {
    await using server = await serve()
    await using peer = await connect(server)
    const answer = await peer.call("science_fetch", {
      db: "uniprot",
      id: `P1111${PEERS.findIndex(([each]) => each === name)}`,
    })
    expect(textOf(answer)).toContain('"uniProtkbId":"SLOW"')
  })

  test("with a token set only who brings it is served", async () => {
    const token = "a-secret-of-the-lab-0123456789"
    await using server = await serve({ OPENCODE_SCIENCE_MCP_TOKEN: token }, ["--host", "0.0.0.0"])
    const url = server.url.replace("0.0.0.0", "127.0.0.1")
    await expect(connect({ url })).rejects.toThrow()
    await using peer = await connect({ url, headers: { authorization: `Bearer ${token}` } })
    expect(await peer.tools()).toHaveLength(3)
  })
})

describe("what must not come in", () => {
  test("another Host or Origin than this machine's is refused, whatever is asked", async () => {
    await using server = await serve()
    const { port } = new URL(server.url)
    expect((await post(server.url, {})).status).toBe(200)
    expect((await post(server.url, { host: `localhost:${port}` })).status).toBe(200)
    expect((await post(server.url, { origin: `http://localhost:${port}` })).status).toBe(200)
    for (const headers of [
      { host: "evil.example" },
      { host: `evil.example:${port}` },
      { host: `127.0.0.1.evil.example:${port}` },
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://localhost.evil.example" },
    ]) {
      const answer = await post(server.url, headers)
      expect([headers, answer.status]).toEqual([headers, 403])
      expect(answer.body).not.toContain("science_fetch")
    }
  })

  test("without the token, or with another, the answer is 401 and says nothing of it", async () => {
    const token = "a-secret-of-the-lab-0123456789"
    await using server = await serve({ OPENCODE_SCIENCE_MCP_TOKEN: token })
    for (const authorization of ["", "Bearer", "Bearer wrong", `Basic ${token}`, `Bearer ${token}x`, "Bearer a"]) {
      const answer = await post(server.url, authorization ? { authorization } : {})
      expect([authorization, answer.status]).toEqual([authorization, 401])
      expect(answer.headers["www-authenticate"]).toStartWith("Bearer")
      expect(answer.body).not.toContain(token)
    }
    expect((await post(server.url, { authorization: `bearer ${token}` })).status).toBe(200)
    expect((await post(server.url, { authorization: `Bearer ${token}`, origin: "https://evil.example" })).status).toBe(
      403,
    )
  })

  test("other paths, methods, bodies and sessions have their own answers", async () => {
    await using server = await serve()
    expect((await post(server.url.replace("/mcp", "/"), {})).body).toContain("/mcp")
    expect((await fetch(server.url)).status).toBe(405)
    expect((await post(server.url, {}, "not json")).status).toBe(400)
    expect((await post(server.url, { "content-type": "text/plain" })).status).toBe(415)
    expect((await post(server.url, { "mcp-session-id": "unknown" })).status).toBe(404)
    expect((await post(server.url, {}, `{"a":"${"x".repeat(5 * 1024 * 1024)}"}`)).status).toBe(413)
    // A request outside any session is answered as far as that goes.
    expect((await post(server.url, {})).body).toContain("science_fetch")
  })

  test("of more sessions than are kept the one idle longest has to begin anew, not one that is at work", async () => {
    await using server = await serve()
    const clientInfo = { name: "raw", version: "1" }
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo }
    const begin = async () =>
      String((await post(server.url, {}, { ...LIST, method: "initialize", params })).headers["mcp-session-id"])
    const [working, idle] = [await begin(), await begin()]
    const before = hanging
    const call = { name: "science_fetch", arguments: { db: "uniprot", id: "P00000" } }
    const stop = new AbortController()
    const answer = fetch(server.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-session-id": working,
      },
      body: JSON.stringify({ ...LIST, method: "tools/call", params: call }),
      signal: stop.signal,
    }).catch(() => undefined)
    await until(() => hanging > before)
    const last = await Array.fromAsync({ length: 200 }, begin)
    const inSession = async (id: string) => (await post(server.url, { "mcp-session-id": id })).status
    expect(await inSession(idle)).toBe(404)
    expect(await inSession(working)).toBe(200)
    expect(await inSession(last.at(-1) ?? "")).toBe(200)
    stop.abort()
    await answer
  })

  test("an address that is taken is said in a line", async () => {
    await using server = await serve()
    const { port } = new URL(server.url)
    const child = Bun.spawn(["node", world.bin, "mcp", "--http", "--port", port], {
      cwd: world.project,
      env: world.env,
      stderr: "pipe",
    })
    expect(await new Response(child.stderr).text()).toMatch(
      /^Cannot listen on 127\.0\.0\.1 port \d+ \(EADDRINUSE\)[^\n]*\n$/,
    )
    expect(await child.exited).toBe(2)
  })
})
