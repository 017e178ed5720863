import { expect, test } from "bun:test"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"
import { normalizeId, readId, splitIds } from "../../../src/science/ids.ts"
import { createRegistry } from "../../../src/science/registry.ts"
import kegg from "../../../src/science/connectors/pathways/kegg.ts"

const TP53 = `ENTRY       7157              CDS       T01001
SYMBOL      TP53, BCC7, LFS1
NAME        (RefSeq) cellular tumor antigen p53 isoform a
ORGANISM    hsa  Homo sapiens (human)
PATHWAY     hsa04110  Cell cycle
            hsa04115  p53 signaling pathway
NETWORK     nt06230  Cell cycle (cancer)
  ELEMENT   N00066  MDM2-p21-Cell cycle G1/S
            N00067  Deleted p14(ARF) to p21-cell cycle G1/S
BRITE       Transcription factors [BR:hsa03000]
             Eukaryotic type
              p53
               7157 (TP53)
DBLINKS     NCBI-GeneID: 7157
            UniProt: P04637 K7PPA8
AASEQ       20
            MEEPQSDPSV
            EPPLSQETFS
///
`

const GLUCOSE = `ENTRY       C00031                      Compound
NAME        D-Glucose;
            Dextrose
FORMULA     C6H12O6
REACTION    R00010 R00028 
///
`

const RIBOSOME = `ENTRY       mmu03010                    Pathway
NAME        Ribosome - Mus musculus (house mouse)
ORGANISM    Mus musculus (house mouse) [GN:mmu]
REFERENCE   PMID:10476961
  AUTHORS   Cate JH, Yusupov MM
  JOURNAL   Science 285:2095-104 (1999)
            DOI:10.1126/science.285.5436.2095
REFERENCE   PMID:10476960
  TITLE     Structure of a bacterial 30S ribosomal subunit
///
`

const LIGASE = `ENTRY       EC 6.2.1.25                 Enzyme
NAME        benzoate---CoA ligase;
            benzoyl CoA synthetase (AMP forming)
///
`

const HUMAN = `ENTRY       T01001            Complete  Genome
ORG_CODE    hsa
NAME        Homo sapiens
CHROMOSOME  1
  SEQUENCE  RS:NC_000001
///
`

const TEXT = { "content-type": "text/plain" }
const UNKNOWN = { status: 404, headers: TEXT, body: "" }
const WRONG_ADDRESS = {
  status: 404,
  headers: { "content-type": "text/html" },
  body: '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>404 Not Found</title>\n</head><body>',
}
const PNG = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
  Buffer.from("0000000049454e44ae426082", "hex"),
])

/** KEGG with the given answers by path; whatever else is asked for is not there. */
const serving = (answers: Record<string, Reply>) =>
  world(({ path }: Seen) => answers[decodeURIComponent(path)] ?? UNKNOWN, { connectors: [kegg] })

type Kegg = Awaited<ReturnType<typeof serving>>

const paths = (w: Kegg) => w.server.requests.map(({ path }) => path)

async function record(w: Kegg, id: string) {
  const [outcome] = (await w.fetch("kegg", id)).outcomes
  if (outcome?.kind !== "record") throw new Error(`no record: ${JSON.stringify(outcome)}`)
  return outcome
}

async function hits(w: Kegg, query: string, more: Parameters<Kegg["search"]>[2] = {}) {
  const { result } = await w.search("kegg", query, more)
  if (result.kind !== "hits") throw new Error(`no hits: ${result.failure.message}`)
  return result
}

