import { randomUUID } from "node:crypto"
import { mkdir, readFile, readlink, realpath, rename, rm, rmdir, stat, writeFile } from "node:fs/promises"
import path from "node:path"
import { ConfigError } from "../../config.ts"

/** A file's text, or undefined where there is none. */
export async function textOf(file: string): Promise<string | undefined> {
  return await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined
    throw new ConfigError(`${file} cannot be read (${error.code}), so nothing was written.`)
  })
}

export interface Change {
  file: string
  /** What it held when the change was worked out. */
  before: string | undefined
  /** Undefined takes the file away. */
  after: string | undefined
  /** Of a file that was not there. */
  mode: number
}

/** Puts the change in place whole or not at all. A link stays a link: what it leads to is changed. */
export async function write({ file, before, after, mode }: Change): Promise<void> {
  const target = await targetOf(file)
  const temporary = path.join(path.dirname(target), `.${path.basename(target)}.${randomUUID()}.tmp`)
  try {
    if (after === undefined) {
      await unchanged(file, before)
      await rm(target)
      return
    }
    await mkdir(path.dirname(target), { recursive: true })
    const permissions = before === undefined ? mode : (await stat(target)).mode & 0o777
    await writeFile(temporary, after, { mode: permissions, flag: "wx" })
    await unchanged(file, before)
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    if (error instanceof ConfigError || !(error instanceof Error && "code" in error)) throw error
    throw new ConfigError(`${file} cannot be written (${error.code}), so nothing was changed.`)
  }
}

async function targetOf(file: string): Promise<string> {
  const found = await realpath(file).catch(() => undefined)
  if (found !== undefined) return found
  const link = await readlink(file).catch(() => undefined)
  if (link === undefined) return file
  throw new ConfigError(`${file} is a link to ${link}, which is not there, so nothing was written; mend it first.`)
}

/** Takes away a folder that a removed file left empty. */
export async function removeEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error
  })
}

/** Running hosts write their files too: what they wrote meanwhile must not be lost. */
async function unchanged(file: string, before: string | undefined): Promise<void> {
  if ((await textOf(file)) !== before)
    throw new ConfigError(`${file} was changed by another program meanwhile, so nothing was written; try again.`)
}
