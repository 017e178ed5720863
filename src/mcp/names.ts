import { createHash } from "node:crypto"

/** What models' services take as a function's name (`[A-Za-z0-9_-]`, 64 at most). The protocol allows 128 characters and dots. */
const MAX_CHARS = 64
const HASH_CHARS = 8

/**
 * Names for the tools of one server, by the server's own names: `<prefix>_<tool>`, a prefix that the server's name begins with anyway
 * not doubled. Two that would be called the same, and one that is too long, get a hash of the original; so the names do not depend
 * on the order of the list. `others` are prefixes of other servers that begin with this one: `a_b_c` could be theirs.
 */
export function namesFor(
  prefix: string,
  originals: readonly string[],
  others: readonly string[] = [],
): Map<string, string> {
  const plain = originals.map((original) => ({ original, name: plainName(prefix, original) }))
  return new Map(
    plain.map(({ original, name }) => {
      const rivals = plain.filter((claim) => claim.name === name).map((claim) => claim.original)
      // The one that is spelt so keeps the name.
      const owner = rivals.length === 1 ? original : rivals.find((each) => name === `${prefix}_${each}`)
      const foreign = others.some((other) => name.startsWith(`${other}_`))
      return [original, owner !== original || foreign || name.length > MAX_CHARS ? hashed(name, original) : name]
    }),
  )
}

function plainName(prefix: string, original: string): string {
  const name = original.replace(/[^A-Za-z0-9_-]/g, "_")
  return name.startsWith(`${prefix}_`) ? name : `${prefix}_${name}`
}

function hashed(name: string, original: string): string {
  const hash = createHash("sha256").update(original).digest("hex").slice(0, HASH_CHARS)
  return `${name.slice(0, MAX_CHARS - HASH_CHARS - 1)}_${hash}`
}
