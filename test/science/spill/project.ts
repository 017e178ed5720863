import { lstat, mkdtemp, readdir, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Failure } from "../../../src/science/failure.ts"

export interface Project extends AsyncDisposable {
  directory: string
  at(relativePath: string): string
  /** Everything that is there, sorted; folders end with `/`. */
  tree(): Promise<string[]>
}

/** A fresh project directory that is removed again. */
export async function project(): Promise<Project> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "spill-")))
  return {
    directory,
    at: (relativePath) => join(directory, relativePath),
    async tree() {
      const names = await readdir(directory, { recursive: true })
      const marked = names.map(async (name) => {
        const found = await lstat(join(directory, name))
        return found.isDirectory() ? `${name}/` : name
      })
      return (await Promise.all(marked)).sort()
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
}

export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const outcome = await work.then(
    () => new Error("it did not fail"),
    (error: unknown) => error,
  )
  if (outcome instanceof Failure) return outcome
  throw outcome
}

/** A body that arrives in the given pieces. */
export async function* stream(...pieces: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield typeof piece === "string" ? Buffer.from(piece) : piece
}

/** The same body, a few bytes at a time. */
export async function* trickle(body: Uint8Array, size = 3): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size)
}