test("ids are spelt one way: prefixes that may go are gone, codes are small, numbers have their capital", () => {
  const spelt = (typed: string) => normalizeId(kegg, typed)
  expect(spelt("cpd:c00031")).toBe("C00031")
  expect(spelt("path:hsa04115")).toBe("hsa04115")
  expect(spelt("HSA04115")).toBe("hsa04115")
  expect(spelt("ko:K04451")).toBe("K04451")
  expect(spelt("gn:T01001")).toBe("T01001")
  expect(spelt("module:hsa_m00001")).toBe("hsa_M00001")
  expect(spelt("EC 1.1.1.1")).toBe("ec:1.1.1.1")
  expect(spelt("1.1.1.-")).toBe("ec:1.1.1.-")
  expect(spelt("br08005")).toBe("br:br08005")
  expect(spelt("hsa7157")).toBe("hsa:7157")
  expect(spelt("https://www.kegg.jp/entry/hsa:7157")).toBe("hsa:7157")
  expect(spelt("https://rest.kegg.jp/get/C00031")).toBe("C00031")
  expect(spelt("kegg:C00031")).toBe("C00031")
  expect(spelt("kegg.compound:C00031")).toBe("C00031")
})

test("the organism's code loses its capitals, the locus keeps its own", () => {
  expect(normalizeId(kegg, "HSA:7157")).toBe("hsa:7157")
  expect(normalizeId(kegg, "ATH:At1g01010")).toBe("ath:At1g01010")
  expect(normalizeId(kegg, "t01001:7157")).toBe("T01001:7157")
})

test("what is no id of KEGG is refused before any request", () => {
  const registry = createRegistry([kegg])
  for (const typed of ["7157", "04115", "TP53", "C00031.1", "cpd:glucose", "constructor:x", "MESH:D003924", "hsa"])
    expect(() => readId(kegg, typed, registry)).toThrow("is not an id of KEGG")
})

test("several ids in one line are several", () => {
  expect(splitIds(kegg, "hsa:7157, mmu:22059 C00031")).toEqual(["hsa:7157", "mmu:22059", "C00031"])
})

test("a gene's record is found under its organism, though its ENTRY line has no prefix", async () => {
  await using w = await serving({ "/get/hsa:7157": TP53 })
  const gene = await record(w, "HSA:7157")
  expect(gene).toMatchObject({ id: "hsa:7157", url: "https://www.kegg.jp/entry/hsa:7157" })
  expect(gene).not.toHaveProperty("resolvedId")
})

test("the flat entry becomes fields of lines, none lost and none changed", async () => {
  await using w = await serving({ "/get/hsa:7157": TP53, "/get/mmu03010": RIBOSOME, "/get/C00031": GLUCOSE })
  expect((await record(w, "hsa:7157")).record).toEqual({
    ENTRY: ["7157              CDS       T01001"],
    SYMBOL: ["TP53, BCC7, LFS1"],
    NAME: ["(RefSeq) cellular tumor antigen p53 isoform a"],
    ORGANISM: ["hsa  Homo sapiens (human)"],
    PATHWAY: ["hsa04110  Cell cycle", "hsa04115  p53 signaling pathway"],
    NETWORK: ["nt06230  Cell cycle (cancer)"],
    NETWORK_ELEMENT: ["N00066  MDM2-p21-Cell cycle G1/S", "N00067  Deleted p14(ARF) to p21-cell cycle G1/S"],
    BRITE: ["Transcription factors [BR:hsa03000]", " Eukaryotic type", "  p53", "   7157 (TP53)"],
    DBLINKS: ["NCBI-GeneID: 7157", "UniProt: P04637 K7PPA8"],
    AASEQ: ["20", "MEEPQSDPSV", "EPPLSQETFS"],
  })
  expect((await record(w, "C00031")).record).toMatchObject({
    NAME: ["D-Glucose;", "Dextrose"],
    REACTION: ["R00010 R00028"],
  })
  expect((await record(w, "mmu03010")).record).toMatchObject({
    REFERENCE: [
      {
        text: ["PMID:10476961"],
        AUTHORS: ["Cate JH, Yusupov MM"],
        JOURNAL: ["Science 285:2095-104 (1999)", "DOI:10.1126/science.285.5436.2095"],
      },
      { text: ["PMID:10476960"], TITLE: ["Structure of a bacterial 30S ribosomal subunit"] },
    ],
  })
})

