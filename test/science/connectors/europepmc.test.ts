import { readdir } from "node:fs/promises"
import { describe, expect, test } from "bun:test"
import europepmc from "../../../src/science/connectors/literature/europepmc.ts"
import { normalizeId } from "../../../src/science/ids.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const NUMPY = {
  id: "32939066",
  source: "MED",
  pmid: "32939066",
  pmcid: "PMC7759461",
  doi: "10.1038/s41586-020-2649-2",
  title: "Array programming with <i>NumPy</i>.",
  authorString: "Harris CR, Millman KJ, van der Walt SJ.",
  pubYear: "2020",
  journalInfo: { journal: { title: "Nature" } },
  isOpenAccess: "Y",
  fullTextUrlList: {
    fullTextUrl: [
      { availabilityCode: "S", documentStyle: "doi", site: "DOI", url: "https://doi.org/10.1038/s41586-020-2649-2" },
      {
        availabilityCode: "OA",
        documentStyle: "pdf",
        site: "Europe_PMC",
        url: "https://europepmc.org/articles/PMC7759461?pdf=render",
      },
    ],
  },
}
const WHEAT = { id: "37466043", source: "MED", pmid: "37466043", pmcid: "PMC10508479", title: "Wheat cultivars." }
const PREPRINT = {
  id: "PPR1302423",
  source: "PPR",
  doi: "10.64898/2026.08.20.745440",
  title: "Multi-color droplet digital PCR assay",
  authorString: "Yasuda Y, Miyaoka Y.",
  pubYear: "2026",
  pubType: "preprint",
  bookOrReportDetails: { publisher: "bioRxiv", yearOfPublication: 2026 },
  isOpenAccess: "N",
}
const RETRACTED = {
  id: "9500320",
  source: "MED",
  title: "A retracted one.",
  journalTitle: "Lancet",
  pubType: "journal article; retracted publication",
}

const page = (result: unknown[], more: object = {}) =>
  JSON.stringify({ version: "6.9", hitCount: result.length, ...more, resultList: { result } })
const parameters = ({ path }: Seen) => new URL(path, "https://www.ebi.ac.uk").searchParams
const queryOf = (request: Seen | undefined) => (request ? parameters(request).get("query") : undefined)
const isSearch = ({ path }: Seen) => path.startsWith("/europepmc/webservices/rest/search?")
const open = (answer: (request: Seen) => Reply | undefined) => world(answer, { connectors: [europepmc] })
const id = (typed: string) => normalizeId(europepmc, typed)

describe("ids", () => {
  test("a number is a PMID, and every spelling of one article's id is read as that kind of id", () => {
    for (const typed of ["10508479", "MED/10508479", "PMID: 10508479", "https://europepmc.org/article/MED/10508479"])
      expect(id(typed)).toBe("MED/10508479")
    for (const typed of [
      "PMC123",
      "pmc123",
      "PMC/PMC123",
      "https://europepmc.org/articles/PMC123?pdf=render",
      "PMCID: PMC123",
    ])
      expect(id(typed)).toBe("PMC/PMC123")
    expect(id("ppr110986")).toBe("PPR/PPR110986")
    expect(id("https://europepmc.org/article/PPR/PPR110986")).toBe("PPR/PPR110986")
    expect(id("pat/EP1234567")).toBe("PAT/EP1234567")
  })

  test("a DOI loses its prefix, its address and the end of the sentence, and none of its own characters", () => {
    const sici = "10.1002/(SICI)1097-0274(199909)36:1+<1::AID-AJIM2>3.0.CO;2-0"
    expect(id(sici)).toBe(sici)
    expect(id(`doi:${sici}`)).toBe(sici)
    expect(id(`https://doi.org/${encodeURIComponent(sici)}`)).toBe(sici)
    expect(id("http://dx.doi.org/10.1021/ac010694+")).toBe("10.1021/ac010694+")
    expect(id("(doi: 10.1038/nature12373).")).toBe("10.1038/nature12373")
    expect(id("10.1016/0022-2836(81)90087-5")).toBe("10.1016/0022-2836(81)90087-5")
    expect(id("https://doi.org/10.1002/%28SICI%291097%3C1::AID%3E3.0.CO;2-0?x=1#top")).toBe(
      "10.1002/(SICI)1097<1::AID>3.0.CO;2-0",
    )
    expect(id("(10.1000/a(b))")).toBe("10.1000/a(b)")
    expect(id("10.1038%2Fnature12373")).toBe("10.1038/nature12373")
  })
})

