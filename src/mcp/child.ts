import { spawn, type ChildProcessByStdio } from "node:child_process"
import { stat } from "node:fs/promises"
import type { Readable, Writable } from "node:stream"
import { deserializeMessage, serializeMessage, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client"
import { getDefaultEnvironment } from "@modelcontextprotocol/client/stdio"
import { Failure } from "../science/failure.ts"
import { Lines } from "./lines.ts"
import type { Stdio } from "./settings.ts"
import { pause } from "./within.ts"
import { watchGroup } from "./watch.ts"

/** One message. Big answers are spilled; this only stops a runaway. */
const MAX_MESSAGE_BYTES = 64 * 1024 ** 2
const STDERR_TAIL_CHARS = 4_000
/** How long a server may take to end when its input ended, and again when it was told to. */
const GRACE_MS = 1_000
/** What a dead server still had in its pipe is read, but a grandchild that holds the pipe is not waited for. */
const DRAIN_MS = 100

/**
 * A server that is started here, in a process group of its own, so that what it started ends with it. (The library's transport ends only
 * the one process: launchers such as npx leave the server itself behind.)
 */
export class ChildTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** The end of what it wrote to its standard error. */
  stderr = ""
  #child: ChildProcessByStdio<Writable, Readable, Readable> | undefined
  #release: () => void = () => undefined
  #exited = false
  #closed = false
  readonly #lines = new Lines(MAX_MESSAGE_BYTES)

  constructor(private readonly link: Stdio) {}

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.link
    // A missing directory is reported as a missing command otherwise.
    if (cwd !== undefined && !(await stat(cwd).catch(() => undefined))?.isDirectory())
      throw new Failure("unavailable", `its cwd ${cwd} is not a directory`)
    if (this.#closed) throw new Failure("unavailable", "it was closed before it started")
    const child = spawn(command, args, {
      env: { ...getDefaultEnvironment(), ...env },
      stdio: ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
      ...(cwd === undefined ? {} : { cwd }),
    })
    this.#child = child
    child.stdin.on("error", (error) => this.onerror?.(error))
    child.stdout.on("data", (chunk: Buffer) => this.#read(chunk))
    child.stderr.on("data", (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString("utf8")).slice(-STDERR_TAIL_CHARS)
    })
    child.once("exit", () => {
      this.#exited = true
      setTimeout(() => this.#ended(), DRAIN_MS)
    })
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve)
      child.once("error", (error: NodeJS.ErrnoException) => {
        this.#exited = true
        reject(new Failure("unavailable", `its command ${command} cannot be started (${error.code ?? error.message})`))
      })
    })
    if (child.pid !== undefined) this.#release = watchGroup(child.pid)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (!stdin || this.#exited || this.#closed) throw new Failure("unavailable", "it has ended")
    if (!stdin.write(serializeMessage(message)))
      await new Promise<void>((resolve) => {
        stdin.once("drain", resolve)
        stdin.once("close", resolve)
      })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    if (!this.#child) return
    this.#child.stdin.end()
    const isGone = () => this.#exited && !this.#signal(0)
    // The server itself may end in peace; what it leaves behind is told to.
    await waitFor(GRACE_MS, () => this.#exited)
    if (!isGone()) this.#signal("SIGTERM")
    await waitFor(GRACE_MS, isGone)
    this.#ended()
  }

  #read(chunk: Buffer): void {
    try {
      for (const line of this.#lines.push(chunk)) this.#take(line)
    } catch (error) {
      this.onerror?.(asError(error))
      void this.close()
    }
  }

  /** Many servers also print what is no message; such lines are passed over. */
  #take(line: string): void {
    try {
      this.onmessage?.(deserializeMessage(line))
    } catch (error) {
      this.onerror?.(asError(error))
    }
  }

  /** The server itself has ended: its group goes as well, and the client is told once. */
  #ended(): void {
    this.#signal("SIGKILL")
    this.#release()
    this.#release = () => undefined
    this.#child?.stdout.destroy()
    this.#child?.stderr.destroy()
    this.#closed = true
    const told = this.onclose
    delete this.onclose
    told?.()
  }

  #signal(signal: NodeJS.Signals | 0): boolean {
    const pid = this.#child?.pid
    if (pid === undefined) return false
    try {
      process.kill(process.platform === "win32" ? pid : -pid, signal)
      return true
    } catch {
      return false
    }
  }
}

/** Waits until something holds, but no longer than a time. */
async function waitFor(ms: number, holds: () => boolean): Promise<void> {
  for (const until = Date.now() + ms; !holds() && Date.now() < until;) await pause(20)
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
