import { createHash } from "node:crypto"
import cacache from "cacache"
import type CachePolicy from "http-cache-semantics"
import { LRUCache } from "lru-cache"

/** An answer as it is kept: what http-cache-semantics needs to judge it, and its bytes. */
export interface Kept {
  policy: CachePolicy.CachePolicyObject
  url: string
  headers: [string, string][]
  body: Uint8Array
}

/** Never throws: a cache that cannot be read or written is an empty one. */
export interface Cache {
  get(key: string): Promise<Kept | undefined>
  put(key: string, kept: Kept): Promise<void>
}

/** What makes two requests the same; a mirror is another source, so its answers are kept apart. */
export function cacheKey(parts: { method: string; url: string; body: string; accept: string; mirror: string }): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex")
}

export const CACHE_MAX_BYTES = 512 * 1024 * 1024
const MEMORY_MAX_BYTES = 64 * 1024 * 1024

export function memoryCache(maxBytes = MEMORY_MAX_BYTES): Cache {
  const kept = new LRUCache<string, Kept>({ maxSize: maxBytes, sizeCalculation: (entry) => entry.body.length + 1024 })
  return {
    get: async (key) => kept.get(key),
    put: async (key, entry) => void kept.set(key, entry),
  }
}

/** Reads what is there and keeps new answers in memory only: for plan mode, which writes nothing. */
export function readOnlyCache(disk: Cache): Cache {
  const memory = memoryCache()
  return { get: async (key) => (await memory.get(key)) ?? (await disk.get(key)), put: memory.put }
}

/** Bytes of each record, checked when read back, in a folder that many processes may share (cacache, npm's own). */
export function diskCache(dir: string, maxBytes = CACHE_MAX_BYTES): Cache {
  let untilTrim = 0
  return {
    get: async (key) => {
      try {
        const { data, metadata } = await cacache.get(dir, key)
        return { ...(metadata as Omit<Kept, "body">), body: new Uint8Array(data) }
      } catch {
        return undefined
      }
    },
    put: async (key, { body, ...metadata }) => {
      try {
        await cacache.put(dir, key, Buffer.from(body), { metadata })
        untilTrim -= body.length
        if (untilTrim <= 0) untilTrim = (await trim(dir, maxBytes)) / 4
      } catch {
        // A full or read-only disk costs the next call a request, not this one its answer.
      }
    },
  }
}

/** Drops the oldest entries until a tenth of the room is free; resolves to the free room in bytes. */
async function trim(dir: string, maxBytes: number): Promise<number> {
  const entries = Object.values(await cacache.ls(dir)).sort((a, b) => a.time - b.time)
  let size = entries.reduce((sum, entry) => sum + entry.size, 0)
  if (size <= maxBytes) return maxBytes - size
  for (const entry of entries) {
    if (size <= maxBytes * 0.9) break
    await cacache.rm.entry(dir, entry.key)
    size -= entry.size
  }
  await cacache.verify(dir)
  return maxBytes - size
}
