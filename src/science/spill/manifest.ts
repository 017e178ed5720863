import { open, readFile } from "node:fs/promises"
import { contain, unlessMissing } from "./contain.ts"
import { onDisk } from "./disk.ts"
import { DEFAULT_FOLDER, inFolder } from "./name.ts"

const MANIFEST = "manifest.jsonl"
const NEWLINE = 10

/** One spilled file: what it is, where from, when, and what it may be used for. */
export interface ManifestEntry {
  /** Relative to the project directory, with `/`. */
  path: string
  db: string
  id: string
  /** Absent for a record. */
  format?: string | undefined
  url: string
  /** ISO 8601. */
  fetchedAt: string
  bytes: number
  sha256: string
  mediaType: string
  license: string
  cite: string
  etag?: string | undefined
  lastModified?: string | undefined
}

/** Oldest first; a path may have several entries, of which the last one counts. */
export type Manifest = readonly ManifestEntry[]

const TYPES = {
  path: "string",
  db: "string",
  id: "string",
  url: "string",
  fetchedAt: "string",
  bytes: "number",
  sha256: "string",
  mediaType: "string",
  license: "string",
  cite: "string",
} as const satisfies Partial<Record<keyof ManifestEntry, string>>

const OPTIONAL = ["format", "etag", "lastModified"] as const satisfies (keyof ManifestEntry)[]

/** Lines that are not ours, or that a killed process left cut off, are passed over. */
export async function readManifest(directory: string, folder = DEFAULT_FOLDER): Promise<Manifest> {
  const relativePath = inFolder(folder, MANIFEST)
  const path = await contain(directory, relativePath)
  const text = await onDisk(relativePath, () => unlessMissing(() => readFile(path, "utf8")))
  return (text ?? "").split("\n").flatMap(entryOf)
}

export function lastEntry(manifest: Manifest, path: string): ManifestEntry | undefined {
  return manifest.findLast((entry) => entry.path === path)
}

/** Adds a line in one write, so that processes that append at the same time do not mix theirs. */
export async function appendManifest(directory: string, entry: ManifestEntry, folder = DEFAULT_FOLDER): Promise<void> {
  const relativePath = inFolder(folder, MANIFEST)
  const path = await contain(directory, relativePath)
  await onDisk(relativePath, async () => {
    const handle = await open(path, "a+")
    try {
      const { size } = await handle.stat()
      const last = size > 0 ? (await handle.read(Buffer.alloc(1), 0, 1, size - 1)).buffer[0] : NEWLINE
      // A cut-off line of a killed process must not swallow this one.
      const line = `${last === NEWLINE ? "" : "\n"}${JSON.stringify(entry)}\n`
      await handle.write(Buffer.from(line))
    } finally {
      await handle.close()
    }
  })
}

function entryOf(line: string): ManifestEntry[] {
  try {
    const value: unknown = JSON.parse(line)
    return isEntry(value) ? [value] : []
  } catch {
    return []
  }
}

function isEntry(value: unknown): value is ManifestEntry {
  if (typeof value !== "object" || value === null) return false
  const fields = new Map(Object.entries(value))
  return (
    Object.entries(TYPES).every(([field, type]) => typeof fields.get(field) === type) &&
    OPTIONAL.every((field) => ["string", "undefined"].includes(typeof fields.get(field)))
  )
}
