import { describe, expect, test } from "bun:test"
import { gzipSync } from "node:zlib"
import { type FileKind, KINDS, kindOf, spill } from "../../../src/science/spill/index.ts"
import { failureOf, project, stream, trickle } from "./project.ts"
import { processorTime } from "../../support/processor-time.ts"

const PAGE = "<!DOCTYPE html>\n<html lang='en'><head><title>503 Service Unavailable</title></head></html>\n"
const PNG = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0IEND\xaeB`\x82"
const ZIP = "PK\x03\x04 … PK\x01\x02 … PK\x05\x06\0\0"

/** The smallest whole file of each kind, read as latin1, with the count that it should have. */
const WHOLE: Record<FileKind, [body: string, entries?: string]> = {
  bytes: ["C'A\x1a\0\0"],
  text: ["anything"],
  html: [PAGE],
  json: [' {"a": [1]}\n'],
  "csl-json": ['{"DOI":"10.1038/1"}'],
  xml: ['\n<?xml version="1.0"?><!DOCTYPE a:b PUBLIC "x" "y"><!-- c -->\n<a:b x="1">\n<c/></a:b>\r\n<!-- bye -->\n'],
  kgml: ['<?xml version="1.0"?>\n<!DOCTYPE pathway SYSTEM "http://x/KGML.dtd">\n<pathway name="p"></pathway>\n'],
  rdf: ["<rdf:RDF\n xmlns:rdf='r'></rdf:RDF>"],
  svg: ["\xef\xbb\xbf<svg xmlns='s'><path/></svg>"],
  csv: ["a,b\r\n1,2\r\n\r\n3,4", "3 lines"],
  tsv: ["Entry\tName\n", "1 line"],
  list: ["P00750\nP56540\n", "2 lines"],
  bed: ["track name=x\nbrowser position\nchr7\t1\t2\n# c\nchr8\t1\t2\n", "2 features"],
  gff3: ["##gff-version 3\nX\ts\tgene\t1\t2\n\n##FASTA\n>X\nACGT\n", "1 feature"],
  soft: ["^SAMPLE = GSM1\n!Sample_title = x\n^SAMPLE=GSM2\n", "2 records"],
  conf: ["rect (1,2) (3,4)\t/entry/C00031\tC00031\n", "1 area"],
  fasta: [">a\nMK\n>b\nMK\n>c", "3 sequences"],
  a3m: ["#4\t1\n>a\nMKLV\n>b\nM-Lv\n", "2 sequences"],
  newick: ["(a:1,b:2);\n"],
  flat: ["ID   X\n//\nID   Y\n//\n\n", "2 entries"],
  kegg: ["ENTRY       7157\n///\nENTRY       7158\n///", "2 entries"],
  keg: [`+C\tPeptide\n!\n${"A".repeat(2000)}\n!\n#\n#Last updated: January 21, 2019\n`],
  mmcif: ["data_1A8O\nATOM   1 N\nHETATM 2 O\n# \n", "2 atoms"],
  bcif: ["\x83\xa7encoder\xb6mol*/ciftools"],
  pdb: ["HEADER\nATOM      1  N\nHETATM    2  O\nANISOU    2\nEND                 \n", "2 atoms"],
  sdf: ["4\n\n\nM  END\n$$$$\n5\n\n\nM  END\n$$$$\n", "2 molecules"],
  mol: ["x\n\n\n  1  0\nM  END\n", "1 molecule"],
  mol2: ["@<TRIPOS>MOLECULE\nx\n@<TRIPOS>ATOM\n", "1 molecule"],
  kcf: ["ENTRY       C00031\nATOM        1\n///\n", "1 molecule"],
  turtle: ["@prefix a: <b> .\n<x> a:y 'z' . # end\n"],
  trig: ["@prefix a: <b> .\n<g> {\n  <x> a:y 'a long literal' ;\n    a:z 'z' .\n}\n"],
  ntriples: ["# comment\n<a> <b> <c> .\n<a> <b> 'd' .\n", "2 triples"],
  nbib: ["\nPMID- 1\nOWN - NLM\n\nPMID- 2\n", "2 references"],
  ris: ["TY  - JOUR\nER  - \n\nTY  - JOUR\nTI  - Structure\nER  -\n", "2 references"],
  bibtex: ["@string{b = {c}}\n @article{a, title={x}, pages={1--2} }\n", "1 reference"],
  "asn1-text": ["PC-Compounds ::= {\n  {\n  }\n}\n"],
  "asn1-binary": ["0\x80\xa0\x80\0\0\0\0"],
  png: [PNG],
  gif: ["GIF89a\x01\0\x01\0;"],
  pdf: ["%PDF-1.5\n1 0 obj\nstartxref\n5\n%%EOF\n\n"],
  "2bit": ["C'A\x1a\0\0\0\0\x01\0\0\0\0\0\0\0"],
  gzip: [gzipSync("x").toString("latin1")],
  zip: [ZIP],
  h5ad: ["\x89HDF\r\n\x1a\n\0\x08\x08"],
  xlsx: [ZIP],
}