test("every record says that KEGG is for academic use", async () => {
  await using w = await serving({ "/get/C00031": GLUCOSE })
  expect((await record(w, "C00031")).remarks).toEqual([expect.stringContaining("academic use")])
})

test("an enzyme is asked for with its prefix, which its ENTRY line spells EC", async () => {
  await using w = await serving({ "/get/ec:6.2.1.25": LIGASE })
  expect((await record(w, "EC 6.2.1.25")).id).toBe("ec:6.2.1.25")
})

test("a genome is asked for as gn:, by number or code, and a gene by its genome's number", async () => {
  await using w = await serving({ "/get/gn:T01001": HUMAN, "/get/gn:hsa": HUMAN, "/get/T01001:7157": TP53 })
  expect((await record(w, "T01001")).record).toMatchObject({
    CHROMOSOME: [{ text: ["1"], SEQUENCE: ["RS:NC_000001"] }],
  })
  expect(await record(w, "gn:hsa")).toMatchObject({
    resolvedId: "T01001",
    remarks: ["gn:hsa is T01001 by KEGG's own name", expect.anything()],
  })
  expect((await record(w, "T01001:7157")).resolvedId).toBe("hsa:7157")
})

test("the gene of the same number in another organism is not the record", async () => {
  await using w = await serving({ "/get/mmu:7157": TP53 })
  expect((await w.fetch("kegg", "mmu:7157")).outcomes).toMatchObject([
    { kind: "miss", reason: "it answered with hsa:7157 instead, which is another record" },
  ])
})

test("an obsolete enzyme is a miss that says what became of it", async () => {
  const transferred = "ENTRY       EC 1.1.1.5        Obsolete  Enzyme\nNAME        Transferred to 1.1.1.303\n///\n"
  await using w = await serving({ "/get/ec:1.1.1.5": transferred, "/get/ec:1.1.1.5+C00031": transferred + GLUCOSE })
  const missed = { kind: "miss", reason: "it is obsolete: Transferred to 1.1.1.303" }
  expect((await w.fetch("kegg", "ec:1.1.1.5")).outcomes).toMatchObject([missed])
  expect((await w.fetch("kegg", "ec:1.1.1.5", "C00031")).outcomes).toMatchObject([missed, { kind: "record" }])
})

test("a 404 with nothing in it is a miss, a 404 with a page is a failure", async () => {
  await using w = await serving({ "/get/C99999": WRONG_ADDRESS, "/link/x/hsa:7157": WRONG_ADDRESS })
  expect((await w.fetch("kegg", "C99998")).outcomes).toMatchObject([{ kind: "miss" }])
  expect((await w.fetch("kegg", "C99999")).outcomes).toMatchObject([
    { kind: "failure", failure: { code: "bad_response" } },
  ])
  expect((await w.search("kegg", "link/x/hsa:7157")).result).toMatchObject({ failure: { code: "bad_response" } })
  expect((await w.file("kegg", "flat", "C99998")).outcomes).toMatchObject([{ kind: "miss" }])
  expect((await w.file("kegg", "flat", "C99999")).outcomes).toMatchObject([
    { kind: "failure", failure: { code: "bad_response" } },
  ])
})

test("a symbol that was taken for an id is missed with the way to find it", async () => {
  await using w = await serving({})
  expect((await w.fetch("kegg", "hsa:TP53")).outcomes).toMatchObject([
    { kind: "miss", reason: expect.stringContaining("not by symbol") },
  ])
  const [plain] = (await w.fetch("kegg", "hsa:99999999")).outcomes
  expect(plain).not.toHaveProperty("reason")
})

test("a 403 is a rate limit, in search, fetch and file", async () => {
  await using w = await world(() => ({ status: 403, headers: TEXT, body: "Forbidden" }), { connectors: [kegg] })
  const limited = { kind: "failure", failure: { code: "rate_limited", retryAfterMs: 60_000 } }
  expect((await w.search("kegg", "glucose")).result).toMatchObject(limited)
  expect((await w.fetch("kegg", "C00031")).outcomes).toMatchObject([limited])
  expect((await w.file("kegg", "mol", "C00031")).outcomes).toMatchObject([limited])
})

