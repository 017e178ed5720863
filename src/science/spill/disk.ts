import { createHash } from "node:crypto"
import { open } from "node:fs/promises"
import { Failure } from "../failure.ts"

/** What the operating system's codes mean, in words. */
const REASONS: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EACCES: "there is no permission to write there",
  EPERM: "the system does not permit it",
  EROFS: "the file system is read-only",
  ENAMETOOLONG: "the path is too long",
  ENOENT: "the folder is gone",
  ENOTDIR: "a file stands where a folder should be",
  EISDIR: "a folder stands where the file should be",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EBUSY: "another program holds it",
  EFBIG: "the file system takes no file of that size",
  EIO: "the disk has an error",
}

const READ_BYTES = 1024 * 1024

/** Does something with files; what the system refuses becomes a Failure that names only the path inside the project. */
export async function onDisk<T>(relativePath: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    throw new Failure("write_failed", `could not write ${relativePath}: ${REASONS[code] ?? `the system says ${code}`}.`)
  }
}

export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return undefined
  return typeof error.code === "string" ? error.code : undefined
}

/** As hexadecimal digits; memory stays flat whatever the size. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash("sha256")
  const handle = await open(path, "r")
  try {
    const buffer = Buffer.allocUnsafe(READ_BYTES)
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, READ_BYTES, null)
      if (bytesRead === 0) return hash.digest("hex")
      hash.update(buffer.subarray(0, bytesRead))
    }
  } finally {
    await handle.close()
  }
}
