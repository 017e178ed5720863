import { homedir } from "node:os"
import path from "node:path"
import { connectors } from "../../science/connectors/index.ts"
import { name } from "../../version.ts"
import type { Dialect } from "./jsonc.ts"
import type { Origin } from "./origin.ts"

export const HOSTS = ["opencode", "claude", "codex", "gemini"] as const
export type Host = (typeof HOSTS)[number]

export const SCOPES = ["user", "project"] as const
export type Scope = (typeof SCOPES)[number]

type Env = Record<string, string | undefined>

export interface Where {
  scope: Scope
  /** The project. */
  directory: string
  env: Env
}

/** What of a host's configuration is ours. */
export interface Registration {
  title: string
  /** The files that the host reads, the one to make first. */
  files(where: Where): string[]
  syntax: Dialect | "toml"
  path: string[]
  /** Set where `path` leads to a list: which of its items are ours. */
  isOurs?(item: unknown, origin: Origin): boolean
  entry(origin: Origin): string | Record<string, string | string[]>
  /** What a person has to know or do next. */
  next: Record<Scope, string>
}

const STRICT: Dialect = { comments: false, trailingComma: false }
const LENIENT: Dialect = { comments: true, trailingComma: true }

const home = (env: Env) => env["HOME"] || homedir()

/** Codex hands only a few variables on to a server: these have to be named. */
export const PASSED_ON = [
  ...new Set(connectors.flatMap(({ key }) => key?.env ?? [])),
  ...["CONFIG", "MCP", "MIRRORS", "MODE", "OFFLINE"].map((setting) => `OPENCODE_SCIENCE_${setting}`),
  ...["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"],
].sort()

export const REGISTRATIONS: Record<Host, Registration> = {
  opencode: {
    title: "opencode",
    files({ scope, directory, env }) {
      const user = path.join(env["XDG_CONFIG_HOME"] || path.join(home(env), ".config"), "opencode")
      return scope === "user"
        ? ["opencode.json", "opencode.jsonc", "config.json"].map((file) => path.join(user, file))
        : ["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"].map((file) =>
            path.join(directory, file),
          )
    },
    syntax: LENIENT,
    path: ["plugin"],
    isOurs(item, { plugin }) {
      const spec: unknown = Array.isArray(item) ? item[0] : item
      return typeof spec === "string" && (spec === plugin || spec === name || spec.startsWith(`${name}@`))
    },
    entry: ({ plugin }) => plugin,
    next: {
      user: "opencode loads it when it starts next.",
      project: "opencode loads it when it starts next in this project.",
    },
  },
  claude: {
    title: "Claude Code",
    files: ({ scope, directory, env }) =>
      scope === "user"
        ? [path.join(env["CLAUDE_CONFIG_DIR"] || home(env), ".claude.json")]
        : [path.join(directory, ".mcp.json")],
    syntax: STRICT,
    path: ["mcpServers", name],
    entry: ({ command, args }) => ({ type: "stdio", command, args }),
    next: {
      user: "Claude Code starts it with its next session.",
      project: "Claude Code asks each person once, in the project's next session, whether to start it.",
    },
  },
  codex: {
    title: "Codex",
    files: ({ scope, directory, env }) =>
      scope === "user"
        ? [path.join(env["CODEX_HOME"] || path.join(home(env), ".codex"), "config.toml")]
        : [path.join(directory, ".codex", "config.toml")],
    syntax: "toml",
    path: ["mcp_servers", name],
    entry: ({ command, args }) => ({ command, args, env_vars: PASSED_ON }),
    next: {
      user: "Codex starts it with its next session.",
      project: "Codex starts it with its next session here, if the project is a trusted one.",
    },
  },
  gemini: {
    title: "Gemini CLI",
    files: ({ scope, directory, env }) => [
      path.join(scope === "user" ? home(env) : directory, ".gemini", "settings.json"),
    ],
    syntax: { comments: true, trailingComma: false },
    path: ["mcpServers", name],
    entry: ({ command, args }) => ({ command, args }),
    next: {
      user: "Gemini CLI starts it with its next session, in folders that it trusts.",
      project: "Gemini CLI starts it with its next session here, if it trusts the folder.",
    },
  },
}
