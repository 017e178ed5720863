import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { SingleBar } from "cli-progress"
import { Command } from "commander"
import PQueue from "p-queue"
import { loadConfig } from "../config.ts"
import { scienceOf } from "../create.ts"
import { memoryCache } from "../science/http/cache.ts"
import { examine, type Examined } from "./doctor/examine.ts"
import { table } from "./doctor/table.ts"
import { EXIT, type Status } from "./exit.ts"
import { interruptible, optionsOf } from "./run.ts"

/** Databases examined at once; each host keeps its own pace. */
const AT_ONCE = 6

export const doctorCommand = (status: Status): Command =>
  new Command("doctor")
    .description("asks each database one search, one record, one file and one missing id, live, and says which work")
    .argument("[db...]", "databases or domains; all of them by default")
    .action(async (dbs: string[], _flags: object, command: Command) => {
      const { directory, json } = optionsOf(command)
      const config = await loadConfig({ directory: path.resolve(directory) })
      // What is examined is the service, not what is kept of it; the files go to a place of their own and away again.
      const place = await mkdtemp(path.join(tmpdir(), "opencode-science-doctor-"))
      try {
        const science = scienceOf(place, config, process.env, memoryCache())
        const { registry } = science
        const chosen = dbs.flatMap((db) => {
          const domain = registry.databases({ domain: db })
          return domain.length > 0 ? domain : [registry.get(db)]
        })
        const all = dbs.length > 0 ? chosen : registry.databases()
        const bar = progress(all.length)
        const queue = new PQueue({ concurrency: AT_ONCE })
        const examined = await interruptible((signal) =>
          Promise.all(
            all.map((connector) =>
              queue.add(async (): Promise<Examined> => {
                const result = await examine(science, connector, signal)
                bar?.increment(1, { db: connector.id })
                return result
              }),
            ),
          ),
        ).finally(() => bar?.stop())
        process.stdout.write(json ? `${JSON.stringify(examined, null, 2)}\n` : `${table(examined)}\n`)
        status.code = examined.some(({ broken }) => broken) ? EXIT.failure : EXIT.fine
      } finally {
        await rm(place, { recursive: true, force: true })
      }
    })

function progress(total: number): SingleBar | undefined {
  if (!process.stderr.isTTY) return undefined
  const bar = new SingleBar({
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
    format: "{bar} {value} of {total} {db}",
    barsize: 24,
  })
  bar.start(total, 0, { db: "" })
  return bar
}
