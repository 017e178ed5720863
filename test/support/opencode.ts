import { existsSync, readdirSync, statSync } from "node:fs"
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { scriptedModel, type ScriptedModel, type Turn } from "./scripted-model.ts"

const root = path.resolve(import.meta.dirname, "../..")

/** opencode's binary: in its platform package, from where its install script, if it ran, moved it into the package itself. */
export function opencodeBinary(): string {
  const modules = path.join(root, "node_modules")
  const system = process.platform === "win32" ? "windows" : process.platform
  const packages = readdirSync(modules).filter((name) => name.startsWith(`opencode-${system}-`))
  const name = process.platform === "win32" ? "opencode.exe" : "opencode"
  const places = [
    ...packages.sort((a, b) => a.length - b.length).map((each) => path.join(modules, each, "bin", name)),
    path.join(modules, "opencode-ai/bin/opencode.exe"),
  ]
  const found = places.find((place) => existsSync(place) && statSync(place).size > SMALLEST_BINARY)
  if (!found) throw new Error("opencode is not installed: run npm install")
  return found
}

/** Until its install script ran, the package's own is a script that says so. */
const SMALLEST_BINARY = 1_000_000

export interface OpencodeRun extends AsyncDisposable {
  exitCode: number
  stdout: string
  stderr: string
  model: ScriptedModel
  project: string
  /** Every file in the project but git's own and what the test put there. */
  files(): Promise<string[]>
}

export interface OpencodeOptions {
  turns: Turn[]
  /** What the databases' mirror is. */
  mirrors: Record<string, string>
  config?: Record<string, unknown>
  pluginOptions?: Record<string, unknown>
  args?: string[]
  env?: Record<string, string>
  /** Outside git, opencode's worktree is the file system's root. */
  git?: boolean
  /** A folder below the project to start in. */
  start?: string
  /** What `plugin` names: the package's own folder by default. */
  plugin?: string
  /** Puts files beside the configuration before the host starts. */
  prepare?: (home: string) => Promise<void>
}

/** A home, a project and a scripted model, apart from this machine's own configuration. */
export async function isolated(options: OpencodeOptions) {
  const { turns, mirrors, config = {}, pluginOptions = {}, env = {}, git = true, start = "." } = options
  const home = await mkdtemp(path.join(tmpdir(), "opencode-"))
  const project = path.join(home, "project")
  const cwd = path.join(project, start)
  for (const dir of ["config/opencode/node_modules", "data", "cache", "state", "tmp"])
    await mkdir(path.join(home, dir), { recursive: true })
  await mkdir(cwd, { recursive: true })
  if (git) Bun.spawnSync(["git", "init", "-q", "."], { cwd: project })
  // With these two the host does not ask the registry for its plugin package at start.
  const lock = { name: "x", lockfileVersion: 3, packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } } }
  await writeFile(path.join(home, "config/opencode/package-lock.json"), JSON.stringify(lock))
  await options.prepare?.(home)
  const model = await scriptedModel(turns)
  const configFile = path.join(home, "opencode.json")
  await writeFile(
    configFile,
    JSON.stringify({
      model: "scripted/scripted",
      small_model: "scripted/scripted",
      autoupdate: false,
      share: "disabled",
      enabled_providers: ["scripted"],
      provider: {
        scripted: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: model.url, apiKey: "none" },
          models: { scripted: { tool_call: true, limit: { context: 200_000, output: 8_000 } } },
        },
      },
      plugin: [
        [options.plugin ?? root, { mirrors, cache: { dir: path.join(home, "cache/science") }, ...pluginOptions }],
      ],
      ...config,
    }),
  )
  return {
    cwd,
    project,
    model,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      XDG_CONFIG_HOME: path.join(home, "config"),
      XDG_DATA_HOME: path.join(home, "data"),
      XDG_CACHE_HOME: path.join(home, "cache"),
      XDG_STATE_HOME: path.join(home, "state"),
      TMPDIR: path.join(home, "tmp"),
      OPENCODE_CONFIG: configFile,
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_SHARE: "1",
      OPENCODE_DISABLE_EXTERNAL_SKILLS: "1",
      OPENCODE_DISABLE_CLAUDE_CODE: "1",
      npm_config_fetch_retries: "0",
      ...env,
    },
    files: async () => {
      const found = await readdir(project, { recursive: true, withFileTypes: true })
      return found
        .map(
          (entry) => path.relative(project, path.join(entry.parentPath, entry.name)) + (entry.isDirectory() ? "/" : ""),
        )
        .filter((name) => !/^\.git(\/|$)/.test(name) && name !== `${start}/`)
        .sort()
    },
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** Runs the real opencode once. */
export async function runOpencode(options: OpencodeOptions): Promise<OpencodeRun> {
  const home = await isolated(options)
  const child = Bun.spawn([opencodeBinary(), "run", "--title", "x", ...(options.args ?? []), "do it"], {
    cwd: home.cwd,
    env: home.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  })
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { ...home, exitCode, stdout, stderr }
}
