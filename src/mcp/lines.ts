const NEWLINE = 10

/**
 * Cuts what a process writes into lines. (The library's buffer joins all that came before to each new piece: a line of ten megabytes takes
 * it seconds.) Throws when a line is longer than `maxBytes`.
 */
export class Lines {
  #parts: Buffer[] = []
  #bytes = 0

  constructor(private readonly maxBytes: number) {}

  /** The lines that this piece completes. */
  push(chunk: Buffer): string[] {
    const lines: string[] = []
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end))
      lines.push(Buffer.concat(this.#parts).toString("utf8"))
      this.#parts = []
      this.#bytes = 0
      start = end + 1
    }
    this.#add(chunk.subarray(start))
    return lines
  }

  #add(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes > this.maxBytes) throw new Error(`a message of more than ${this.maxBytes} bytes`)
    if (part.length > 0) this.#parts.push(part)
  }
}
