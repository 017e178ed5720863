/** What a body may be: a stream of bytes, or all of it at once. */
export type Body = AsyncIterable<Uint8Array> | Uint8Array | string

/** The chunks of a body until it ends or the caller gives up; then the abort's reason is thrown, even while a chunk is awaited. */
export async function* chunksOf(body: Body, signal: AbortSignal | undefined): AsyncGenerator<Buffer, void> {
  if (typeof body === "string") yield Buffer.from(body)
  else if (body instanceof Uint8Array) yield asBuffer(body)
  else yield* streamed(body, signal)
}

async function* streamed(body: AsyncIterable<Uint8Array>, signal: AbortSignal | undefined) {
  const iterator = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await nextOrAbort(iterator, signal)
      if (done) return
      yield asBuffer(value)
    }
  } finally {
    // Not awaited: a generator that hangs in `next` would never answer.
    iterator.return?.().catch(() => undefined)
  }
}

/** A promise of its own for each chunk: a race against one long-lived promise would keep every chunk in memory. */
function nextOrAbort<T>(iterator: AsyncIterator<T>, signal: AbortSignal | undefined): Promise<IteratorResult<T>> {
  if (!signal) return iterator.next()
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener("abort", abort, { once: true })
    iterator
      .next()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", abort))
  })
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
