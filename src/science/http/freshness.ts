import CachePolicy from "http-cache-semantics"
import type { Kept } from "./cache.ts"

/** Services that say nothing about freshness are asked again after an hour: their releases come days or weeks apart. */
const DEFAULT_FRESHNESS = "max-age=3600"

/** A request as RFC 9111 sees it. A POST that only asks is kept like a GET: its body is part of the cache's key. */
export interface Asked {
  url: string
  method: "GET"
  headers: Record<string, string>
}

const policyOf = (kept: Kept) => CachePolicy.fromObject(kept.policy)

export const isFresh = (kept: Kept, asked: Asked): boolean => policyOf(kept).satisfiesWithoutRevalidation(asked)

/** The headers that ask "has it changed?". */
export function validators(kept: Kept, asked: Asked): Record<string, string> {
  const headers = policyOf(kept).revalidationHeaders(asked)
  return Object.fromEntries(
    ["if-none-match", "if-modified-since"].flatMap((name) => {
      const value = headers[name]
      return typeof value === "string" ? [[name, value]] : []
    }),
  )
}

/** What is kept after a 304: the old body under the new headers' freshness. */
export function renewed(kept: Kept, asked: Asked, headers: Headers): Kept {
  const { policy } = policyOf(kept).revalidatedPolicy(asked, { status: 304, headers: Object.fromEntries(headers) })
  return { ...kept, policy: policy.toObject() }
}

/** What is kept of a 200; undefined when its headers forbid it. */
export function keepable(asked: Asked, url: string, response: Response, body: Uint8Array): Kept | undefined {
  if (response.status !== 200) return undefined
  const headers = Object.fromEntries(response.headers)
  if (!["cache-control", "expires", "etag", "last-modified"].some((name) => headers[name]))
    headers["cache-control"] = DEFAULT_FRESHNESS
  const policy = new CachePolicy(asked, { status: 200, headers }, { shared: false })
  return policy.storable() ? { policy: policy.toObject(), url, headers: [...response.headers], body } : undefined
}
