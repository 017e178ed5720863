import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { Command } from "commander"
import { permissionOf, scienceOf, toolsOf } from "../create.ts"
import type { Config } from "../config.ts"
import { LIMITS, type ToolContext } from "../tool/context.ts"
import { serveAnswers } from "./demo/server.ts"
import { EXIT, type Status } from "./exit.ts"
import { interruptible } from "./run.ts"

interface Step {
  about: string
  shown: string
  tool: string
  args: Record<string, string | number>
  mode?: "plan"
  /** What the answer's metadata must hold for the demonstration to have shown what it says. */
  proves: (metadata: Record<string, unknown>) => boolean
}

const spilled = (metadata: Record<string, unknown>) => metadata["disposition"] === "spill"

const STEPS: Step[] = [
  {
    about: "Which databases are there? Free, no network.",
    shown: "opencode-science list --find protein",
    tool: "science_list_dbs",
    args: { find: "protein" },
    proves: ({ count }) => Number(count) > 0,
  },
  {
    about: "From a name to ids: a line a hit.",
    shown: "opencode-science search uniprot p53 --limit 2",
    tool: "science_search",
    args: { db: "uniprot", query: "p53", limit: 2 },
    proves: ({ count }) => count === 2,
  },
  {
    about: "Just the part of a record that is wanted.",
    shown: "opencode-science fetch uniprot P04637 --select 'genes[0].geneName.value'",
    tool: "science_fetch",
    args: { db: "uniprot", id: "P04637", select: "genes[0].geneName.value" },
    proves: ({ count, error }) => count === 1 && error === undefined,
  },
  {
    about: "A small record comes whole.",
    shown: "opencode-science fetch alphafold P69905",
    tool: "science_fetch",
    args: { db: "alphafold", id: "P69905" },
    proves: ({ disposition }) => disposition === "inline",
  },
  {
    about: "A large one goes to disk; the agent gets its path and outline.",
    shown: "opencode-science fetch uniprot P04637",
    tool: "science_fetch",
    args: { db: "uniprot", id: "P04637" },
    proves: spilled,
  },
  {
    about: "A file always goes to disk.",
    shown: "opencode-science fetch uniprot P04637 --format fasta",
    tool: "science_fetch",
    args: { db: "uniprot", id: "P04637", format: "fasta" },
    proves: spilled,
  },
  {
    about: "A miss: the database answered that it has no such record.",
    shown: "opencode-science fetch uniprot Q00000",
    tool: "science_fetch",
    args: { db: "uniprot", id: "Q00000" },
    proves: ({ count, error }) => count === 0 && error === undefined,
  },
  {
    about: "An outage is no miss (here the service is down on purpose).",
    shown: "opencode-science fetch rcsb-pdb 1A8O",
    tool: "science_fetch",
    args: { db: "rcsb-pdb", id: "1A8O" },
    proves: ({ error }) => error === "unavailable",
  },
  {
    about: "The same file in plan mode, in an empty project: nothing is written.",
    shown: "OPENCODE_SCIENCE_MODE=plan opencode-science fetch uniprot P04637 --format fasta",
    tool: "science_fetch",
    args: { db: "uniprot", id: "P04637", format: "fasta" },
    mode: "plan",
    proves: ({ error }) => error === "denied",
  },
]

/** So that a small embedded record shows what happens to a large one. */
const DEMO_LIMITS = { ...LIMITS, bytes: 4000 }

export const demoCommand = (status: Status): Command =>
  new Command("demo")
    .description("the main job in a minute, on embedded answers; needs no network and no key")
    .option("--live", "the same against the real services")
    .action(async ({ live = false }: { live?: boolean }) => {
      const shown = await interruptible((signal) => demonstrate(live, signal))
      status.code = shown ? EXIT.fine : EXIT.failure
    })

/** Resolves to whether every step showed what it says. */
async function demonstrate(live: boolean, signal: AbortSignal): Promise<boolean> {
  const project = await mkdtemp(path.join(tmpdir(), "opencode-science-demo-"))
  const server = live ? undefined : await serveAnswers()
  const say = (text: string) => process.stdout.write(`${text}\n`)
  say(
    live
      ? "The main job against the real services. Records over 50 KB go to disk."
      : "The main job on embedded answers (true extracts, served on a loopback socket). Here records over 4 KB go to disk; really it is 50 KB.",
  )
  let good = true
  try {
    for (const mode of ["build", "plan"]) await mkdir(path.join(project, mode))
    for (const [i, step] of STEPS.entries()) {
      // A real service cannot be taken down for a demonstration.
      if (live && step.args["db"] === "rcsb-pdb") continue
      const directory = path.join(project, step.mode === "plan" ? "plan" : "build")
      const config: Config = {
        mode: step.mode ?? "build",
        cache: { dir: path.join(project, "cache") },
        ...(server ? { mirrors: server.mirrors } : {}),
      }
      const context: ToolContext = {
        directory,
        worktree: directory,
        signal,
        ask: permissionOf(config),
        limits: live ? LIMITS : DEMO_LIMITS,
      }
      const tool = toolsOf(scienceOf(directory, config, live ? process.env : {})).find(({ id }) => id === step.tool)
      say(`\n${i + 1}. ${step.about}\n$ ${step.shown}`)
      const result = await tool?.run(step.args, context)
      say(indent(result?.output ?? ""))
      if (!result || !step.proves(result.metadata)) {
        say("   ! This is not what the step should have shown.")
        good = false
      }
    }
    say(`\nOn disk in the project: ${(await filesBelow(path.join(project, "build"))).join(", ")}`)
    say(
      `On disk in the project that was in plan mode: ${(await filesBelow(path.join(project, "plan"))).join(", ") || "nothing"}`,
    )
    return good
  } finally {
    await server?.close()
    await rm(project, { recursive: true, force: true })
  }
}

const indent = (text: string) => text.replace(/^(?=.)/gm, "   ")

async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
}