test("an entry that was cut off is asked for once more and is then a failure", async () => {
  await using w = await serving({ "/get/C00031": GLUCOSE.slice(0, -10) })
  expect((await w.fetch("kegg", "C00031")).outcomes).toMatchObject([
    { kind: "failure", failure: { code: "bad_response", message: expect.stringContaining("///") } },
  ])
  expect(paths(w)).toHaveLength(2)
  expect((await w.file("kegg", "flat", "C00031")).outcomes).toMatchObject([
    { kind: "failure", failure: { code: "bad_response" } },
  ])
})

test("a page under status 200, or a 503, is a failure and never a miss or no hits", async () => {
  for (const reply of [
    { ...WRONG_ADDRESS, status: 200 },
    { status: 503, headers: TEXT, body: "" },
  ]) {
    await using w = await world(() => reply, { connectors: [kegg] })
    expect((await w.search("kegg", "glucose")).result.kind).toBe("failure")
    expect((await w.search("kegg", "C00031")).result.kind).toBe("failure")
    expect((await w.fetch("kegg", "C00031")).outcomes[0]?.kind).toBe("failure")
    expect((await w.file("kegg", "mol", "C00031")).outcomes[0]?.kind).toBe("failure")
  }
})

test("several entries come in one request with the + as it is, and are matched by their ids", async () => {
  await using w = await serving({ "/get/hsa:7157+C00031+C99999+ec:6.2.1.25": `${LIGASE}${GLUCOSE}\n${TP53}` })
  const { outcomes } = await w.fetch("kegg", "hsa:7157", "C00031", "C99999", "ec:6.2.1.25")
  expect(outcomes.map(({ kind, id }) => `${id} ${kind}`)).toEqual([
    "hsa:7157 record",
    "C00031 record",
    "C99999 miss",
    "ec:6.2.1.25 record",
  ])
  expect(paths(w)).toEqual(["/get/hsa%3A7157+C00031+C99999+ec%3A6.2.1.25"])
})

test("ten entries go into one request, and when none of them is there all are missed", async () => {
  await using w = await serving({})
  const ids = Array.from({ length: 11 }, (_, i) => `C${99900 + i}`)
  const { outcomes } = await w.fetch("kegg", ...ids)
  expect(outcomes.every(({ kind }) => kind === "miss")).toBe(true)
  expect(paths(w).map((path) => path.split("+").length)).toEqual([10, 1])
})

test("in a batch that needs several requests one that fails costs its own ids only", async () => {
  await using w = await serving({ "/get/br:br08005/json": { status: 503, body: "" }, "/get/C00031": GLUCOSE })
  expect((await w.fetch("kegg", "br:br08005", "C00031")).outcomes).toMatchObject([
    { kind: "failure", id: "br:br08005", failure: { code: "unavailable" } },
    { kind: "record", id: "C00031" },
  ])
})

test("a hierarchy is KEGG's own JSON, asked for alone, and one that is a table is missed with the format that it has", async () => {
  const tree = { name: "br08005", children: [{ name: "Neuropeptides" }] }
  await using w = await serving({ "/get/br:br08005/json": JSON.stringify(tree), "/get/C00031": GLUCOSE })
  const { outcomes } = await w.fetch("kegg", "br:br08005", "C00031", "br:br08341")
  expect(outcomes).toMatchObject([
    { kind: "record", id: "br:br08005", record: tree, url: "https://www.kegg.jp/brite/br08005" },
    { kind: "record", id: "C00031" },
    { kind: "miss", reason: expect.stringContaining("keg") },
  ])
})

