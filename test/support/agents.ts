import { existsSync, readdirSync } from "node:fs"
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { agentModel, anthropic, gemini, responses, type AgentModel, type Wire } from "./agent-model.ts"
import { bin } from "./command-line.ts"
import { devTool } from "./dev-tool.ts"
import type { Turn } from "./scripted-model.ts"

/** What a host has to be told to start our server: name, command line, environment. */
interface Entry {
  command: string
  args: string[]
  env: Record<string, string>
}

interface Place {
  home: string
  project: string
  model: string
  entry: Entry
}

/** One maker's agent: how it is installed, configured and started without a person, and what it calls our tools. */
export interface Agent {
  title: string
  wire: Wire
  /** The program's command line, when it can be had here. */
  program(): string[] | undefined
  tool(name: string): string
  configure(place: Place): Promise<{ args: string[]; env: Record<string, string> }>
}

const TOOLS = ["science_list_dbs", "science_search", "science_fetch"]

export const claudeCode: Agent = {
  title: "Claude Code",
  wire: anthropic,
  program() {
    const modules = devTool("@anthropic-ai/claude-code", "2.1.197")
    // The platform's own package: the program itself is put in its place by an install script.
    return modules === undefined
      ? undefined
      : binary(path.join(modules, `@anthropic-ai/claude-code-${process.platform}-${process.arch}`), "claude")
  },
  tool: (name) => `mcp__science__${name}`,
  async configure({ home, model, entry }) {
    const config = path.join(home, "mcp.json")
    await writeFile(config, JSON.stringify({ mcpServers: { science: { type: "stdio", ...entry } } }))
    return {
      args: [
        ...["-p", "do it", "--output-format", "stream-json", "--verbose"],
        ...["--mcp-config", config, "--strict-mcp-config", "--allowedTools", TOOLS.map(this.tool).join(",")],
      ],
      env: {
        CLAUDE_CONFIG_DIR: path.join(home, "claude"),
        ANTHROPIC_BASE_URL: model,
        ANTHROPIC_API_KEY: "none",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
        // Otherwise the first turn may begin while the server is still starting.
        MCP_CONNECTION_NONBLOCKING: "0",
        MCP_CONNECT_TIMEOUT_MS: "30000",
      },
    }
  },
}

export const codex: Agent = {
  title: "Codex",
  wire: responses,
  program() {
    const modules = devTool("@openai/codex", "0.171.0")
    const vendor =
      modules === undefined
        ? undefined
        : path.join(modules, `@openai/codex-${process.platform}-${process.arch}`, "vendor")
    if (!vendor || !existsSync(vendor)) return undefined
    return binary(path.join(vendor, readdirSync(vendor)[0] ?? "", "bin"), "codex")
  },
  // A call names the server and the tool apart.
  tool: (name) => `mcp__science/${name}`,
  async configure({ home, model, entry }) {
    const codexHome = path.join(home, "codex")
    await mkdir(codexHome)
    const config = [
      'model = "scripted"',
      'model_provider = "scripted"',
      "[model_providers.scripted]",
      'name = "scripted"',
      `base_url = ${JSON.stringify(`${model}/v1`)}`,
      'wire_api = "responses"',
      'env_key = "SCRIPTED_KEY"',
      "[mcp_servers.science]",
      `command = ${JSON.stringify(entry.command)}`,
      `args = ${JSON.stringify(entry.args)}`,
      'default_tools_approval_mode = "approve"',
      // Without this the first turn may begin before the server has started.
      "required = true",
      "[mcp_servers.science.env]",
      ...Object.entries(entry.env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
    ]
    await writeFile(path.join(codexHome, "config.toml"), config.join("\n"))
    return {
      args: ["exec", "--json", "--skip-git-repo-check", "do it"],
      env: { CODEX_HOME: codexHome, SCRIPTED_KEY: "none" },
    }
  },
}

export const geminiCli: Agent = {
  title: "Gemini CLI",
  wire: gemini,
  program() {
    const modules = devTool("@google/gemini-cli", "0.61.0")
    return modules === undefined ? undefined : ["node", path.join(modules, "@google/gemini-cli/bundle/gemini.js")]
  },
  tool: (name) => `mcp_science_${name}`,
  async configure({ home, model, entry }) {
    await mkdir(path.join(home, ".gemini"))
    const settings = {
      mcpServers: { science: { ...entry, trust: true } },
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true },
    }
    await writeFile(path.join(home, ".gemini/settings.json"), JSON.stringify(settings))
    return {
      args: ["-p", "do it", "-m", "gemini-2.5-pro", "-o", "json", "--skip-trust", "--approval-mode", "yolo"],
      env: { GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: "none" },
    }
  },
}

function binary(folder: string, name: string): string[] | undefined {
  const file = path.join(folder, process.platform === "win32" ? `${name}.exe` : name)
  return existsSync(file) ? [file] : undefined
}

export interface AgentRun extends AsyncDisposable {
  exitCode: number
  stdout: string
  stderr: string
  model: AgentModel
  project: string
  /** What the model read as answers of our tools. */
  results: string[]
  files(): Promise<string[]>
}

/** Runs the real agent once, in a home and a project of its own; our server is started by it, as `npx . mcp` starts it. */
export async function runAgent(
  agent: Agent,
  program: string[],
  { calls, env = {} }: { calls: { name: string; args: unknown }[]; env?: Record<string, string> },
): Promise<AgentRun> {
  const home = await mkdtemp(path.join(tmpdir(), "agent-"))
  const project = path.join(home, "project")
  await mkdir(project)
  const turns: Turn[] = [
    ...calls.map(({ name, args }) => ({ call: [{ name: agent.tool(name), args }] })),
    { say: "done" },
  ]
  const model = await agentModel(agent.wire, turns)
  const entry = {
    command: "node",
    args: [bin, "mcp"],
    env: { XDG_CACHE_HOME: path.join(home, "cache"), XDG_CONFIG_HOME: path.join(home, "config"), ...env },
  }
  const { args, env: own } = await agent.configure({ home, project, model: model.url, entry })
  const child = Bun.spawn([...program, ...args], {
    cwd: project,
    env: { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: tmpdir(), ...own },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  })
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return {
    exitCode,
    stdout,
    stderr,
    model,
    project,
    results: model.results(),
    files: async () =>
      (await readdir(project, { recursive: true, withFileTypes: true }))
        .filter((found) => found.isFile())
        .map((found) => path.relative(project, path.join(found.parentPath, found.name)))
        .sort(),
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      await rm(home, { recursive: true, force: true })
    },
  }
}
