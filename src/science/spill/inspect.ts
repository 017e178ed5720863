import { clip, oneLine } from "../clean.ts"
import { Failure } from "../failure.ts"
import { type Entries, LineCounter } from "./count.ts"
import { type FileKind, type Kind, kindOf } from "./kinds.ts"
import { isHtmlPage, withoutMark } from "./markup.ts"

/** How much is looked at before anything is written: room for a licence comment or a list of entities before an XML root. */
const HEAD_BYTES = 4096

/** PDF allows its end mark anywhere in the last kilobyte. */
const TAIL_BYTES = 1024

const EXCERPT_CHARS = 80
const PREVIEW_CHARS = 400

export interface Seen {
  /** The first lines of a text, or the beginning of a longer one, at most 400 characters, as they are: what prints them cleans them. */
  head?: string
  /** How many it holds, where that is cheap to know. */
  entries?: Entries
}

/** Watches a body pass: refuses what it cannot be, counts its entries, keeps its two ends. */
export class Inspection {
  readonly #name: FileKind
  readonly #kind: Kind
  readonly #counter: LineCounter | undefined
  #head: Buffer = Buffer.alloc(0)
  #tail: Buffer = Buffer.alloc(0)

  constructor(kind: FileKind) {
    this.#name = kind
    this.#kind = kindOf(kind)
    this.#counter = this.#kind.counts && new LineCounter(this.#kind.counts)
  }

  push(chunk: Buffer): void {
    if (!this.headIsFull) this.#head = Buffer.concat([this.#head, chunk.subarray(0, HEAD_BYTES - this.#head.length)])
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES)
    this.#counter?.push(chunk)
  }

  get headIsFull(): boolean {
    return this.#head.length >= HEAD_BYTES
  }

  /** True when there is nothing in the body, or only blanks in a text: some services answer so for "no such thing". */
  get isEmpty(): boolean {
    const blank = !this.#kind.binary && !this.headIsFull && withoutMark(this.#latin1Head()) === ""
    return blank || this.#head.length === 0
  }

  /** Asked once the head is full or the body at its end, before anything is written. */
  checkHead(): void {
    const head = this.#latin1Head()
    if (!this.#kind.page && isHtmlPage(head)) throw this.#refused(`is an HTML page, not ${this.#name}`)
    const start = this.#kind.binary ? head : withoutMark(head)
    if (this.#kind.opens && !this.#kind.opens.test(start)) throw this.#refused(`is not ${this.#name}`)
  }

  /** Asked after the end. */
  checkWhole(): void {
    this.checkHead()
    const { ends } = this.#kind
    if (ends && !ends.holds(this.#tail.toString("latin1"), this.#latin1Head()))
      throw new Failure("bad_response", `its answer is cut off: ${ends.missing}, which a whole ${this.#name} file has.`)
  }

  /** What it saw, after the end. */
  finish(): Seen {
    const head = this.#preview()
    const entries = this.#counter?.finish()
    return { ...(head !== undefined && { head }), ...(entries && { entries }) }
  }

  #preview(): string | undefined {
    if (this.#kind.binary) return undefined
    const text = decode(this.#head)
    if (text.length <= PREVIEW_CHARS && !this.headIsFull) return text
    const end = text.slice(0, PREVIEW_CHARS + 1).lastIndexOf("\n")
    return end > 0 ? text.slice(0, end) : `${text.slice(0, PREVIEW_CHARS - 1)}…`
  }

  #latin1Head(): string {
    return this.#head.toString("latin1")
  }

  #refused(what: string): Failure {
    return new Failure(
      "bad_response",
      `its answer ${what}; it begins with: ${clip(oneLine(decode(this.#head)), EXCERPT_CHARS)}`,
    )
  }
}

/** A character that the head cuts in two is left out. */
function decode(head: Buffer): string {
  return new TextDecoder().decode(head, { stream: head.length >= HEAD_BYTES })
}
