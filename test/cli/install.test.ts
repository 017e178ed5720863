import { describe, expect, test } from "bun:test"
import { chmod, lstat, mkdir, readFile, readdir, rm, stat, symlink, writeFile } from "node:fs/promises"
import path from "node:path"
import { parse as parseJsonc } from "jsonc-parser"
import { parse as parseToml } from "smol-toml"
import { editsOf } from "../../src/cli/install/edit.ts"
import { REGISTRATIONS } from "../../src/cli/install/hosts.ts"
import { commandLine } from "../support/command-line.ts"

const root = path.resolve(import.meta.dirname, "../..")
const bin = path.join(root, "bin/opencode-science.mjs")
const HOSTS = ["opencode", "claude", "codex", "gemini"] as const

/** Where each host keeps what, in the test's home (`~`) and project. */
const FILES = {
  opencode: { user: "~/config/opencode/opencode.json", project: "opencode.json" },
  claude: { user: "~/.claude.json", project: ".mcp.json" },
  codex: { user: "~/.codex/config.toml", project: ".codex/config.toml" },
  gemini: { user: "~/.gemini/settings.json", project: ".gemini/settings.json" },
}

async function home() {
  const c = await commandLine(() => undefined)
  const at = (file: string) =>
    file.startsWith("~/") ? path.join(path.dirname(c.project), file.slice(2)) : path.join(c.project, file)
  return {
    ...c,
    at,
    async put(file: string, text: string) {
      await mkdir(path.dirname(at(file)), { recursive: true })
      await writeFile(at(file), text)
    },
    text: async (file: string) => await readFile(at(file), "utf8").catch(() => undefined),
    install: async (...args: string[]) => await c.run(["install", ...args]),
    /** All that is in home and project, but for the runtime's own. */
    everything: async () =>
      (await readdir(at("~/"), { recursive: true })).filter((name) => !/^\.bun|^project$/.test(name)).sort(),
    [Symbol.asyncDispose]: c[Symbol.asyncDispose],
  }
}

/** Each run of the command is a process or two. */
const SLOW = 20_000

const server = { command: "node", args: [bin, "mcp"] }

function registered(host: (typeof HOSTS)[number], text: string | undefined): unknown {
  if (text === undefined) return undefined
  if (host === "codex") return parseToml(text)["mcp_servers"]
  const config: unknown = parseJsonc(text)
  return config
}

const WANTED = {
  opencode: { plugin: [root] },
  claude: { mcpServers: { "opencode-science": { type: "stdio", ...server } } },
  codex: { "opencode-science": { ...server, env_vars: expect.arrayContaining(["NCBI_API_KEY"]) } },
  gemini: { mcpServers: { "opencode-science": server } },
}

