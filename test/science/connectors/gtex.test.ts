import { describe, expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import path from "node:path"
import gtex from "../../../src/science/connectors/expression/gtex.ts"
import { looksLikeOne, normalizeId, splitIds } from "../../../src/science/ids.ts"
import { printJson } from "../../../src/science/json.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

interface Gene {
  gencodeId: string
  gencodeVersion: string
  geneSymbol: string
  geneSymbolUpper: string
  geneType: string
}

const gene = (gencodeId: string, gencodeVersion: string, geneSymbol: string, geneType = "protein coding"): Gene => ({
  gencodeId,
  gencodeVersion,
  geneSymbol,
  geneSymbolUpper: geneSymbol.toUpperCase(),
  geneType,
})

const P53 = { v26: gene("ENSG00000141510.16", "v26", "TP53"), v39: gene("ENSG00000141510.18", "v39", "TP53") }
const GENES = [
  P53.v26,
  P53.v39,
  gene("ENSG00000223603.1", "v39", "CRPP1", "unprocessed pseudogene"),
  gene("ENSG00000132693.12", "v39", "CRP"),
  gene("ENSG00000108691.9", "v39", "NRCRP2"),
  gene("ENSG00000000460.17", "v39", "C1orf112"),
  gene("ENSG00000199001.1", "v39", "Y_RNA", "misc RNA"),
  gene("ENSG00000199002.1", "v39", "Y_RNA", "misc RNA"),
  gene("ENSG00000185829.17", "v39", "ARL17A"),
  gene("ENSG00000278434.1", "v39", "ARL17A", "lncRNA"),
  gene("ENSG00000002586.20_PAR_Y", "v39", "CD99"),
  gene("ENSG00000002586.20", "v39", "CD99"),
  gene("ENSG00000111111.2", "v26", "OLDGENE"),
  gene("ENSG00000222222.4", "v39", "QUIET"),
  gene("ENSG00000222222.3", "v26", "QUIET"),
  gene("ENSG00000333333.1", "v39", "MUTE"),
]

const row = (entry: Gene) => ({
  chromosome: "chr17",
  description: "tumor protein p53 [Source:HGNC Symbol;Acc:HGNC:11998]",
  end: 7687550,
  entrezGeneId: null,
  genomeBuild: "GRCh38/hg38",
  start: 7661779,
  ...entry,
})

/** Which versioned genes each data set has numbers of. */
const MEASURED: Record<string, string[]> = {
  gtex_v10: ["ENSG00000141510.18", "ENSG00000132693.12", "ENSG00000002586.20"],
  gtex_v8: ["ENSG00000141510.16", "ENSG00000222222.3", "ENSG00000111111.2"],
  gtex_snrnaseq_pilot: ["ENSG00000141510.16"],
}

const page = (data: unknown[], total = data.length): Reply =>
  JSON.stringify({
    data,
    paging_info: { numberOfPages: 1, page: 0, maxItemsPerPage: 250, totalNumberOfItems: total },
  })

const parameters = ({ path: sent }: Seen) => new URL(sent, "https://gtexportal.org").searchParams

/** The portal: exact for genes, a part of the symbol for a search, and an empty list for a version of another annotation. */
function portal(request: Seen): Reply | undefined {
  const asked = parameters(request)
  const version = asked.get("gencodeVersion")
  const all = GENES.filter(({ gencodeVersion }) => gencodeVersion === version)
  const ids = asked.getAll("geneId")
  if (request.path.startsWith("/api/v2/reference/gene?"))
    return page(
      all
        .filter(({ gencodeId, geneSymbolUpper }) =>
          ids.some((id) => [gencodeId, gencodeId.split(".")[0], geneSymbolUpper].includes(id)),
        )
        .map(row),
    )
  if (request.path.startsWith("/api/v2/reference/geneSearch?"))
    return page(all.filter((each) => `${each.geneSymbol} ${each.gencodeId}`.includes(ids[0] ?? "")).map(row))
  if (/^\/api\/v2\/(?:expression|association)\//.test(request.path)) {
    const datasetId = asked.get("datasetId") ?? ""
    const found = asked.getAll("gencodeId").filter((id) => MEASURED[datasetId]?.includes(id))
    // In the order of the data set, not in that of the question.
    const data = found.reverse().flatMap((gencodeId) =>
      ["Liver", "Whole_Blood"].map((tissueSiteDetailId) => ({
        datasetId,
        gencodeId,
        median: 1.5,
        tissueSiteDetailId,
        unit: "TPM",
      })),
    )
    return page(data.slice(0, Number(asked.get("itemsPerPage"))), data.length)
  }
  return undefined
}

const open = (answer: (request: Seen) => Reply | undefined = portal) => world(answer, { connectors: [gtex] })
type World = Awaited<ReturnType<typeof open>>

async function one(w: World, id: string) {
  const { outcomes } = await w.fetch("gtex", id)
  return outcomes[0]
}

async function hits(w: World, query: string, more: Parameters<World["search"]>[2] = {}) {
  const { result } = await w.search("gtex", query, more)
  if (result.kind !== "hits") throw new Error(result.failure.message)
  return result
}

const asked = (w: World) =>
  w.server.requests.map((request) => {
    const sent = parameters(request)
    return [
      request.path.replace(/^\/api\/v2\/|\?.*$/g, ""),
      sent.get("gencodeVersion") ?? sent.get("datasetId"),
      ...sent.getAll("geneId"),
      ...sent.getAll("gencodeId"),
    ].join(" ")
  })

describe("ids", () => {
  test("a gene is asked for by symbol in any case, by Ensembl id with or without version", () => {
    expect(normalizeId(gtex, "c1orf112")).toBe("C1ORF112")
    expect(normalizeId(gtex, "ensembl:ENSG00000141510.18")).toBe("ENSG00000141510.18")
    for (const id of ["HLA-DRB1", "RP11-34P13.7", "T", "ENSG00000228572.7_PAR_Y"])
      expect(looksLikeOne(gtex, id)).toBe(true)
    expect(splitIds(gtex, "TP53, BRCA1")).toEqual(["TP53", "BRCA1"])
  })

  test("what is no human gene is refused without a request", async () => {
    await using w = await open()
    for (const id of ["chr17_7675088_C_T_b37", "ENSMUSG00000059552", "ENST00000269305", "tumor protein"])
      expect(await one(w, id)).toMatchObject({ kind: "failure", failure: { code: "invalid_id" } })
    expect(w.server.requests).toHaveLength(0)
  })
})

describe("record", () => {
  test("data set and annotation are always sent as a pair", async () => {
    await using w = await open()
    expect(await one(w, "TP53")).toMatchObject({
      kind: "record",
      resolvedId: "ENSG00000141510.18",
      record: { gene: P53.v39, medianExpression: [{ datasetId: "gtex_v10" }, { datasetId: "gtex_v10" }] },
      remarks: ["TP53 is ENSG00000141510.18 in gtex_v10 (GENCODE v39)", "medians in TPM of gtex_v10"],
      incomplete: [],
    })
    expect(asked(w)).toEqual(["reference/gene v39 TP53", "expression/medianGeneExpression gtex_v10 ENSG00000141510.18"])
    expect(w.server.requests.map((request) => parameters(request).get("genomeBuild"))).toEqual(["GRCh38/hg38", null])
  })

  test("the version that was asked decides the release", async () => {
    await using w = await open()
    expect(await one(w, "ENSG00000141510.16")).toMatchObject({
      record: { gene: P53.v26, medianExpression: [{ datasetId: "gtex_v8" }, {}] },
      remarks: ["medians in TPM of gtex_v8"],
    })
    expect(asked(w).at(-1)).toBe("expression/medianGeneExpression gtex_v8 ENSG00000141510.16")
  })

  test("a version that no release has is answered with the newest, and said to be another", async () => {
    await using w = await open()
    expect(await one(w, "ENSG00000141510.5")).toMatchObject({
      kind: "record",
      resolvedId: "ENSG00000141510.18",
      remarks: [
        expect.stringContaining("ENSG00000141510.5 is another version of the gene"),
        "medians in TPM of gtex_v10",
      ],
    })
  })

  test("a gene that the newest release does not know is looked for in the one before", async () => {
    await using w = await open()
    expect(await one(w, "OLDGENE")).toMatchObject({
      kind: "record",
      resolvedId: "ENSG00000111111.2",
      remarks: [expect.stringContaining("gtex_v8"), "medians in TPM of gtex_v8"],
    })
  })

  test("an empty list of medians is asked of the other release before it is believed", async () => {
    await using w = await open()
    expect(await one(w, "ENSG00000222222")).toMatchObject({
      resolvedId: "ENSG00000222222.3",
      record: {
        gene: { gencodeVersion: "v26" },
        medianExpression: [{ datasetId: "gtex_v8", gencodeId: "ENSG00000222222.3" }, {}],
      },
    })
  })

  test("a gene that no release measured says that this is no expression of 0", async () => {
    await using w = await open()
    expect(await one(w, "MUTE")).toMatchObject({
      record: { medianExpression: [] },
      remarks: [expect.anything(), expect.stringContaining("no expression of MUTE in gtex_v10 or gtex_v8")],
    })
  })

  test("medians that failed are named as missing, and are not an empty list", async () => {
    await using w = await open((request) => (request.path.includes("/expression/") ? { status: 502 } : portal(request)))
    const outcome = await one(w, "TP53")
    expect(outcome).toMatchObject({ kind: "record", incomplete: ["medianExpression"] })
    expect(outcome).not.toHaveProperty("record.medianExpression")
  })

  test("a list that is shorter than it counts is not taken for the whole", async () => {
    const short = page([{ datasetId: "gtex_v10", gencodeId: "ENSG00000141510.18", median: 1, unit: "TPM" }], 54)
    await using w = await open((request) => (request.path.includes("/expression/") ? short : portal(request)))
    expect(await one(w, "TP53")).toMatchObject({ kind: "record", incomplete: ["medianExpression"] })
  })

  test("numbers keep their digits", async () => {
    const median = `{"data":[{"datasetId":"gtex_v10","gencodeId":"ENSG00000141510.18","median":16.20,"unit":"TPM"}],"paging_info":{"totalNumberOfItems":1}}`
    await using w = await open((request) => (request.path.includes("/expression/") ? median : portal(request)))
    const outcome = await one(w, "TP53")
    expect(outcome?.kind === "record" && printJson(outcome.record, 0)).toContain("16.20")
  })

  test("an unknown gene is a miss after both annotations were asked", async () => {
    await using w = await open()
    expect(await one(w, "NOSUCH1")).toEqual({
      kind: "miss",
      db: "gtex",
      id: "NOSUCH1",
      reason: "GENCODE v39 or v26 has no such gene: search for its symbol",
    })
    expect(asked(w)).toEqual(["reference/gene v39 NOSUCH1", "reference/gene v26 NOSUCH1"])
  })

  test("a 404 is a path that is no more, not a gene that is not there", async () => {
    await using w = await open(() => ({ status: 404, body: '{"detail":"Not Found"}' }))
    expect(await one(w, "TP53")).toMatchObject({ kind: "failure", failure: { code: "bad_response" } })
  })

  test("an answer in another form is refused, naming the field", async () => {
    await using w = await open(() => '{"gene":{},"medianExpression":[]}')
    expect(await one(w, "TP53")).toMatchObject({
      kind: "failure",
      failure: { code: "bad_response", message: expect.stringContaining("data") },
    })
  })

  test("of genes with one symbol the protein coding one is meant; where that does not tell, all are named", async () => {
    await using w = await open()
    expect(await one(w, "ARL17A")).toMatchObject({ kind: "record", resolvedId: "ENSG00000185829.17" })
    expect(await one(w, "Y_RNA")).toMatchObject({
      kind: "miss",
      reason: "2 genes have this symbol: fetch one of ENSG00000199001.1, ENSG00000199002.1",
    })
  })

  test("the copy of a gene on the Y chromosome is only given when it is asked for", async () => {
    await using w = await open()
    for (const id of ["ENSG00000002586", "CD99", "ENSG00000002586.20"])
      expect(await one(w, id)).toMatchObject({ record: { gene: { gencodeId: "ENSG00000002586.20" } } })
    expect(await one(w, "ENSG00000002586.20_PAR_Y")).toMatchObject({
      record: { gene: { gencodeId: "ENSG00000002586.20_PAR_Y" } },
    })
  })

  test("several genes cost one request for each thing, and each gets its own rows in whatever order they come", async () => {
    await using w = await open()
    const { outcomes } = await w.fetch("gtex", "CRP", "NOSUCH1", "ENSG00000141510.16", "TP53")
    expect(outcomes.map((each) => (each.kind === "record" ? (each.resolvedId ?? each.id) : each.kind))).toEqual([
      "ENSG00000132693.12",
      "miss",
      "ENSG00000141510.16",
      "ENSG00000141510.18",
    ])
    expect(outcomes[0]).toMatchObject({
      record: { medianExpression: [{ gencodeId: "ENSG00000132693.12" }, { gencodeId: "ENSG00000132693.12" }] },
    })
    expect(asked(w)).toEqual([
      "reference/gene v39 CRP NOSUCH1 ENSG00000141510 TP53",
      "reference/gene v26 NOSUCH1 ENSG00000141510",
      "expression/medianGeneExpression gtex_v10 ENSG00000132693.12 ENSG00000141510.18",
      "expression/medianGeneExpression gtex_v8 ENSG00000141510.16",
    ])
  })
})

describe("variants", () => {
  const variant = (variantId: string, snpId: string, datasetId: string) => {
    const [chromosome = "", pos = "", ref = "", alt = ""] = variantId.split("_")
    return {
      alt,
      b37VariantId: "16_53800954_T_C_b37",
      chromosome,
      datasetId,
      maf01: true,
      pos: Number(pos),
      ref,
      snpId,
      snpIdUpper: snpId.toUpperCase(),
      variantId,
    }
  }
  const FTO = variant("chr16_53767042_T_C_b38", "rs1421085", "gtex_v10")
  const TWO = ["A", "G"].map((alt) => variant(`chr1_1000_C_${alt}_b38`, "rs555", "gtex_v10"))
  const OLD = variant("chr2_2000_G_A_b38", "rs777", "gtex_v8")

  function variants(request: Seen): Reply | undefined {
    const sent = parameters(request)
    const there = [FTO, ...TWO, OLD].filter(({ datasetId }) => datasetId === sent.get("datasetId"))
    if (request.path.startsWith("/api/v2/dataset/variant?"))
      return page(
        there.filter(({ variantId, snpId }) =>
          [sent.get("variantId"), sent.get("snpId")].some((id) => id === variantId || id === snpId),
        ),
      )
    if (request.path.includes("/association/"))
      return page(
        sent
          .getAll("variantId")
          .filter((id) => id !== OLD.variantId)
          .map((variantId) => ({ variantId, geneSymbol: "IRX3", nes: 0.37, datasetId: "gtex_v10" })),
      )
    return portal(request)
  }

  test("an rs number and GTEx's own id give the variant and the genes that it acts on", async () => {
    await using w = await open(variants)
    for (const id of ["RS1421085", "dbSNP:rs1421085", "CHR16_53767042_t_c_B38"])
      expect(await one(w, id)).toMatchObject({
        kind: "record",
        url: "https://gtexportal.org/home/snp/chr16_53767042_T_C_b38",
        record: { variants: [FTO], eqtls: [{ variantId: FTO.variantId, geneSymbol: "IRX3" }] },
      })
    expect(await one(w, "rs1421085")).toMatchObject({
      remarks: ["rs1421085 is chr16_53767042_T_C_b38 in gtex_v10", "significant eQTLs in gtex_v10: 1"],
    })
  })

  test("RS1 is a gene", () => {
    expect(normalizeId(gtex, "rs1")).toBe("RS1")
    expect(normalizeId(gtex, "RS12")).toBe("rs12")
  })

  test("an rs number with two alleles gives both variants, and says so", async () => {
    await using w = await open(variants)
    expect(await one(w, "rs555")).toMatchObject({
      record: { variants: TWO, eqtls: [{}, {}] },
      remarks: ["rs555 is chr1_1000_C_A_b38 and chr1_1000_C_G_b38 in gtex_v10", "significant eQTLs in gtex_v10: 2"],
    })
    expect(w.server.requests.at(-1)?.path).toContain(
      "variantId=chr1_1000_C_A_b38&variantId=chr1_1000_C_G_b38&datasetId=gtex_v10",
    )
  })

  test("a variant of the older release alone is asked for there, and no eQTL is an empty list", async () => {
    await using w = await open(variants)
    expect(await one(w, "rs777")).toMatchObject({
      record: { variants: [OLD], eqtls: [] },
      remarks: [expect.stringContaining("gtex_v8"), "significant eQTLs in gtex_v8: 0"],
    })
  })

  test("eQTLs that failed are named as missing, and are not none", async () => {
    await using w = await open((request) =>
      request.path.includes("/association/") ? { status: 500 } : variants(request),
    )
    const outcome = await one(w, "rs1421085")
    expect(outcome).toMatchObject({ kind: "record", incomplete: ["eqtls of rs1421085"] })
    expect(outcome).not.toHaveProperty("record.eqtls")
  })

  test("a variant of no donor is a miss, and another variant than the asked one is never given", async () => {
    await using w = await open((request) =>
      request.path.includes("/dataset/variant") ? page([FTO]) : variants(request),
    )
    expect(await one(w, "rs99")).toMatchObject({ kind: "miss", reason: expect.stringContaining("donors") })
  })

  test("genes and variants may be asked for together", async () => {
    await using w = await open(variants)
    const { outcomes } = await w.fetch("gtex", "rs1421085", "CRP", "rs98")
    expect(outcomes.map(({ kind }) => kind)).toEqual(["record", "record", "miss"])
  })

  test("a search for a variant finds its alleles", async () => {
    await using w = await open(variants)
    expect((await hits(w, "rs555")).hits).toEqual([
      { id: "chr1_1000_C_A_b38", title: "rs555", summary: "chr1:1000 C>A" },
      { id: "chr1_1000_C_G_b38", title: "rs555", summary: "chr1:1000 C>G" },
    ])
    expect(await hits(w, "rs98")).toMatchObject({ total: 0, hits: [] })
  })

  test("of a variant there are eQTLs and sQTLs as files, and nothing that a gene has", async () => {
    await using w = await open(variants)
    expect((await w.file("gtex", "sqtl", "rs1421085")).outcomes).toMatchObject([{ kind: "file" }])
    expect(w.server.requests.at(-1)?.path).toBe(
      "/api/v2/association/singleTissueSqtl?variantId=chr16_53767042_T_C_b38&datasetId=gtex_v10&itemsPerPage=100000",
    )
    expect((await w.file("gtex", "eqtl", "rs777")).outcomes).toMatchObject([
      { kind: "miss", reason: "there is none of rs777 in gtex_v8" },
    ])
    expect((await w.file("gtex", "samples", "rs1421085")).outcomes).toMatchObject([
      { kind: "miss", reason: expect.stringContaining("genes only") },
    ])
  })
})

describe("search", () => {
  test("the symbol that was asked stands before what only holds it", async () => {
    await using w = await open()
    const found = await hits(w, "CRP")
    expect(found.hits.map(({ title }) => title.split(":")[0])).toEqual(["CRP", "CRPP1", "NRCRP2"])
    expect(found).toMatchObject({ total: 3, notes: ["human genes of gtex_v10 (GENCODE v39)"] })
    expect(found).not.toHaveProperty("next")
  })

  test("a hit has the versioned id, the name without its source, type and place", async () => {
    await using w = await open()
    expect((await hits(w, "TP53")).hits).toEqual([
      { id: "ENSG00000141510.18", title: "TP53: tumor protein p53", summary: "protein coding · chr17:7661779-7687550" },
    ])
  })

  test("pages follow one another without a gap or a repeat", async () => {
    await using w = await open()
    const first = await hits(w, "CRP", { limit: 2 })
    expect(first).toMatchObject({
      total: 3,
      next: "2",
      hits: [{ id: "ENSG00000132693.12" }, { id: "ENSG00000223603.1" }],
    })
    const last = await hits(w, "CRP", { limit: 2, cursor: "2" })
    expect(last.hits).toMatchObject([{ id: "ENSG00000108691.9" }])
    expect(last).not.toHaveProperty("next")
  })

  test("what only the older annotation has is found there, and said so", async () => {
    await using w = await open()
    expect(await hits(w, "OLDGENE")).toMatchObject({ total: 1, notes: ["human genes of gtex_v8 (GENCODE v26)"] })
  })

  test("words that are no gene find nothing, with a note on what GTEx looks for", async () => {
    await using w = await open()
    expect(await hits(w, "liver enzyme")).toMatchObject({
      total: 0,
      hits: [],
      notes: [expect.stringContaining("one human gene symbol")],
    })
    expect(w.server.requests.map((request) => parameters(request).get("geneId"))).toEqual([
      "liver enzyme",
      "liver enzyme",
    ])
  })

  test("an organism is said not to be a filter", async () => {
    await using w = await open()
    expect((await hits(w, "TP53", { organism: "mouse" })).notes[0]).toContain("not applied")
  })

  test("a refused parameter is the query's fault, in the service's words", async () => {
    await using w = await open(() => ({ status: 400, body: '{"detail":"Illegal query input"}' }))
    expect((await w.search("gtex", "?")).result).toMatchObject({
      failure: { code: "invalid_query", message: expect.stringContaining("Illegal query input") },
    })
  })
})

describe("files", () => {
  test("a file is the list of the gene in the release that has it, on one page", async () => {
    await using w = await open()
    const { outcomes } = await w.file("gtex", "eqtl", "TP53")
    expect(outcomes).toMatchObject([{ kind: "file", mediaType: "application/json" }])
    const [outcome] = outcomes
    const text = outcome?.kind === "file" ? await readFile(path.join(w.directory, outcome.saved.path), "utf8") : ""
    expect(JSON.parse(text)).toMatchObject({ data: [{}, {}], paging_info: { totalNumberOfItems: 2 } })
    expect(w.server.requests.at(-1)?.path).toBe(
      "/api/v2/association/singleTissueEqtl?gencodeId=ENSG00000141510.18&datasetId=gtex_v10&itemsPerPage=100000",
    )
  })

  test("an empty list is no file: the other release is asked, then it is a miss that names both", async () => {
    await using w = await open()
    expect((await w.file("gtex", "samples", "QUIET")).outcomes).toMatchObject([
      { kind: "file", url: expect.stringContaining("gencodeId=ENSG00000222222.3&datasetId=gtex_v8") },
    ])
    expect((await w.file("gtex", "samples", "MUTE")).outcomes).toMatchObject([
      { kind: "miss", reason: "there is none of MUTE in gtex_v10 or gtex_v8" },
    ])
  })

  test("a file is never of another version than the one that was asked", async () => {
    await using w = await open()
    expect((await w.file("gtex", "samples", "ENSG00000141510.5")).outcomes).toMatchObject([
      { kind: "miss", reason: "gtex_v10 has ENSG00000141510.18: fetch that" },
    ])
    expect((await w.file("gtex", "samples", "ENSG00000222222.4")).outcomes).toMatchObject([
      { kind: "miss", reason: "there is none of QUIET in gtex_v10" },
    ])
  })

  test("single nuclei come from the pilot, with the annotation of the pilot", async () => {
    await using w = await open()
    expect((await w.file("gtex", "nuclei", "TP53")).outcomes).toMatchObject([{ kind: "file" }])
    expect(w.server.requests.at(-1)?.path).toContain(
      "excludeDataArray=false&gencodeId=ENSG00000141510.16&datasetId=gtex_snrnaseq_pilot",
    )
  })

  test("a 404 in the place of a file is a failure", async () => {
    await using w = await open((request) =>
      parameters(request).get("itemsPerPage") === "100000" && !request.path.includes("/reference/")
        ? undefined
        : portal(request),
    )
    expect((await w.file("gtex", "eqtl", "TP53")).outcomes).toMatchObject([
      { kind: "failure", failure: { code: "bad_response" } },
    ])
  })

  test("a list that is longer than a page is refused rather than cut", async () => {
    await using w = await open((request) =>
      request.path.includes("/association/") ? page([{}], 150_000) : portal(request),
    )
    expect((await w.file("gtex", "sqtl", "TP53")).outcomes).toMatchObject([
      { kind: "failure", failure: { code: "too_large" } },
    ])
  })
})
