/** DOIs, for the connectors that take them. */

/** The suffix may hold nearly anything but blanks: slashes, brackets, `<`, `#`, `+` (DOI Handbook, 2.2). */
export const DOI = /^10\.\d{4,9}\/[^\s\p{C}]+$/u

const SPELLING = /^[<"'([]*(?:doi\s*[:=]?\s*)?((?:https?:\/\/)?(?:www\.|dx\.)?doi\.org\/)?(10\.\d{4,9}(?:\/|%2f)\S+)$/i

/** The DOI in what a person typed or copied: with a prefix, as an address, with the end of a sentence. Undefined: none. */
export function readDoi(typed: string): string | undefined {
  const [, address, found = ""] = SPELLING.exec(typed.trim()) ?? []
  const doi = address !== undefined || /^[^/]*%2f/i.test(found) ? decoded(found.replace(/[?#].*$/, "")) : found
  const bare = withoutEnd(doi)
  return DOI.test(bare) ? bare : undefined
}

/** Case says nothing in a DOI (DOI Handbook, 2.4). */
export const sameDoi = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const PAIRS: Record<string, string> = { ")": "(", "]": "[", ">": "<" }

/** Without what ended the sentence; a bracket stays where the DOI opened it. */
function withoutEnd(doi: string): string {
  const last = doi.slice(-1)
  const count = (mark: string) => doi.split(mark).length
  const opened = PAIRS[last]
  const ends = opened === undefined ? /[.,;"']/.test(last) : count(opened) < count(last)
  return ends ? withoutEnd(doi.slice(0, -1)) : doi
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
