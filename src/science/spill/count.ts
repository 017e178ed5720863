/** What is counted in a kind of text file: the lines that begin an entry, or end one. */
export interface Counting {
  /** Matched against the beginning of each line, its first 24 bytes. */
  line: RegExp
  /** The line after which no more are counted. */
  until?: RegExp
  one: string
  many: string
}

/** How many entries a file holds, with the word for them in the right number. */
export interface Entries {
  count: number
  word: string
}

/** Enough for the longest mark, `@<TRIPOS>MOLECULE`. */
const LINE_START_BYTES = 24
const NEWLINE = 10

/** Counts lines in a stream without holding any: of each it keeps only the beginning, across chunks. */
export class LineCounter {
  readonly #counting: Counting
  #count = 0
  #finished = false
  /** The beginning of the present line as far as it came; undefined once it has been judged. */
  #start: string | undefined = ""

  constructor(counting: Counting) {
    this.#counting = counting
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && !this.#finished;) {
      const newline = chunk.indexOf(NEWLINE, at)
      const end = newline < 0 ? chunk.length : newline
      if (this.#start !== undefined) {
        this.#start += chunk.toString("latin1", at, Math.min(end, at + LINE_START_BYTES - this.#start.length))
        if (newline >= 0 || this.#start.length >= LINE_START_BYTES) this.#judge(this.#start)
      }
      if (newline < 0) return
      this.#start = ""
      at = newline + 1
    }
  }

  /** Undefined where there was none: then the file is of another sort than the count is for. */
  finish(): Entries | undefined {
    if (this.#start !== undefined) this.#judge(this.#start)
    const { one, many } = this.#counting
    return this.#count === 0 ? undefined : { count: this.#count, word: this.#count === 1 ? one : many }
  }

  #judge(start: string): void {
    this.#start = undefined
    if (this.#counting.until?.test(start)) this.#finished = true
    else if (this.#counting.line.test(start)) this.#count++
  }
}
