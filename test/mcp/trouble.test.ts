import { describe, expect, test } from "bun:test"
import http from "node:http"
import type { AddressInfo } from "node:net"
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js"
import { toNodeHandler } from "@modelcontextprotocol/node"
import { createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"
import { listen } from "./servers/http.ts"
import { nemarServer } from "./servers/nemar.ts"
import { rawServer, tool } from "./servers/raw.ts"
import { reactome } from "./servers/reactome.ts"
import { mcpWorld } from "./world.ts"

const SECRET = "s3cret-credential-of-the-lab"
const headers = { Authorization: `Bearer ${SECRET}` }
const quick = { connectMs: 600, callMs: 600 }

/** Answers every request alike. */
const always = (status: number, body = "", more: Record<string, string> = {}) =>
  listen((_, response) => void response.writeHead(status, more).end(body))

describe("a server that gives no tools is one line and no failed start", () => {
  test("nothing listens there", async () => {
    await using w = await mcpWorld({ lab: { url: "http://127.0.0.1:9/mcp" } })
    expect(await w.mcp.tools()).toEqual([])
    expect(w.lines).toEqual(['MCP server "lab": nothing listens there (connection refused): http://127.0.0.1:9/mcp'])
  })

  test("what is there is a web page", async () => {
    await using server = await always(200, "<!doctype html><title>Sign in</title>", { "content-type": "text/html" })
    await using w = await mcpWorld({ lab: { url: server.url } })
    expect(await w.mcp.tools()).toEqual([])
    expect(w.lines).toEqual([expect.stringMatching(/^MCP server "lab": what is there does not speak MCP: http/)])
  })

  test("it never answers", async () => {
    await using server = await listen(() => undefined)
    await using w = await mcpWorld({ lab: { url: server.url, timeouts: quick } })
    const began = performance.now()
    expect(await w.mcp.tools()).toEqual([])
    expect(performance.now() - began).toBeLessThan(2_000)
    expect(w.lines).toEqual([expect.stringMatching(/^MCP server "lab": no answer within 0\.6 s from http/)])
  })

  test("it names no endpoint of its old transport", async () => {
    await using server = await listen((request, response) =>
      request.method === "GET"
        ? response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders()
        : response.writeHead(405).end(),
    )
    await using w = await mcpWorld({ lab: { url: server.url, timeouts: quick } })
    expect(await w.mcp.tools()).toEqual([])
    expect(w.lines).toEqual([expect.stringMatching(/no answer within 0\.6 s/)])
  })

  test("asked for by name, it says why instead of that there is no such tool", async () => {
    await using w = await mcpWorld({ lab: { url: "http://127.0.0.1:9/mcp" } })
    expect(w.call("lab_x")).rejects.toThrow("nothing listens there")
    await using other = await mcpWorld({ lab: { url: "http://127.0.0.1:9/mcp" } })
    expect(await other.mcp.find("else_x")).toBeUndefined()
  })
})

describe("the start", () => {
  test("waits for each server only its short time, for all at once, and late tools come when they come", async () => {
    await using slow = await nemarServer()
    const { port } = new URL(slow.url)
    const delayed = http.createServer((request, response) => {
      setTimeout(() => {
        const { method, headers } = request
        request.pipe(
          http.request({ port, path: "/mcp", ...(method ? { method } : {}), headers }, (answer) => {
            response.writeHead(answer.statusCode ?? 500, answer.headers)
            answer.pipe(response)
          }),
        )
      }, 400)
    })
    await new Promise<void>((resolve) => delayed.listen(0, "127.0.0.1", resolve))
    const { port: at } = delayed.address() as AddressInfo
    await using fast = await nemarServer()
    await using hung = await listen(() => undefined)
    await using w = await mcpWorld({
      fast: { url: fast.url },
      slow: { url: `http://127.0.0.1:${at}/mcp`, timeouts: { startMs: 300 } },
      hung: { url: hung.url, timeouts: { startMs: 300, connectMs: 900 } },
    })
    const began = performance.now()
    await w.mcp.start()
    expect(performance.now() - began).toBeLessThan(800)
    expect(w.offered.map(({ id }) => id.split("_")[0])).toEqual(Array(6).fill("fast"))
    expect(await w.mcp.tools()).toHaveLength(12)
    expect(w.offered).toHaveLength(12)
    expect(w.lines).toEqual([expect.stringMatching(/^MCP server "hung": no answer within 0\.9 s/)])
    delayed.closeAllConnections()
    delayed.close()
  })

  test("of no servers does nothing", async () => {
    await using w = await mcpWorld({ nemar: false })
    await w.mcp.start()
    expect(await w.mcp.tools()).toEqual([])
  })

  test("may be given up while it connects", async () => {
    await using hung = await listen(() => undefined)
    await using w = await mcpWorld({ hung: { url: hung.url } })
    const tools = w.mcp.tools()
    await Bun.sleep(50)
    const began = performance.now()
    await w.mcp.close()
    expect(await tools).toEqual([])
    expect(performance.now() - began).toBeLessThan(500)
    expect(w.lines).toEqual([])
  })
})

describe("who may enter", () => {
  test.each([
    [
      401,
      /^MCP server "lab": Authentication failed \(401 Unauthorized\) at http.*\/mcp; set a valid credential under mcp\.lab\.headers/,
    ],
    [402, /^MCP server "lab": Payment Required \(402\)/],
    [403, /^MCP server "lab": Forbidden \(403\)/],
  ])(
    "is found at the first answer (%p), is no reason for another transport, and shows no credential",
    async (status, line) => {
      await using server = await listen((request, response) =>
        response.writeHead(status, { "content-type": "text/plain" }).end(`bad: ${request.headers.authorization}`),
      )
      await using w = await mcpWorld({ lab: { url: server.url, headers } })
      expect(await w.mcp.tools()).toEqual([])
      expect(w.lines).toEqual([expect.stringMatching(line)])
      expect(w.lines.join()).not.toContain(SECRET)
      expect(server.asked.every(({ method }) => method === "POST")).toBe(true)
      expect(server.asked[0]?.headers.authorization).toBe(`Bearer ${SECRET}`)
    },
  )

  test("may change later: the call says so, without the credential, and is made once", async () => {
    await using server = await rawServer(({ method }, response) =>
      method === "tools/list"
        ? { tools: [tool("x")] }
        : response.writeHead(401, { "content-type": "text/plain" }).end(`expired: Bearer ${SECRET}`),
    )
    await using w = await mcpWorld({ lab: { url: server.url, headers } })
    const { output, metadata } = await w.call("lab_x")
    expect(output).toMatch(/^key_required: MCP server "lab": Authentication failed \(401/)
    expect(output).not.toContain(SECRET)
    expect(metadata).toMatchObject({ error: "key_required", retryable: false })
    expect(server.asked.filter(({ rpc }) => rpc === "tools/call")).toHaveLength(1)
  })

  test("a credential does not follow a redirect to another origin", async () => {
    await using elsewhere = await nemarServer()
    await using server = await always(307, "", { location: elsewhere.url })
    await using w = await mcpWorld({ lab: { url: server.url, headers } })
    expect(await w.mcp.tools()).toEqual([])
    expect(w.lines).toEqual([expect.stringContaining(`redirects (307) to ${elsewhere.url}`)])
    expect(elsewhere.asked).toEqual([])
  })
})

test("a busy server that says for how long is asked once more", async () => {
  let calls = 0
  await using server = await rawServer(({ method }, response) => {
    if (method === "tools/list") return { tools: [tool("x")] }
    return ++calls === 1
      ? response.writeHead(429, { "retry-after": "1" }).end()
      : { content: [{ type: "text", text: "served" }] }
  })
  await using w = await mcpWorld({ lab: { url: server.url } })
  expect((await w.call("lab_x")).output).toBe("served")
  expect(calls).toBe(2)
})

describe("the older HTTP+SSE transport", () => {
  async function sseServer(refusal: number) {
    const transports = new Map<string, SSEServerTransport>()
    return await listen(async (request, response, body) => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://x")
      if (pathname === "/messages")
        return await transports.get(searchParams.get("sessionId") ?? "")?.handlePostMessage(request, response, body)
      if (request.method !== "GET") return response.writeHead(refusal).end()
      const transport = new SSEServerTransport("/messages", response)
      transports.set(transport.sessionId, transport)
      await reactome().connect(transport)
    }, "/sse")
  }

  test.each([400, 404, 405])("is spoken where a POST is refused with %p", async (status) => {
    await using server = await sseServer(status)
    await using w = await mcpWorld({ reactome: { url: server.url, headers: { "X-Lab": "one" } } })
    expect((await w.call("reactome_search", { query: "cell" })).output).toContain("Results for cell")
    expect(server.asked.every(({ headers }) => headers["x-lab"] === "one")).toBe(true)
  })

  test("is not tried at other refusals, nor where Streamable HTTP is asked for", async () => {
    await using busy = await sseServer(501)
    await using w = await mcpWorld({ a: { url: busy.url } })
    expect(await w.mcp.tools()).toEqual([])
    await using server = await sseServer(405)
    await using explicit = await mcpWorld({ a: { url: server.url, transport: "http" } })
    expect(await explicit.mcp.tools()).toEqual([])
    for (const { asked } of [busy, server]) expect(asked.some(({ method }) => method === "GET")).toBe(false)
    expect(explicit.lines).toEqual([expect.stringMatching(/HTTP 405/)])
  })

  test("is spoken at once where it is asked for", async () => {
    await using server = await sseServer(405)
    await using w = await mcpWorld({ reactome: { url: server.url, transport: "sse" } })
    expect((await w.mcp.tools()).length).toBeGreaterThan(5)
    expect(server.lines()[0]).toBe("GET")
  })
})

describe("a call", () => {
  const answering = (answer: Parameters<typeof rawServer>[0]) =>
    rawServer((message, response) =>
      message.method === "tools/list" ? { tools: [tool("x")] } : answer(message, response),
    )

  test("ends in its time, and the others do not wait for it", async () => {
    let calls = 0
    await using server = await answering(() =>
      ++calls === 1 ? undefined : { content: [{ type: "text", text: "ok" }] },
    )
    await using w = await mcpWorld({ lab: { url: server.url, timeouts: quick } })
    await w.mcp.tools()
    const hanging = w.call("lab_x")
    await Bun.sleep(50)
    expect((await w.call("lab_x")).output).toBe("ok")
    expect((await hanging).output).toMatch(/^timeout: MCP server "lab": no answer within 0\.6 s/)
  })

  test("ends at once when the person gives up, with the host's own reason", async () => {
    await using server = await answering(() => undefined)
    await using w = await mcpWorld({ lab: { url: server.url } })
    await w.mcp.tools()
    const given = new AbortController()
    const call = w.call("lab_x", {}, { signal: given.signal })
    await Bun.sleep(50)
    given.abort(new Error("enough"))
    expect(call).rejects.toThrow("enough")
  })

  test("whose stream ends without an answer ends there, not at the time limit", async () => {
    await using server = await answering((_, response) =>
      response.writeHead(200, { "content-type": "text/event-stream" }).end(": nothing\n\n"),
    )
    await using w = await mcpWorld({ lab: { url: server.url } })
    expect((await w.call("lab_x")).output).toBe(
      'unavailable: MCP server "lab": its answer broke off before it was whole',
    )
  })

  test("is answered with what the server says also where that is an error of the protocol", async () => {
    await using server = await listen((request, response, body) => {
      const { id, method } = Object(body)
      if (request.method !== "POST" || id === undefined) return response.writeHead(id === undefined ? 202 : 405).end()
      const result = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "x", version: "1" } }
      response.writeHead(200, { "content-type": "application/json" })
      const said =
        method === "initialize"
          ? { result }
          : method === "tools/list"
            ? { result: { tools: [tool("x")] } }
            : { error: { code: method === "tools/call" ? -32050 : -32601, message: "the store is down\u001b[31m" } }
      response.end(JSON.stringify({ jsonrpc: "2.0", id, ...said }))
    })
    await using w = await mcpWorld({ lab: { url: server.url } })
    expect((await w.call("lab_x")).output).toBe("lab refused: the store is down (error -32050)")
  })

  test("that needs a person's input says that nobody can be asked", async () => {
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: "asks", version: "1" })
      const sure = inputRequired.elicit({ message: "Really?", requestedSchema: z.object({ yes: z.boolean() }) })
      server.registerTool("deploy", { inputSchema: z.object({}) }, () => inputRequired({ inputRequests: { sure } }))
      return server
    })
    const handle = toNodeHandler(handler)
    await using server = await listen((request, response, body) => {
      const { method = "", url = "", headers } = request
      return handle(Object.assign(request, { method, url, headers }), response, body)
    })
    await using w = await mcpWorld({ lab: { url: server.url } })
    expect((await w.call("lab_deploy")).output).toMatch(/^lab refused: .*elicitation/)
  })

  test("that is answered with a question all the same says what was asked", async () => {
    const results: Record<string, unknown> = {
      "server/discover": { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } },
      "tools/list": { tools: [tool("x")] },
      "tools/call": {
        resultType: "input_required",
        inputRequests: { sure: { method: "elicitation/create", params: { message: "Really?" } } },
      },
    }
    await using server = await listen((_, response, body) => {
      const { id, method } = Object(body)
      response.writeHead(200, { "content-type": "application/json" })
      const result = { resultType: "complete", ttlMs: 0, cacheScope: "private", ...Object(results[method]) }
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }))
    })
    await using w = await mcpWorld({ lab: { url: server.url } })
    const { output, metadata } = await w.call("lab_x")
    expect(output).toMatch(/^lab refused: it asks for what cannot be given here.*\(elicitation\/create: Really\?\)/)
    expect(metadata).toMatchObject({ error: "refused" })
  })

  test.each<[string, unknown, RegExp]>([
    [
      "links",
      { content: [{ type: "resource_link", uri: "file:///etc/passwd", name: "trap", size: 2048 }] },
      /^\[link trap · file:\/\/\/etc\/passwd · 2\.0 KB\]$/,
    ],
    [
      "embedded text",
      { content: [{ type: "resource", resource: { uri: "mem://a", text: "inside" } }] },
      /^\[resource mem:\/\/a\]\ninside$/,
    ],
    [
      "an unknown block",
      { content: [{ type: "text", text: "known" }, { type: "hologram" }] },
      /^known\n\[a block of type hologram, which cannot be shown\]$/,
    ],
    ["nothing", { content: [] }, /^\(an answer without content\)$/],
    ["no content at all", { structuredContent: { only: "this" } }, /"only": "this"/],
    [
      "control characters",
      { content: [{ type: "text", text: "a\u001b[31mred\u0000\u202e\ud800\r\nb" }] },
      /^ared\ufffd\nb$/,
    ],
    [
      "5000 blocks",
      { content: Array.from({ length: 5000 }, (_, i) => ({ type: "text", text: `block ${i}` })) },
      /too long to show here · saved to/,
    ],
  ])("answered with %s loses none of it in silence", async (_, answer, output) => {
    await using server = await answering(() => answer)
    await using w = await mcpWorld({ lab: { url: server.url } })
    expect((await w.call("lab_x")).output).toMatch(output)
  })

  test("answered with sound or other bytes saves them", async () => {
    const content = [
      { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "mem://b", blob: "AAEC", mimeType: "application/x-b" } },
    ]
    await using server = await answering(() => ({ content }))
    await using w = await mcpWorld({ lab: { url: server.url } })
    const { output } = await w.call("lab_x", {}, { showsImages: true })
    expect(output).toMatch(/^\[audio, audio\/wav, 6 bytes: saved to \S+\.wav/)
    const files = (await w.files()).filter((file) => /x-.*\.(wav|bin)$/.test(file))
    expect(files).toHaveLength(2)
  })
})
