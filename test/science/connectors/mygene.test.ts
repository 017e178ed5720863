import { readdir, readFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, test } from "bun:test"
import mygene from "../../../src/science/connectors/genomics/mygene.ts"
import { catalogueLine } from "../../../src/tool/catalogue.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const serve = (answer: (request: Seen) => Reply | undefined) => world(answer, { connectors: [mygene] })

const TP53 = {
  _id: "7157",
  _version: 3,
  symbol: "TP53",
  name: "tumor protein p53",
  taxid: 9606,
  entrezgene: "7157",
  retired: [146749, 201237, 553989],
  ensembl: { gene: "ENSG00000141510", type_of_gene: "protein_coding" },
  uniprot: { "Swiss-Prot": "P04637" },
  genomic_pos: { chr: "17", start: 7661779, end: 7687546, strand: -1 },
}
const BRAF = { _id: "673", symbol: "BRAF", entrezgene: "673", ensembl: { gene: "ENSG00000157764" } }
/** A gene of which there are two in NCBI and one in Ensembl, and one with alternative loci. */
const TWIN = { _id: "100132596", symbol: "XG1", entrezgene: "100132596", ensembl: { gene: "ENSG00000230001" } }
const OTHER_TWIN = {
  _id: "7499",
  symbol: "XG",
  entrezgene: "7499",
  ensembl: [{ gene: "ENSG00000124343" }, { gene: "ENSG00000230001" }],
}
/** What the engine answers to an id that it does not have (biothings/web/query/pipeline.py). */
const NOT_FOUND: Reply = { status: 404, body: '{"code":404,"success":false,"error":"Not Found."}' }
const GONE = "no such gene; the number of a gene that NCBI discontinued is answered so too"

const hit = (gene: object) => ({ _score: 17.5, ...gene })
const found = (hits: object[], total = hits.length) =>
  JSON.stringify({ took: 4, total, max_score: hits.length > 0 ? 17.5 : null, hits })
const query = ({ path }: Seen) => Object.fromEntries(new URL(`https://x${path}`).searchParams)
const queries = (w: { server: { requests: Seen[] } }) => w.server.requests.map(query)
const form = ({ body }: Seen) => Object.fromEntries(new URLSearchParams(body))