test("plain words go to the pathways, all of them, and a slash among them is left out", async () => {
  await using w = await serving({
    "/find/pathway/MAPK signaling": "map04010\tMAPK signaling pathway\nmap04011\tMAPK signaling pathway - yeast\n",
  })
  expect(await hits(w, "MAPK / signaling")).toMatchObject({
    hits: [
      { id: "map04010", title: "MAPK signaling pathway" },
      { id: "map04011", title: "MAPK signaling pathway - yeast" },
    ],
    total: 2,
    notes: [expect.stringContaining("pathways only")],
  })
  expect(paths(w)).toEqual(["/find/pathway/MAPK%20signaling"])
})

test("words that no pathway has are looked for in compounds, drugs, diseases and orthologs", async () => {
  await using w = await serving({
    "/find/pathway/glucose": "\n",
    "/find/compound/glucose": "cpd:C00031\tD-Glucose; Grape sugar; Dextrose\n",
    "/find/drug/glucose": "D00009\tGlucose (JP18); D-Glucose\n",
    "/find/disease/glucose": "",
    "/find/ko/glucose": "\n",
  })
  expect(await hits(w, "glucose")).toMatchObject({
    hits: [
      { id: "C00031", title: "D-Glucose", summary: "compound · Grape sugar; Dextrose" },
      { id: "D00009", title: "Glucose (JP18)", summary: "drug · D-Glucose" },
    ],
    total: 2,
  })
})

test("a database before the words is searched alone", async () => {
  await using w = await serving({ '/find/genes/"shiga toxin"': "ece:Z1464\tstx2A; shiga-like toxin II A subunit\n" })
  expect((await hits(w, 'genes:"shiga toxin"')).hits).toEqual([
    { id: "ece:Z1464", title: "stx2A", summary: "shiga-like toxin II A subunit" },
  ])
  expect((await hits(w, "drug: nosuchdrug")).total).toBe(0)
  expect(paths(w)).toEqual(["/find/genes/%22shiga%20toxin%22", "/find/drug/nosuchdrug"])
})

test("a formula or a mass is searched by its option, and the names are asked for beside it", async () => {
  await using w = await serving({
    "/find/compound/C7H10O5/formula": "C00493\tC7H10O5\nC04236\tC7H10O5\n",
    "/find/drug/300-310/mol_weight": "D00001\t301.5\n",
    "/list/C00493+C04236": "C00493\tShikimate; Shikimic acid\nC04236\t(2S)-2-Isopropyl-3-oxosuccinate\n",
  })
  expect((await hits(w, "compound:C7H10O5/formula")).hits).toEqual([
    { id: "C00493", title: "Shikimate", summary: "C7H10O5 · Shikimic acid" },
    { id: "C04236", title: "(2S)-2-Isopropyl-3-oxosuccinate", summary: "C7H10O5" },
  ])
  expect((await hits(w, "C7H10O5/formula")).total).toBe(2)
  // Names are a part beside the hits: without them the hits stand, and it is said.
  expect((await hits(w, "drug:300-310/mol_weight")).hits).toEqual([{ id: "D00001", title: "D00001", summary: "301.5" }])
})

test("an id is looked up, a symbol in its place is searched in its organism", async () => {
  await using w = await serving({
    "/list/hsa:7157": "hsa:7157\tCDS\t17:complement(7668421..7687490)\tTP53, BCC7; tumor protein p53\n",
    "/find/hsa/TP53": "hsa:7157\tTP53, BCC7; tumor protein p53\n",
  })
  const found = [{ id: "hsa:7157", title: "TP53, BCC7", summary: "tumor protein p53" }]
  expect((await hits(w, "hsa:7157")).hits).toEqual(found)
  expect((await hits(w, "hsa:TP53")).hits).toEqual(found)
  expect(await hits(w, "ath:AT9G99999")).toMatchObject({ hits: [], total: 0 })
})

