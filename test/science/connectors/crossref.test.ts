import { readdir } from "node:fs/promises"
import { describe, expect, test } from "bun:test"
import crossref from "../../../src/science/connectors/literature/crossref.ts"
import { normalizeId } from "../../../src/science/ids.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const SICI = "10.1002/(SICI)1097-0274(199909)36:1+<1::AID-AJIM2>3.0.CO;2-0"
const THERMOMETRY = {
  DOI: "10.1038/nature12373",
  type: "journal-article",
  title: ["Nanometre-scale thermometry in a living cell"],
  author: [{ given: "G.", family: "Kucsko" }, { family: "Maurer" }],
  "container-title": ["Nature"],
  issued: { "date-parts": [[2013, 7, 31]] },
}
const PREPRINT = {
  DOI: "10.1101/2020.12.01.406702",
  type: "posted-content",
  subtype: "preprint",
  title: ["A preprint"],
  "container-title": [],
  issued: { "date-parts": [[2020, 12, 1]] },
  relation: { "is-preprint-of": [{ "id-type": "doi", id: "10.1038/s41586-021-1", "asserted-by": "subject" }] },
}
const REVIEW = {
  DOI: "10.7554/elife.55167.sa2",
  type: "peer-review",
  title: ["Author response: SpikeForest"],
  relation: { "is-review-of": [{ "id-type": "doi", id: "10.7554/eLife.55167", "asserted-by": "subject" }] },
}
const RETRACTED = {
  DOI: "10.1016/s0140-6736(97)11096-0",
  type: "journal-article",
  title: ["RETRACTED: Ileal-lymphoid-nodular hyperplasia"],
  "updated-by": [{ type: "retraction", DOI: "10.1016/s0140-6736(10)60175-4" }],
}
const NOTICE = {
  DOI: "10.1016/s0140-6736(10)60175-4",
  type: "journal-article",
  title: ["Retraction"],
  "update-to": [{ type: "retraction", DOI: "10.1016/s0140-6736(97)11096-0" }],
}
const WIDGET = {
  DOI: "10.1007/springerreference_66110",
  type: "component",
  title: [],
  issued: { "date-parts": [[null]] },
}

const work = (message: object) =>
  JSON.stringify({ status: "ok", "message-type": "work", "message-version": "1.0.0", message })
const list = (items: object[], total = items.length) =>
  JSON.stringify({ status: "ok", "message-type": "work-list", message: { facets: {}, "total-results": total, items } })
const notFound = (type = "text/plain"): Reply => ({
  status: 404,
  headers: { "content-type": type },
  body: "Resource not found.",
})
const parameters = ({ path }: Seen) => new URL(path, "https://api.crossref.org").searchParams
const open = (answer: (request: Seen) => Reply | undefined) => world(answer, { connectors: [crossref] })
const id = (typed: string) => normalizeId(crossref, typed)

describe("ids", () => {
  test("old DOIs keep every character, also after a doi.org address", () => {
    for (const doi of [
      SICI,
      "10.1021/ac010694+",
      "10.1175/1520-0477(1996)077<0935:WOTWSM>2.0.CO;2",
      "10.1890/0012-9615(1999)069[0569:EDILSA]2.0.CO;2",
      "10.1175//2572.1",
      "10.2210/pdb4hhb/pdb",
      "10.1000/a#b?c",
    ]) {
      expect(id(doi)).toBe(doi)
      expect(id(`https://doi.org/${encodeURIComponent(doi)}`)).toBe(doi)
      expect(id(`DOI: ${doi}`)).toBe(doi)
    }
  })

  test("a version suffix is kept: whether v2 belongs to the DOI, only its registrant knows", () => {
    expect(id("10.1101/2020.01.30.927871v2")).toBe("10.1101/2020.01.30.927871v2")
  })
})

