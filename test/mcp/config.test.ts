import { describe, expect, test } from "bun:test"
import { loadConfig } from "../../src/config.ts"
import { cleanHeaders } from "../../src/mcp/headers.ts"
import { settingsOf } from "../../src/mcp/settings.ts"

const read = (mcp: unknown, env: Record<string, string> = {}) => loadConfig({ directory: "/", options: { mcp }, env })
const fault = async (mcp: unknown) =>
  await read(mcp).then(
    () => "no error",
    (error: Error) => error.message,
  )

const url = "https://mcp.example.org/mcp"

describe("a configuration of servers", () => {
  test.each([
    [{ nemar: true }],
    [{ nemar: false, other: { url } }],
    [{ nemar: { tools: ["search_*"], timeouts: { startMs: 100, connectMs: 1000, callMs: 1000 } } }],
    [{ a: { url, transport: "sse", headers: { Authorization: "Bearer x" }, prefix: "b", enabled: false } }],
    [{ a: { command: "node", args: ["server.js", ""], env: { A: "b" }, cwd: "/tmp", transport: "stdio" } }],
  ])("%j is taken", async (mcp) => {
    expect(await read(mcp)).toMatchObject({ mcp })
  })

  test.each<[unknown, RegExp]>([
    [{ a: { url, command: "node" } }, /mcp\.a\.url: stands beside command/],
    [{ a: {} }, /mcp\.a\.url: is missing, and so is command; .*nemar and reactome/],
    [{ a: true }, /mcp\.a\.url: is missing/],
    [{ a: "https://x.org" }, /mcp\.a: should be true, false, or an object/],
    [{ a: { url: "not a url" } }, /mcp\.a\.url: is no URL/],
    [{ a: { url: "ftp://x.org" } }, /mcp\.a\.url: begins with ftp:/],
    [{ a: { url: "wss://x.org" } }, /mcp\.a\.url: is a WebSocket/],
    [{ a: { url: "https://user:pass@x.org" } }, /mcp\.a\.url: holds a credential/],
    [{ a: { url, transport: "ws" } }, /mcp\.a: transport: "ws" is no transport; there are "http"/],
    [{ a: { url, transport: "stdio" } }, /mcp\.a\.transport: is stdio/],
    [{ a: { command: "node", transport: "http" } }, /mcp\.a\.transport: is http/],
    [{ a: { url, args: ["x"] } }, /mcp\.a\.args: goes with command/],
    [{ a: { url, env: {} } }, /mcp\.a\.env: goes with command/],
    [{ a: { command: "node", headers: {} } }, /mcp\.a\.headers: goes with url/],
    [{ a: { url, header: {} } }, /mcp\.a\.header: no such key; the keys are url, command/],
    [{ a: { url, timeouts: { startMs: 0 } } }, /mcp\.a\.timeouts\.startMs: /],
    [{ a: { url, prefix: "with space" } }, /mcp\.a\.prefix: 1 to 32 letters/],
    [{ science: { url } }, /mcp\.science\.prefix: is taken by the tools of this package/],
    [{ "a.b": { url }, a_b: { url } }, /mcp\.a_b\.prefix: tools of a\.b begin with a_b_ already/],
    [{ a: { url, headers: { "Mcp-Session-Id": "x" } } }, /mcp\.a\.headers\.Mcp-Session-Id: is set by the protocol/],
    [{ a: { url, headers: { "MCP-Protocol-Version": "1" } } }, /is set by the protocol/],
    [{ a: { url, headers: { Accept: "x" } } }, /is set by the protocol/],
    [{ a: { url, headers: { "Bad Name": "x" } } }, /is no header name/],
    [{ a: { url, headers: { Authorization: "a", authorization: "b" } } }, /headers\.authorization: is given twice/],
  ])("%j is an error that names the server and the key", async (mcp, message) => {
    expect(await fault(mcp)).toMatch(message)
  })

  test.each(["s3cret-value\nX-Other: 1", "s3cret-value\u0000", "s3cret-value ✓"])(
    "a header value that cannot be sent is refused without being shown",
    async (value) => {
      const message = await fault({ a: { url, headers: { Authorization: value } } })
      expect(message).toMatch(/mcp\.a\.headers\.Authorization: holds a character that a header cannot carry/)
      expect(message).not.toContain("s3cret")
    },
  )

  test("comes from the environment as JSON, over the rest", async () => {
    const env = { OPENCODE_SCIENCE_MCP: '{"nemar":{"url":"http://127.0.0.1:1/mcp"}}' }
    expect((await read({ reactome: true }, env)).mcp).toEqual({ nemar: { url: "http://127.0.0.1:1/mcp" } })
    expect(read({}, { OPENCODE_SCIENCE_MCP: "nemar" })).rejects.toThrow("OPENCODE_SCIENCE_MCP is not JSON")
    expect(read({}, { OPENCODE_SCIENCE_MCP: '{"x":{}}' })).rejects.toThrow(/OPENCODE_SCIENCE_MCP: mcp\.x\.url/)
  })
})

describe("the settings of a server", () => {
  test("take a variable's value for its name, and say which is not set", () => {
    const config = { url, headers: { Authorization: "Bearer ${LAB_TOKEN}" } }
    expect(settingsOf("a", config, { LAB_TOKEN: "abc" })).toMatchObject({
      link: { headers: { authorization: "Bearer abc" } },
      secrets: ["Bearer abc"],
    })
    expect(() => settingsOf("a", config, {})).toThrow(
      "headers.Authorization names the variable LAB_TOKEN, which is not set",
    )
    expect(() => settingsOf("a", config, { LAB_TOKEN: "a\nb" })).toThrow(/holds a character that a header cannot carry/)
  })

  test("drop empty headers, which some servers take for a wrong credential", () => {
    expect(cleanHeaders({ Authorization: " ", "X-Lab": " a " })).toEqual({ "x-lab": "a" })
  })

  test("of a preset may be changed one by one", () => {
    expect(settingsOf("nemar", true, {})).toMatchObject({
      prefix: "nemar",
      link: { url: new URL("https://mcp.nemar.org/mcp"), transport: "auto" },
    })
    expect(settingsOf("nemar", { timeouts: { callMs: 5 } }, {}).timeouts).toEqual({
      startMs: 3000,
      connectMs: 20_000,
      callMs: 5,
    })
    expect(
      settingsOf("reactome", { command: "node", args: ["x.js"] }, { REACTOME_MCP_URL: "http://x" }).link,
    ).toMatchObject({
      kind: "stdio",
      command: "node",
    })
  })
})
