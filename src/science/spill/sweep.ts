import { createHash, randomBytes } from "node:crypto"
import { readdir, rm, stat } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { systemCode } from "./disk.ts"

/** A process writes all the time; one that has not for a day is gone, and its number has gone to another. */
const ABANDONED_MS = 24 * 60 * 60 * 1000

const PART = /^\..+\.(\d+)\.([0-9a-f]{4})[0-9a-f]{6}\.part$/

/** The folder may be shared: a process number says nothing about another machine's, or container's, processes. */
const MACHINE = createHash("sha256").update(hostname()).digest("hex").slice(0, 4)

/** The name of a file that is being written, beside the one that it will be: `.P04637.fasta.4711.9c1f03ab77.part`. */
export function partName(name: string): string {
  return `.${name}.${process.pid}.${MACHINE}${randomBytes(3).toString("hex")}.part`
}

/** Removes what killed processes left behind in one database's folder. What cannot be removed stays for the next time. */
export async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, pid, machine] = PART.exec(name) ?? []
    if (pid === undefined) continue
    const path = join(folder, name)
    if ((machine === MACHINE && !isAlive(Number(pid))) || (await isAbandoned(path)))
      await rm(path, { force: true }).catch(() => undefined)
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return systemCode(error) !== "ESRCH"
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS
}
