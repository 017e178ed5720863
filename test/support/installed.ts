import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"

const root = path.resolve(import.meta.dirname, "../..")

export interface Installed extends AsyncDisposable {
  tarball: string
  /** An empty project with the package in its node_modules. */
  project: string
  /** Where the package is. */
  home: string
}

/** What `npm pack` makes of the build, installed as a user would: its dependencies come from the registry. */
export async function installed(): Promise<Installed> {
  const dir = await mkdtemp(path.join(tmpdir(), "package-"))
  const project = path.join(dir, "project")
  await mkdir(project)
  await npm(root, "pack", "--ignore-scripts", "--pack-destination", dir)
  const tarball = (await readdir(dir)).find((name) => name.endsWith(".tgz")) ?? "no tarball"
  await writeFile(path.join(project, "package.json"), '{ "private": true, "type": "module" }\n')
  await npm(project, "install", "--ignore-scripts", "--no-audit", "--no-fund", path.join(dir, tarball))
  return {
    tarball: path.join(dir, tarball),
    project,
    home: path.join(project, "node_modules/opencode-science"),
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  }
}

async function npm(cwd: string, ...args: string[]): Promise<void> {
  const child = Bun.spawn(["npm", ...args, "--loglevel=error"], { cwd, stdout: "ignore", stderr: "pipe" })
  const stderr = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`npm ${args[0]}: ${stderr}`)
}
