import {
  appendManifest,
  lastEntry,
  readManifest,
  sha256OfFile,
  spill,
  spillPath,
  target,
  type FileKind,
  type ManifestEntry,
  type Spilled,
} from "./spill/index.ts"

/** Where this project's files go. */
export interface SpillPlace {
  /** The project directory. */
  directory: string
  /** Relative to it. */
  folder?: string | undefined
  maxBytes?: number | undefined
}

/** A file that was saved within this time from the same address is not asked for again: releases come days or weeks apart. */
const RECENT_MS = 24 * 3600 * 1000

export interface Named {
  db: string
  id: string
  format?: string
  extension: string
}

/** The path that will be used, to be asked permission for. Reads only. */
export async function planSave(
  { directory, folder }: SpillPlace,
  { db, id, format, extension }: Named,
): Promise<string> {
  const relativePath = spillPath({ db, id, extension, variant: variantOf(format, extension), folder })
  return await target({ directory, relativePath, manifest: await readManifest(directory, folder) })
}

/** Two formats may share an extension; the one that is called as its files end needs no more. `json` is left to the record. */
function variantOf(format: string | undefined, extension: string): string | undefined {
  if (format === undefined || (format === extension && format !== "json")) return undefined
  return format === "json" ? "raw" : format.replaceAll(".", "-")
}

/** What the manifest knows of a path, when it came lately from this address and the file is still as it was written. */
export async function recentSave(
  place: SpillPlace,
  path: string,
  url: string,
  now = Date.now(),
): Promise<ManifestEntry | undefined> {
  const entry = lastEntry(await readManifest(place.directory, place.folder), path)
  if (!entry || entry.url !== url || !(now - Date.parse(entry.fetchedAt) < RECENT_MS)) return undefined
  return (await isOnDisk(place, entry)) ? entry : undefined
}

async function isOnDisk({ directory }: SpillPlace, { path, sha256 }: ManifestEntry): Promise<boolean> {
  return (await sha256OfFile(`${directory}/${path}`).catch(() => undefined)) === sha256
}

export interface Saving {
  path: string
  kind: FileKind
  body: AsyncIterable<Uint8Array> | string
  signal: AbortSignal
  onProgress?: ((bytes: number) => void) | undefined
  entry: Omit<ManifestEntry, "path" | "fetchedAt" | "bytes" | "sha256">
}

/** Writes a planned file whole or not at all, and its line in the manifest. */
export async function save(
  place: SpillPlace,
  { path, kind, body, signal, onProgress, entry }: Saving,
): Promise<Spilled> {
  const { directory, folder, maxBytes } = place
  const spilled = await spill({ directory, relativePath: path, kind, body, maxBytes, signal, onProgress })
  const { bytes, sha256 } = spilled
  await appendManifest(directory, { path, ...entry, fetchedAt: new Date().toISOString(), bytes, sha256 }, folder)
  return spilled
}