describe("search", () => {
  test("total, hits and the next mark come from the answer, and the mark is sent back until it repeats", async () => {
    await using w = await open((request) =>
      page([NUMPY], {
        hitCount: 2,
        nextCursorMark: "AoIIQYg13Sg1NTE5MTg0MQ==",
        request: parameters(request).get("cursorMark"),
      }),
    )
    const first = (await w.search("europepmc", "array programming", { limit: 1 })).result
    expect(first).toMatchObject({
      kind: "hits",
      total: 2,
      next: "AoIIQYg13Sg1NTE5MTg0MQ==",
      hits: [{ id: "MED/32939066" }],
    })
    expect(first).not.toHaveProperty("notes.0")
    const last = (await w.search("europepmc", "array programming", { limit: 1, cursor: "AoIIQYg13Sg1NTE5MTg0MQ==" }))
      .result
    expect(last).not.toHaveProperty("next")
    const [sent, again] = w.server.requests.map(parameters)
    expect([sent?.get("cursorMark"), sent?.get("pageSize"), sent?.has("page")]).toEqual(["*", "1", false])
    expect(again?.get("cursorMark")).toBe("AoIIQYg13Sg1NTE5MTg0MQ==")
  })

  test("a page that holds every hit has no next one", async () => {
    await using w = await open(() => page([NUMPY], { nextCursorMark: "AoIIQYg13Sg1NTE5MTg0MQ==" }))
    expect((await w.search("europepmc", "numpy", { limit: 1 })).result).not.toHaveProperty("next")
  })

  test("a hit says authors, journal or server, year and DOI; preprints and retracted articles are marked", async () => {
    await using w = await open(() => page([NUMPY, PREPRINT, RETRACTED]))
    const { result } = await w.search("europepmc", "x")
    expect(result).toMatchObject({
      hits: [
        { summary: "Harris CR et al. · Nature · 2020 · 10.1038/s41586-020-2649-2 · open access" },
        {
          id: "PPR/PPR1302423",
          summary: "Yasuda Y, Miyaoka Y · bioRxiv · 2026 · 10.64898/2026.08.20.745440",
          marks: ["preprint"],
        },
        { id: "MED/9500320", summary: "Lancet", marks: ["retracted"] },
      ],
    })
  })

  test("a query that is an id is asked for as one, so that a number does not find another paper", async () => {
    await using w = await open(() => page([]))
    for (const query of ["10508479", "PMC10508479", "10.1038/s41586-020-2649-2"]) await w.search("europepmc", query)
    expect(w.server.requests.map(queryOf)).toEqual([
      "EXT_ID:10508479 AND SRC:MED",
      "PMCID:PMC10508479",
      'DOI:"10.1038/s41586-020-2649-2"',
    ])
  })

  test("a word with a colon that is no field is quoted, and the answer says so", async () => {
    await using w = await open(() => page([]))
    const { result } = await w.search("europepmc", "TP53 NM_000546.5:c.215C>G")
    expect(queryOf(w.server.requests[0])).toBe('TP53 "NM_000546.5:c.215C>G"')
    expect(result).toMatchObject({ notes: ['searched as TP53 "NM_000546.5:c.215C>G"'] })
  })

  test("words, phrases and Europe PMC's own syntax go through as they are", async () => {
    const queries = [
      "Crohn's disease, c.6965A>G",
      'BRCA1 AND NOT PUB_TYPE:"retracted publication"',
      "(SRC:PPR) AND (base editing) AND (FIRST_PDATE:[2023-09-01 TO 2026-09-08])",
      '("base editing" OR CRISPR) NOT review',
      "BRCA1 sort_cited:y",
    ]
    await using w = await open(() => page([]))
    for (const query of queries) await w.search("europepmc", query)
    expect(w.server.requests.map(queryOf)).toEqual(queries)
  })

  test("an error under status 200 is the query's fault, and an answer without a count is no answer; neither is no hits", async () => {
    await using w = await open(
      () => '{"errCode":404,"errMsg":"No search criteria provided. Please provide a search criteria."}',
    )
    expect((await w.search("europepmc", "x")).result).toMatchObject({
      kind: "failure",
      failure: { code: "invalid_query", message: expect.stringContaining("No search criteria provided") },
    })
    await using bare = await open(() => '{"version":"6.9"}')
    expect((await bare.search("europepmc", "x")).result).toMatchObject({
      kind: "failure",
      failure: { code: "bad_response", message: expect.stringContaining("without a count") },
    })
    expect((await bare.fetch("europepmc", "1")).outcomes[0]).toMatchObject({ failure: { code: "bad_response" } })
  })

  test("a cursor that is not Europe PMC's is refused without a request", async () => {
    await using w = await open(() => page([]))
    const { result } = await w.search("europepmc", "x", { cursor: "2" })
    expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(0)
  })
})

