import { mkdir, readdir, rm, rmdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { isInside } from "./contain.ts"

const IGNORE_FILE = ".gitignore"

/**
 * Makes one database's folder with all that is above it, and returns how to take back what was made while it is still empty.
 *
 * The folder that holds the databases ignores itself in git: only where it is made here, because a folder of the user's own, named in the
 * configuration, may hold what they keep in git; and not `.openscience` as a whole, because its config.json is theirs too.
 */
export async function makeFolder(folder: string): Promise<() => Promise<void>> {
  const first = await mkdir(folder, { recursive: true })
  if (first === undefined) return async () => {}
  const base = dirname(folder)
  const madeBase = isInside(first, base)
  if (madeBase) await ignoreItself(base)
  return async () => {
    for (let made = folder; isInside(first, made); made = dirname(made))
      if (!(await removeIfEmpty(made, madeBase && made === base))) return
  }
}

async function ignoreItself(base: string): Promise<void> {
  await writeFile(join(base, IGNORE_FILE), "*\n")
}

/** Another call may put something there at any moment: then the folder stays, with the file that makes it ignore itself. */
async function removeIfEmpty(folder: string, ignoresItself: boolean): Promise<boolean> {
  try {
    const names = await readdir(folder)
    if (!ignoresItself || names.join() !== IGNORE_FILE) {
      await rmdir(folder)
      return true
    }
    await rm(join(folder, IGNORE_FILE))
    await rmdir(folder).catch(() => ignoreItself(folder))
    return true
  } catch {
    return false
  }
}
