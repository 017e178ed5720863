import { expect, test } from "bun:test"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { createScience } from "../../src/index.ts"
import { reactomeServer } from "./servers/reactome.ts"

test("a program gets all tools, is told what is wrong with a server, and ends the sessions when it closes", async () => {
  const directory = await mkdtemp(path.join(tmpdir(), "program-"))
  await using server = await reactomeServer()
  const lines: string[] = []
  const mcp = { reactome: { url: server.url }, gone: { url: "http://127.0.0.1:9/mcp" } }
  const science = createScience({ directory, mcp, log: (line) => lines.push(line) })
  expect(science.tools.map(({ id }) => id)).toEqual(["science_list_dbs", "science_search", "science_fetch"])
  expect(server.asked).toEqual([])
  const tools = await science.allTools()
  const species = tools.find(({ id }) => id === "reactome_species")
  const context = { directory, worktree: directory, signal: new AbortController().signal, ask: async () => undefined }
  expect((await species?.run({}, context))?.output).toBe("Homo sapiens")
  expect(lines).toEqual([expect.stringMatching(/^MCP server "gone": nothing listens there/)])
  expect(server.open()).toBe(1)
  await science.close()
  expect(server.open()).toBe(0)
  await rm(directory, { recursive: true, force: true })
})
