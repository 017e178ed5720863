import { lstat, realpath } from "node:fs/promises"
import { isAbsolute, join, relative, sep } from "node:path"
import { Failure } from "../failure.ts"
import { onDisk, systemCode } from "./disk.ts"

/**
 * The absolute path of a file below the project directory, links on the way resolved. A link that leads out of the project is refused, as
 * is one at the file's own place: what it points at is not ours to replace. A cloned repository may hold such links.
 */
export async function contain(directory: string, relativePath: string): Promise<string> {
  return onDisk(relativePath, async () => {
    const segments = relativePath.split("/")
    if (segments.some(leavesFolder))
      throw new Failure("write_failed", "did not write the file: its folder is not inside the project directory.")
    const project = await realpath(directory)
    let path = project
    for (const [index, segment] of segments.entries()) {
      const isFile = index === segments.length - 1
      path = await step(project, join(path, segment), isFile, relativePath)
    }
    return path
  })
}

/** One segment further: a folder, a link to a folder inside the project, the file, or nothing yet. */
async function step(project: string, path: string, isFile: boolean, relativePath: string): Promise<string> {
  const found = await unlessMissing(() => lstat(path))
  if (!found) return path
  if (isFile) {
    if (found.isSymbolicLink()) throw refused(relativePath, "a link stands in its place")
    if (!found.isFile()) throw refused(relativePath, "something that is no file stands in its place")
    return path
  }
  const real = found.isSymbolicLink() ? await unlessMissing(() => realpath(path)) : path
  if (real === undefined || !isInside(project, real))
    throw refused(relativePath, "a folder on the way is a link that leads out of the project directory")
  return real
}

export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** A colon is a drive or an alternate stream on Windows. */
function leavesFolder(segment: string): boolean {
  return segment === "" || segment === "." || segment === ".." || /[\\:\0]/.test(segment)
}

function refused(relativePath: string, why: string): Failure {
  return new Failure("write_failed", `did not write ${relativePath}: ${why}.`)
}

export async function unlessMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined
    throw error
  }
}
