import { readFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, test } from "bun:test"
import gene from "../../../src/science/connectors/genomics/ncbi-gene.ts"
import { normalizeId } from "../../../src/science/ids.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world as anyWorld } from "../../support/world.ts"

const TEXT = { "content-type": "text/plain; charset=UTF-8" }
const XML = { "content-type": "text/xml; charset=UTF-8" }

const asked = ({ path, body }: Seen) => new URLSearchParams(body || path.split("?")[1])
const verbOf = ({ path }: Seen) => /\/(\w+)\.fcgi/.exec(path)?.[1] ?? ""

interface Summary {
  uid: string
  [field: string]: unknown
}

const HUMAN = { scientificname: "Homo sapiens", commonname: "human", taxid: 9606 }
const TP53: Summary = {
  uid: "7157",
  name: "TP53",
  description: "tumor protein p53",
  status: "",
  currentid: "",
  chromosome: "17",
  maplocation: "17p13.1",
  otheraliases: "BCC7, BMFS5, LFS1, P53, TRP53",
  mim: ["191170"],
  genomicinfo: [{ chrloc: "17", chraccver: "NC_000017.11", chrstart: 7687489, chrstop: 7668420, exoncount: 13 }],
  geneweight: 584428,
  summary: "",
  organism: HUMAN,
  locationhist: [{ annotationrelease: "RS_2025_08", chraccver: "NC_000017.11", chrstart: 7687489, chrstop: 7668420 }],
}
const MOUSE: Summary = {
  ...TP53,
  uid: "22059",
  name: "Trp53",
  description: "transformation related protein 53",
  maplocation: "11 42.83 cM",
  genomicinfo: [{ chrloc: "11", chraccver: "NC_000077.7", chrstart: 69471174, chrstop: 69482698, exoncount: 11 }],
  organism: { scientificname: "Mus musculus", commonname: "house mouse", taxid: 10090 },
}
const OLD: Summary = { ...TP53, uid: "107986084", name: "LOC107986084", status: "secondary", currentid: "7375" }
const HEIR: Summary = { ...TP53, uid: "7375", name: "USP4", description: "ubiquitin specific peptidase 4" }
const GONE: Summary = { ...TP53, uid: "147061", name: "PSMB6P", status: "discontinued", genomicinfo: [] }
const NAMESAKE: Summary = { ...TP53, uid: "5", status: "discontinued" }
const SUMMARIES = new Map([TP53, MOUSE, OLD, HEIR, GONE, NAMESAKE].map((each) => [each.uid, each]))

const summarised = (...uids: string[]) => {
  const records = uids.map((uid) => SUMMARIES.get(uid) ?? { uid, error: "cannot get document summary" })
  return JSON.stringify({
    header: { type: "esummary", version: "0.3" },
    result: { uids, ...Object.fromEntries(records.map((each) => [each.uid, each])) },
  })
}
const searched = (idlist: string[], more: object = {}) =>
  JSON.stringify({ header: {}, esearchresult: { count: String(idlist.length), idlist, ...more } })
const linked = (linkname: string, ...links: string[]) =>
  JSON.stringify({ linksets: [{ dbfrom: "gene", ids: ["7157"], linksetdbs: [{ dbto: "x", linkname, links }] }] })

const idsOf = (request: Seen) => (asked(request).get("id") ?? "").split(",")

const world = (answer: (request: Seen) => Reply | undefined = () => undefined) =>
  anyWorld(
    (request) => answer(request) ?? (verbOf(request) === "esummary" ? summarised(...idsOf(request)) : undefined),
    { connectors: [gene] },
  )

describe("ids", () => {
  test.each([
    ["7157", "7157"],
    ["GeneID:7157", "7157"],
    ["Gene ID: 7157", "7157"],
    ["NCBIGene:7157", "7157"],
    ["entrez:7157", "7157"],
    ["gene:7157", "7157"],
    ["LOC105378311", "105378311"],
    ["https://www.ncbi.nlm.nih.gov/gene/7157", "7157"],
  ])("%s is read as GeneID %s", (typed, id) => {
    expect(normalizeId(gene, typed)).toBe(id)
  })

  test.each(["TP53", "ENSG00000141510", "HGNC:11998", "NM_000546.6", "0", "7157,672x"])(
    "%s is no GeneID: it is never guessed at, and nothing is asked",
    async (typed) => {
      await using w = await world()
      const { outcomes } = await w.fetch("ncbi-gene", typed)
      expect(outcomes).toMatchObject([{ kind: "failure", failure: { code: "invalid_id" } }])
      expect(w.server.requests).toEqual([])
    },
  )
})

