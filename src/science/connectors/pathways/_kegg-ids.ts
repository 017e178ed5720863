import { organismCodes } from "./_kegg-organisms.ts"

/** Databases whose prefix may be left out, by what they are called in an id, with what their ids look like. */
const PREFIXES = new Map([
  ...named("path pathway", /^(?:map|ko|ec|rn|[a-z]{3,4})\d{5}$/i),
  ...named("md module", /^(?:[a-z]{3,4}_)?M\d{5}$/i),
  ...named("ko orthology", /^K\d{5}$/i),
  ...named("cpd compound", /^C\d{5}$/i),
  ...named("gl glycan", /^G\d{5}$/i),
  ...named("rn reaction", /^R\d{5}$/i),
  ...named("rc rclass", /^RC\d{5}$/i),
  ...named("dr drug", /^D\d{5}$/i),
  ...named("dg dgroup", /^DG\d{5}$/i),
  ...named("ds disease", /^H\d{5}$/i),
  ...named("ne network", /^(?:N|nt)\d{5}$/i),
  ...named("gn genome", /^T\d{5}$/i),
])

/** A gene's locus is what its genome calls it, and KEGG minds its case: `ath:at1g01010` is not `ath:AT1G01010`. */
const GENE = /^(?:[a-z]{3,4}|vg|vp|ag|T\d{5}):[^\s,;+/|"]+$/

/** What other databases put before a colon looks like an organism code as well. */
const NO_ORGANISM = /^(?:mesh|omim|mim|hgnc|doid|doi|mgi|rgd|ncit|efo|obi|pmid|pdb|chem|http|path|drug|cpd):/

export const ID = new RegExp(
  [
    /^(?:map|ko|ec|rn|[a-z]{3,4})\d{5}$/,
    /^(?:[a-z]{3,4}_)?M\d{5}$/,
    /^(?:K|C|G|R|RC|D|DG|H|N|nt|T)\d{5}$/,
    /^br:(?:br|jp|ko|[a-z]{3,4})\d{5}$/,
    /^ec:\d+(?:\.(?:n?\d+|-)){1,3}$/,
    /^hsa_var:\d+v\d+$/,
    /^gn:[a-z]{3,4}$/,
    new RegExp(`(?!${NO_ORGANISM.source})${GENE.source}`),
  ]
    .map(({ source }) => source)
    .join("|"),
)

/** One spelling of each id: without the prefixes that may be left out, codes in lower case, numbers with their capital. */
export function normalizeKeggId(written: string): string {
  const typed = written
    .replace(/^https?:\/\/(?:www\.|rest\.)?(?:kegg|genome)\.jp\/.*[/?]([^/?]+)$/i, "$1")
    .replace(/^kegg\.[a-z]+:/i, "")
  const enzyme = /^(?:ec|enzyme)[:\s]\s*(\d[\d.n-]*)$/i.exec(typed)?.[1] ?? /^\d+(?:\.(?:n?\d+|-)){3}$/.exec(typed)?.[0]
  if (enzyme !== undefined) return `ec:${enzyme}`
  const [, prefix = "", rest = typed] = /^([a-z_]+|T\d{5}):\s*(.*)$/i.exec(typed) ?? []
  const database = prefix.toLowerCase()
  if (database === "br" || database === "brite" || (prefix === "" && /^(?:br|jp)\d{5}$/i.test(rest)))
    return `br:${rest.toLowerCase()}`
  if (database === "variant" || database === "hsa_var") return `hsa_var:${rest.toLowerCase()}`
  if (database === "gn" && /^[a-z]{3,4}$/i.test(rest)) return `gn:${rest.toLowerCase()}`
  if (prefix === "" || PREFIXES.get(database)?.test(rest)) return bare(rest)
  return `${/^T\d/i.test(prefix) ? prefix.toUpperCase() : database}:${rest}`
}

function bare(id: string): string {
  const [, letters = "", number = ""] = /^([a-z_]+)(\d+)$/i.exec(id) ?? []
  const lower = letters.toLowerCase()
  // `hsa7157` is the gene hsa:7157; five digits are a pathway.
  if (number.length !== 5) return organismCodes.has(lower) ? `${lower}:${number}` : id
  if (/^(?:k|c|g|r|rc|d|dg|h|n|t|m)$/.test(lower)) return letters.toUpperCase() + number
  if (/_m$/.test(lower)) return lower.replace(/m$/, "M") + number
  return lower + number
}

/** As `get` and `list` want it: some ids are found under their prefix only. */
export function withPrefix(id: string): string {
  if (/^T\d{5}$/.test(id)) return `gn:${id}`
  if (/^nt\d{5}$/.test(id)) return `network:${id}`
  return id
}

export type EntryKind = "pathway" | "hierarchy" | "gene" | "structure" | "other"

/** What the shape of an id says about its entry; by it the formats that there are. */
export function kindOf(id: string): EntryKind {
  if (id.startsWith("br:")) return "hierarchy"
  if (/^[CDG]\d{5}$/.test(id)) return "structure"
  if (/^(?:map|ko|ec|rn|[a-z]{3,4})\d{5}$/.test(id)) return "pathway"
  return /^(?:ec|gn|hsa_var):/.test(id) || !GENE.test(id) ? "other" : "gene"
}

/** `hsa:TP53`: nearly all locus tags and GeneIDs have a longer number. */
export function isSymbol(gene: string): boolean {
  const locus = gene.replace(/^[^:]*:/, "")
  return /[A-Za-z]/.test(locus) && !/\d{3}/.test(locus)
}

function named(names: string, shape: RegExp): [string, RegExp][] {
  return names.split(" ").map((name) => [name, shape])
}