test("KEGG's own language is passed through, the + between ids as it is", async () => {
  await using w = await serving({
    "/link/pathway/mtu:Rv1908c": "mtu:Rv1908c\tpath:mtu00360\nmtu:Rv1908c\tpath:mtu00380\n",
    "/list/mtu00360+mtu00380": "mtu00360\tPhenylalanine metabolism\nmtu00380\tTryptophan metabolism\n",
    "/link/pathway/hsa:1": "",
    "/find/genes/shiga toxin": "ece:Z1464\tstx2A; shiga-like toxin\n",
    "/conv/ncbi-geneid/hsa:7157": "hsa:7157\tncbi-geneid:7157\n",
  })
  expect((await hits(w, "link/pathway/mtu:Rv1908c")).hits).toEqual([
    { id: "mtu00360", title: "Phenylalanine metabolism", summary: "from mtu:Rv1908c" },
    { id: "mtu00380", title: "Tryptophan metabolism", summary: "from mtu:Rv1908c" },
  ])
  expect(await hits(w, "link/pathway/hsa:1")).toMatchObject({
    total: 0,
    notes: [expect.stringContaining("unknown entry")],
  })
  expect((await hits(w, "link pathway from mtu:Rv1908c")).total).toBe(2)
  expect((await hits(w, "find/genes/shiga+toxin")).total).toBe(1)
  expect((await hits(w, "conv/ncbi-geneid/hsa:7157")).hits).toMatchObject([{ id: "ncbi-geneid:7157" }])
})

test("each pair of interacting drugs is one hit, though the answer has it twice", async () => {
  await using w = await serving({
    "/ddi/D00564+D00100+D00109":
      "D00100\tD00564\tCI,P\tunclassified\nD00109\tD00564\tP\tunclassified\nD00564\tD00100\tCI,P\tunclassified\nD00564\tD00109\tP\tunclassified\n",
    "/list/D00100+D00109": "D00100\tAmbenonium chloride\nD00109\tAspirin\n",
  })
  expect(await hits(w, "ddi/D00564+D00100+D00109")).toMatchObject({
    hits: [
      {
        id: "D00100",
        title: "Ambenonium chloride",
        summary: "with D00564 · contraindication, precaution · unclassified",
      },
      { id: "D00109", title: "Aspirin", summary: "with D00564 · precaution · unclassified" },
    ],
    total: 2,
  })
})

test("an organism limits pathways to its own maps and adds its genes, whether by taxon, name or code", async () => {
  await using w = await serving({
    "/list/pathway/hsa":
      "hsa04115\tp53 signaling pathway - Homo sapiens (human)\nhsa04110\tCell cycle - Homo sapiens (human)\n",
    "/find/hsa/p53 signaling": "hsa:7157\tTP53; tumor protein p53\n",
  })
  for (const organism of ["9606", "Homo sapiens", "human", "hsa"])
    expect(await hits(w, "p53 signaling", { organism })).toMatchObject({
      hits: [{ id: "hsa04115" }, { id: "hsa:7157" }],
      total: 2,
      notes: ["organism hsa (Homo sapiens)"],
    })
  expect((await hits(w, "pathway:cycle", { organism: "9606" })).hits).toMatchObject([{ id: "hsa04110" }])
  expect((await hits(w, "genes:p53 signaling", { organism: "9606" })).hits).toMatchObject([{ id: "hsa:7157" }])
})

test("an organism that cannot be applied is said not to be, and one without a known code is refused", async () => {
  await using w = await serving({ "/find/drug/aspirin": "D00109\tAspirin\n" })
  expect((await hits(w, "drug:aspirin", { organism: "9606" })).notes).toEqual([expect.stringContaining("not applied")])
  expect((await w.search("kegg", "p53", { organism: "10141" })).result).toMatchObject({
    failure: { code: "invalid_query", message: expect.stringContaining("genome:") },
  })
  expect(paths(w)).toEqual(["/find/drug/aspirin"])
})