describe("records", () => {
  test("a bare number is asked for as a PMID, and the article whose PMC id has those digits is a miss", async () => {
    await using w = await open(() => page([WHEAT]))
    const { outcomes } = await w.fetch("europepmc", "10508479")
    expect(queryOf(w.server.requests[0])).toBe("EXT_ID:10508479 AND SRC:MED")
    expect(outcomes[0]?.kind).toBe("miss")
  })

  test("an article is found by its PMC id though its source is PubMed, and the answer says which it is", async () => {
    await using w = await open(() => page([WHEAT]))
    const { outcomes } = await w.fetch("europepmc", "PMC10508479")
    expect(queryOf(w.server.requests[0])).toBe("PMCID:PMC10508479")
    expect(outcomes[0]).toMatchObject({
      kind: "record",
      record: WHEAT,
      resolvedId: "MED/37466043",
      remarks: ["PMC/PMC10508479 is MED/37466043"],
      url: "https://europepmc.org/article/MED/37466043",
    })
  })

  test("a DOI is sent as a phrase, each of its characters once encoded, and of several records PubMed's is taken", async () => {
    const doi = "10.1002/(SICI)1097-0274(199909)36:1+<1::AID-AJIM2>3.0.CO;2-0"
    const agricola = { id: "IND1", source: "AGR", doi, title: "x" }
    await using w = await open(() => page([agricola, { ...NUMPY, doi: doi.toLowerCase() }]))
    const { outcomes } = await w.fetch("europepmc", doi)
    expect(outcomes[0]).toMatchObject({ kind: "record", id: doi, resolvedId: "MED/32939066" })
    expect(queryOf(w.server.requests[0])).toBe(`DOI:"${doi}"`)
    expect(w.server.requests[0]?.path).toContain("36%3A1%2B%3C1%3A%3AAID-AJIM2%3E3.0.CO%3B2-0")
  })

  test("no hits are a miss", async () => {
    await using w = await open(() => page([]))
    expect((await w.fetch("europepmc", "99999999")).outcomes[0]?.kind).toBe("miss")
  })

  test("several ids cost one request and are matched by id, whatever the order", async () => {
    await using w = await open(() => page([PREPRINT, NUMPY]))
    const { outcomes } = await w.fetch("europepmc", "10.1038/s41586-020-2649-2", "99999999", "PPR1302423")
    expect(outcomes.map(({ kind }) => kind)).toEqual(["record", "miss", "record"])
    expect(outcomes).toMatchObject([{ record: { id: "32939066" } }, {}, { record: { id: "PPR1302423" } }])
    expect(w.server.requests.map(queryOf)).toEqual([
      '(DOI:"10.1038/s41586-020-2649-2") OR (EXT_ID:99999999 AND SRC:MED) OR (EXT_ID:PPR1302423 AND SRC:PPR)',
    ])
  })

  test("a lot that the service cannot answer costs only its own ids", async () => {
    const ids = Array.from({ length: 11 }, (_, i) => String(1000 + i))
    await using w = await world(
      (request) =>
        queryOf(request)?.includes("1010") ? page([{ ...NUMPY, id: "1010", pmid: "1010" }]) : { status: 504, body: "" },
      { connectors: [europepmc], retry: { attempts: 1 } },
    )
    const { outcomes } = await w.fetch("europepmc", ...ids)
    expect(outcomes.map(({ kind }) => kind)).toEqual([...Array(10).fill("failure"), "record"])
  })

  test("that an article was retracted, or is a preprint, is said", async () => {
    const core = {
      ...RETRACTED,
      pubType: undefined,
      pubTypeList: { pubType: ["Journal Article", "Retracted Publication"] },
    }
    await using w = await open((request) => page([queryOf(request)?.includes("PPR") ? PREPRINT : core]))
    expect((await w.fetch("europepmc", "9500320")).outcomes[0]).toMatchObject({
      remarks: ["This article was retracted"],
    })
    expect((await w.fetch("europepmc", "PPR1302423")).outcomes[0]).toMatchObject({
      remarks: ["This is a preprint, without peer review"],
    })
  })
})