describe("search", () => {
  test("total and offset lead from page to page, and the last one has no next", async () => {
    await using w = await open((request) => list([parameters(request).has("offset") ? PREPRINT : THERMOMETRY], 2))
    const first = (await w.search("crossref", "thermometry", { limit: 1 })).result
    expect(first).toMatchObject({ kind: "hits", total: 2, next: "1", hits: [{ id: "10.1038/nature12373" }] })
    const last = (await w.search("crossref", "thermometry", { limit: 1, cursor: "1" })).result
    expect(last).toMatchObject({ hits: [{ id: "10.1101/2020.12.01.406702" }] })
    expect(last).not.toHaveProperty("next")
    expect(w.server.requests.map((request) => parameters(request).get("offset"))).toEqual([null, "1"])
    expect(w.server.requests.map((request) => parameters(request).get("rows"))).toEqual(["1", "1"])
  })

  test("the pages end at 10,000, and the last one says so", async () => {
    await using w = await open(() => list(Array(5).fill(THERMOMETRY), 586_628))
    const { result } = await w.search("crossref", "ecology", { limit: 10, cursor: "9995" })
    expect(parameters(w.server.requests[0] ?? expect.unreachable()).get("rows")).toBe("5")
    expect(result).toMatchObject({ total: 586_628, notes: [expect.stringContaining("10,000")] })
    expect(result).not.toHaveProperty("next")
  })

  test("a hit says first author, journal, year and type; what is no reviewed article is marked, and so is a retraction", async () => {
    await using w = await open(() => list([THERMOMETRY, PREPRINT, REVIEW, RETRACTED, NOTICE, WIDGET]))
    const { result } = await w.search("crossref", "x")
    expect(result).toMatchObject({
      hits: [
        { summary: "Kucsko et al. · Nature · 2013 · journal-article" },
        { marks: ["not peer-reviewed"] },
        { marks: ["peer review"] },
        { marks: ["retracted"] },
        { marks: ["retraction notice"] },
        { title: "(a component without a title)", summary: "component", marks: ["component"] },
      ],
    })
    expect(result).not.toHaveProperty("hits.0.marks")
  })

  test("several words are any of the words to Crossref, and the answer says so", async () => {
    await using w = await open(() => list([THERMOMETRY], 586_628))
    expect((await w.search("crossref", "living cell")).result).toMatchObject({
      notes: [expect.stringContaining("any of the words")],
    })
    expect((await w.search("crossref", "ecology")).result).toMatchObject({ notes: [] })
  })

  test("Crossref's own parameters go through, filters with their commas included; words go as they are", async () => {
    await using w = await open(() => list([]))
    await w.search("crossref", "CRISPR base editing&filter=from-pub-date:2024,type:journal-article")
    await w.search("crossref", "query.author=carl boettiger&query=ecology & evolution")
    await w.search("crossref", "filter=prefix:10.5555,type:journal-article")
    await w.search("crossref", "Hello, John: Crohn's a=b & c")
    const asked = w.server.requests.map(parameters)
    expect([asked[0]?.get("query"), asked[0]?.get("filter")]).toEqual([
      "CRISPR base editing",
      "from-pub-date:2024,type:journal-article",
    ])
    expect([asked[1]?.get("query.author"), asked[1]?.get("query")]).toEqual(["carl boettiger", "ecology & evolution"])
    expect([asked[2]?.has("query"), asked[2]?.get("filter")]).toEqual([false, "prefix:10.5555,type:journal-article"])
    expect(asked[3]?.get("query")).toBe("Hello, John: Crohn's a=b & c")
  })

  test("a query that is a DOI finds that work alone", async () => {
    await using w = await open(({ path }) => (path.includes("nature12373") ? work(THERMOMETRY) : notFound()))
    expect((await w.search("crossref", "doi:10.1038/nature12373")).result).toMatchObject({
      total: 1,
      hits: [{ id: "10.1038/nature12373" }],
    })
    expect((await w.search("crossref", "10.48550/arxiv.2312.07559")).result).toMatchObject({ total: 0, hits: [] })
  })

  test("a refusal says what Crossref said; a JSON 404 is a failure, not an empty list", async () => {
    await using w = await open(() => ({
      status: 400,
      body: '{"status":"failed","message-type":"validation-failure","message":[{"type":"filter-not-available","value":"foo"}]}',
    }))
    expect((await w.search("crossref", "filter=foo:1")).result).toMatchObject({
      failure: { code: "invalid_query", message: expect.stringContaining("filter-not-available") },
    })
    await using gone = await open(() => ({
      status: 404,
      body: '{"status":"failed","message-type":"resource-failure","message":[{"type":"cursor-invalid"}]}',
    }))
    expect((await gone.search("crossref", "widget")).result.kind).toBe("failure")
    expect((await gone.fetch("crossref", "10.1038/nature12373")).outcomes[0]?.kind).toBe("failure")
  })

  test("a cursor that is not ours is refused without a request", async () => {
    await using w = await open(() => list([]))
    for (const cursor of ["10000", "DnF1ZXJ5", "-1"])
      expect((await w.search("crossref", "x", { cursor })).result).toMatchObject({ failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(0)
  })
})

describe("records", () => {
  test("each character of a DOI is sent once encoded, in one path segment, and the record is Crossref's answer", async () => {
    await using w = await open(() => work({ ...THERMOMETRY, DOI: SICI.toLowerCase() }))
    const { outcomes } = await w.fetch("crossref", SICI)
    expect(w.server.requests[0]?.path).toBe(
      "/works/10.1002%2F%28SICI%291097-0274%28199909%2936%3A1%2B%3C1%3A%3AAID-AJIM2%3E3.0.CO%3B2-0",
    )
    expect(outcomes[0]).toMatchObject({
      kind: "record",
      id: SICI,
      record: { status: "ok", message: { type: "journal-article" } },
    })
    expect(outcomes[0]).not.toHaveProperty("resolvedId")
  })

  test("a DOI of another agency is a miss that names the agency, though the content type of the 404 lies", async () => {
    await using w = await open(({ path }) =>
      path.endsWith("/agency")
        ? work({ DOI: "10.5284/1011335", agency: { id: "datacite", label: "DataCite" } })
        : notFound("application/json;charset=utf-8"),
    )
    expect((await w.fetch("crossref", "10.5284/1011335")).outcomes[0]).toMatchObject({
      kind: "miss",
      reason: "DataCite registered this DOI, not Crossref",
    })
  })

  test("an unknown DOI is a miss, also when the agency cannot be asked", async () => {
    await using w = await open(({ path }) => (path.endsWith("/agency") ? { status: 503 } : notFound()))
    expect((await w.fetch("crossref", "10.1371/notarealdoi")).outcomes[0]?.kind).toBe("miss")
  })

  test("any other 404 is a failure", async () => {
    await using w = await open(() => undefined)
    expect((await w.fetch("crossref", "10.1371/x")).outcomes[0]).toMatchObject({ failure: { code: "bad_response" } })
  })

  test("another work than the asked one is a miss; an alias is followed and said", async () => {
    await using w = await open(() => work({ ...THERMOMETRY, aliases: ["10.5555/alias"] }))
    expect((await w.fetch("crossref", "10.1038/other")).outcomes[0]?.kind).toBe("miss")
    expect((await w.fetch("crossref", "10.5555/alias")).outcomes[0]).toMatchObject({
      kind: "record",
      resolvedId: "10.1038/nature12373",
      remarks: ["10.5555/alias is now 10.1038/nature12373"],
    })
  })

  test("preprints, peer reviews and retractions are said to be so, with the work that they belong to", async () => {
    await using w = await open(({ path }) => {
      const found = [PREPRINT, REVIEW, RETRACTED, NOTICE].find(({ DOI }) => decodeURIComponent(path).endsWith(DOI))
      return found && work(found)
    })
    const { outcomes } = await w.fetch("crossref", PREPRINT.DOI, REVIEW.DOI, RETRACTED.DOI, NOTICE.DOI)
    expect(outcomes.map((each) => (each.kind === "record" ? each.remarks : each.kind))).toEqual([
      ["A preprint, not peer-reviewed; published as 10.1038/s41586-021-1"],
      ["A peer review of 10.7554/eLife.55167"],
      ["It has a retraction: 10.1016/s0140-6736(10)60175-4"],
      ["It is the retraction of 10.1016/s0140-6736(97)11096-0"],
    ])
  })

  test("an answer whose DOI has moved is a bad response that names the field", async () => {
    await using w = await open(() => work({ type: "journal-article" }))
    expect((await w.fetch("crossref", "10.1038/nature12373")).outcomes[0]).toMatchObject({
      failure: { code: "bad_response", message: expect.stringContaining("message.DOI") },
    })
  })
})

describe("files", () => {
  test("BibTeX comes by the transform route, with the DOI encoded once and the media type as a path", async () => {
    const bibtex = " @article{Frank_1970, title={The Structure of Ordinary Water}, year={1970} }\n"
    await using w = await open(() => ({ headers: { "content-type": "" }, body: bibtex }))
    const { outcomes } = await w.file("crossref", "bibtex", "10.1023/a:1007154515475")
    expect(outcomes[0]).toMatchObject({ kind: "file", saved: { entries: { count: 1 } } })
    expect(w.server.requests[0]?.path).toBe("/works/10.1023%2Fa%3A1007154515475/transform/application/x-bibtex")
  })

  test("a citation is asked for by its style in the Accept header", async () => {
    await using w = await open(() => ({
      headers: { "content-type": "text/x-bibliography" },
      body: "Frank, H. S. (1970).\n",
    }))
    expect((await w.file("crossref", "citation", "10.1126/science.169.3946.635")).outcomes[0]?.kind).toBe("file")
    expect(w.server.requests[0]?.headers.accept).toBe("text/x-bibliography; style=apa; locale=en-US")
  })

  test("the file of a DOI that Crossref did not register is a miss, and nothing is written", async () => {
    await using w = await open(() => notFound("text/plain;charset=utf-8"))
    const { outcomes } = await w.file("crossref", "unixsd-xml", "10.5284/1011335")
    expect(outcomes[0]).toMatchObject({ kind: "miss", reason: expect.stringContaining("did not register") })
    expect(await readdir(w.directory)).toEqual([])
  })
})
