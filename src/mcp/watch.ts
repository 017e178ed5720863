import { spawn } from "node:child_process"

/** Waits for a line; when its input ends without one, we were killed, and the group goes after us. */
const SCRIPT = 'read -r released || { kill -TERM "-$1"; sleep 1; kill -KILL "-$1"; } 2>/dev/null'

/**
 * Ends a process group when this process ends, however it ends: not even SIGKILL is missed, because the system closes the pipe. Returns how
 * to let go of the group, which must be done once the group is gone (its number may be given to others). Where there are no process
 * groups (Windows) a server notices that its input ended, as the protocol asks of it.
 */
export function watchGroup(group: number): () => void {
  if (process.platform === "win32") return () => undefined
  // In a session of its own: what stops us at a terminal must not stop it first.
  const watcher = spawn("/bin/sh", ["-c", SCRIPT, "sh", String(group)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
  watcher.on("error", () => undefined)
  watcher.stdin.on("error", () => undefined)
  watcher.unref()
  return () => {
    watcher.stdin.end("released\n")
  }
}