describe("files", () => {
  const rest = "/europepmc/webservices/rest"

  test("full text is asked for by PMC id, which a PMID's record gives", async () => {
    await using w = await open((request) => (isSearch(request) ? page([NUMPY]) : "<article><body/></article>"))
    const { outcomes } = await w.file("europepmc", "jats", "32939066")
    expect(outcomes[0]).toMatchObject({ kind: "file", saved: { bytes: 26 } })
    expect(w.server.requests[1]?.path).toBe(`${rest}/PMC7759461/fullTextXML`)
  })

  test("a closed article's full text is a miss that says what to look at: an empty 404, or no PMC id in the record", async () => {
    await using w = await open((request) => (isSearch(request) ? page([PREPRINT]) : { status: 404, body: "" }))
    expect((await w.file("europepmc", "jats", "PMC10949956")).outcomes[0]).toMatchObject({
      kind: "miss",
      reason: expect.stringContaining("not open access"),
    })
    expect((await w.file("europepmc", "jats", "PPR1302423")).outcomes[0]).toMatchObject({
      kind: "miss",
      reason: expect.stringContaining("no PMC id"),
    })
    expect(await readdir(w.directory)).toEqual([])
  })

  test("the error that comes in place of a closed article's supplements is a miss, any other error a failure; nothing is written", async () => {
    const bean = (text: string) =>
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><errorBean><errCode>0</errCode><errMsg>${text}</errMsg></errorBean>`
    let body = bean("Article with id PMC3040717 is not open access one")
    await using w = await open(() => ({ body, headers: { "content-type": "application/xml" } }))
    expect((await w.file("europepmc", "supplementary", "PMC3040717")).outcomes[0]).toMatchObject({
      kind: "miss",
      reason: "Article with id PMC3040717 is not open access one",
    })
    body = bean("Internal error")
    expect((await w.file("europepmc", "supplementary", "PMC3040717")).outcomes[0]).toMatchObject({
      kind: "failure",
      failure: { code: "bad_response" },
    })
    expect(await readdir(w.directory)).toEqual([])
  })

  test("the PDF is the one that the record names at Europe PMC; none there is a miss", async () => {
    await using w = await open((request) => {
      if (request.host === "europepmc.org") return "%PDF-1.4\n%%EOF\n"
      return page([queryOf(request)?.includes("PPR") ? PREPRINT : NUMPY])
    })
    expect((await w.file("europepmc", "pdf", "32939066")).outcomes[0]?.kind).toBe("file")
    expect(w.server.requests[1]).toMatchObject({ host: "europepmc.org", path: "/articles/PMC7759461?pdf=render" })
    expect((await w.file("europepmc", "pdf", "PPR1302423")).outcomes[0]?.kind).toBe("miss")
  })

  test("more citations than one page holds are refused with the search that lists them, never cut", async () => {
    let hitCount = 857
    await using w = await open(() => JSON.stringify({ hitCount, citationList: { citation: [] } }))
    expect((await w.file("europepmc", "citations", "37258680")).outcomes[0]?.kind).toBe("file")
    expect(w.server.requests[1]?.path).toBe(`${rest}/MED/37258680/citations?page=1&pageSize=1000&format=json`)
    hitCount = 1001
    expect((await w.file("europepmc", "citations", "37258681")).outcomes[0]).toMatchObject({
      failure: { code: "too_large", message: expect.stringContaining("CITES:37258681_MED") },
    })
    hitCount = 0
    expect((await w.file("europepmc", "citations", "37258682")).outcomes[0]?.kind).toBe("miss")
  })

  test("one endpoint under maintenance is a failure, not an article without references", async () => {
    await using w = await open(() => ({
      status: 503,
      headers: { "content-type": "text/plain" },
      body: "This API is temporarily unavailable due to maintenance.",
    }))
    expect((await w.file("europepmc", "references", "37258680")).outcomes[0]).toMatchObject({
      failure: { code: "unavailable" },
    })
  })

  test("several descriptions are one file of those that are there", async () => {
    await using w = await open((request) =>
      parameters(request).get("format") === "xml" ? "<responseWrapper/>" : page([WHEAT, PREPRINT]),
    )
    const { outcomes } = await w.file("europepmc", "xml", "PMC10508479", "99999999", "PPR1302423")
    expect(outcomes).toMatchObject([
      { kind: "file", ids: ["PMC/PMC10508479", "PPR/PPR1302423"] },
      { kind: "miss", id: "MED/99999999" },
    ])
    const sent = w.server.requests.map(parameters).at(-1)
    expect(sent?.get("query")).toBe("(EXT_ID:37466043 AND SRC:MED) OR (EXT_ID:PPR1302423 AND SRC:PPR)")
    expect(sent?.get("pageSize")).toBe("2")
  })

  test("an article without annotations is a miss of that format", async () => {
    await using w = await open(() => "[]")
    expect((await w.file("europepmc", "annotations", "10508479")).outcomes[0]?.kind).toBe("miss")
    expect(w.server.requests[0]?.path).toBe(
      "/europepmc/annotations_api/annotationsByArticleIds?articleIds=MED%3A10508479&format=JSON",
    )
  })
})
