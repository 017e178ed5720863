import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFile, readdir, rm, stat, writeFile } from "node:fs/promises"
import path from "node:path"
import { PASSED_ON } from "../../src/cli/install/hosts.ts"
import { scienceOf } from "../../src/create.ts"
import { version } from "../../src/version.ts"
import { installed, type Installed } from "../support/installed.ts"
import { loopback, type Loopback } from "../support/loopback.ts"
import { PEERS } from "../support/mcp-peers.ts"
import { node22 } from "../support/node22.ts"
import { runOpencode } from "../support/opencode.ts"
import { scriptedModel } from "../support/scripted-model.ts"

const root = path.resolve(import.meta.dirname, "../..")
const select = { name: "science_fetch", args: { db: "uniprot", id: "P04637", select: "genes[0].geneName.value" } }

let user: Installed
let databases: Loopback

beforeAll(async () => {
  user = await installed()
  databases = await loopback(
    () =>
      '{"entryType":"UniProtKB reviewed (Swiss-Prot)","primaryAccession":"P04637","uniProtkbId":"P53_HUMAN","genes":[{"geneName":{"value":"TP53"}}]}',
  )
}, 300_000)

afterAll(async () => {
  await user[Symbol.asyncDispose]()
  await databases[Symbol.asyncDispose]()
})

async function run(command: string[], more: Record<string, string> = {}) {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: path.dirname(user.project),
    OPENCODE_SCIENCE_MIRRORS: JSON.stringify(databases.mirrors),
    ...more,
  }
  const child = Bun.spawn(command, { cwd: user.project, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" })
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { stdout, stderr, exitCode }
}

/** The program of the README, in the user's project. */
async function program(): Promise<string> {
  const readme = await readFile(path.join(user.home, "README.md"), "utf8")
  const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code)
  await writeFile(path.join(user.project, "program.js"), blocks.find((code) => code.includes("toAISDK")) ?? "")
  return "program.js"
}

describe("the package", () => {
  test("holds what is needed, and no more", async () => {
    expect((await readdir(user.home)).sort()).toEqual(["LICENSE", "README.md", "bin", "dist", "hosts", "package.json"])
    const files = await readdir(path.join(user.home, "dist"))
    expect(files).toEqual(expect.arrayContaining(["cli.js", "index.js", "server.js", "server.d.ts", "types"]))
    const skill = await readFile(
      path.join(user.home, "hosts/opencode-science/skills/scientific-databases/SKILL.md"),
      "utf8",
    )
    expect(skill).toContain("cost ladder")
    expect((await stat(user.tarball)).size).toBeLessThan(1_500_000)
    const built = await readFile(path.join(user.home, "dist/server.js"), "utf8")
    expect(built.includes("science_list_dbs: free, which database")).toBeTrue()
    expect(built.includes(root)).toBeFalse()
  })

  test("has just the dependencies that built code imports", async () => {
    const dist = path.join(user.home, "dist")
    const files = (await readdir(dist, { recursive: true })).filter(
      (name) => name.endsWith(".js") && name !== "server.js",
    )
    const scanner = new Bun.Transpiler({ loader: "js" })
    const imported = new Set<string>()
    for (const file of files)
      for (const { path: name } of scanner.scanImports(await readFile(path.join(dist, file), "utf8")))
        if (!/^\.|^node:/.test(name)) imported.add(/^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
    const { dependencies } = JSON.parse(await readFile(path.join(user.home, "package.json"), "utf8"))
    expect([...imported].sort()).toEqual(Object.keys(dependencies).sort())
  })

  test("publint and are-the-types-wrong find nothing", async () => {
    const bin = (name: string) => path.join(root, "node_modules/.bin", name)
    const linted = await run([bin("publint"), user.tarball, "--strict"])
    expect(linted).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("All good!") })
    const types = await run([bin("attw"), user.tarball, "--profile", "esm-only"])
    expect(types).toMatchObject({ exitCode: 0 })
  }, 60_000)

  test("the packages for hosts have its version, and start it", async () => {
    const read = async (file: string): Promise<unknown> =>
      JSON.parse(await readFile(path.join(user.home, "hosts", file), "utf8"))
    const start = { command: "npx", args: ["-y", `opencode-science@${version}`, "mcp"] }
    const mcpServers = { science: start }
    expect(await read("opencode-science/.claude-plugin/plugin.json")).toMatchObject({ version, mcpServers })
    expect(await read("opencode-science/.codex-plugin/plugin.json")).toMatchObject({ version })
    expect(await read("gemini/gemini-extension.json")).toMatchObject({ version, mcpServers })
    expect(await read("opencode-science/codex.mcp.json")).toEqual({
      mcpServers: { science: { ...start, env_vars: PASSED_ON } },
    })
  })

  test("what they teach names only tools, databases, ids and formats that exist", async () => {
    const { registry } = scienceOf(user.project, {})
    const formats = registry.databases().flatMap(({ files }) => Object.keys(files))
    for (const file of ["opencode-science/skills/scientific-databases/SKILL.md", "gemini/GEMINI.md"]) {
      const text = await readFile(path.join(user.home, "hosts", file), "utf8")
      expect([...new Set(text.match(/science_\w+/g))].sort()).toEqual([
        "science_fetch",
        "science_list_dbs",
        "science_search",
      ])
      expect(text).toContain("P04637")
      const [, listed = ""] = /`format` \(([^)…]+)/.exec(text) ?? []
      for (const format of listed.trim().split(", ")) expect(formats).toContain(format)
    }
  })

  test("its types are real ones for a strict program", async () => {
    await writeFile(
      path.join(user.project, "typed.ts"),
      `import { createScience, toAISDK, type Hits } from "opencode-science"
import plugin from "opencode-science/server"
const science = createScience({ directory: ".", mode: "plan" })
const found = await science.search("uniprot", "p53", { limit: 2 })
export const hits: Hits | undefined = found.kind === "hits" ? found : undefined
export const names: string[] = Object.keys(toAISDK(science.tools, science))
export const id: string = plugin.id
// @ts-expect-error there is no such mode
createScience({ mode: "none" })
// @ts-expect-error hits are no string
export const text: string = found
`,
    )
    const options = [
      "--noEmit",
      "--strict",
      "--skipLibCheck",
      "--module",
      "nodenext",
      "--target",
      "es2023",
      "--lib",
      "es2023,dom",
    ]
    const { stdout, exitCode } = await run([path.join(root, "node_modules/.bin/tsc"), ...options, "typed.ts"])
    expect(stdout).toBe("")
    expect(exitCode).toBe(0)
  }, 60_000)

  test("opencode loads it as a plugin, and its tools answer", async () => {
    await using r = await runOpencode({
      plugin: user.home,
      mirrors: databases.mirrors,
      turns: [{ call: [select] }, { say: "done" }],
    })
    expect(r.model.toolResults()).toEqual(["TP53"])
  }, 120_000)

  test("opencode loads it from what install wrote", async () => {
    await using r = await runOpencode({
      mirrors: {},
      turns: [{ call: [select] }, { say: "done" }],
      config: { plugin: [] },
      env: { OPENCODE_SCIENCE_MIRRORS: JSON.stringify(databases.mirrors) },
      async prepare(home) {
        const bin = path.join(user.home, "bin/opencode-science.mjs")
        await run([process.execPath, bin, "install", "opencode"], { XDG_CONFIG_HOME: path.join(home, "config") })
      },
    })
    expect(r.model.toolResults()).toEqual(["TP53"])
  }, 120_000)
})

