/** A field's lines; of one that makes a list of its own, an object for each time that it stands there. */
export type FlatEntry = Record<string, string[] | Record<string, string[]>[]>

/** Fields that stand in an entry as often as there are references or replicons, each time with sub-fields of their own. */
const GROUPED = new Set(["REFERENCE", "CHROMOSOME", "PLASMID"])

/**
 * KEGG's flat format as JSON, content whole (www.kegg.jp/kegg/rest/dbentry.html): a field's name stands in columns 1 to 12, what it says
 * from column 13 on, sub-fields are indented.
 *
 * - A field is an array of its lines, as they stand there, also where it is one: `PATHWAY: ["hsa04115  p53 signaling pathway", …]`.
 * - A sub-field is named after its field: ELEMENT below NETWORK is `NETWORK_ELEMENT`, PATHWAY below TARGET is `TARGET_PATHWAY`.
 * - REFERENCE, CHROMOSOME and PLASMID are arrays of objects: `REFERENCE: [{text: ["PMID:10476961"], TITLE: ["…"], …}, …]`.
 * - Indentation within a field stays (BRITE's levels); blanks at the end of a line go.
 * - The first line of AASEQ and NTSEQ is the length, the others are the sequence.
 */
export function readFlat(text: string): FlatEntry[] {
  return text
    .split(/^\/\/\/[^\S\n]*$/m)
    .filter((entry) => entry.trim() !== "")
    .map(readEntry)
}

function readEntry(text: string): FlatEntry {
  const simple: Record<string, string[]> = {}
  const grouped: Record<string, Record<string, string[]>[]> = {}
  let field = ""
  let group: Record<string, string[]> | undefined
  let lines: string[] = []
  for (const line of text.split("\n").filter((each) => each.trim() !== "")) {
    const [, indent, name] = /^( {0,3})([A-Z][A-Z0-9_]*)(?: |$)/.exec(line.slice(0, 12)) ?? []
    if (name === undefined) {
      lines.push(line.slice(/^ {12}/.test(line) ? 12 : 0).trimEnd())
      continue
    }
    if (indent !== "") lines = group ? (group[name] ??= []) : (simple[`${field}_${name}`] ??= [])
    else {
      field = name
      lines = []
      group = GROUPED.has(name) ? { text: lines } : undefined
      if (group) (grouped[name] ??= []).push(group)
      else lines = simple[name] ??= []
    }
    const value = line.slice(12).trimEnd()
    if (value !== "") lines.push(value)
  }
  return { ...simple, ...grouped }
}
