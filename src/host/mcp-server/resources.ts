import { open, realpath, stat } from "node:fs/promises"
import path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ReadResourceResult,
  type Resource,
} from "@modelcontextprotocol/server"
import type { SpillPlace } from "../../science/save.ts"
import { DEFAULT_FOLDER, readManifest } from "../../science/spill/index.ts"
import { size } from "../../tool/say.ts"

/** Files are for disk; through the protocol goes what a client can still take in one message (the SDK's own limit on stdio is 10 MB). */
const MAX_READ_BYTES = 4 * 1024 * 1024

const MAX_LISTED = 200

/** The files that were saved, the latest first. */
export async function listResources({ directory, folder }: SpillPlace): Promise<Resource[]> {
  const manifest = await readManifest(directory, folder)
  const latest = new Map(manifest.toReversed().map((entry) => [entry.path, entry]))
  const there = await Promise.all(
    [...manifest.toReversed()]
      .filter((entry) => latest.get(entry.path) === entry)
      .slice(0, MAX_LISTED)
      .map(async (entry) => ((await inside({ directory, folder }, path.join(directory, entry.path))) ? [entry] : [])),
  )
  return there.flat().map(({ path: relative, db, id, format, bytes, mediaType }) => ({
    uri: pathToFileURL(path.join(directory, relative)).href,
    name: relative,
    description: `${db} ${id}${format ? ` as ${format}` : ""}`.slice(0, 200),
    mimeType: mediaType,
    size: bytes,
  }))
}

/** One saved file. What is not inside the folder for them, links followed, is not there as far as a client can tell. */
export async function readResource(place: SpillPlace, uri: string): Promise<ReadResourceResult> {
  const real = await inside(place, pathOf(uri))
  if (real === undefined) throw new ResourceNotFoundError(uri, "There is no such saved file.")
  const file = await open(real, "r")
  try {
    const { size: bytes } = await file.stat()
    if (bytes > MAX_READ_BYTES)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `The file is ${size(bytes)}, more than the ${size(MAX_READ_BYTES)} that are sent; read it on disk.`,
      )
    const body = await file.readFile()
    const entry = (await readManifest(place.directory, place.folder)).findLast(
      (each) => path.resolve(place.directory, each.path) === path.resolve(pathOf(uri) ?? ""),
    )
    const about = { uri, ...(entry ? { mimeType: entry.mediaType } : {}) }
    const text = textOf(body)
    return { contents: [text === undefined ? { ...about, blob: body.toString("base64") } : { ...about, text }] }
  } finally {
    await file.close()
  }
}

function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri)
  } catch {
    return undefined
  }
}

/** The file's real path when it, and the folder for files, are where they seem to be: a cloned repository may hold links that lead out. */
async function inside({ directory, folder }: SpillPlace, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  try {
    const project = await realpath(directory)
    const saved = await realpath(path.join(directory, folder ?? DEFAULT_FOLDER))
    const real = await realpath(file)
    return isBelow(project, saved) && isBelow(saved, real) && (await stat(real)).isFile() ? real : undefined
  } catch {
    return undefined
  }
}

function isBelow(folder: string, file: string): boolean {
  const way = path.relative(folder, file)
  return way !== "" && way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way)
}

function textOf(body: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    return undefined
  }
}
