import { createHash } from "node:crypto"
import { Failure } from "../failure.ts"
import { type Body, chunksOf } from "./chunks.ts"
import { contain } from "./contain.ts"
import { Inspection, type Seen } from "./inspect.ts"
import type { FileKind } from "./kinds.ts"
import { PartFile } from "./part.ts"

/** A runaway body stops here: 2 GiB. */
export const MAX_SPILL_BYTES = 2 * 1024 ** 3

export interface SpillOptions {
  /** The project directory. */
  directory: string
  /** What `target` said, and permission was given for. */
  relativePath: string
  kind: FileKind
  body: Body
  maxBytes?: number | undefined
  /** Takes a body of no bytes, or a text of nothing but blanks, which is a `bad_response` otherwise. */
  allowEmpty?: boolean
  signal?: AbortSignal | undefined
  onProgress?: ((bytesSoFar: number) => void) | undefined
}

export interface Spilled extends Seen {
  /** Relative to the project directory, with `/`. */
  path: string
  absolutePath: string
  bytes: number
  /** As hexadecimal digits. */
  sha256: string
  /** The same bytes were there already; the file was not touched. */
  unchanged: boolean
}

/**
 * Streams a body to a file of the project. Nothing is on the disk before the body's beginning was seen to be of its kind, and no reader
 * ever sees half a file: it is put in its place when its end was seen as well. After any error, or the caller's abort, the disk is as it
 * was. Throws a Failure, the abort's reason, or what the body itself throws. The manifest's line is the caller's to add.
 */
export async function spill(options: SpillOptions): Promise<Spilled> {
  const { directory, relativePath, kind, signal } = options
  await contain(directory, relativePath)
  const part = new PartFile(directory, relativePath)
  const inspection = new Inspection(kind)
  try {
    const { bytes, sha256 } = await receive(options, part, inspection)
    signal?.throwIfAborted()
    const { target, unchanged } = await part.commit(bytes, sha256)
    return { path: relativePath, absolutePath: target, bytes, sha256, ...inspection.finish(), unchanged }
  } catch (error) {
    await part.discard()
    throw error
  }
}

/** Writes what comes, once its beginning is known to be right, and looks at its end. */
async function receive(options: SpillOptions, part: PartFile, inspection: Inspection) {
  const { body, maxBytes = MAX_SPILL_BYTES, allowEmpty = false, signal, onProgress } = options
  const hash = createHash("sha256")
  let bytes = 0
  let pending: Buffer[] = []
  for await (const chunk of chunksOf(body, signal)) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    hash.update(chunk)
    inspection.push(chunk)
    pending.push(chunk)
    if (!inspection.headIsFull) continue
    if (!part.isOpen) inspection.checkHead()
    await part.write(pending)
    pending = []
    onProgress?.(bytes)
  }
  if (!inspection.isEmpty) inspection.checkWhole()
  else if (!allowEmpty) throw new Failure("bad_response", "its answer is empty.")
  if (pending.length > 0) {
    await part.write(pending)
    onProgress?.(bytes)
  }
  return { bytes, sha256: hash.digest("hex") }
}

function tooLarge(maxBytes: number): Failure {
  return new Failure(
    "too_large",
    `the file has more than ${maxBytes.toLocaleString("en")} bytes, the most that is kept; nothing was written (the setting spill.maxBytes raises that).`,
  )
}
