import { spawn } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import path from "node:path"
import { fileURLToPath } from "node:url"

export const root = path.resolve(fileURLToPath(import.meta.url), "../..")

/**
 * The Bun that npm brought: the binary inside its platform package, which is there also where install scripts did not run (`bun` itself
 * is a stub then). Undefined when it was not installed.
 */
export function findBun() {
  if (process.versions.bun) return process.execPath
  const packages = path.join(root, "node_modules/@oven")
  if (!existsSync(packages)) return undefined
  const names = readdirSync(packages).sort((a, b) => a.length - b.length)
  return names
    .map((name) => path.join(packages, name, "bin", process.platform === "win32" ? "bun.exe" : "bun"))
    .find(existsSync)
}

/**
 * Runs Bun with this terminal; resolves to its exit status. Signals are passed on: from a terminal Ctrl-C reaches the child by itself as
 * well, from `kill` it does not, so the child takes two that come together for one.
 */
export async function runBun(args, options = {}) {
  const bun = findBun()
  if (!bun) {
    console.error("Bun is missing: run `npm install` (with optional dependencies) in this checkout first.")
    return 1
  }
  const child = spawn(bun, args, { stdio: "inherit", ...options })
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal))
  return await new Promise((resolve) =>
    child.on("exit", (code, signal) => resolve(code ?? (signal === "SIGINT" ? 130 : signal === "SIGTERM" ? 143 : 1))),
  )
}
