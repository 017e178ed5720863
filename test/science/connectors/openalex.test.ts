import { describe, expect, test } from "bun:test"
import openalex from "../../../src/science/connectors/literature/openalex.ts"
import { normalizeId } from "../../../src/science/ids.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const address = (id: string) => `https://openalex.org/${id}`
const OA = {
  id: address("W2741809807"),
  doi: "https://doi.org/10.7717/peerj.4375",
  display_name: "The state of OA",
  publication_year: 2018,
  type: "article",
  ids: {
    openalex: address("W2741809807"),
    doi: "https://doi.org/10.7717/peerj.4375",
    mag: "2741809807",
    pmid: "https://pubmed.ncbi.nlm.nih.gov/29456894",
    pmcid: "https://www.ncbi.nlm.nih.gov/pmc/articles/5815332",
  },
  authorships: [{ author: { display_name: "Heather Piwowar" } }, { author: { display_name: "Jason Priem" } }],
  primary_location: { source: { display_name: "PeerJ" } },
  open_access: { is_oa: true },
  cited_by_count: 1200,
  is_retracted: false,
}
const BARE = { id: address("W6945048743"), doi: null, display_name: null, type: "dataset", primary_location: null }
const PREPRINT = { ...BARE, id: address("W4389761608"), type: "preprint", display_name: "PaperQA", is_retracted: true }

const json = (value: unknown): Reply => ({ body: JSON.stringify(value) })
const list = (results: unknown[], meta: object = {}) =>
  json({ meta: { count: results.length, ...meta }, results, group_by: [] })
const NOT_FOUND: Reply = {
  status: 404,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: "<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n<p>The requested URL was not found on the server. If you entered the URL manually please check your spelling and try again.</p>\n",
}
const parameters = ({ path }: Seen) => new URL(path, "https://api.openalex.org").searchParams
const open = (answer: (request: Seen) => Reply | undefined, env = {}) => world(answer, { connectors: [openalex], env })
const id = (typed: string) => normalizeId(openalex, typed)

describe("ids", () => {
  test("its own, in any case and as any address, and those of others with their scheme", () => {
    for (const typed of [
      "w2741809807",
      "https://openalex.org/W2741809807",
      "https://api.openalex.org/works/W2741809807",
    ])
      expect(id(typed)).toBe("W2741809807")
    expect(id("https://openalex.org/authors/a5023888391")).toBe("A5023888391")
    expect(id("PMID: 29456894")).toBe("pmid:29456894")
    expect(id("https://pubmed.ncbi.nlm.nih.gov/29456894/")).toBe("pmid:29456894")
    expect(id("PMC5815332")).toBe("pmcid:5815332")
    expect(id("https://doi.org/10.7717/peerj.4375")).toBe("10.7717/peerj.4375")
  })

  test("digits alone say nothing, and are refused without a request", async () => {
    await using w = await open(() => json(OA))
    expect((await w.fetch("openalex", "29456894")).outcomes[0]).toMatchObject({ failure: { code: "invalid_id" } })
    expect(w.server.requests).toHaveLength(0)
  })
})

