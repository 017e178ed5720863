import type { Counting } from "./count.ts"
import { CLOSED_JSON, CLOSED_ROOT, type Ending, lastLine, nearEnd } from "./ends.ts"

/** How the bytes of one kind of file are recognised, checked and counted. */
export interface Kind {
  /** Without the dot. */
  extension: string
  mediaType: string
  binary: boolean
  /** How it begins, read as latin1; for text, after a byte order mark and blanks. Only what every file of the kind must have. */
  opens?: RegExp
  /** True where an HTML page is what was asked for; everywhere else one is a refusal in disguise. */
  page?: true
  ends?: Ending
  counts?: Counting
}

const XML = { binary: false, opens: /^</, ends: CLOSED_ROOT } as const
const JSON_TEXT = { binary: false, opens: /^[[{"]/, ends: CLOSED_JSON } as const

/** Services put their errors in XML where plain text was asked for (E-utilities, S3). */
const PLAIN = { binary: false, opens: /^(?!<\?xml)/ } as const

const ZIP = {
  binary: true,
  opens: /^PK(?:\x03\x04|\x05\x06)/,
  ends: nearEnd(/PK\x05\x06/, "central directory"),
} as const

const LINES: Counting = { line: /^[^\r]/, one: "line", many: "lines" }
const ATOMS = { one: "atom", many: "atoms" }
const SEQUENCES: Counting = { line: /^>/, one: "sequence", many: "sequences" }

export const KINDS = {
  // Any file of which nothing is known, such as a study's own uploads.
  bytes: { extension: "bin", mediaType: "application/octet-stream", binary: true },
  text: { extension: "txt", mediaType: "text/plain", binary: false },
  html: { extension: "html", mediaType: "text/html", binary: false, page: true },

  json: { extension: "json", mediaType: "application/json", ...JSON_TEXT },
  "csl-json": { extension: "csl.json", mediaType: "application/vnd.citationstyles.csl+json", ...JSON_TEXT },

  xml: { extension: "xml", mediaType: "application/xml", ...XML },
  kgml: { extension: "kgml", mediaType: "application/xml", ...XML },
  rdf: { extension: "rdf", mediaType: "application/rdf+xml", ...XML },
  svg: { extension: "svg", mediaType: "image/svg+xml", ...XML },

  // A first line is counted whether or not it names the columns: that cannot be known here.
  csv: { extension: "csv", mediaType: "text/csv", ...PLAIN, counts: LINES },
  tsv: { extension: "tsv", mediaType: "text/tab-separated-values", ...PLAIN, counts: LINES },
  list: { extension: "txt", mediaType: "text/plain", ...PLAIN, counts: LINES },
  bed: {
    extension: "bed",
    mediaType: "text/x-bed",
    binary: false,
    opens: /^(?:#|track\b|browser\b|\S+\s\d+\s\d+)/,
    counts: { line: /^(?!#|track\b|browser\b)\s*\S/, one: "feature", many: "features" },
  },
  gff3: {
    extension: "gff3",
    mediaType: "text/x-gff3",
    binary: false,
    opens: /^(?:#|[^\t\n]+\t)/,
    counts: { line: /^[^#\s]/, until: /^##FASTA/, one: "feature", many: "features" },
  },
  // GEO's records, each begun by a line such as "^SAMPLE = GSM11805".
  soft: {
    extension: "soft",
    mediaType: "text/plain",
    binary: false,
    opens: /^\^[A-Z]/i,
    counts: { line: /^\^[A-Z]/i, one: "record", many: "records" },
  },
  // Clickable areas of a KEGG pathway map.
  conf: { extension: "conf", mediaType: "text/plain", ...PLAIN, counts: { line: /\S/, one: "area", many: "areas" } },

  fasta: { extension: "fasta", mediaType: "text/x-fasta", binary: false, opens: /^[>;]/, counts: SEQUENCES },
  a3m: { extension: "a3m", mediaType: "text/x-a3m", binary: false, opens: /^[>#]/, counts: SEQUENCES },
  newick: { extension: "nwk", mediaType: "text/x-nh", ...PLAIN, ends: lastLine(/;$/, "semicolon") },
  // UniProt, EMBL and GenBank flat files.
  flat: {
    extension: "txt",
    mediaType: "text/plain",
    ...PLAIN,
    ends: lastLine(/^\/\/$/, "//"),
    counts: { line: /^\/\/\s*$/, one: "entry", many: "entries" },
  },
  kegg: {
    extension: "txt",
    mediaType: "text/plain",
    ...PLAIN,
    ends: lastLine(/^\/\/\/$/, "///"),
    counts: { line: /^\/\/\//, one: "entry", many: "entries" },
  },
  // A BRITE hierarchy (htext): its body stands between two lines of "!", with some remarks after the second.
  keg: {
    extension: "keg",
    mediaType: "text/plain",
    binary: false,
    opens: /^[+#]/,
    ends: nearEnd(/^!\s*$/m, '"!" line'),
  },

  mmcif: {
    extension: "cif",
    mediaType: "chemical/x-mmcif",
    binary: false,
    opens: /^(?:#|data_)/i,
    counts: { line: /^(?:ATOM|HETATM)\s/, ...ATOMS },
  },
  // MessagePack: a map whose first key is one of BinaryCIF's own three. The retired MMTF begins with a map too.
  bcif: {
    extension: "bcif",
    mediaType: "application/octet-stream",
    binary: true,
    opens: /^(?:[\x81-\x8f]|\xde[^]{2}|\xdf[^]{4})(?:\xa7version|\xa7encoder|\xaadataBlocks)/,
  },
  pdb: {
    extension: "pdb",
    mediaType: "chemical/x-pdb",
    ...PLAIN,
    ends: lastLine(/^END\s*$/, "END"),
    counts: { line: /^(?:ATOM {2}|HETATM)/, ...ATOMS },
  },
  sdf: {
    extension: "sdf",
    mediaType: "chemical/x-mdl-sdfile",
    ...PLAIN,
    ends: lastLine(/^(?:\$\$\$\$|M {2}END)$/, "$$$$"),
    counts: { line: /^\$\$\$\$/, one: "molecule", many: "molecules" },
  },
  // KEGG adds data fields and "$$$$" after the molecule.
  mol: {
    extension: "mol",
    mediaType: "chemical/x-mdl-molfile",
    ...PLAIN,
    ends: lastLine(/^(?:\$\$\$\$|M {2}END)$/, "M  END"),
    counts: { line: /^M {2}END/, one: "molecule", many: "molecules" },
  },
  mol2: {
    extension: "mol2",
    mediaType: "chemical/x-mol2",
    binary: false,
    opens: /^(?:#|@<TRIPOS>)/,
    counts: { line: /^@<TRIPOS>MOLECULE/, one: "molecule", many: "molecules" },
  },
  kcf: {
    extension: "kcf",
    mediaType: "text/plain",
    ...PLAIN,
    ends: lastLine(/^\/\/\/$/, "///"),
    counts: { line: /^\/\/\//, one: "molecule", many: "molecules" },
  },

  turtle: {
    extension: "ttl",
    mediaType: "text/turtle",
    ...PLAIN,
    ends: lastLine(/\.\s*(?:#.*)?$|^\s*(?:#|prefix\b|base\b)/i, "full stop"),
  },
  // Turtle with named graphs, each closed by a brace.
  trig: {
    extension: "trig",
    mediaType: "application/trig",
    ...PLAIN,
    ends: lastLine(/[.}]\s*(?:#.*)?$|^\s*(?:#|prefix\b|base\b)/i, "full stop or brace"),
  },
  ntriples: {
    extension: "nt",
    mediaType: "application/n-triples",
    ...PLAIN,
    ends: lastLine(/\.\s*(?:#.*)?$|^\s*#/, "full stop"),
    counts: { line: /^\s*[^\s#]/, one: "triple", many: "triples" },
  },

  nbib: {
    extension: "nbib",
    mediaType: "application/nbib",
    binary: false,
    opens: /^[A-Z]{2,4} *- /,
    counts: { line: /^PMID- /, one: "reference", many: "references" },
  },
  ris: {
    extension: "ris",
    mediaType: "application/x-research-info-systems",
    ...PLAIN,
    ends: lastLine(/^ER {2}-/, "ER"),
    counts: { line: /^TY {2}-/, one: "reference", many: "references" },
  },
  bibtex: {
    extension: "bib",
    mediaType: "application/x-bibtex",
    ...PLAIN,
    ends: lastLine(/[})]$/, "closing brace"),
    counts: { line: /^\s*@(?!comment|string|preamble)/i, one: "reference", many: "references" },
  },

  "asn1-text": { extension: "asnt", mediaType: "text/plain", ...PLAIN, ends: lastLine(/\}$/, "closing brace") },
  // BER: a constructed value, then its length, which is no printable character in a file longer than a line.
  "asn1-binary": {
    extension: "asnb",
    mediaType: "application/octet-stream",
    binary: true,
    opens: /^[\x30\x31\xa0-\xbf][^\t\n\r\x20-\x7e]/,
  },

  png: {
    extension: "png",
    mediaType: "image/png",
    binary: true,
    opens: /^\x89PNG\r\n\x1a\n/,
    ends: nearEnd(/IEND\xaeB`\x82/, "IEND chunk"),
  },
  gif: {
    extension: "gif",
    mediaType: "image/gif",
    binary: true,
    opens: /^GIF8[79]a/,
    ends: nearEnd(/;\0*$/, "trailer"),
  },
  pdf: {
    extension: "pdf",
    mediaType: "application/pdf",
    binary: true,
    opens: /^(?:\xef\xbb\xbf)?\s*%PDF-/,
    ends: nearEnd(/%%EOF/, "%%EOF"),
  },
  // UCSC's packed sequence, in either byte order (genome.ucsc.edu/FAQ/FAQformat.html#format7).
  "2bit": {
    extension: "2bit",
    mediaType: "application/octet-stream",
    binary: true,
    opens: /^(?:C'A\x1a|\x1aA'C)/,
  },
  gzip: { extension: "gz", mediaType: "application/gzip", binary: true, opens: /^\x1f\x8b/ },
  zip: { extension: "zip", mediaType: "application/zip", ...ZIP },
  // AnnData is HDF5 (support.hdfgroup.org, "Format Signature").
  h5ad: { extension: "h5ad", mediaType: "application/x-hdf5", binary: true, opens: /^\x89HDF\r\n\x1a\n/ },
  xlsx: {
    extension: "xlsx",
    mediaType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ...ZIP,
  },
} satisfies Record<string, Kind>

export type FileKind = keyof typeof KINDS

export function kindOf(kind: FileKind): Kind {
  return KINDS[kind]
}