describe.each([
  ["Bun", () => process.execPath],
  ["Node 22", () => node22() ?? "no Node 22"],
])("installed, under %s", (_name, runtime) => {
  const bin = () => path.join(user.home, "bin/opencode-science.mjs")

  test("the command answers", async () => {
    const listed = await run([runtime(), bin(), "list", "--domain", "proteins"])
    expect(listed).toMatchObject({ exitCode: 0, stderr: "", stdout: expect.stringContaining("uniprot · ") })
    const { db, id, select: part } = select.args
    expect(await run([runtime(), bin(), "fetch", db, id, "--select", part])).toEqual({
      exitCode: 0,
      stderr: "",
      stdout: "TP53\n",
    })
  }, 30_000)

  test.each(PEERS)(
    "the MCP server answers the %s client",
    async (_client, connect) => {
      const env = { PATH: process.env["PATH"] ?? "", HOME: path.dirname(user.project) }
      await using peer = await connect({
        command: runtime(),
        args: [bin(), "mcp"],
        env: { ...env, OPENCODE_SCIENCE_MIRRORS: JSON.stringify(databases.mirrors) },
        cwd: user.project,
      })
      expect(await peer.tools()).toHaveLength(3)
      const { content } = await peer.call(select.name, select.args)
      expect(content[0]?.text).toBe("TP53")
    },
    30_000,
  )

  test("the program of the README runs", async () => {
    await using model = await scriptedModel([{ call: [select] }, { say: "P04637 is TP53." }])
    const ran = await run([runtime(), await program()], { MODEL_URL: model.url })
    expect(ran).toEqual({ exitCode: 0, stderr: "", stdout: "P04637 is TP53." })
    expect(model.toolResults()).toEqual(["TP53"])
  }, 30_000)

  test("ask answers", async () => {
    await using model = await scriptedModel([{ call: [select] }, { say: "TP53." }])
    const env = { OPENCODE_SCIENCE_MODEL_URL: model.url }
    const { stdout, stderr, exitCode } = await run([runtime(), bin(), "ask", "which?", "--model", "scripted"], env)
    expect({ stdout, exitCode }).toEqual({ stdout: "TP53.\n", exitCode: 0 })
    expect(stderr).toStartWith("· science_fetch ")
  }, 30_000)

  test("install names it by its place for the person, by its name in a project that is shared", async () => {
    const own = await run([runtime(), bin(), "install", "claude", "--dry-run"])
    expect(own.stdout).toContain(`"${path.join(user.home, "bin/opencode-science.mjs")}"`)
    const shared = await run([runtime(), bin(), "install", "claude", "--scope", "project"])
    expect(shared.exitCode).toBe(0)
    const file = path.join(user.project, ".mcp.json")
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
      mcpServers: { "opencode-science": { type: "stdio", command: "npx", args: ["-y", "opencode-science", "mcp"] } },
    })
    await rm(file)
  }, 30_000)
})
