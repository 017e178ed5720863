import { readdir } from "node:fs/promises"
import { describe, expect, test } from "bun:test"
import biorxiv from "../../../src/science/connectors/literature/biorxiv.ts"
import { normalizeId } from "../../../src/science/ids.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const UNCANNY = {
  title: "Uncanny similarity of unique inserts",
  authors: "Pradhan, P.; Pandey, A. K.",
  doi: "10.1101/2020.01.30.927871",
  date: "2020-01-31",
  version: "1",
  type: "new results",
  license: "cc_by_nc_nd",
  category: "evolutionary biology",
  jatsxml: "https://www.biorxiv.org/content/early/2020/01/31/2020.01.30.927871.source.xml",
  abstract: "We are currently witnessing a major epidemic.",
  funder: "NA",
  published: "NA",
  server: "bioRxiv",
}
const WITHDRAWN = { ...UNCANNY, date: "2020-02-02", version: "2", type: "withdrawn" }
const MEDICAL = {
  ...UNCANNY,
  title: "A medical one",
  doi: "10.1101/2020.09.09.20191205",
  type: "PUBLISHAHEADOFPRINT",
  license: "",
  published: "10.1016/j.jval.2021.1",
  server: "medRxiv",
}

const ok = (rows: object[], more: object = {}): Reply => ({
  body: JSON.stringify({ messages: [{ status: "ok", ...more }], collection: rows }),
})
const NONE: Reply = '{"messages":[{"status":"no posts found"}],"collection":[]}'
const open = (answer: (request: Seen) => Reply | undefined) => world(answer, { connectors: [biorxiv] })
const paths = (w: { server: { requests: Seen[] } }) => w.server.requests.map(({ path }) => path)
const parameters = ({ path }: Seen) => new URL(path, "https://www.ebi.ac.uk").searchParams
const id = (typed: string) => normalizeId(biorxiv, typed)

/** The API: each preprint at its own server alone. */
function api({ path }: Seen): Reply {
  if (path.includes("/biorxiv/10.1101/2020.01.30.927871/")) return ok([UNCANNY, WITHDRAWN])
  if (path.includes("/medrxiv/10.1101/2020.09.09.20191205/")) return ok([MEDICAL])
  return NONE
}

describe("ids", () => {
  test("addresses, tails, prefixes and letter case come off; a version stays", () => {
    for (const typed of [
      "https://www.biorxiv.org/content/10.1101/2020.01.30.927871v2.full.pdf",
      "https://www.biorxiv.org/content/10.1101/2020.01.30.927871v2.full.pdf+html",
      "www.biorxiv.org/content/10.1101/2020.01.30.927871v2.abstract?rss=1",
      "doi:10.1101/2020.01.30.927871V2",
      "BIORXIV/2020.01.30.927871v2",
      "https://doi.org/10.1101/2020.01.30.927871v2",
    ])
      expect(id(typed)).toBe("10.1101/2020.01.30.927871v2")
    expect(id("medRxiv 10.1101/2020.09.09.20191205")).toBe("10.1101/2020.09.09.20191205")
    expect(id("https://www.biorxiv.org/content/early/2018/10/30/456574")).toBe("10.1101/456574")
    expect(id("10.1101/19007872")).toBe("10.1101/19007872")
  })

  test("a number without a prefix has the old one until December 2025, and the new one since", () => {
    expect(id("2020.01.30.927871")).toBe("10.1101/2020.01.30.927871")
    expect(id("2026.07.31.741992v1")).toBe("10.64898/2026.07.31.741992v1")
  })

  test("DOIs of journals under the same prefix are not taken for preprints", async () => {
    await using w = await open(api)
    expect((await w.fetch("biorxiv", "10.1101/gr.123456.111")).outcomes[0]).toMatchObject({
      failure: { code: "invalid_id" },
    })
    expect(w.server.requests).toHaveLength(0)
  })
})

