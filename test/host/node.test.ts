import { beforeAll, describe, expect, test } from "bun:test"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { listen } from "../mcp/servers/http.ts"
import { nemarServer } from "../mcp/servers/nemar.ts"
import { rawServer, tool } from "../mcp/servers/raw.ts"
import { loopback } from "../support/loopback.ts"
import { node22 } from "../support/node22.ts"
import { CA_FILE, forwardProxy } from "../support/proxy.ts"

const root = path.resolve(import.meta.dirname, "../..")
const cli = path.join(root, "dist/cli.js")

let node = ""
beforeAll(() => {
  const found = node22()
  if (!found) throw new Error("npm has no Node 22 for this platform")
  node = found
})

async function run(args: string[], env: Record<string, string> = {}, cwd = root) {
  const child = Bun.spawn([node, ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  })
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { stdout, stderr, exitCode }
}

async function temporary() {
  const dir = await mkdtemp(path.join(tmpdir(), "node-"))
  return { dir, [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }) }
}

describe("built, under Node 22", () => {
  test("the demonstration shows what it says", async () => {
    const { stdout, exitCode } = await run([cli, "demo"])
    expect(stdout).not.toContain("not what the step should have shown")
    expect(exitCode).toBe(0)
  })

  test("the launcher of an installed package runs the built command", async () => {
    await using folder = await temporary()
    await Bun.$`mkdir -p ${folder.dir}/bin && cp ${root}/bin/opencode-science.mjs ${folder.dir}/bin/ && cp -r ${root}/dist ${folder.dir}/dist && ln -s ${root}/node_modules ${folder.dir}/node_modules && cp ${root}/package.json ${folder.dir}/`.quiet()
    const { stdout, exitCode } = await run([
      path.join(folder.dir, "bin/opencode-science.mjs"),
      "list",
      "--domain",
      "proteins",
    ])
    expect(stdout).toContain("uniprot · ")
    expect(exitCode).toBe(0)
  })

  test("a file is saved whole, and a body that is cut off leaves nothing and is a failure", async () => {
    await using folder = await temporary()
    await using server = await loopback(({ path }) =>
      path.includes("P04637")
        ? { body: ">sp|P04637|P53_HUMAN\nMEEPQ\n" }
        : (_, response) => {
            response.writeHead(200, { "content-length": "9000" })
            response.write(">sp|P38398|BRCA1_HUMAN\nMDLSA\n")
            setTimeout(() => response.destroy(), 20)
          },
    )
    const env = { HOME: folder.dir, OPENCODE_SCIENCE_MIRRORS: JSON.stringify(server.mirrors) }
    const whole = await run(
      [cli, "--directory", folder.dir, "fetch", "uniprot", "P04637", "--format", "fasta", "--json"],
      env,
    )
    const { metadata } = JSON.parse(whole.stdout)
    expect(await readFile(path.join(folder.dir, metadata.path), "utf8")).toBe(">sp|P04637|P53_HUMAN\nMEEPQ\n")
    const cut = await run([cli, "--directory", folder.dir, "fetch", "uniprot", "P38398", "--format", "fasta"], env)
    expect(cut.exitCode).toBe(1)
    expect(cut.stdout).toContain("unavailable")
    expect(await Bun.file(path.join(folder.dir, ".openscience/fetch/uniprot/P38398.fasta")).exists()).toBe(false)
  })

  test("requests go through a proxy by CONNECT, and not for a mirror on this machine", async () => {
    await using folder = await temporary()
    const built = await Bun.build({
      entrypoints: [path.join(root, "test/support/proxy-child.ts")],
      target: "node",
      packages: "external",
      outdir: path.join(root, "node_modules/.cache/proxy-child"),
    })
    const child = built.outputs[0]?.path ?? ""
    await using proxy = await forwardProxy()
    const through = await run([child], { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: CA_FILE }, folder.dir)
    expect(JSON.parse(through.stdout)).toMatchObject({ kind: "record", record: { id: "T1" } })
    expect(proxy.seen).toEqual(["CONNECT things.example.org:443"])
    await using mirror = await loopback(() => '{"id":"T1"}')
    const direct = await run(
      [child],
      { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, TEST_MIRROR: `${mirror.url}/{host}` },
      folder.dir,
    )
    expect(JSON.parse(direct.stdout)).toMatchObject({ kind: "record" })
    expect(proxy.seen).toHaveLength(1)
  })

  test("MCP servers' tools are listed and called, over HTTP and as a process, which ends with the command", async () => {
    await using folder = await temporary()
    await using nemar = await nemarServer()
    const pids = path.join(folder.dir, "pids")
    // The server is written in TypeScript: Bun runs it, whatever runs the command.
    const args = [path.join(root, "test/mcp/servers/reactome-stdio.ts")]
    const servers = {
      nemar: { url: nemar.url },
      reactome: { command: process.execPath, args, env: { PIDS: pids, GRANDCHILD: "1" } },
    }
    const env = { HOME: folder.dir, OPENCODE_SCIENCE_MCP: JSON.stringify(servers) }
    const listed = await run([cli, "--directory", folder.dir, "tools", "--json"], env)
    expect(listed.stderr).toBe("")
    const names = JSON.parse(listed.stdout).map(({ name }: { name: string }) => name)
    expect(names).toContain("nemar_read_window")
    expect(names).toContain("reactome_get_pathway")
    const found = await run([cli, "--directory", folder.dir, "call", "nemar_search_datasets", '{"query":"rest"}'], env)
    expect(JSON.parse(found.stdout).results[0].dataset_id).toBe("nm000001")
    const pathway = await run([cli, "--directory", folder.dir, "call", "reactome_get_pathway", '{"id":"R-HSA-1"}'], env)
    expect(pathway).toEqual({ exitCode: 0, stdout: "# R-HSA-1\n", stderr: "" })
    const started = (await readFile(pids, "utf8")).split("\n").filter(Boolean)
    expect(started).toHaveLength(4)
    for (const pid of started)
      expect(Bun.spawnSync(["ps", "-o", "stat=", "-p", pid]).stdout.toString()).not.toMatch(/^[RSD]/)
  })

  test("an answer that breaks off, a credential and a server that is not there are a line each", async () => {
    await using folder = await temporary()
    await using broken = await rawServer(({ method }, response) =>
      method === "tools/list"
        ? { tools: [tool("x")] }
        : response.writeHead(200, { "content-type": "text/event-stream" }).end(": nothing\n\n"),
    )
    await using closed = await listen((request, response) => response.writeHead(401).end(request.headers.authorization))
    const gone = await listen(() => undefined)
    await gone[Symbol.asyncDispose]()
    const servers = {
      broken: { url: broken.url },
      closed: { url: closed.url, headers: { authorization: "Bearer s3cret-of-the-lab" } },
      gone: { url: gone.url },
      blocked: { url: "http://127.0.0.1:9/mcp" },
    }
    const env = { HOME: folder.dir, OPENCODE_SCIENCE_MCP: JSON.stringify(servers) }
    const called = await run([cli, "call", "broken_x", "{}"], env, folder.dir)
    expect(called).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('unavailable: MCP server "broken"') })
    const listed = await run([cli, "tools"], env, folder.dir)
    expect(listed.exitCode).toBe(0)
    expect(listed.stderr.trim().split("\n").toSorted()).toEqual([
      'MCP server "blocked": http://127.0.0.1:9/mcp cannot be reached (bad port)',
      expect.stringMatching(/^MCP server "closed": Authentication failed \(401 Unauthorized\)/),
      expect.stringMatching(/^MCP server "gone": nothing listens there/),
    ])
    expect(listed.stderr).not.toContain("s3cret")
  })

  test("the package can be imported by a program", async () => {
    await using server = await loopback(
      () => '{"entryType":"UniProtKB reviewed (Swiss-Prot)","primaryAccession":"P04637","uniProtkbId":"P53_HUMAN"}',
    )
    await using folder = await temporary()
    const program = `
      import { createScience } from ${JSON.stringify(path.join(root, "dist/index.js"))}
      const science = createScience({ directory: ${JSON.stringify(folder.dir)}, mirrors: ${JSON.stringify(server.mirrors)}, cache: { dir: ${JSON.stringify(path.join(folder.dir, "cache"))} } })
      const outcome = await science.fetch("uniprot", "P04637")
      console.log(JSON.stringify([science.databases().length, outcome.kind, science.tools.map(({ id }) => id)]))
      await science.close()`
    const { stdout, stderr } = await run(["--input-type=module", "-e", program])
    expect(stderr).toBe("")
    const [databases, kind, tools] = JSON.parse(stdout)
    expect(databases).toBeGreaterThanOrEqual(9)
    expect(kind).toBe("record")
    expect(tools).toEqual(["science_list_dbs", "science_search", "science_fetch"])
  })
})