describe("install", () => {
  for (const host of HOSTS)
    test(
      `${host}: writes that host's own file, once; --remove leaves nothing of it`,
      async () => {
        await using h = await home()
        const file = FILES[host].user
        const first = await h.install(host)
        expect(first).toMatchObject({ exitCode: 0, stderr: "" })
        expect(first.stdout).toContain(`+++ ${h.at(file)}`)
        const text = await h.text(file)
        expect(registered(host, text)).toEqual(WANTED[host])
        const files = await h.everything()
        const again = await h.install(host)
        expect(again.exitCode).toBe(0)
        expect(again.stdout).toContain("has these tools already")
        expect(await h.text(file)).toBe(text)
        expect(await h.everything()).toEqual(files)
        expect(await h.install(host, "--remove")).toMatchObject({ exitCode: 0 })
        expect(await h.text(file)).toBeUndefined()
      },
      SLOW,
    )

  test(
    "--scope project writes below the project only, and --remove leaves it as it was",
    async () => {
      await using h = await home()
      for (const host of HOSTS) {
        await h.install(host, "--scope", "project")
        expect(registered(host, await h.text(FILES[host].project))).toEqual(WANTED[host])
      }
      expect((await h.everything()).filter((name) => !name.startsWith("project/"))).toEqual([])
      for (const host of HOSTS) await h.install(host, "--scope", "project", "--remove")
      expect(await h.everything()).toEqual([])
      expect((await h.install("claude", "--remove")).stdout).toContain("nothing of ours")
    },
    SLOW,
  )

  test(
    "--dry-run shows the change and writes nothing, to add and to remove",
    async () => {
      await using h = await home()
      for (const host of HOSTS) {
        const { exitCode, stdout } = await h.install(host, "--dry-run", "--scope", "project")
        expect(exitCode).toBe(0)
        expect(stdout).toContain("Nothing was written")
        expect(stdout).toMatch(/^\+.*opencode-science\.mjs|^\+ +"\//m)
      }
      expect(await h.everything()).toEqual([])
      await h.install("claude", "--scope", "project")
      const { stdout } = await h.install("claude", "--scope", "project", "--dry-run", "--remove")
      expect(stdout).toMatch(/^-.*"mcpServers"/m)
      expect(await h.text(".mcp.json")).toContain("opencode-science")
    },
    SLOW,
  )

  test(
    "the user's own is the default, and the hosts' variables say where that is",
    async () => {
      await using h = await home()
      const env = { CLAUDE_CONFIG_DIR: h.at("~/cc"), CODEX_HOME: h.at("~/cx"), XDG_CONFIG_HOME: h.at("~/xdg") }
      for (const host of HOSTS) await h.run(["install", host], env)
      expect((await h.everything()).filter((name) => /\.(json|toml)$/.test(name))).toEqual([
        ".gemini/settings.json",
        "cc/.claude.json",
        "cx/config.toml",
        "xdg/opencode/opencode.json",
      ])
    },
    SLOW,
  )

  test(
    "--directory says which project",
    async () => {
      await using h = await home()
      await mkdir(h.at("~/other"))
      await h.run(["install", "claude", "--scope", "project", "--directory", h.at("~/other")])
      expect(await h.text("~/other/.mcp.json")).toContain("opencode-science")
      const missing = await h.run(["install", "claude", "--scope", "project", "--directory", h.at("~/nowhere")])
      expect(missing).toMatchObject({ exitCode: 2 })
      expect(missing.stderr).toContain("is not a directory")
    },
    SLOW,
  )

  test("an unknown host is refused with the list of those there are", async () => {
    await using h = await home()
    const { exitCode, stderr } = await h.install("emacs")
    expect(exitCode).toBe(2)
    expect(stderr).toContain("opencode, claude, codex, gemini")
  })

  test("--json is for programs", async () => {
    await using h = await home()
    const { stdout } = await h.install("codex", "--json")
    expect(JSON.parse(stdout).metadata).toMatchObject({ host: "codex", scope: "user", change: "add", written: true })
  })
})

describe("what was there before", () => {
  const JSONC = [
    '{\n  // the lab\'s\n  "model": "x", // this one\n  "plugin": [\n    "a", // first\n    ["b", { "c": 1 }],\n  ],\n}\n',
    '{\r\n\t"$schema": "https://opencode.ai/config.json",\r\n\t"mcp": {} // none\r\n\t// the end\r\n}',
    '{ "plugin": [] }',
    '{"plugin":["a"]}\n',
    "{}",
    "{ // nothing yet\n}\n",
    '{\n  "plugin": [\n    // none\n  ]\n}\n',
    '\uFEFF{\n  "model": "x"\n}\n',
  ]
  const STRICT = [
    '{\n  "numStartups": 12,\n  "projects": {\n    "/x": { "mcpServers": {} }\n  }\n}',
    '{"mcpServers":{}}',
    '{\n    "mcpServers": {\n        "other": {\n            "command": "x",\n            "env": { "A": "{,}" }\n        }\n    },\n    "z": 1\n}\n',
    "{\n}\n",
  ]
  const TOML = [
    '# mine\nmodel = "gpt-5" # fast\n\n[mcp_servers.other]\ncommand = "x"\nargs = [\n  "a", # one\n]\n\n[projects."/x"]\ntrust_level = "trusted"\n',
    'a = """\n[mcp_servers.opencode-science]\n"""',
    "b = [\r\n  [1],\r\n]\r\n",
    "",
    "\n\n# only a word\n",
  ]

  test.each([
    ...JSONC.map((text) => ["opencode", text] as const),
    ...STRICT.map((text) => ["claude", text] as const),
    ...STRICT.map((text) => ["gemini", text] as const),
    ...TOML.map((text) => ["codex", text] as const),
  ])("%s %j: only lines of ours come, and --remove gives back every byte", (host, before) => {
    const origin = { plugin: root, ...server }
    const edits = (text: string) => editsOf(REGISTRATIONS[host], origin, text, "file")
    expect(edits(before).present).toBeUndefined()
    const text = edits(before).add()
    expect(edits(text).present).toEqual(REGISTRATIONS[host].entry(origin))
    // What was there is there still, in its order: our characters come between.
    let at = 0
    for (const character of before) {
      at = text.indexOf(character, at) + 1
      expect(at).toBeGreaterThan(0)
    }
    for (const comment of before.match(/(\/\/|#).*/g) ?? []) expect(text).toContain(comment.trimEnd())
    if (before.includes("\r\n")) expect(text.replaceAll("\r\n", "")).not.toContain("\n")
    expect(edits(text).remove()).toBe(before)
  })

  test("a file with comments, on disk: the change is shown, and --remove gives back every byte", async () => {
    await using h = await home()
    const before = JSONC[0] ?? ""
    await h.put("opencode.json", before)
    const { stdout } = await h.install("opencode", "--scope", "project")
    expect(stdout).toStartWith(
      `--- ${h.at("opencode.json")}\n+++ ${h.at("opencode.json")}\n@@ -5,4 +5,5 @@\n     "a", // first\n     ["b", { "c": 1 }],\n+    "${root}",\n   ],\n }\n`,
    )
    await h.install("opencode", "--scope", "project", "--remove")
    expect(await h.text("opencode.json")).toBe(before)
  })

  test(
    "what a person wrote after ours stays when ours goes",
    async () => {
      await using h = await home()
      await h.install("codex")
      await h.put(
        "~/.codex/config.toml",
        `${await h.text("~/.codex/config.toml")}\n# mine\n[mcp_servers.z]\nurl = "https://z"\n`,
      )
      await h.install("codex", "--remove")
      expect(await h.text("~/.codex/config.toml")).toBe('\n# mine\n[mcp_servers.z]\nurl = "https://z"\n')
      await h.install("claude")
      const ours = (await h.text("~/.claude.json")) ?? ""
      await h.put("~/.claude.json", ours.replace(/\n\}\n$/, ',\n  "userID": "u"\n}\n'))
      await h.install("claude", "--remove")
      expect(await h.text("~/.claude.json")).toBe('{\n  "userID": "u"\n}\n')
    },
    SLOW,
  )

  test(
    "an entry of ours that a person changed is left alone, and goes whole with --remove",
    async () => {
      await using h = await home()
      await h.put("opencode.json", '{"plugin": [["opencode-science@0.1.0", {"contact": "a@b"}], "x"]}')
      expect((await h.install("opencode", "--scope", "project")).stdout).toContain("already")
      await h.install("opencode", "--scope", "project", "--remove")
      expect(JSON.parse((await h.text("opencode.json")) ?? "")).toEqual({ plugin: ["x"] })
      const toml =
        '[mcp_servers.opencode-science]\ncommand = "mine"\n[mcp_servers.opencode-science.env]\nA = "b"\n\n[x]\n'
      await h.put("~/.codex/config.toml", toml)
      expect((await h.install("codex")).stdout).toContain("already")
      expect(await h.text("~/.codex/config.toml")).toBe(toml)
      await h.install("codex", "--remove")
      expect(await h.text("~/.codex/config.toml")).toBe("\n[x]\n")
    },
    SLOW,
  )

  test("the file that is there is edited, whichever of the host's names it has", async () => {
    await using h = await home()
    await h.put("opencode.jsonc", "{\n  // c\n}\n")
    await h.install("opencode", "--scope", "project")
    expect(await h.files()).toEqual(["opencode.jsonc"])
    expect(parseJsonc((await h.text("opencode.jsonc")) ?? "")).toEqual({ plugin: [root] })
  })

  test(
    "a broken file is named with the place, and stays as it is",
    async () => {
      await using h = await home()
      for (const [host, text, place] of [
        ["opencode", '{\n  "plugin": [\n', "line 3"],
        ["opencode", '{ "plugin": "a" }', "plugin is no list"],
        ["opencode", "[]", "holds no object"],
        ["claude", "{\n  // no comments here\n}\n", "line 2, column 3"],
        ["claude", "", "value expected"],
        ["gemini", '{ "mcpServers": [] }', "mcpServers is no object"],
        ["codex", "model = \n", "Invalid TOML"],
        ["codex", 'mcp_servers = { a = { command = "x" } }\n', "edit it by hand"],
      ] as const) {
        await h.put(FILES[host].project, text)
        const { exitCode, stdout, stderr } = await h.install(host, "--scope", "project")
        expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
        expect(stderr).toContain(h.at(FILES[host].project))
        expect(stderr).toContain(place)
        expect(await h.text(FILES[host].project)).toBe(text)
      }
    },
    SLOW,
  )

  test("a link stays a link, and a file keeps its permissions", async () => {
    await using h = await home()
    await h.put("~/dotfiles/claude.json", "{}")
    await chmod(h.at("~/dotfiles/claude.json"), 0o640)
    await symlink(h.at("~/dotfiles/claude.json"), h.at("~/.claude.json"))
    await h.install("claude")
    expect((await lstat(h.at("~/.claude.json"))).isSymbolicLink()).toBe(true)
    expect(await h.text("~/dotfiles/claude.json")).toContain("opencode-science")
    expect((await stat(h.at("~/dotfiles/claude.json"))).mode & 0o777).toBe(0o640)
    expect(await readdir(h.at("~/dotfiles"))).toEqual(["claude.json"])
    await rm(h.at("~/dotfiles/claude.json"))
    const dangling = await h.install("claude")
    expect(dangling).toMatchObject({ exitCode: 2, stdout: "" })
    expect(dangling.stderr).toContain("which is not there, so nothing was written")
  })

  test("a file that cannot be written is left as it is, with no temporary file beside it", async () => {
    await using h = await home()
    // A folder in the file's place fails for root as well, whom permissions do not stop.
    await mkdir(h.at("~/.claude.json"), { recursive: true })
    const { exitCode, stderr } = await h.install("claude")
    expect(exitCode).toBe(2)
    expect(stderr).toContain("cannot be read (EISDIR), so nothing was written")
    expect(await h.everything()).toEqual([".claude.json"])
  })
})