describe("a record", () => {
  test("comes as the service gave it, without the lists that make megabytes, and says so", async () => {
    await using w = await serve(() => JSON.stringify(TP53))
    const { outcomes } = await w.fetch("mygene", "7157")
    expect(outcomes).toMatchObject([
      {
        kind: "record",
        id: "7157",
        record: TP53,
        url: "https://www.ncbi.nlm.nih.gov/gene/7157",
        remarks: ["without GeneRIFs, accessions, array probes: the format json has all"],
      },
    ])
    expect(w.server.requests[0]).toMatchObject({ host: "mygene.info", method: "GET" })
    expect(w.server.requests[0]?.path).toStartWith("/v3/gene/7157?fields=symbol")
    const fields = queries(w)[0]?.["fields"]?.split(",") ?? []
    expect(fields).toContainValues(["summary", "retired", "go", "pathway", "genomic_pos", "WormBase"])
    expect(fields).not.toContain("generif")
    expect(fields).not.toContain("accession")
  })

  test("by Ensembl's id is the gene that carries it, and the heading says its GeneID", async () => {
    await using w = await serve(() => JSON.stringify(TP53))
    const { outcomes } = await w.fetch("mygene", "ensembl:ensg00000141510.18")
    expect(outcomes).toMatchObject([{ kind: "record", id: "ENSG00000141510", resolvedId: "7157" }])
    expect(outcomes[0]).toHaveProperty("remarks.0", "ENSG00000141510 is GeneID 7157")
    expect(w.server.requests[0]?.path).toStartWith("/v3/gene/ENSG00000141510?")
  })

  test("that Ensembl knows in several loci is found by each of its ids", async () => {
    await using w = await serve(() => JSON.stringify(OTHER_TWIN))
    const { outcomes } = await w.fetch("mygene", "ENSG00000124343")
    expect(outcomes).toMatchObject([{ kind: "record", resolvedId: "7499" }])
  })

  test("of a replaced GeneID is the present gene, with both numbers in the heading", async () => {
    await using w = await serve(() => JSON.stringify(TP53))
    const { outcomes } = await w.fetch("mygene", "GeneID:146749")
    expect(outcomes).toMatchObject([{ kind: "record", id: "146749", resolvedId: "7157" }])
    expect(outcomes[0]).toHaveProperty("remarks.0", "NCBI replaced GeneID 146749 by 7157")
  })

  test("of another gene than the asked one is a miss that names what came", async () => {
    await using w = await serve(() => JSON.stringify(BRAF))
    const { outcomes } = await w.fetch("mygene", "7157")
    expect(outcomes).toMatchObject([{ kind: "miss", reason: "it answered with 673 instead, which is another record" }])
  })

  test("of a discontinued GeneID is a miss that tells of that possibility", async () => {
    await using w = await serve(() => NOT_FOUND)
    const { outcomes } = await w.fetch("mygene", "138")
    expect(outcomes).toEqual([{ kind: "miss", db: "mygene", id: "138", reason: GONE }])
  })

  test("that several genes answer to is all of them, and the heading says how many", async () => {
    await using w = await serve(() => JSON.stringify([TWIN, OTHER_TWIN]))
    const { outcomes } = await w.fetch("mygene", "ENSG00000230001")
    expect(outcomes).toMatchObject([{ kind: "record", id: "ENSG00000230001", record: [TWIN, OTHER_TWIN] }])
    expect(outcomes[0]).toHaveProperty("remarks.0", "2 genes have this id: 100132596, 7499")
    expect(outcomes[0]).not.toHaveProperty("resolvedId")
  })

  test("is not shown beside a stray one that came with it", async () => {
    await using w = await serve(() => JSON.stringify([BRAF, TP53]))
    expect((await w.fetch("mygene", "7157")).outcomes).toMatchObject([{ kind: "record", record: TP53 }])
  })

  test("whose answer has changed is a failure that names the field", async () => {
    await using w = await serve(() => '{"success":false}')
    const { outcomes } = await w.fetch("mygene", "7157")
    expect(outcomes).toMatchObject([{ kind: "failure", failure: { code: "bad_response" } }])
    expect(JSON.stringify(outcomes)).toContain("_id")
  })

  test("of an id with a thousand matches is the id's fault, not an outage", async () => {
    await using w = await serve(() => ({
      status: 500,
      body: '{"code":500,"success":false,"error":"Too Many Matches."}',
    }))
    const { outcomes } = await w.fetch("mygene", "7157")
    expect(outcomes).toMatchObject([{ kind: "failure", failure: { code: "invalid_id", retryable: false } }])
    expect(w.server.requests).toHaveLength(1)
  })

  test("is asked for by an id: a symbol is refused, with the advice to search", async () => {
    await using w = await serve(() => JSON.stringify(TP53))
    const { outcomes } = await w.fetch("mygene", "TP53")
    expect(outcomes).toMatchObject([{ kind: "failure", failure: { code: "invalid_id" } }])
    expect(w.server.requests).toHaveLength(0)
  })

  test("may have the id of a plant, a fly, a worm or a yeast", () => {
    for (const id of ["AT3G52430", "Os01g0100100", "FBgn0003996", "WBGene00006763", "YAL001C", "ENSMUSG00000059552"])
      expect(mygene.ids.pattern.test(id)).toBe(true)
    for (const id of ["TP53", "P04637", "NM_000546", "ENST00000269305", "rs7412", "HLA-A"])
      expect(mygene.ids.pattern.test(id)).toBe(false)
  })
})

describe("several ids", () => {
  test("come in one request and are matched by the id that each row answers, not by place", async () => {
    await using w = await serve(() =>
      JSON.stringify([
        { query: "673", ...BRAF },
        { query: "138", notfound: true },
        { query: "146749", ...TP53 },
      ]),
    )
    const { outcomes } = await w.fetch("mygene", "146749", "138", "673", "1956")
    expect(outcomes).toMatchObject([
      { kind: "record", id: "146749", resolvedId: "7157" },
      { kind: "miss", id: "138", reason: GONE },
      { kind: "record", id: "673", record: BRAF },
      { kind: "miss", id: "1956" },
    ])
    const [request, ...others] = w.server.requests
    expect(others).toEqual([])
    expect(request).toMatchObject({ method: "POST", path: "/v3/gene" })
    expect(request && form(request)).toMatchObject({ ids: "146749,138,673,1956" })
    expect(request && form(request)["fields"]).toStartWith("symbol,")
  })

  test("of which one has several genes give all of these", async () => {
    await using w = await serve(() =>
      JSON.stringify([
        { query: "ENSG00000230001", ...TWIN },
        { query: "673", ...BRAF },
        { query: "ENSG00000230001", ...OTHER_TWIN },
      ]),
    )
    const { outcomes } = await w.fetch("mygene", "ENSG00000230001", "673")
    expect(outcomes).toMatchObject([
      { kind: "record", record: [{ _id: "100132596" }, { _id: "7499" }] },
      { kind: "record", record: { _id: "673" } },
    ])
  })
})

