import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { connectors } from "../../src/science/connectors/index.ts"
import type { AskToWrite } from "../../src/science/files.ts"
import { createPace } from "../../src/science/http/pace.ts"
import { createScience, type ScienceOptions } from "../../src/science/science.ts"
import { loopback, type Reply, type Seen } from "./loopback.ts"

/** A pace that lets everything through at once, for tests that are not about pace. */
export const noPace = () => {
  const pace = createPace()
  const run: typeof pace.run = (host, _, signal, task) =>
    pace.run(host, { perSecond: Infinity, concurrent: 50 }, signal, task)
  return { ...pace, run, hold: () => undefined }
}

/** Databases that answer nothing without a key are asked with one of the tests' own. */
export const requiredKeys = Object.fromEntries(
  connectors.flatMap(({ key }) => (key?.required ? [[key.env, "a-key-of-the-tests"]] : [])),
)

export interface World extends AsyncDisposable {
  science: ReturnType<typeof createScience>
  server: Awaited<ReturnType<typeof loopback>>
  directory: string
  signal: AbortSignal
  /** Search, one record, one file: what a connector's test wants, without ceremony. */
  search(
    db: string,
    query: string,
    more?: { limit?: number; cursor?: string; organism?: string },
  ): ReturnType<ReturnType<typeof createScience>["search"]>
  fetch(db: string, ...ids: string[]): ReturnType<ReturnType<typeof createScience>["fetch"]>
  file(db: string, format: string, ...ids: string[]): ReturnType<ReturnType<typeof createScience>["fetchFiles"]>
}

/** The real science core against one loopback server and a fresh project directory; nothing is waited for, nothing is cached on disk. */
export async function world(
  answer: (request: Seen) => Reply | undefined,
  options: Partial<ScienceOptions> = {},
  ask: AskToWrite = async () => undefined,
): Promise<World> {
  const server = await loopback(answer)
  const directory = await mkdtemp(path.join(tmpdir(), "science-"))
  const science = createScience({
    connectors,
    env: requiredKeys,
    pace: noPace(),
    retry: { attempts: 3, baseMs: 1, ceilingMs: 1000 },
    mirrors: server.mirrors,
    place: { directory },
    ...options,
  })
  const signal = new AbortController().signal
  return {
    science,
    server,
    directory,
    signal,
    search: (db, query, more = {}) => science.search(db, { query, signal, ...more }),
    fetch: (db, ...ids) => science.fetch(db, ids, signal),
    file: (db, format, ...ids) => science.fetchFiles(db, ids, { format, ask, signal }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