describe("search", () => {
  const NEXT = "IlsxNjA5MzcyODAwMDAwLCAnVzI0ODg0OTk3NjQnXSI="

  test("total and cursor come from meta, and the cursor leads to the last page", async () => {
    await using w = await open((request) =>
      parameters(request).get("cursor") === "*"
        ? list([OA], { count: 2, next_cursor: NEXT })
        : list([BARE], { count: 2, next_cursor: null }),
    )
    const first = (await w.search("openalex", "open access", { limit: 1 })).result
    expect(first).toMatchObject({ kind: "hits", total: 2, next: NEXT, hits: [{ id: "W2741809807" }] })
    const last = (await w.search("openalex", "open access", { limit: 1, cursor: NEXT })).result
    expect(last).toMatchObject({ hits: [{ id: "W6945048743", title: "(a dataset without a title)" }] })
    expect(last).not.toHaveProperty("next")
    const [sent, again] = w.server.requests.map(parameters)
    expect([sent?.get("search"), sent?.get("per_page"), sent?.has("page")]).toEqual(["open access", "1", false])
    expect(again?.get("cursor")).toBe(NEXT)
  })

  test("a page that holds all hits has no next one though a cursor comes with it", async () => {
    await using w = await open(() => list([OA], { next_cursor: NEXT }))
    expect((await w.search("openalex", "x", { limit: 1 })).result).not.toHaveProperty("next")
  })

  test("a hit says author, source, year, type and citations; retracted works and preprints are marked", async () => {
    await using w = await open(() => list([OA, PREPRINT]))
    expect((await w.search("openalex", "x")).result).toMatchObject({
      hits: [
        { summary: "Heather Piwowar et al. · PeerJ · 2018 · article · cited by 1200 · open access" },
        { title: "PaperQA", marks: ["retracted", "preprint"] },
      ],
    })
  })

  test("wildcards, which are refused, are left out, and the answer says so", async () => {
    await using w = await open(() => list([]))
    const { result } = await w.search("openalex", "what is base editing?")
    expect(parameters(w.server.requests[0] ?? expect.unreachable()).get("search")).toBe("what is base editing")
    expect(result).toMatchObject({ notes: ["searched as what is base editing"] })
    expect((await w.search("openalex", "**")).result).toMatchObject({ failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(1)
  })

  test("words, operators, commas and OpenAlex's own filters go through", async () => {
    await using w = await open(() => list([]))
    await w.search("openalex", '"base editing" AND CRISPR&filter=publication_year:2024,type:article')
    await w.search("openalex", "filter=cites:W2741809807&sort=cited_by_count:desc")
    await w.search("openalex", "Hello, John: a=b & c")
    const asked = w.server.requests.map(parameters)
    expect([asked[0]?.get("search"), asked[0]?.get("filter")]).toEqual([
      '"base editing" AND CRISPR',
      "publication_year:2024,type:article",
    ])
    expect([asked[1]?.has("search"), asked[1]?.get("sort")]).toEqual([false, "cited_by_count:desc"])
    expect(asked[2]?.get("search")).toBe("Hello, John: a=b & c")
  })

  test("a query that is an id costs no search", async () => {
    await using w = await open(({ path }) => (path.includes("peerj") ? json(OA) : NOT_FOUND))
    expect((await w.search("openalex", "doi:10.7717/peerj.4375")).result).toMatchObject({
      total: 1,
      hits: [{ id: "W2741809807" }],
    })
    expect((await w.search("openalex", "W99999999999")).result).toMatchObject({ total: 0, hits: [] })
    for (const request of w.server.requests) expect(parameters(request).has("search")).toBe(false)
  })

  test("a strain or a cell line that looks like an id is searched for", async () => {
    await using w = await open(() => list([]))
    for (const query of ["W303", "A549", "C57"]) await w.search("openalex", query)
    expect(w.server.requests.map((request) => parameters(request).get("search"))).toEqual(["W303", "A549", "C57"])
  })

  test("an error is one whatever its status, never no hits", async () => {
    const error = { error: "Invalid query parameters error.", message: "foo is not a valid field." }
    for (const status of [200, 400]) {
      await using w = await open(() => ({ status, body: JSON.stringify(error) }))
      expect((await w.search("openalex", "filter=foo:1")).result).toMatchObject({
        failure: { code: "invalid_query", message: expect.stringContaining("foo is not a valid field") },
      })
    }
  })

  test("a spent budget is told at once with its hours, and not tried again; a burst is tried again", async () => {
    const budget = {
      error: "Rate limit exceeded",
      message: "Insufficient budget. This request costs $0.001 but you only have $0 remaining. Resets at midnight UTC.",
      retryAfter: 28836,
    }
    await using w = await open(() => ({ status: 429, body: JSON.stringify(budget) }))
    expect((await w.search("openalex", "x")).result).toMatchObject({
      failure: {
        code: "rate_limited",
        retryable: false,
        retryAfterMs: 28_836_000,
        message: expect.stringContaining("OPENALEX_API_KEY"),
      },
    })
    expect(w.server.requests).toHaveLength(1)
    let calls = 0
    await using burst = await open(() =>
      calls++ === 0
        ? {
            status: 429,
            body: '{"error":"Rate limit exceeded","message":"Rate limit exceeded: 100 requests per second."}',
          }
        : list([OA]),
    )
    expect((await burst.search("openalex", "x")).result.kind).toBe("hits")
  })

  test("the key goes to the API, and one that it does not accept is named", async () => {
    await using w = await open(() => ({ status: 401, body: '{"error":"Invalid or missing API key","message":"no"}' }), {
      OPENALEX_API_KEY: "s3cret-key",
    })
    expect((await w.search("openalex", "x")).result).toMatchObject({
      failure: { code: "key_required", message: expect.stringContaining("OPENALEX_API_KEY") },
    })
    expect(parameters(w.server.requests[0] ?? expect.unreachable()).get("api_key")).toBe("s3cret-key")
  })

  test("a cursor that is not OpenAlex's is refused without a request", async () => {
    await using w = await open(() => list([]))
    expect((await w.search("openalex", "x", { cursor: "2" })).result).toMatchObject({
      failure: { code: "invalid_query" },
    })
    expect(w.server.requests).toHaveLength(0)
  })
})

describe("records", () => {
  test("a DOI is asked for as doi:, which is free, each character once encoded", async () => {
    const doi = "10.1890/0012-9658(2006)87[2832:TIOPMA]2.0.CO;2"
    await using w = await open(() => json({ ...OA, doi: `https://doi.org/${doi.toLowerCase()}` }))
    const { outcomes } = await w.fetch("openalex", doi)
    expect(outcomes[0]).toMatchObject({ kind: "record", resolvedId: "W2741809807", remarks: [`${doi} is W2741809807`] })
    expect(w.server.requests[0]?.path).toBe("/works/doi%3A10.1890%2F0012-9658%282006%2987%5B2832%3ATIOPMA%5D2.0.CO%3B2")
  })

  test("a work answers to its PMID, PMC id and MAG id as well, and to no other", async () => {
    await using w = await open(() => json(OA))
    for (const typed of ["W2741809807", "pmid:29456894", "PMC5815332", "mag:2741809807"])
      expect((await w.fetch("openalex", typed)).outcomes[0]?.kind).toBe("record")
    expect((await w.fetch("openalex", "pmid:1")).outcomes[0]?.kind).toBe("miss")
  })

  test("a merged work is followed over its redirect, and the answer says so", async () => {
    await using w = await open(({ path }) =>
      path === "/works/W1000"
        ? { status: 301, headers: { location: "https://api.openalex.org/works/W2741809807" } }
        : json(OA),
    )
    expect((await w.fetch("openalex", "W1000")).outcomes[0]).toMatchObject({
      kind: "record",
      id: "W1000",
      resolvedId: "W2741809807",
      remarks: ["W1000 is now W2741809807"],
    })
  })

  test("another work that comes without a redirect is not taken for the asked one", async () => {
    await using w = await open(() => json(OA))
    expect((await w.fetch("openalex", "W1000")).outcomes[0]?.kind).toBe("miss")
  })

  test("authors, sources and the like are records too, each from its own list", async () => {
    await using w = await open(({ path }) => json({ id: address(path.split("/")[2] ?? ""), display_name: "x" }))
    for (const [own, path] of [
      ["A5023888391", "/authors/A5023888391"],
      ["S1983995261", "/sources/S1983995261"],
      ["I136199984", "/institutions/I136199984"],
    ] as const) {
      expect((await w.fetch("openalex", own)).outcomes[0]?.kind).toBe("record")
      expect(w.server.requests.at(-1)?.path).toBe(path)
    }
  })

  test("the server's own 404 page is a miss, in HTML and in JSON; any other page is a failure", async () => {
    let reply = NOT_FOUND
    await using w = await open(() => reply)
    expect((await w.fetch("openalex", "W99999999999")).outcomes[0]?.kind).toBe("miss")
    reply = { status: 404, body: '{"error":"Not found","message":"no"}' }
    expect((await w.fetch("openalex", "W99999999999")).outcomes[0]?.kind).toBe("miss")
    reply = {
      status: 404,
      headers: { "content-type": "text/html" },
      body: "<html><title>404 Not Found</title><hr>nginx</html>",
    }
    expect((await w.fetch("openalex", "W99999999999")).outcomes[0]?.kind).toBe("failure")
  })

  test("several ids cost one list for each kind, are matched by id, and what a list leaves out is asked for alone", async () => {
    const other = { ...BARE, id: address("W22"), doi: "https://doi.org/10.1000/a" }
    await using w = await open((request) => {
      const filter = parameters(request).get("filter")
      if (filter?.startsWith("openalex:")) return list([BARE, OA])
      if (filter?.startsWith("doi:")) return list([other])
      if (request.path === "/works/W1000") return { status: 301, headers: { location: "/works/W2741809807" } }
      return request.path === "/works/W2741809807" ? json(OA) : NOT_FOUND
    })
    const { outcomes } = await w.fetch(
      "openalex",
      "W2741809807",
      "W1000",
      "10.1000/A",
      "W6945048743",
      "W404",
      "10.1000/b,c",
    )
    expect(outcomes.map(({ kind }) => kind)).toEqual(["record", "record", "record", "record", "miss", "miss"])
    expect(outcomes).toMatchObject([
      { record: { id: OA.id } },
      { record: { id: OA.id }, resolvedId: "W2741809807" },
      { record: { id: other.id } },
      { record: { id: BARE.id } },
      {},
      {},
    ])
    const filters = w.server.requests
      .map((request) => parameters(request).get("filter"))
      .filter((each) => each !== null)
    expect(filters).toEqual(["openalex:W2741809807|W1000|W6945048743|W404", "doi:10.1000/A"])
  })

  test("a retracted work is said to be so", async () => {
    await using w = await open(() => json({ ...OA, is_retracted: true }))
    expect((await w.fetch("openalex", "W2741809807")).outcomes[0]).toMatchObject({
      remarks: ["This work was retracted"],
    })
  })

  test("a record without an id, as a selection of fields is, is a bad response that names it", async () => {
    await using w = await open(() => json({ doi: OA.doi, open_access: {} }))
    expect((await w.fetch("openalex", "10.7717/peerj.4375")).outcomes[0]).toMatchObject({
      failure: { code: "bad_response", message: expect.stringContaining("id") },
    })
  })

  test("the record is a file as well", async () => {
    await using w = await open(() => json(OA))
    expect((await w.file("openalex", "json", "10.7717/peerj.4375")).outcomes[0]?.kind).toBe("file")
    expect(w.server.requests[0]?.path).toBe("/works/doi%3A10.7717%2Fpeerj.4375")
  })
})