describe("records", () => {
  test("without a version the newest comes, whole, and the answer says which it is and that it is withdrawn", async () => {
    await using w = await open(api)
    const { outcomes } = await w.fetch("biorxiv", "10.1101/2020.01.30.927871")
    expect(outcomes[0]).toMatchObject({
      kind: "record",
      record: WITHDRAWN,
      resolvedId: "10.1101/2020.01.30.927871v2",
      url: "https://doi.org/10.1101/2020.01.30.927871",
      remarks: [
        "the newest version of 10.1101/2020.01.30.927871 is 10.1101/2020.01.30.927871v2",
        "Withdrawn by its authors or the server",
        "A preprint, not peer-reviewed",
        "Licence cc_by_nc_nd",
      ],
    })
    expect(paths(w)).toEqual(["/details/biorxiv/10.1101/2020.01.30.927871/na/json"])
  })

  test("versions are compared as numbers, whatever their order", async () => {
    await using w = await open(() => ok(["10", "2", "9"].map((version) => ({ ...UNCANNY, version }))))
    expect((await w.fetch("biorxiv", UNCANNY.doi)).outcomes[0]).toMatchObject({ record: { version: "10" } })
  })

  test("the version that is asked for comes; one that is not there is a miss that names those that are", async () => {
    await using w = await open(api)
    const { outcomes } = await w.fetch("biorxiv", "10.1101/2020.01.30.927871v1", "10.1101/2020.01.30.927871v7")
    expect(outcomes).toMatchObject([
      { kind: "record", record: { version: "1", type: "new results" } },
      { kind: "miss", reason: expect.stringContaining("it has 1, 2") },
    ])
    expect(outcomes[0]).not.toHaveProperty("resolvedId")
  })

  test("both servers are asked, the likelier first; licence and journal article are said", async () => {
    await using w = await open(api)
    expect((await w.fetch("biorxiv", MEDICAL.doi)).outcomes[0]).toMatchObject({
      kind: "record",
      remarks: [
        expect.any(String),
        "A preprint, published as 10.1016/j.jval.2021.1",
        "All rights reserved by its authors",
      ],
    })
    expect(paths(w)).toEqual(["/details/medrxiv/10.1101/2020.09.09.20191205/na/json"])
    await using other = await open(({ path }) => (path.includes("/medrxiv/") ? NONE : ok([MEDICAL])))
    expect((await other.fetch("biorxiv", MEDICAL.doi)).outcomes[0]?.kind).toBe("record")
    expect(paths(other)[1]).toStartWith("/details/biorxiv/")
  })

  test("what neither server has is a miss; around the change of prefix it says which other one to try", async () => {
    await using w = await open(() => NONE)
    expect((await w.fetch("biorxiv", "10.1101/0000.00.00.000000")).outcomes[0]).toMatchObject({
      kind: "miss",
      reason: expect.stringContaining("neither bioRxiv nor medRxiv"),
    })
    expect((await w.fetch("biorxiv", "10.1101/2025.11.29.691599")).outcomes[0]).toMatchObject({
      kind: "miss",
      reason: expect.stringContaining("try 10.64898/2025.11.29.691599"),
    })
  })

  test("a fault under status 200 is a failure, never a miss: an empty body, plain text, another status", async () => {
    for (const body of [
      "",
      "Error : (2002) Connection refused",
      '{"messages":[{"status":"server overloaded"}],"collection":[]}',
      '{"collection":[]}',
      "{}",
    ]) {
      await using w = await open(() => body)
      expect((await w.fetch("biorxiv", UNCANNY.doi)).outcomes[0]).toMatchObject({ failure: { code: "bad_response" } })
    }
  })

  test("one server's outage is not read as that the preprint is not there", async () => {
    await using w = await world(({ path }) => (path.includes("/medrxiv/") ? { status: 503 } : NONE), {
      connectors: [biorxiv],
      retry: { attempts: 1 },
    })
    expect((await w.fetch("biorxiv", UNCANNY.doi)).outcomes[0]).toMatchObject({ failure: { code: "unavailable" } })
  })

  test("another preprint's rows are none of the asked one", async () => {
    await using w = await open(() => ok([MEDICAL]))
    expect((await w.fetch("biorxiv", UNCANNY.doi)).outcomes[0]?.kind).toBe("miss")
    expect((await w.file("biorxiv", "pdf", UNCANNY.doi)).outcomes[0]?.kind).toBe("miss")
  })
})

