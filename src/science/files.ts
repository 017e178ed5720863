import { Miss, type Connector, type FileFormat, type Location, type Together } from "./connector.ts"
import { Failure } from "./failure.ts"
import type { Client, Download, Report, Session } from "./http/client.ts"
import { readId } from "./ids.ts"
import { asFailed, type Failed, type Missed } from "./outcome.ts"
import type { Registry } from "./registry.ts"
import { planSave, recentSave, save, type SpillPlace } from "./save.ts"
import { KINDS, type Spilled } from "./spill/index.ts"

/** What is asked before anything is written. Resolves when it may be; throws the Failure `denied` or the host's own error. */
export type AskToWrite = (request: WriteRequest) => Promise<void>

export interface WriteRequest {
  /** Below the project directory, with `/`. */
  paths: string[]
  db: string
  ids: string[]
  format: string
  url: string
}

export interface FileSaved {
  kind: "file"
  db: string
  /** The id, or the ids that share this one file. */
  ids: string[]
  id: string
  format: string
  /** The address that answered. */
  url: string
  mediaType: string
  saved: Pick<Spilled, "path" | "bytes" | "sha256" | "head" | "entries" | "unchanged">
}

export type FileOutcome = FileSaved | Missed | Failed

export interface FileRequest {
  format: string
  ask: AskToWrite
  signal: AbortSignal
  /** Bytes so far, and in all where the service said. */
  onProgress?: ((progress: { id: string; bytes: number; total?: number }) => void) | undefined
}

interface Around {
  client: Client
  registry: Registry
  place: SpillPlace
}

interface Wanted {
  ids: string[]
  id: string
  session: Session
  location: Location
  path: string
}

