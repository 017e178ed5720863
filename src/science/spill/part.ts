import { type FileHandle, open, rename, rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { contain, unlessMissing } from "./contain.ts"
import { onDisk, sha256OfFile, systemCode } from "./disk.ts"
import { makeFolder } from "./folder.ts"
import { partName, sweep } from "./sweep.ts"

/** Another call that failed may take the empty folder away between making it and using it. */
const ATTEMPTS = 5

interface OpenPart {
  handle: FileHandle
  path: string
  target: string
  takeBack: () => Promise<void>
}

/** A file that is being written beside the one that it will be. There is nothing on the disk before the first write. */
export class PartFile {
  readonly #directory: string
  readonly #relativePath: string
  #open: OpenPart | undefined

  constructor(directory: string, relativePath: string) {
    this.#directory = directory
    this.#relativePath = relativePath
  }

  get isOpen(): boolean {
    return this.#open !== undefined
  }

  async write(chunks: Buffer[]): Promise<void> {
    await onDisk(this.#relativePath, async () => {
      this.#open ??= await this.#create(ATTEMPTS)
      for (const chunk of chunks) await writeAll(this.#open.handle, chunk)
    })
  }

  /** Puts the file in its place, once all of it is on the disk; not when the same bytes are there already. */
  async commit(bytes: number, sha256: string): Promise<{ target: string; unchanged: boolean }> {
    return onDisk(this.#relativePath, async () => {
      const { handle, path, target } = (this.#open ??= await this.#create(ATTEMPTS))
      const unchanged = await holds(target, bytes, sha256)
      if (unchanged) await this.discard()
      else {
        await handle.sync()
        await handle.close()
        await rename(path, target)
      }
      return { target, unchanged }
    })
  }

  /** Leaves the disk as it was. */
  async discard(): Promise<void> {
    const part = this.#open
    this.#open = undefined
    if (!part) return
    await part.handle.close().catch(() => undefined)
    await rm(part.path, { force: true }).catch(() => undefined)
    await part.takeBack()
  }

  async #create(attempts: number): Promise<OpenPart> {
    const folder = dirname(await contain(this.#directory, this.#relativePath))
    let takeBack = async () => {}
    try {
      takeBack = await makeFolder(folder)
      // Again, because a link may have taken the place of a folder meanwhile.
      const target = await contain(this.#directory, this.#relativePath)
      await sweep(folder)
      const path = join(folder, partName(basename(target)))
      return { handle: await open(path, "wx"), path, target, takeBack }
    } catch (error) {
      await takeBack()
      if (attempts > 1 && systemCode(error) === "ENOENT") return this.#create(attempts - 1)
      throw error
    }
  }
}

async function holds(path: string, bytes: number, sha256: string): Promise<boolean> {
  const found = await unlessMissing(() => stat(path))
  return found?.size === bytes && (await sha256OfFile(path)) === sha256
}

async function writeAll(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length;) {
    const { bytesWritten } = await handle.write(chunk, at, chunk.length - at)
    at += bytesWritten
  }
}
