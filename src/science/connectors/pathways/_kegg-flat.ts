/** A field's own lines; where it has sub-fields, one object with them and, as `text`, its own lines. */
export type FlatItem = string | Record<string, string[]>

export type FlatEntry = Record<string, FlatItem[]>

/**
 * KEGG's flat format as JSON, content whole (www.kegg.jp/kegg/rest/dbentry.html): a field's name stands in columns 1 to 12, what it says
 * from column 13 on, sub-fields are indented.
 *
 * - Every field is an array of its lines, as they stand there: `PATHWAY: ["hsa04115  p53 signaling pathway", …]`. Also where it is one line.
 * - A field with sub-fields is an object each time that it stands there: `REFERENCE: [{text: ["PMID:10476961"], TITLE: ["…"]}, …]`.
 * - Indentation within a field stays (BRITE's levels); blanks at the end of a line go.
 * - Of AASEQ and NTSEQ the first line is the length, the others are the sequence.
 */
export function readFlat(text: string): FlatEntry[] {
  return text
    .split(/^\/\/\/[^\S\n]*$/m)
    .filter((entry) => entry.trim() !== "")
    .map(readEntry)
}

function readEntry(text: string): FlatEntry {
  const entry: FlatEntry = {}
  let items: FlatItem[] = []
  let own: string[] = []
  let subFields: Record<string, string[]> = {}
  let lines = own

  const close = () => {
    const parts = Object.keys(subFields).length > 0
    items.push(...(parts ? [{ text: own, ...subFields }] : own))
  }
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [, indent, name] = /^( {0,3})([A-Z][A-Z0-9_]*)(?: |$)/.exec(line.slice(0, 12)) ?? []
    if (name === undefined) {
      lines.push(line.slice(/^ {12}/.test(line) ? 12 : 0).trimEnd())
      continue
    }
    if (indent === "") {
      close()
      items = entry[name] ??= []
      own = []
      subFields = {}
      lines = own
    } else lines = subFields[name] ??= []
    const value = line.slice(12).trimEnd()
    if (value !== "") lines.push(value)
  }
  close()
  return entry
}
