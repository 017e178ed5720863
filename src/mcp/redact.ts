import { clip, oneLine } from "../science/clean.ts"

/** Shorter values (`1`, `debug`) are no secrets, and would be found everywhere. */
const MIN_SECRET = 6

/** What stands behind a word that announces a credential. */
const ANNOUNCED =
  /\b(bearer|basic|token|api[-_ ]?key|password|passwd|secret|authorization)(["']?\s*[:=]?\s*["']?)[^\s"',;]{6,}/gi

/** What looks like one by itself: long, letters and digits mixed, no path and no word. */
const TOKEN_LIKE = /(?<![\w/.-])(?=[\w-]*[A-Za-z])(?=[\w-]*\d)[\w-]{20,}(?![\w/.])/g

/**
 * A server's own words, fit for a log or a model: one line, short, without the values that were configured (a server may echo them) and
 * without what looks like a credential of its own.
 */
export function redacted(text: string, secrets: readonly string[], max = 200): string {
  // A long text is cut first: patterns over megabytes take time. Twice the length, so that no secret is cut in two where it would show.
  const short = oneLine(text.slice(0, max * 4))
  const parts = secrets
    .flatMap((secret) => [secret, ...secret.split(/\s+/)])
    .filter((part) => part.length >= MIN_SECRET)
  const without = parts
    .sort((a, b) => b.length - a.length)
    .reduce((rest, part) => rest.replaceAll(part, "[hidden]"), short)
  return clip(without.replace(ANNOUNCED, "$1$2[hidden]").replace(TOKEN_LIKE, "[hidden]"), max)
}
