import { spawn } from "node:child_process"
import { existsSync, readdirSync, statSync } from "node:fs"
import path from "node:path"
import { fileURLToPath } from "node:url"

export const root = path.resolve(fileURLToPath(import.meta.url), "../..")

/** `bun` is a script of some hundred bytes until its install script puts the binary there. */
const SMALLEST_BINARY = 1_000_000

/**
 * The Bun that npm brought. Where install scripts do not run, the binary is in its platform package; where they do, `bun`'s own moves it to
 * its place. Undefined when it was not installed.
 */
export function findBun(home = root) {
  if (process.versions.bun) return process.execPath
  const modules = path.join(home, "node_modules")
  const platforms = path.join(modules, "@oven")
  const packages = existsSync(platforms) ? readdirSync(platforms).sort((a, b) => a.length - b.length) : []
  const name = process.platform === "win32" ? "bun.exe" : "bun"
  const places = [
    ...packages.map((each) => path.join(platforms, each, "bin", name)),
    path.join(modules, "bun/bin/bun.exe"),
  ]
  return places.find((place) => existsSync(place) && statSync(place).size > SMALLEST_BINARY)
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
