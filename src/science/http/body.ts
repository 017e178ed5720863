import { Failure } from "../failure.ts"

/** The most that is read into memory; a file goes to disk and has its own cap. Decoded bytes are counted, so a bomb stops here too. */
export const RECORD_MAX_BYTES = 64 * 1024 * 1024

/** The chunks of a body, the watch told of each. */
export async function* chunks(response: Response, alive: () => void): AsyncGenerator<Uint8Array> {
  if (!response.body) return
  const reader = response.body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      alive()
      yield value
    }
  } finally {
    // Ends the transfer when the reader of these chunks stopped early; after the end it does nothing.
    await reader.cancel().catch(() => undefined)
  }
}

export async function collect(
  name: string,
  body: AsyncIterable<Uint8Array>,
  maxBytes = RECORD_MAX_BYTES,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > maxBytes)
      throw new Failure(
        "too_large",
        `${name} sent more than ${maxBytes / 1024 / 1024} MB for one record; ask for a narrower one.`,
      )
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Room for what a service says instead of a file. */
const HEAD_BYTES = 2000

/** The beginning of a body, and the whole of it again. */
export async function peek(
  body: AsyncIterable<Uint8Array>,
): Promise<{ head: Uint8Array; chunks: AsyncIterable<Uint8Array> }> {
  const iterator = body[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let size = 0
  while (size < HEAD_BYTES) {
    const { done, value } = await iterator.next()
    if (done) break
    first.push(value)
    size += value.length
  }
  async function* again() {
    try {
      yield* first
      for (;;) {
        const { done, value } = await iterator.next()
        if (done) return
        yield value
      }
    } finally {
      await iterator.return?.()
    }
  }
  return { head: Buffer.concat(first).subarray(0, HEAD_BYTES), chunks: again() }
}