describe("search", () => {
  const found = (result: object[], more: object = {}): Reply =>
    JSON.stringify({ version: "6.9", hitCount: result.length, ...more, resultList: { result } })
  const hit = {
    id: "PPR1302423",
    source: "PPR",
    doi: "10.64898/2026.08.20.745440",
    title: "Multi-color droplet digital PCR",
    authorString: "Yasuda Y, Miyaoka Y.",
    pubYear: "2026",
    bookOrReportDetails: { publisher: "bioRxiv" },
  }

  test("words are searched for in Europe PMC among both servers' preprints, and hits have the DOIs that fetch takes", async () => {
    await using w = await open(() => found([hit], { hitCount: 2163, nextCursorMark: "AoIIQHqxVSg1NjE1NTMzOA==" }))
    const { result } = await w.search("biorxiv", "base editing", { limit: 1 })
    expect(result).toMatchObject({
      kind: "hits",
      total: 2163,
      next: "AoIIQHqxVSg1NjE1NTMzOA==",
      hits: [{ id: "10.64898/2026.08.20.745440", summary: "Yasuda Y, Miyaoka Y · bioRxiv · 2026", marks: [] }],
      notes: [expect.stringContaining("Europe PMC")],
    })
    const [request] = w.server.requests
    expect(request?.host).toBe("www.ebi.ac.uk")
    expect(parameters(request ?? expect.unreachable()).get("query")).toBe(
      'SRC:PPR AND (PUBLISHER:"bioRxiv" OR PUBLISHER:"medRxiv") AND (base editing)',
    )
  })

  test("the query cannot leave the brackets that keep other sources out", async () => {
    await using w = await open(() => found([]))
    for (const query of ["TITLE:a) OR (TITLE:b", "TITLE:a OR (b", 'TITLE:"a'])
      expect((await w.search("biorxiv", query)).result).toMatchObject({ failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(0)
    await w.search("biorxiv", "cancer OR tumour sort_date:y")
    expect(parameters(w.server.requests[0] ?? expect.unreachable()).get("query")).toBe(
      'SRC:PPR AND (PUBLISHER:"bioRxiv" OR PUBLISHER:"medRxiv") AND (cancer OR tumour) sort_date:y',
    )
  })

  test("a hit without a DOI of the servers is left out, and the answer says so", async () => {
    await using w = await open(() => found([hit, { ...hit, doi: "10.21203/rs.3.rs-1/v1" }]))
    const { result } = await w.search("biorxiv", "x")
    expect(result).toMatchObject({ total: 2, notes: [expect.any(String), "1 without a DOI of the servers left out"] })
    expect(result.kind === "hits" && result.hits).toHaveLength(1)
  })

  test("a span of days lists what was posted, the limit and not the page's size leading to the next", async () => {
    await using w = await open(() => ok([UNCANNY, WITHDRAWN, MEDICAL], { count: 3, cursor: 0, total: "109" }))
    const { result } = await w.search("biorxiv", "2026-08-01/2026-08-02", { limit: 2 })
    expect(result).toMatchObject({
      total: 109,
      next: "2",
      hits: [
        { id: UNCANNY.doi, summary: "Pradhan, P. et al. · bioRxiv · 2020-01-31 · version 1 · evolutionary biology" },
        { id: UNCANNY.doi, marks: ["withdrawn"] },
      ],
      notes: [expect.stringContaining("each version"), expect.stringContaining("bioRxiv's alone")],
    })
    await w.search("biorxiv", "medrxiv 2026-08-01/2026-08-02 category:Public Health", { limit: 2, cursor: "2" })
    expect(paths(w)).toEqual([
      "/details/biorxiv/2026-08-01/2026-08-02/0/json",
      "/details/medrxiv/2026-08-01/2026-08-02/2/json?category=public_health",
    ])
  })

  test("days without a preprint are no hits, and a fault of the API is a failure", async () => {
    let reply = NONE
    await using w = await open(() => reply)
    expect((await w.search("biorxiv", "2026-08-01/2026-08-02")).result).toMatchObject({
      kind: "hits",
      total: 0,
      hits: [],
    })
    reply = ""
    expect((await w.search("biorxiv", "2026-08-03/2026-08-04")).result.kind).toBe("failure")
  })

  test("a query that is a DOI finds that preprint", async () => {
    await using w = await open(api)
    expect((await w.search("biorxiv", "10.1101/2020.01.30.927871")).result).toMatchObject({
      total: 1,
      hits: [{ id: UNCANNY.doi, marks: ["withdrawn"] }],
    })
  })

  test("a cursor of the other kind of search is refused without a request", async () => {
    await using w = await open(() => NONE)
    for (const [query, cursor] of [
      ["2026-08-01/2026-08-02", "AoIIQHqxVSg1NjE1NTMzOA=="],
      ["base editing", "30"],
    ] as const)
      expect((await w.search("biorxiv", query, { cursor })).result).toMatchObject({
        failure: { code: "invalid_query" },
      })
    expect(w.server.requests).toHaveLength(0)
  })
})

describe("files", () => {
  const withFile = (reply: Reply) => (request: Seen) => (request.host === "api.biorxiv.org" ? api(request) : reply)

  test("the PDF is of the server and the version that the record says", async () => {
    await using w = await open(withFile("%PDF-1.4\n%%EOF\n"))
    expect((await w.file("biorxiv", "pdf", "10.1101/2020.01.30.927871v1")).outcomes[0]?.kind).toBe("file")
    expect(w.server.requests.at(-1)).toMatchObject({
      host: "www.biorxiv.org",
      path: "/content/10.1101/2020.01.30.927871v1.full.pdf",
    })
    await w.file("biorxiv", "html", MEDICAL.doi)
    expect(w.server.requests.at(-1)).toMatchObject({
      host: "www.medrxiv.org",
      path: "/content/10.1101/2020.09.09.20191205v1.full",
    })
  })

  test("the XML is where the record says, and only there", async () => {
    await using w = await open(withFile("<article></article>"))
    await w.file("biorxiv", "jats", "10.1101/2020.01.30.927871v1")
    expect(w.server.requests.at(-1)?.path).toBe("/content/early/2020/01/31/2020.01.30.927871.source.xml")
    await using none = await open(() => ok([{ ...UNCANNY, jatsxml: "NA" }]))
    expect((await none.file("biorxiv", "jats", UNCANNY.doi)).outcomes[0]?.kind).toBe("miss")
    await using foreign = await open(() => ok([{ ...UNCANNY, jatsxml: "https://evil.example/x.xml" }]))
    expect((await foreign.file("biorxiv", "jats", UNCANNY.doi)).outcomes[0]).toMatchObject({
      failure: { code: "forbidden_host" },
    })
  })

  test("a challenge is a failure that says what else serves, whatever its status, and nothing is written", async () => {
    const challenge = "<!DOCTYPE html><html><head><title>Just a moment...</title></head><body></body></html>"
    for (const status of [403, 200])
      for (const format of ["pdf", "html", "jats"]) {
        await using w = await open(withFile({ status, headers: { "content-type": "text/html" }, body: challenge }))
        expect((await w.file("biorxiv", format, UNCANNY.doi)).outcomes[0]).toMatchObject({
          failure: { code: "unavailable", retryable: false, message: expect.stringContaining("europepmc") },
        })
        expect(await readdir(w.directory)).toEqual([])
      }
  })

  test("a 429 of the pages is not tried again at once", async () => {
    await using w = await open(withFile({ status: 429, body: "error code: 1015" }))
    expect((await w.file("biorxiv", "pdf", UNCANNY.doi)).outcomes[0]).toMatchObject({
      failure: { code: "rate_limited", retryAfterMs: 60_000 },
    })
    expect(w.server.requests.filter(({ host }) => host === "www.biorxiv.org")).toHaveLength(1)
  })

  test("citations are Crossref's, of the DOI without a version", async () => {
    await using w = await open(withFile(" @article{Pradhan_2020, year={2020} }\n"))
    expect((await w.file("biorxiv", "bibtex", "10.1101/2020.01.30.927871v1")).outcomes[0]?.kind).toBe("file")
    expect(w.server.requests.at(-1)).toMatchObject({
      host: "api.crossref.org",
      path: "/works/10.1101%2F2020.01.30.927871/transform/application/x-bibtex",
    })
  })

  test("a preprint that was not published yet has no link to its article: a miss", async () => {
    const none = '{"messages":[{"status":"no articles found for published version of "}],"collection":[]}'
    await using w = await open((request) => (request.path.startsWith("/pubs/") ? none : api(request)))
    expect((await w.file("biorxiv", "published", UNCANNY.doi)).outcomes[0]?.kind).toBe("miss")
    expect(w.server.requests.at(-1)?.path).toBe("/pubs/biorxiv/10.1101/2020.01.30.927871/na/json")
    expect(await readdir(w.directory)).toEqual([])
  })
})