const kinds = Object.keys(KINDS).filter((kind): kind is FileKind => kind in WHOLE)
const relativePath = ".openscience/fetch/db/x"

async function save(kind: FileKind, body: string) {
  await using at = await project()
  return await spill({ directory: at.directory, relativePath, kind, body: stream(Buffer.from(body, "latin1")) })
}

const refusal = async (kind: FileKind, body: string) => await failureOf(save(kind, body))

const counted = ({ entries }: Awaited<ReturnType<typeof save>>) => entries && `${entries.count} ${entries.word}`

describe.each(kinds)("%s", (kind) => {
  const [body, entries] = WHOLE[kind]

  test("takes a whole file, and counts what it holds", async () => {
    const saved = await save(kind, body)
    expect(counted(saved)).toBe(entries)
    expect(saved.head === undefined).toBe(kindOf(kind).binary)
  })

  test("counts the same when bytes come a few at a time", async () => {
    await using at = await project()
    const bytes = trickle(Buffer.from(body, "latin1"))
    expect(counted(await spill({ directory: at.directory, relativePath, kind, body: bytes }))).toBe(entries)
  })
})

test.each(kinds.filter((kind) => !kindOf(kind).page))("%s refuses an HTML page", async (kind) => {
  const failure = await refusal(kind, PAGE)
  expect(failure.code).toBe("bad_response")
  expect(failure.message).toContain(`is an HTML page, not ${kind}`)
})

test.each(kinds.filter((kind) => kindOf(kind).ends))("half a file is noticed by %s", async (kind) => {
  const [body] = WHOLE[kind]
  const half = body.slice(0, body.length * 0.55)
  const failure = await refusal(kind, half)
  expect(failure).toMatchObject({ code: "bad_response", retryable: true })
  expect(failure.message).toContain("is cut off")
})

test.each(kinds.filter((kind) => kindOf(kind).opens))("%s refuses what does not begin like it", async (kind) => {
  const error = kindOf(kind).opens?.test("<?xml ") ? "Error: no such entry" : "<?xml version='1.0'?><Error>no</Error>"
  expect((await refusal(kind, error)).message).toContain(`is not ${kind}`)
})

describe("an HTML page", () => {
  test.each([
    ["in capitals", '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">\n<html>'],
    ["after a byte order mark and blanks", "\xef\xbb\xbf \r\n\t<HTML>"],
    ["without a doctype", "<head><title>Just a moment...</title>"],
    ["behind an XML prolog and comments", '<?xml version="1.0"?>\n<!-- a --><!-- b -->\n<!DOCTYPE html PUBLIC "x">'],
    ["behind a long comment", `<!-- ${"licence ".repeat(300)} --><html>`],
  ])("is known %s", async (_, body) => {
    for (const kind of ["pdb", "xml", "svg", "text", "bytes", "gzip"] as const)
      expect((await refusal(kind, body)).message).toContain("is an HTML page")
  })

  test("is not seen in an element that only begins like one", async () => {
    expect(await save("xml", "<header>x</header>")).toMatchObject({ bytes: 18 })
    expect(await save("text", "<htmlx>")).toMatchObject({ bytes: 7 })
  })
})

describe("the end of XML", () => {
  const entities = `<!DOCTYPE owl:Ontology [\n${'<!ENTITY a "http://example.org/a#" >\n'.repeat(200)}]>`

  test("is judged by the root that a DOCTYPE names when the root itself is far away", async () => {
    const body = `<?xml version="1.0"?>\n${entities}\n<owl:Ontology><a/></owl:Ontology>`
    expect(await save("rdf", body)).toMatchObject({ unchanged: false })
    expect(await refusal("rdf", body.replace("</owl:Ontology>", ""))).toMatchObject({ code: "bad_response" })
  })

  test("may be the root itself", async () => {
    expect(await save("xml", '<?xml version="1.0"?><eLinkResult error="0"/>')).toMatchObject({ unchanged: false })
  })

  test("is not looked for in a long run of blanks for long", async () => {
    const ms = processorTime()
    await refusal("xml", `<a>${" ".repeat(2000)}<b>`)
    expect(ms()).toBeLessThan(500)
  })
})

test("a row format refuses an error in JSON", async () => {
  for (const kind of ["gff3", "bed", "mmcif", "mol2", "nbib", "keg", "fasta", "a3m"] as const)
    expect((await refusal(kind, '{"error":"ID not found"}')).message).toContain(`is not ${kind}`)
})

test("a binary file with the retired MMTF's first key is not BinaryCIF", async () => {
  expect(await refusal("bcif", "\xde\0'\xabmmtfVersion\xa50.2.0")).toMatchObject({ code: "bad_response" })
})

test("a refusal gives the first words, at most 80 characters, without control characters", async () => {
  const { message } = await refusal("png", `\x1b[31mRate\nlimit \x07exceeded ${"x".repeat(200)}`)
  expect(message).toBe(`its answer is not png; it begins with: Rate limit exceeded ${"x".repeat(59)}…`)
})