describe("records", () => {
  test("a gene comes as its own summary, whole, from one request", async () => {
    await using w = await world()
    const { outcomes, cost } = await w.fetch("ncbi-gene", "GeneID:7157")
    expect(outcomes).toEqual([
      {
        kind: "record",
        db: "ncbi-gene",
        id: "7157",
        record: expect.objectContaining({ locationhist: TP53["locationhist"], mim: ["191170"] }),
        url: "https://www.ncbi.nlm.nih.gov/gene/7157",
        remarks: ["chrstart and chrstop count from 0; a start after the stop is on the minus strand"],
        incomplete: [],
      },
    ])
    expect(cost.requests).toBe(1)
    expect(Object.fromEntries(asked(w.server.requests[0]!))).toEqual({
      db: "gene",
      retmode: "json",
      id: "7157",
      tool: "opencode-science",
    })
  })

  test("an unknown GeneID is a miss, and costs the others of its lot nothing", async () => {
    await using w = await world()
    const { outcomes, cost } = await w.fetch("ncbi-gene", "22059", "999999999", "7157")
    expect(outcomes).toMatchObject([
      { kind: "record", record: { name: "Trp53" } },
      { kind: "miss", id: "999999999" },
      { kind: "record", record: { name: "TP53" } },
    ])
    expect(cost.requests).toBe(1)
  })

  test("a replaced GeneID gives the present gene, with both numbers in the heading", async () => {
    await using w = await world()
    const { outcomes } = await w.fetch("ncbi-gene", "107986084")
    expect(outcomes).toMatchObject([
      {
        kind: "record",
        id: "107986084",
        resolvedId: "7375",
        url: "https://www.ncbi.nlm.nih.gov/gene/7375",
        record: { uid: "7375", name: "USP4" },
      },
    ])
    expect(outcomes[0]).toHaveProperty("remarks.0", "GeneID 107986084 was replaced by 7375")
  })

  test("replaced ones of a lot are followed together, and a present one is not asked for twice", async () => {
    await using w = await world()
    const { outcomes } = await w.fetch("ncbi-gene", "107986084", "7375", "7157")
    expect(outcomes).toMatchObject([{ resolvedId: "7375" }, { record: { uid: "7375" } }, { record: { uid: "7157" } }])
    expect(w.server.requests.map(idsOf)).toEqual([["107986084", "7375", "7157"]])
  })

  test("replacements that lead in a circle come to an end", async () => {
    const a = { ...OLD, uid: "1", currentid: "2" }
    const b = { ...OLD, uid: "2", currentid: "1" }
    await using w = await world(() => JSON.stringify({ result: { uids: ["1", "2"], "1": a, "2": b } }))
    const { outcomes } = await w.fetch("ncbi-gene", "1", "2")
    expect(outcomes.map(({ kind }) => kind)).toEqual(["record", "record"])
  })

  test("when the present gene cannot be had, the outage is said, not the old record shown as whole", async () => {
    await using w = await world((request) => (idsOf(request).includes("7375") ? { status: 503 } : undefined))
    expect((await w.fetch("ncbi-gene", "107986084")).outcomes).toMatchObject([
      { kind: "failure", failure: { code: "unavailable" } },
    ])
  })

  test("a discontinued gene is a record that is said to be so", async () => {
    await using w = await world()
    const { outcomes } = await w.fetch("ncbi-gene", "147061")
    expect(outcomes).toMatchObject([{ kind: "record", remarks: ["discontinued: no longer a gene of NCBI"] }])
  })

  test("another gene than the asked one is never given", async () => {
    await using w = await world(() => summarised("22059"))
    expect((await w.fetch("ncbi-gene", "7157")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test("a summary of another shape names the field that moved", async () => {
    await using w = await world(() =>
      JSON.stringify({ result: { uids: ["7157"], "7157": { ...TP53, genomicinfo: "none" } } }),
    )
    expect((await w.fetch("ncbi-gene", "7157")).outcomes).toMatchObject([
      { failure: { code: "bad_response", message: expect.stringContaining("genomicinfo") } },
    ])
  })
})

describe("search", () => {
  const genes =
    (idlist: string[], more: object = {}) =>
    (request: Seen) =>
      verbOf(request) === "esearch" ? searched(idlist, more) : undefined

  test("two requests make a page: symbol, name, organism and place of each gene", async () => {
    await using w = await world(genes(["7157", "22059"], { count: "625" }))
    const { result, cost } = await w.search("ncbi-gene", "p53", { limit: 2 })
    expect(result).toMatchObject({
      total: 625,
      next: "2",
      hits: [
        { id: "7157", title: "TP53", summary: "tumor protein p53 · Homo sapiens · 17p13.1" },
        { id: "22059", title: "Trp53", summary: expect.stringContaining("Mus musculus") },
      ],
    })
    expect(cost.requests).toBe(2)
    expect(asked(w.server.requests[0]!).get("sort")).toBe("relevance")
  })

  test("no organism is added to a query in silence: that all are searched is said", async () => {
    await using w = await world(genes(["7157"]))
    const { result } = await w.search("ncbi-gene", "p53 in mouse")
    expect(asked(w.server.requests[0]!).get("term")).toBe("p53 in mouse")
    expect(result).toMatchObject({ notes: [expect.stringContaining("every organism")] })
  })

  test.each(['TP53[sym] AND "Homo sapiens"[orgn]', "TP53[gene] AND txid9606", "p53 AND human[Organism:exp]"])(
    "%s reaches NCBI as it is, and needs no note on organisms",
    async (query) => {
      await using w = await world(genes(["7157"]))
      const { result } = await w.search("ncbi-gene", query)
      expect(asked(w.server.requests[0]!).get("term")).toBe(query)
      expect(result).toMatchObject({ notes: [] })
    },
  )

  test.each([
    ["9606", "(p53 OR p63) AND txid9606[orgn]"],
    ["taxon:9606", "(p53 OR p63) AND txid9606[orgn]"],
    ["Homo sapiens", '(p53 OR p63) AND "homo sapiens"[orgn]'],
    ['x"[orgn] OR (y', '(p53 OR p63) AND "x orgn or y"[orgn]'],
  ])("organism %s limits the whole query, an OR in it included", async (organism, term) => {
    await using w = await world(genes(["7157"], { querytranslation: '(p53 OR p63) AND "Homo sapiens"[Organism]' }))
    await w.search("ncbi-gene", "p53 OR p63", { organism })
    expect(asked(w.server.requests[0]!).get("term")).toBe(term)
  })

  test.each(["p53) OR (p63", "p53 (", 'p53 "p63'])(
    "%s could lead out of the filter, so it is refused before any request",
    async (query) => {
      await using w = await world(genes(["7157"]))
      const { result } = await w.search("ncbi-gene", query, { organism: "9606" })
      expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
      expect(w.server.requests).toEqual([])
    },
  )

  test.each([
    ["listed as not found", { errorlist: { phrasesnotfound: ['"klingon"[orgn]'], fieldsnotfound: [] } }],
    ["listed as a quoted phrase", { warninglist: { quotedphrasesnotfound: ['"klingon"'] } }],
    ["missing in what was searched", { querytranslation: "p53[All Fields]" }],
  ])("an organism that NCBI drops is refused, never hits of all organisms: %s", async (_, more) => {
    await using w = await world(genes(["7157"], more))
    const { result } = await w.search("ncbi-gene", "p53", { organism: "Klingon" })
    expect(result).toMatchObject({
      kind: "failure",
      failure: { code: "invalid_query", message: expect.stringContaining("Klingon") },
    })
  })

  test("a gene that is called so comes before one that has the symbol as an alias", async () => {
    await using w = await world(genes(["22059", "7157"]))
    for (const query of ["tp53", "TP53[sym] AND alive[prop]", '"TP53"[gene]']) {
      const { result } = await w.search("ncbi-gene", query)
      expect(result).toMatchObject({ hits: [{ title: "TP53" }, { title: "Trp53" }] })
    }
  })

  test("genes that are not alive are marked, and come after a live one of the same symbol", async () => {
    await using w = await world(genes(["5", "147061", "107986084", "7157"]))
    const { result } = await w.search("ncbi-gene", "TP53")
    expect(result).toMatchObject({
      hits: [
        { id: "7157" },
        { id: "5", marks: ["discontinued"] },
        { id: "147061", marks: ["discontinued"] },
        { id: "107986084", marks: ["replaced by 7375"] },
      ],
    })
  })

  test("hits without their names are said to be without them", async () => {
    await using w = await world((request) =>
      verbOf(request) === "esearch" ? searched(["7157"]) : { status: 503, body: "busy" },
    )
    const { result } = await w.search("ncbi-gene", "p53[orgn]")
    expect(result).toMatchObject({ hits: [{ id: "7157" }], notes: ["names could not be had"] })
  })
})

describe("files", () => {
  const FASTA: Reply = { headers: TEXT, body: ">NC_000017.11:c7687490-7668421 Homo sapiens\nCTCAAAAGTC\n\n" }
  const fetched = (body: Reply) => (request: Seen) => (verbOf(request) === "efetch" ? body : undefined)

  test.each([
    ["7157", "NC_000017.11", "7668421", "7687490", "2"],
    ["22059", "NC_000077.7", "69471175", "69482699", "1"],
  ])(
    "the sequence of %s is its own stretch, counted from 1, on its own strand",
    async (id, acc, start, stop, strand) => {
      await using w = await world(fetched(FASTA))
      expect((await w.file("ncbi-gene", "fasta", id)).outcomes).toMatchObject([{ kind: "file" }])
      const query = Object.fromEntries(asked(w.server.requests[1]!))
      expect(query).toMatchObject({
        db: "nuccore",
        id: acc,
        seq_start: start,
        seq_stop: stop,
        strand,
        rettype: "fasta",
      })
    },
  )

  test("a gene without a place has no sequence, and that is said", async () => {
    await using w = await world()
    expect((await w.file("ncbi-gene", "gb", "147061")).outcomes).toMatchObject([
      { kind: "miss", reason: expect.stringContaining("no place") },
    ])
  })

  test.each([
    ["rna", "nuccore", "gene_nuccore_refseqrna", "NM_000546.6"],
    ["protein", "protein", "gene_protein_refseq", "NP_000537.3"],
  ])("%s holds RefSeq's sequences of the gene, all of them", async (format, db, linkname, accession) => {
    await using w = await world((request) =>
      verbOf(request) === "elink"
        ? linked(linkname, accession, "XM_1.1")
        : verbOf(request) === "efetch"
          ? { headers: TEXT, body: `>${accession} x\nATG\n\n>XM_1.1 y\nATG\n\n` }
          : undefined,
    )
    const { outcomes } = await w.file("ncbi-gene", format, "7157")
    expect(outcomes).toMatchObject([{ kind: "file", saved: { entries: { count: 2, word: "sequences" } } }])
    const [, link, fetch] = w.server.requests.map(asked)
    expect(Object.fromEntries(link!)).toMatchObject({ dbfrom: "gene", db, linkname, id: "7157" })
    expect(Object.fromEntries(fetch!)).toMatchObject({ db, rettype: "fasta", id: `${accession},XM_1.1` })
  })

  test("links of another name are not taken for RefSeq's, and none is a miss", async () => {
    await using w = await world((request) =>
      verbOf(request) === "elink" ? linked("gene_nuccore_pos", "NG_1.1") : undefined,
    )
    expect((await w.file("ncbi-gene", "rna", "7157")).outcomes).toMatchObject([
      { kind: "miss", reason: "RefSeq has no transcript of this gene" },
    ])
  })

  test.each([
    ["xml", XML, "<Entrezgene-Set><Entrezgene/></Entrezgene-Set>", { retmode: "xml" }],
    ["asn1", TEXT, "Entrezgene ::= {\n  track-info {\n  }\n}\n", { retmode: "asn.1" }],
    ["gene-table", TEXT, "TP53 tumor protein p53[Homo sapiens]\n", { rettype: "gene_table", retmode: "text" }],
  ])("%s is one file of several genes; those that are not there are named", async (format, headers, body, query) => {
    await using w = await world(fetched({ headers, body }))
    const { outcomes } = await w.file("ncbi-gene", format, "7157", "999999999", "22059")
    expect(outcomes).toMatchObject([
      { kind: "file", ids: ["7157", "22059"] },
      { kind: "miss", id: "999999999" },
    ])
    expect(Object.fromEntries(asked(w.server.requests.at(-1)!))).toMatchObject({ ...query, id: "7157,22059" })
  })

  test("the file of a replaced gene is the present one's", async () => {
    await using w = await world(fetched({ headers: XML, body: "<Entrezgene-Set><Entrezgene/></Entrezgene-Set>" }))
    await w.file("ncbi-gene", "xml", "107986084", "7375")
    expect(idsOf(w.server.requests.at(-1)!)).toEqual(["7375"])
  })

  test("an error of NCBI under status 200 is no file", async () => {
    await using w = await world(
      fetched({ headers: XML, body: "<eFetchResult><ERROR>NCBI C++ Exception</ERROR></eFetchResult>" }),
    )
    expect((await w.file("ncbi-gene", "xml", "7157")).outcomes).toMatchObject([
      { kind: "failure", failure: { code: "unavailable" } },
    ])
  })

  test("the summary is stored with its own bytes", async () => {
    await using w = await world()
    const { outcomes } = await w.file("ncbi-gene", "json", "7157")
    const [saved] = outcomes.flatMap((each) => (each.kind === "file" ? [each.saved.path] : []))
    expect(await readFile(path.join(w.directory, saved ?? ""), "utf8")).toBe(summarised("7157"))
  })
})