/** Files of several ids: located first, then asked about all at once, then streamed to disk, each with its own outcome. */
export async function fetchFiles(
  around: Around,
  connector: Connector,
  typed: string[],
  request: FileRequest,
): Promise<{ outcomes: FileOutcome[]; reports: Report[] }> {
  const { client, registry, place } = around
  const { signal } = request
  const reports: Report[] = []
  const [name, format] = formatOf(connector, request.format)
  const extension = format.extension ?? KINDS[format.kind].extension

  /** Where the files are: one wanted file for each id or for several, and an outcome for each id that has none. */
  async function locate(
    ids: string[],
    where: (session: Session) => Promise<Location | Together>,
  ): Promise<(Wanted | FileOutcome)[]> {
    const session = client.open({ connector, operation: "file", signal })
    reports.push(session.report)
    try {
      const found = await where(session)
      const { location, missing } = isTogether(found) ? found : { location: found, missing: new Map<string, Miss>() }
      const there = location === undefined ? [] : ids.filter((id) => !missing.has(id))
      const absent = ids.filter((id) => !there.includes(id)).map((id) => missed(id, missing.get(id)))
      if (location === undefined || there.length === 0) return absent
      const id = there.join(",")
      const ending = (typeof location === "string" ? undefined : location.extension) ?? extension
      const path = await planSave(place, { db: connector.id, id, format: name, extension: ending })
      return [{ ids: there, id, session, location, path }, ...absent]
    } catch (error) {
      return [asFailed(connector, ids.join(","), error, client.redact)]
    }
  }

  async function locateOne(id: string, session: Session): Promise<Location | Together> {
    const found = (await format.locate(id, session)) ?? new Miss()
    return found instanceof Miss ? { missing: new Map([[id, found]]) } : found
  }

  const missed = (id: string, { reason }: Miss = new Miss()): Missed => ({
    kind: "miss",
    db: connector.id,
    id,
    ...(reason === undefined ? {} : { reason }),
  })

  const read = typed.map((each): string | Failed => {
    try {
      return readId(connector, each, registry)
    } catch (error) {
      return asFailed(connector, each, error, client.redact)
    }
  })
  const refused = read.filter((each) => typeof each !== "string")
  const ids = [...new Set(read.filter((each) => typeof each === "string"))]
  const { many } = format
  const located =
    many && ids.length > 1
      ? await locate(ids, async (session) => await many(ids, session))
      : (await Promise.all(ids.map((id) => locate([id], (session) => locateOne(id, session))))).flat()
  const wanted = located.filter((each) => "location" in each)
  const settled = new Map<Wanted, FileOutcome>()
  try {
    const fresh = await Promise.all(wanted.map((each) => recentSave(place, each.path, urlOf(each.location))))
    const toWrite = wanted.filter((_, i) => fresh[i] === undefined)
    if (toWrite.length > 0)
      await request.ask({
        paths: toWrite.map(({ path }) => path),
        db: connector.id,
        ids: toWrite.flatMap((each) => each.ids),
        format: name,
        url: urlOf(toWrite[0]?.location ?? ""),
      })
    await Promise.all(
      wanted.map(async (each, i) => {
        const known = fresh[i]
        settled.set(each, known ? fileSaved(each, { ...known, unchanged: true }, known.url) : await download(each))
      }),
    )
  } catch (error) {
    for (const each of wanted)
      if (!settled.has(each)) settled.set(each, asFailed(connector, each.id, error, client.redact))
  }
  const outcomes = located
    .map((each) => ("location" in each ? settled.get(each) : each))
    .filter((each) => each !== undefined)
  return { outcomes: inOrder(read, [...refused, ...outcomes]), reports }

  async function download(each: Wanted): Promise<FileOutcome> {
    const { session, id, location, path } = each
    try {
      const saved = await session.download(location, async (answer) => {
        const spilled = await save(place, {
          path,
          kind: format.kind,
          body: answer.body,
          signal,
          onProgress: progressOf(id, answer),
          entry: entryOf(each, answer),
        })
        return fileSaved(each, spilled, answer.url)
      })
      return saved instanceof Miss ? missed(id, saved) : saved
    } catch (error) {
      return asFailed(connector, id, error, client.redact)
    }
  }

  function progressOf(id: string, answer: Download) {
    const total = Number(answer.headers.get("content-length") ?? NaN)
    return (bytes: number) => request.onProgress?.({ id, bytes, ...(Number.isNaN(total) ? {} : { total }) })
  }

  function entryOf(each: Wanted, { headers }: Download) {
    const etag = headers.get("etag")
    const lastModified = headers.get("last-modified")
    return {
      db: connector.id,
      id: each.id,
      format: name,
      url: urlOf(each.location),
      mediaType: format.mediaType ?? KINDS[format.kind].mediaType,
      license: connector.license,
      cite: connector.cite,
      ...(etag ? { etag } : {}),
      ...(lastModified ? { lastModified } : {}),
    }
  }

  function fileSaved({ ids, id }: Wanted, saved: FileSaved["saved"], url: string): FileSaved {
    const mediaType = format.mediaType ?? KINDS[format.kind].mediaType
    return { kind: "file", db: connector.id, ids, id, format: name, url, mediaType, saved }
  }
}

function formatOf({ name, files }: Connector, asked: string): [string, FileFormat] {
  const wanted = asked.trim().replace(/^\./, "").toLowerCase()
  const found = Object.entries(files).find(([format]) => format.toLowerCase() === wanted)
  if (found) return found
  const there = Object.keys(files)
  throw new Failure(
    "unsupported_format",
    `${name} has no format ${JSON.stringify(asked.slice(0, 40))}; ${there.length > 0 ? `it has ${there.join(", ")}` : "it has records only: leave the format out"}.`,
  )
}

const isTogether = (found: Location | Together): found is Together => typeof found !== "string" && "missing" in found

const urlOf = (location: Location) => (typeof location === "string" ? location : location.url)

/** Outcomes in the order in which the ids were asked for; ids that share a file come where the first of them stood. */
function inOrder(read: (string | Failed)[], outcomes: FileOutcome[]): FileOutcome[] {
  const place = (outcome: FileOutcome) =>
    read.findIndex((each) =>
      typeof each === "string"
        ? outcome.kind === "file"
          ? outcome.ids.includes(each)
          : outcome.id.split(",").includes(each) || outcome.id === each
        : each === outcome,
    )
  return [...outcomes].sort((a, b) => place(a) - place(b))
}
