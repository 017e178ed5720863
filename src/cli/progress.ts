import { MultiBar, type SingleBar } from "cli-progress"
import { size } from "../tool/say.ts"

/** Short downloads need no bar. */
const SHOW_AFTER_MS = 500

/** A bar a download, on standard error, only on a terminal, only once it takes a while. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr) {
  const began = Date.now()
  const bars = new Map<string, SingleBar>()
  let group: MultiBar | undefined
  return {
    show({ id, bytes, total }: { id: string; bytes: number; total?: number }) {
      if (!stream.isTTY || Date.now() - began < SHOW_AFTER_MS) return
      group ??= new MultiBar({
        stream,
        clearOnComplete: true,
        hideCursor: true,
        format: "{id} {bar} {done} {of}",
        barsize: 24,
      })
      const known = bars.get(id) ?? group.create(total ?? 0, 0)
      bars.set(id, known)
      known.setTotal(total ?? Math.max(bytes * 2, 1))
      known.update(bytes, { id, done: size(bytes), of: total === undefined ? "" : `of ${size(total)}` })
    },
    end() {
      group?.stop()
      group = undefined
    },
  }
}
