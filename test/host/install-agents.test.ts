import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import path from "node:path"
import { claudeCode, codex, geminiCli, runAgent, type Agent } from "../support/agents.ts"
import { bin } from "../support/command-line.ts"
import { loopback, type Loopback } from "../support/loopback.ts"
import { proteins } from "../support/proteins.ts"

let databases: Loopback
beforeAll(async () => {
  databases = await loopback(proteins)
})
afterAll(() => databases[Symbol.asyncDispose]())

const search = { name: "science_search", args: { db: "uniprot", query: "insulin", limit: 1 } }
const NAME = "opencode-science"

/** Runs `install` as a person with this home would; our server inherits the agent's environment, or what the entry says of it. */
async function install(host: string, home: string, env: Record<string, string> = {}): Promise<void> {
  const { exitCode } = Bun.spawnSync(["node", bin, "install", host], {
    env: { PATH: process.env["PATH"] ?? "", HOME: home, ...env },
  })
  expect(exitCode).toBe(0)
}

/** The agents, registered by `install` alone; what else they are told is where their model is and what may run. */
const installed: Agent[] = [
  {
    ...claudeCode,
    tool: (name) => `mcp__${NAME}__${name}`,
    async configure(place) {
      const { env } = await claudeCode.configure(place)
      await install("claude", place.home, env)
      const allowed = this.tool(search.name)
      return { args: ["-p", "do it", "--output-format", "stream-json", "--verbose", "--allowedTools", allowed], env }
    },
  },
  {
    ...codex,
    // It writes the name with underscores.
    tool: (name) => `mcp__${NAME.replaceAll("-", "_")}/${name}`,
    async configure(place) {
      const { args, env } = await codex.configure(place)
      await install("codex", place.home, env)
      const only = ["-c", "mcp_servers.science.enabled=false", "-c", `mcp_servers.${NAME}.required=true`]
      return { args: [...args.slice(0, 1), ...only, ...args.slice(1)], env }
    },
  },
  {
    ...geminiCli,
    tool: (name) => `mcp_${NAME}_${name}`,
    async configure(place) {
      const made = await geminiCli.configure(place)
      await install("gemini", place.home)
      return { args: [...made.args, "--allowed-mcp-server-names", NAME], env: made.env }
    },
  },
]

describe.each(installed.map((agent) => [agent.title, agent] as const))("what install writes, in %s", (_, agent) => {
  const program = agent.program()

  test.skipIf(!program)("starts the server, and a search reaches the database", async () => {
    const mirrors = JSON.stringify(databases.mirrors)
    const told: Agent = {
      ...agent,
      async configure(place) {
        const { args, env } = await agent.configure(place)
        return {
          args,
          env: { ...env, OPENCODE_SCIENCE_MIRRORS: mirrors, XDG_CACHE_HOME: path.join(place.home, "cache") },
        }
      },
    }
    await using r = await runAgent(told, program ?? [], { calls: [search] })
    expect(r.results[0]).toContain("UniProt · 1 of 1,204")
  })
})