describe("a search", () => {
  test("gives symbol, name, species, type and aliases, whichever shape they come in", async () => {
    await using w = await serve(() =>
      found([
        hit({ ...TP53, type_of_gene: "protein-coding", alias: ["P53", "LFS1"] }),
        hit({ _id: "ENSXETG00000001", alias: "cd30", taxid: 8355 }),
      ]),
    )
    const { result } = await w.search("mygene", "TP53")
    expect(result).toMatchObject({
      kind: "hits",
      total: 2,
      hits: [
        { id: "7157", title: "TP53", summary: "tumor protein p53 · human · protein-coding · also P53, LFS1" },
        { id: "ENSXETG00000001", title: "ENSXETG00000001", summary: "taxon 8355 · also cd30" },
      ],
    })
    expect(queries(w)).toEqual([{ q: "TP53", fields: "symbol,name,taxid,type_of_gene,alias", size: "10" }])
  })

  test("without hits is none, by the service's own word", async () => {
    await using w = await serve(() => found([]))
    expect((await w.search("mygene", "zzzz")).result).toMatchObject({ kind: "hits", hits: [], total: 0 })
  })

  test("without an organism is of all species, and says so while there is more to come", async () => {
    await using w = await serve(() => found([hit(TP53)], 1474))
    const { result } = await w.search("mygene", "TP53", { limit: 1 })
    expect(result).toMatchObject({
      total: 1474,
      next: "1",
      notes: ["of all species; pass organism to limit it"],
    })
    expect(queries(w)[0]).not.toHaveProperty("species")
  })

  test("is limited to an organism by the service's own name or a taxon id", async () => {
    for (const [organism, species] of [
      ["Homo sapiens", "human"],
      ["mouse", "mouse"],
      ["NCBITaxon:9606", "human"],
      ["9913", "9913"],
    ] as const) {
      await using w = await serve(() => found([hit(TP53)], 9))
      const { result } = await w.search("mygene", "TP53 OR BRAF", { organism })
      expect(result).toMatchObject({ kind: "hits", notes: [] })
      expect(queries(w)[0]).toMatchObject({ species, q: "TP53 OR BRAF" })
    }
  })

  test("for an organism that the service cannot know is refused, not silently of all", async () => {
    await using w = await serve(() => found([hit(TP53)]))
    const { result } = await w.search("mygene", "TP53", { organism: "unicorn" })
    expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(0)
  })

  test("joins words by AND, so that another word never finds more", async () => {
    for (const [typed, q] of [
      ["tumor protein p53", 'name:"tumor protein p53"^4 OR (tumor AND protein AND p53)'],
      ["HLA-A", "HLA-A"],
      ["5-HT1/2 receptor", 'name:"5-HT1/2 receptor"^4 OR (5\\-HT1\\/2 AND receptor)'],
      ["NF-kB (p65)", 'name:"NF-kB (p65)"^4 OR (NF\\-kB AND \\(p65\\))'],
      ["IFN-γ/α", '"IFN-γ/α"'],
    ] as const) {
      await using w = await serve(() => found([]))
      await w.search("mygene", typed)
      expect(queries(w)[0]?.["q"]).toBe(q)
    }
  })

  test("passes the database's own syntax through", async () => {
    for (const q of [
      'symbol:"PD\\-L1"',
      "alias:PDL1 OR symbol:PDL1",
      "go:0006468 AND kinase",
      "CDK?",
      "IL*R",
      "HGNC:11998",
      '"tumor protein"',
    ]) {
      await using w = await serve(() => found([]))
      await w.search("mygene", q)
      expect(queries(w)[0]?.["q"]).toBe(q)
    }
  })

  test("for Ensembl's id leaves its version off", async () => {
    await using w = await serve(() => found([hit(TP53)]))
    await w.search("mygene", "ENSG00000141510.18")
    expect(queries(w)[0]?.["q"]).toBe("ENSG00000141510")
  })

  test("of an interval needs an organism and stands alone, since the service drops the rest", async () => {
    await using w = await serve(() => found([hit(TP53)]))
    const refused = { kind: "failure", failure: { code: "invalid_query" } }
    expect((await w.search("mygene", "chr17:7661779-7687538")).result).toMatchObject(refused)
    expect((await w.search("mygene", "chr17:7661779-7687538 AND kinase", { organism: "human" })).result).toMatchObject(
      refused,
    )
    expect(w.server.requests).toHaveLength(0)
    expect((await w.search("mygene", "chr17:7,661,779-7687538", { organism: "human" })).result.kind).toBe("hits")
    expect(queries(w)[0]).toMatchObject({ q: "chr17:7,661,779-7687538", species: "human" })
  })

  test("goes on from its cursor, and ends where the service's window ends", async () => {
    await using w = await serve(() => found([hit(TP53), hit(BRAF)], 20_000))
    const page = await w.search("mygene", "TP53", { limit: 2, cursor: "40" })
    expect(queries(w)[0]).toMatchObject({ from: "40", size: "2" })
    expect(page.result).toMatchObject({ next: "42" })
    const last = await w.search("mygene", "TP53", { limit: 2, cursor: "9998" })
    expect(last.result).toMatchObject({ kind: "hits", total: 20_000 })
    expect(last.result).not.toHaveProperty("next")
    const beyond = await w.search("mygene", "TP53", { limit: 3, cursor: "9998" })
    expect(beyond.result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(2)
  })

  test("that the service refuses is the query's fault, in the service's words", async () => {
    const body =
      '{"code":400,"success":false,"error":"search_phase_execution_exception","root_cause_line_00":"Failed to parse query [symbol:(]"}'
    await using w = await serve(() => ({ status: 400, body }))
    const { result } = await w.search("mygene", "symbol:(")
    expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
    expect(JSON.stringify(result)).toContain("Failed to parse query")
  })

  test("whose answer is an error under 200 is a failure, never no hits", async () => {
    await using w = await serve(() => '{"success":false,"error":"No results to return"}')
    expect((await w.search("mygene", "TP53")).result).toMatchObject({
      kind: "failure",
      failure: { code: "bad_response" },
    })
  })
})

describe("the file", () => {
  test("holds the whole document, GeneRIFs included", async () => {
    const whole = JSON.stringify({ ...TP53, generif: [{ pubmed: 10794522, text: "p53" }] })
    await using w = await serve(() => whole)
    const { outcomes } = await w.file("mygene", "json", "7157")
    expect(w.server.requests.map(({ path }) => path)).toEqual(["/v3/gene/7157"])
    const [outcome] = outcomes
    if (outcome?.kind !== "file") throw new Error("no file")
    expect(await readFile(path.join(w.directory, outcome.saved.path), "utf8")).toBe(whole)
  })

  test("of an unknown id is a miss with nothing on disk", async () => {
    await using w = await serve(() => NOT_FOUND)
    expect((await w.file("mygene", "json", "138")).outcomes).toMatchObject([{ kind: "miss", reason: GONE }])
    expect(await readdir(w.directory)).toEqual([])
  })

  test("of several ids is one, of those that are there", async () => {
    await using w = await serve(({ body }) =>
      body.includes("fields=")
        ? JSON.stringify([
            { query: "7157", _id: "7157" },
            { query: "138", notfound: true },
            { query: "673", _id: "673" },
          ])
        : JSON.stringify([TP53, BRAF]),
    )
    const { outcomes } = await w.file("mygene", "json", "7157", "138", "673")
    expect(outcomes).toMatchObject([
      { kind: "file", ids: ["7157", "673"] },
      { kind: "miss", id: "138" },
    ])
    expect(w.server.requests.map(form)).toEqual([{ ids: "7157,138,673", fields: "entrezgene" }, { ids: "7157,673" }])
  })
})

test("its line in the catalogue is short", () => {
  expect(catalogueLine(mygene, 5).length).toBeLessThan(90)
})
