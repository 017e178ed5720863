import { stat } from "node:fs/promises"
import { Failure } from "../failure.ts"
import { contain, unlessMissing } from "./contain.ts"
import { onDisk, sha256OfFile } from "./disk.ts"
import type { Manifest } from "./manifest.ts"

const MAX_VERSIONS = 999

/** `cif` as well as `cif.gz`, but not the `6.gz` of an accession's version. */
const EXTENSION = /(?:\.[a-z][a-z0-9]*)?\.(?:gz|zip)$|\.[^.]*$/

export interface TargetOptions {
  directory: string
  /** Of `spillPath`. */
  relativePath: string
  manifest: Manifest
}

/**
 * The path that a spill will use, to be known before permission is asked: the wanted one when it is free or holds what we wrote there,
 * else `name.v2.ext`, `name.v3.ext` … What the manifest does not know is a person's work, and stays. Any of its lines for the path will
 * do, not only the last: two processes that write there at once may add their lines in the other order. Writes nothing.
 */
export async function target({ directory, relativePath, manifest }: TargetOptions): Promise<string> {
  for (let version = 1; version <= MAX_VERSIONS; version++) {
    const candidate =
      version === 1 ? relativePath : relativePath.replace(EXTENSION, (ending) => `.v${version}${ending}`)
    if (await mayWrite(directory, candidate, manifest)) return candidate
  }
  throw new Failure(
    "write_failed",
    `did not write ${relativePath}: ${MAX_VERSIONS} edited versions of it are there already.`,
  )
}

async function mayWrite(directory: string, relativePath: string, manifest: Manifest): Promise<boolean> {
  const path = await contain(directory, relativePath)
  return onDisk(relativePath, async () => {
    const found = await unlessMissing(() => stat(path))
    if (!found) return true
    const ours = manifest.filter((entry) => entry.path === relativePath && entry.bytes === found.size)
    if (ours.length === 0) return false
    const sha256 = await sha256OfFile(path)
    return ours.some((entry) => entry.sha256 === sha256)
  })
}