test("the list comes whole and is cut into pages here", async () => {
  const lines = Array.from({ length: 5 }, (_, i) => `map0001${i}\tpathway ${i}\n`).join("")
  await using w = await serving({ "/find/pathway/pathway": lines })
  expect(await hits(w, "pathway", { limit: 2 })).toMatchObject({ total: 5, next: "2", hits: [{ id: "map00010" }, {}] })
  expect(await hits(w, "pathway", { limit: 2, cursor: "2" })).toMatchObject({
    next: "4",
    hits: [{ id: "map00012" }, {}],
  })
  const last = await hits(w, "pathway", { limit: 2, cursor: "4" })
  expect(last.hits.map(({ id }) => id)).toEqual(["map00014"])
  expect(last).not.toHaveProperty("next")
  expect((await w.search("kegg", "pathway", { cursor: "abc" })).result).toMatchObject({
    failure: { code: "invalid_query" },
  })
})

test("a line without columns is a changed answer", async () => {
  await using w = await serving({ "/find/pathway/x": "Database error\n" })
  expect((await w.search("kegg", "x")).result).toMatchObject({ failure: { code: "bad_response" } })
})

test("each format has its option, and some ids their prefix", async () => {
  const answers: [format: string, id: string, path: string, body: string | Uint8Array][] = [
    ["flat", "nt06276", "/get/network:nt06276", "ENTRY       nt06276           Network\n///\n"],
    ["aaseq", "hsa:7157", "/get/hsa:7157/aaseq", ">hsa:7157 K04451 | (RefSeq) TP53\nMEEPQSDPSV\n"],
    ["ntseq", "hsa:7157", "/get/hsa:7157/ntseq", ">hsa:7157 K04451 | (RefSeq) TP53\natggaggagc\n"],
    ["mol", "C00031", "/get/C00031/mol", "\n\n\n  0  0  0\nM  END\n"],
    ["kcf", "C00031", "/get/C00031/kcf", "ENTRY       C00031  Compound\n///\n"],
    ["image", "map03070", "/get/map03070/image", PNG],
    ["gif", "C00031", "/get/C00031/image", Buffer.from("GIF89a;")],
    ["conf", "hsa04115", "/get/hsa04115/conf", "rect (1,2) (3,4)\t/entry/hsa:7157\n"],
    ["kgml", "ko00010", "/get/ko00010/kgml", '<?xml version="1.0"?>\n<pathway name="path:ko00010"></pathway>\n'],
    ["json", "br:br08005", "/get/br:br08005/json", '{"name":"br08005","children":[]}'],
    ["keg", "br:br08005", "/get/br:br08005", "+C\tPeptide\n!\nANeuropeptides\n!\n#\n"],
  ]
  await using w = await world(
    ({ path }) => {
      const [, , , body] = answers.find(([, , wanted]) => wanted === decodeURIComponent(path)) ?? []
      return body === undefined ? UNKNOWN : { headers: TEXT, body }
    },
    { connectors: [kegg] },
  )
  expect(new Set(answers.map(([format]) => format))).toEqual(new Set(Object.keys(kegg.files)))
  for (const [format, id, path] of answers) {
    expect((await w.file("kegg", format, id)).outcomes).toMatchObject([{ kind: "file", id, format }])
    expect(decodeURIComponent(w.server.requests.at(-1)?.path ?? "")).toBe(path)
  }
})

test("a format that the kind of entry lacks is missed without a request and with the reason; one that this entry lacks, without", async () => {
  await using w = await serving({})
  expect((await w.file("kegg", "mol", "hsa:7157")).outcomes).toMatchObject([
    { kind: "miss", reason: expect.stringContaining("compounds") },
  ])
  expect((await w.file("kegg", "kgml", "map00010")).outcomes).toMatchObject([
    { kind: "miss", reason: expect.stringContaining("ko00010") },
  ])
  expect((await w.file("kegg", "image", "C00031")).outcomes).toMatchObject([{ kind: "miss" }])
  expect(w.server.requests).toHaveLength(0)
  expect((await w.file("kegg", "aaseq", "hsa:406881")).outcomes).toMatchObject([{ kind: "miss" }])
})
