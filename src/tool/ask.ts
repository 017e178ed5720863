import path from "node:path"
import { PermissionDenied } from "../permission/index.ts"
import { clip, oneLine } from "../science/clean.ts"
import { Failure } from "../science/failure.ts"
import type { AskToWrite } from "../science/files.ts"
import type { ToolContext } from "./context.ts"

/** Asks whether this tool may be used for these patterns (`db:id`), so that a lab can forbid a database by rule. */
export async function askForTool(context: ToolContext, tool: string, db: string, about: string[]): Promise<void> {
  const patterns = about.map((each) => `${db}:${each}`)
  await orDenied(context.ask({ permission: tool, patterns, always: [`${db}:*`], metadata: { db } }))
}

/** Asks to write below the project directory: permission `edit`, the pattern relative to the worktree, with `/` on every system. */
export const askToWrite =
  ({ ask, directory, worktree }: ToolContext): AskToWrite =>
  async ({ paths, ...metadata }) => {
    const relative = (below: string) => path.relative(worktree, path.join(directory, below)).replaceAll(path.sep, "/")
    const patterns = paths.map(relative)
    const always = [...new Set(paths.map((each) => `${relative(path.posix.dirname(path.posix.dirname(each)))}/*`))]
    await orDenied(ask({ permission: "edit", patterns, always, metadata: { filepath: patterns[0], ...metadata } }))
  }

/** A rule's denial is a Failure with the host's own words; a person's refusal goes up untouched. */
async function orDenied(asked: Promise<void>): Promise<void> {
  try {
    await asked
  } catch (error) {
    if (!(error instanceof PermissionDenied)) throw error
    throw new Failure("denied", clip(oneLine(error.message), 600))
  }
}
