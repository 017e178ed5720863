import { readdir } from "node:fs/promises"
import { gzipSync } from "node:zlib"
import { describe, expect, test } from "bun:test"
import { asSyntax } from "../../../src/science/connectors/literature/_arxiv-query.ts"
import arxiv from "../../../src/science/connectors/literature/arxiv.ts"
import { paces } from "../../../src/science/http/pace.ts"
import { normalizeId } from "../../../src/science/ids.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world as anyWorld } from "../../support/world.ts"

const API = "export.arxiv.org"
const ATOM = { "content-type": "application/atom+xml; charset=utf-8" }

const world = (answer: (request: Seen) => Reply | undefined) => anyWorld(answer, { connectors: [arxiv] })
const asked = ({ path }: Seen) => new URLSearchParams(path.split("?")[1])

const entry = (id: string, { title = "A title", more = "" } = {}) => `  <entry>
    <id>http://arxiv.org/abs/${id}</id>
    <title>${title}</title>
    <updated>2023-08-02T00:41:18Z</updated>
    <link href="https://arxiv.org/abs/${id}" rel="alternate" type="text/html"/>
    <link href="https://arxiv.org/pdf/${id}" rel="related" type="application/pdf" title="pdf"/>
    <summary>An abstract with x &lt; y.</summary>
    <category term="cs.CL" scheme="http://arxiv.org/schemas/atom"/>
    <published>2017-06-12T17:57:34Z</published>
    ${more}
    <arxiv:primary_category term="cs.CL"/>
    <author>
      <name>Ashish Vaswani</name>
    </author>
    <author>
      <name>Noam Shazeer</name>
    </author>
  </entry>`

const feed = (total: number, ...entries: string[]): Reply => ({
  headers: ATOM,
  body: `<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/OCk8emqg9bln1sH6hyj0cx9HFT0</id>
  <title>arXiv Query: search_query=&amp;id_list=1707.08567&amp;start=0&amp;max_results=100</title>
  <updated>2026-04-12T22:10:26Z</updated>
  <opensearch:itemsPerPage>100</opensearch:itemsPerPage>
  <opensearch:totalResults>${total}</opensearch:totalResults>
  <opensearch:startIndex>0</opensearch:startIndex>
${entries.join("\n")}
</feed>`,
})

/** As before November 2025: a total of one for nothing, namespaces on the elements. */
const oldFeed = (inside = ""): Reply => ({
  headers: ATOM,
  body: `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>http://arxiv.org/api/SkuXkYxumgL1drFIL7NufdnpkFc</id>
  <opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">1</opensearch:totalResults>
  ${inside}
</feed>`,
})

const refusal = (scheme: string, reason: string) => `<entry>
    <id>${scheme}://arxiv.org/api/errors#incorrect_id_format_for_abc</id>
    <title>Error</title>
    <updated>2026-04-12T22:59:06Z</updated>
    <summary>${reason}</summary>
    <author><name>arXiv api core</name></author>
  </entry>`

const withStatus = (status: number, reply: Reply): Reply => (typeof reply === "object" ? { ...reply, status } : reply)

const OUTAGES: [string, Reply][] = [
  ["503", { status: 503, body: "busy" }],
  ["429 without Retry-After", { status: 429, headers: { "content-type": "text/html" }, body: "Rate exceeded." }],
  ["500", { status: 500, headers: { "content-type": "text/html" }, body: "<html><body>Server Error</body></html>" }],
  ["a page", { headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><html><body>Hi</body></html>" }],
]

describe("ids", () => {
  test.each([
    ["1706.03762", "1706.03762"],
    ["1706.03762v7", "1706.03762v7"],
    ["arXiv:1706.03762V7", "1706.03762v7"],
    ["arXiv:1706.03762 [cs.CL]", "1706.03762"],
    ["arXiv 1706.03762", "1706.03762"],
    ["oai:arXiv.org:1706.03762", "1706.03762"],
    ["https://arxiv.org/abs/1706.03762v7", "1706.03762v7"],
    ["arxiv.org/abs/1706.03762", "1706.03762"],
    ["https://arxiv.org/pdf/1706.03762.pdf", "1706.03762"],
    ["https://arxiv.org/pdf/1706.03762v2#page=3", "1706.03762v2"],
    ["https://export.arxiv.org/html/2402.08954v2/", "2402.08954v2"],
    ["http://arxiv.org/e-print/hep-th/9901001", "hep-th/9901001"],
    ["10.48550/arXiv.1706.03762", "1706.03762"],
    ["doi:10.48550/ARXIV.1706.03762", "1706.03762"],
    ["https://doi.org/10.48550/arXiv.hep-th/9901001", "hep-th/9901001"],
    ["1706.3762", "1706.03762"],
    ["1412.3762", "1412.3762"],
    ["0704.0001", "0704.0001"],
    ["HEP-TH/9901001", "hep-th/9901001"],
    ["quant-ph/0201082v1", "quant-ph/0201082v1"],
    ["math.GT/0309136", "math/0309136"],
  ])("%s is read as %s", (typed, id) => {
    expect(normalizeId(arxiv, typed)).toBe(id)
    expect(id).toMatch(arxiv.ids.pattern)
  })

  test.each(["abc", "1706", "1706.037621", "17060.03762", "hep-th/99010", "1706.03762v0", "../1706.03762"])(
    "%s is no id of arXiv, and nothing is asked for it",
    async (typed) => {
      await using w = await world(() => feed(0))
      expect((await w.fetch("arxiv", typed)).outcomes).toMatchObject([
        { kind: "failure", failure: { code: "invalid_id" } },
      ])
      expect(w.server.requests).toEqual([])
    },
  )
})

describe("records", () => {
  test("without a version the newest comes, and which one that is is said", async () => {
    await using w = await world(() => feed(1, entry("1706.03762v7", { title: "Attention Is\n  All You Need" })))
    const { outcomes, cost } = await w.fetch("arxiv", "1706.03762")
    expect(outcomes).toMatchObject([
      {
        kind: "record",
        id: "1706.03762",
        resolvedId: "1706.03762v7",
        url: "https://arxiv.org/abs/1706.03762v7",
        remarks: ["the newest version of 1706.03762 is 1706.03762v7"],
        record: {
          id: "http://arxiv.org/abs/1706.03762v7",
          title: "Attention Is\n  All You Need",
          summary: "An abstract with x < y.",
          "arxiv:primary_category": { "@term": "cs.CL" },
          author: [{ name: "Ashish Vaswani" }, { name: "Noam Shazeer" }],
        },
      },
    ])
    expect(cost.requests).toBe(1)
    expect(w.server.requests[0]).toMatchObject({ host: API })
    expect(asked(w.server.requests[0]!).get("id_list")).toBe("1706.03762")
    expect(Number(asked(w.server.requests[0]!).get("max_results"))).toBeGreaterThanOrEqual(1)
  })

  test("the version that was asked for is the one that must come", async () => {
    await using w = await world(() => feed(1, entry("1706.03762v5")))
    expect((await w.fetch("arxiv", "1706.03762v5")).outcomes).toMatchObject([{ kind: "record", remarks: [] }])
    expect((await w.fetch("arxiv", "1706.03762v3")).outcomes).toMatchObject([
      { kind: "miss", reason: expect.stringContaining("1706.03762v5") },
    ])
  })

  test("a title that is 0 is a title", async () => {
    await using w = await world(() => feed(1, entry("2104.12255v1", { title: "0" })))
    expect((await w.fetch("arxiv", "2104.12255v1")).outcomes).toMatchObject([
      { kind: "record", record: { title: "0" } },
    ])
    expect((await w.search("arxiv", "zero")).result).toMatchObject({ hits: [{ title: "0" }] })
  })

  test("an old id goes and comes with its slash", async () => {
    await using w = await world(() => feed(1, entry("astro-ph/0601001v1")))
    expect((await w.fetch("arxiv", "astro-ph/0601001")).outcomes).toMatchObject([
      { kind: "record", resolvedId: "astro-ph/0601001v1" },
    ])
    expect(asked(w.server.requests[0]!).get("id_list")).toBe("astro-ph/0601001")
  })

  test.each([
    ["today's backend", feed(0)],
    ["the one before November 2025, which counts one", oldFeed()],
  ])("an unknown id is a miss, by its missing entry: %s", async (_, reply) => {
    await using w = await world(() => reply)
    expect((await w.fetch("arxiv", "1702.56789")).outcomes).toMatchObject([{ kind: "miss" }])
    expect(w.server.requests).toHaveLength(1)
  })

  test("five digits before 2015, and a version that is not there, are misses with what to do", async () => {
    await using w = await world(() => feed(0))
    expect((await w.fetch("arxiv", "0808.05394", "1706.03762v99")).outcomes).toMatchObject([
      { kind: "miss", reason: expect.stringContaining("four digits") },
      { kind: "miss", reason: expect.stringContaining("try 1706.03762") },
    ])
  })

  test("another paper is never given for the asked one", async () => {
    await using w = await world(() => feed(1, entry("1706.03763v1")))
    expect((await w.fetch("arxiv", "1706.03762")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test("a batch is one request, found by id and not by place, and a bad id among them spoils nothing", async () => {
    await using w = await world(() => feed(2, entry("hep-th/9901001v2"), entry("1706.03762v7")))
    const { outcomes, cost } = await w.fetch("arxiv", "1706.03762", "abc", "0808.05394", "hep-th/9901001")
    expect(outcomes).toMatchObject([
      { kind: "record", resolvedId: "1706.03762v7" },
      { kind: "failure", id: "abc", failure: { code: "invalid_id" } },
      { kind: "miss", id: "0808.05394" },
      { kind: "record", resolvedId: "hep-th/9901001v2" },
    ])
    expect(cost.requests).toBe(1)
    expect(asked(w.server.requests[0]!).get("id_list")).toBe("1706.03762,0808.05394,hep-th/9901001")
    expect(asked(w.server.requests[0]!).get("max_results")).toBe("100")
  })

  test("a paper and one of its versions do not get mixed up", async () => {
    await using w = await world((request) =>
      feed(
        1,
        ...asked(request)
          .get("id_list")!
          .split(",")
          .map((id) => entry(/v\d/.test(id) ? id : `${id}v7`)),
      ),
    )
    const { outcomes } = await w.fetch("arxiv", "1706.03762v1", "1706.03762", "1605.08386")
    expect(outcomes).toMatchObject([
      { kind: "record", record: { id: "http://arxiv.org/abs/1706.03762v1" } },
      { kind: "record", record: { id: "http://arxiv.org/abs/1706.03762v7" } },
      { kind: "record", record: { id: "http://arxiv.org/abs/1605.08386v7" } },
    ])
    expect(w.server.requests).toHaveLength(2)
  })

  test("a withdrawn paper is said to be so, in its own words", async () => {
    const more =
      "<arxiv:comment>This paper has been withdrawn by the author due to\n  an error in Lemma 2</arxiv:comment>"
    await using w = await world(() => feed(2, entry("1706.03762v7", { more }), entry("1605.08386v1")))
    const { outcomes } = await w.fetch("arxiv", "1706.03762v7", "1605.08386v1")
    expect(outcomes.map((each) => each.kind === "record" && each.remarks)).toEqual([
      ["Withdrawn; its comment says: This paper has been withdrawn by the author due to an error in Lemma 2"],
      [],
    ])
    const { result } = await w.search("arxiv", "lemma")
    expect(result.kind === "hits" && result.hits.map(({ marks }) => marks)).toEqual([["withdrawn"], undefined])
  })

  test.each([
    ["https, 400", withStatus(400, feed(1, refusal("https", "incorrect id format for 9999.99999")))],
    ["https, 200", feed(1, refusal("https", "incorrect id format for 9999.99999"))],
    ["http, 200", oldFeed(refusal("http", "incorrect id format for 9999.99999"))],
  ])("the entry that is an error is a refusal with its reason, not a paper: %s", async (_, reply) => {
    await using w = await world(() => reply)
    const message = expect.stringContaining("incorrect id format for 9999.99999")
    expect((await w.fetch("arxiv", "9999.99999")).outcomes).toMatchObject([
      { kind: "failure", failure: { code: "invalid_id", retryable: false, message } },
    ])
    expect((await w.search("arxiv", "ti:(")).result).toMatchObject({
      kind: "failure",
      failure: { code: "invalid_query", retryable: false, message },
    })
    expect(w.server.requests).toHaveLength(2)
  })

  test("a paper that is titled Error is a paper", async () => {
    await using w = await world(() => feed(1, entry("1706.03762v7", { title: "Error" })))
    expect((await w.fetch("arxiv", "1706.03762")).outcomes).toMatchObject([{ kind: "record" }])
  })

  test.each([
    ...OUTAGES,
    ["half a feed", { headers: ATOM, body: "<?xml version='1.0'?><feed><entry><id>http://arxiv.org/abs/1706" }],
    ["nothing", { headers: ATOM, body: "" }],
    ["another shape", { headers: ATOM, body: "<feed><entries/></feed>" }],
    ["404", { status: 404, headers: { "content-type": "text/plain" }, body: "no such program" }],
  ] satisfies [string, Reply][])(
    "an outage is a failure in records and searches, never a miss: %s",
    async (_, reply) => {
      await using w = await world(() => reply)
      expect((await w.fetch("arxiv", "1706.03762")).outcomes).toMatchObject([{ kind: "failure" }])
      expect((await w.search("arxiv", "electron")).result).toMatchObject({ kind: "failure" })
    },
  )
})

describe("search", () => {
  test.each([
    ["testing", "testing"],
    ["graph neural networks", "all:graph AND all:neural AND all:networks"],
    ['"graph neural networks"', 'all:"graph neural networks"'],
    ['"graph neural networks" protein', 'all:"graph neural networks" AND all:protein'],
    ["single-cell RNA", "all:single-cell AND all:RNA"],
    ["Crohn's disease, treatment", `all:"Crohn's" AND all:disease AND all:treatment`],
    ["what is dark matter?", "all:what AND all:is AND all:dark AND all:matter"],
    ["p53:MDM2", 'all:"p53:MDM2"'],
    ["f(x) bounds", "all:f AND all:x AND all:bounds"],
    ["graph neural AND transformer", "all:graph AND all:neural AND all:transformer"],
    ["(muon OR electron) AND decay", "(all:muon OR all:electron) AND all:decay"],
    ["muon NOT electron", "all:muon ANDNOT all:electron"],
    ["muon AND NOT electron", "all:muon ANDNOT all:electron"],
    ["muon OR electron)", "all:muon OR all:electron"],
    ["Schrödinger Ampère", "all:Schrödinger AND all:Ampère"],
    ["ti:attention AND au:vaswani", "ti:attention AND au:vaswani"],
    ["(ti:a OR abs:b)", "(ti:a OR abs:b)"],
    ["electron AND cat:hep-th", "electron AND cat:hep-th"],
    ["submittedDate:[202401010000 TO 202612312359]", "submittedDate:[202401010000 TO 202612312359]"],
  ])("%s is sent as %s", (query, sent) => {
    expect(asSyntax(query)).toBe(sent)
  })

  test("a page of hits has the total, the next cursor and what helps to choose", async () => {
    const more = "<arxiv:journal_ref>Nature\n 1 (2017) 2</arxiv:journal_ref>"
    await using w = await world(() =>
      feed(214881, entry("1706.03762v7", { title: "Attention Is\n  All You Need", more }), entry("1605.08386v1")),
    )
    const { result, cost } = await w.search("arxiv", "attention heads", { limit: 2 })
    expect(cost.requests).toBe(1)
    expect(result).toMatchObject({
      kind: "hits",
      total: 214881,
      next: "2",
      notes: ["searched as all:attention AND all:heads"],
      hits: [
        {
          id: "1706.03762v7",
          title: "Attention Is All You Need",
          summary: "Ashish Vaswani et al. · 2017-06-12 · cs.CL · Nature 1 (2017) 2",
        },
        { id: "1605.08386v1" },
      ],
    })
    expect(Object.fromEntries(asked(w.server.requests[0]!))).toEqual({
      search_query: "all:attention AND all:heads",
      id_list: "",
      sortBy: "relevance",
      sortOrder: "descending",
      start: "0",
      max_results: "2",
    })
  })

  test("the cursor is where the next page begins, and the last page has none", async () => {
    await using w = await world(() => feed(12, entry("1706.03762v7"), entry("1605.08386v1")))
    const { result } = await w.search("arxiv", "testing", { limit: 10, cursor: "10" })
    expect(asked(w.server.requests[0]!).get("start")).toBe("10")
    expect(result).toMatchObject({ kind: "hits", total: 12, notes: [] })
    expect(result).not.toHaveProperty("next")
  })

  test.each(["abc", "-1", "30000"])("%p is no cursor, and nothing is asked with it", async (cursor) => {
    await using w = await world(() => feed(0))
    expect((await w.search("arxiv", "testing", { cursor })).result).toMatchObject({
      kind: "failure",
      failure: { code: "invalid_query" },
    })
    expect(w.server.requests).toEqual([])
  })

  test("no page leads past the 30,000 hits that can be had", async () => {
    await using w = await world(() => feed(214881, entry("1706.03762v7")))
    expect((await w.search("arxiv", "testing", { cursor: "29999" })).result).not.toHaveProperty("next")
    expect(asked(w.server.requests[0]!).get("max_results")).toBe("1")
  })

  test("an empty page where there are hits is tried again, and is a failure when it stays", async () => {
    const replies = [feed(25, entry("1706.03762v7"))]
    await using w = await world(({ path }) => (path.includes("start=10") ? feed(25) : (replies.shift() ?? feed(25))))
    expect((await w.search("arxiv", "testing", { cursor: "10" })).result).toMatchObject({
      kind: "failure",
      failure: { code: "bad_response", retryable: true },
    })
    expect(w.server.requests).toHaveLength(2)
    const pages = [feed(25), feed(25, entry("1706.03762v7"))]
    await using again = await world(() => pages.shift())
    expect((await again.search("arxiv", "testing")).result).toMatchObject({ kind: "hits", total: 25 })
  })

  test("a page past the end, and a query without hits, are empty pages", async () => {
    await using w = await world(({ path }) => feed(path.includes("start=50") ? 25 : 0))
    expect((await w.search("arxiv", "testing", { cursor: "50" })).result).toMatchObject({
      kind: "hits",
      total: 25,
      hits: [],
    })
    expect((await w.search("arxiv", "qqqqqq")).result).toMatchObject({ kind: "hits", total: 0, hits: [] })
  })

  test("an organism is no filter of arXiv, and that is said", async () => {
    await using w = await world(() => feed(1, entry("1706.03762v7")))
    const { result } = await w.search("arxiv", "testing", { organism: "9606" })
    expect(result).toMatchObject({ notes: [expect.stringContaining("organism is not a filter")] })
  })
})

describe("files", () => {
  const PDF = "%PDF-1.5\n%%EOF\n"
  const PAGE = "<!DOCTYPE html><html><body>A paper</body></html>"

  test.each([
    ["pdf", "2501.10120v1", "arxiv.org/pdf/2501.10120v1", PDF],
    ["pdf", "hep-th/9901001", "arxiv.org/pdf/hep-th/9901001", PDF],
    ["source", "1706.03762", "arxiv.org/src/1706.03762", gzipSync("tex")],
    ["html", "2402.08954v2", "arxiv.org/html/2402.08954v2", PAGE],
    ["abs", "1902.02534", "arxiv.org/abs/1902.02534", PAGE],
    ["bibtex", "1706.03762", "arxiv.org/bibtex/1706.03762", "@misc{vaswani2017, title={Attention}}\n"],
    ["ris", "1706.03762v7", "doi.org/10.48550/arXiv.1706.03762", "TY  - GEN\nER  - \n"],
    ["csl-json", "hep-th/9901001", "doi.org/10.48550/arXiv.hep-th%2F9901001", '{"type":"article"}'],
    [
      "datacite",
      "1902.02534",
      "api.datacite.org/dois/10.48550/arXiv.1902.02534?include=media,client",
      '{"data":{"id":"10.48550/arxiv.1902.02534"}}',
    ],
    [
      "oai",
      "hep-th/9901001v2",
      "oaipmh.arxiv.org/oai?verb=GetRecord&identifier=oai:arXiv.org:hep-th%2F9901001&metadataPrefix=arXivRaw",
      "<OAI-PMH><GetRecord/></OAI-PMH>",
    ],
  ])("%s of %s is at %s", async (format, id, address, body) => {
    await using w = await world(() => ({ headers: { "content-type": "application/octet-stream" }, body }))
    expect((await w.file("arxiv", format, id)).outcomes).toMatchObject([{ kind: "file", id, format }])
    expect(w.server.requests.map(({ host, path }) => host + path)).toEqual([address])
  })

  test("a citation is asked for by its media type, which goes along to where the DOI leads", async () => {
    await using w = await world(({ host }) =>
      host === "doi.org"
        ? { status: 302, headers: { location: "https://data.crosscite.org/10.48550/arXiv.1706.03762" } }
        : { headers: { "content-type": "application/x-research-info-systems" }, body: "TY  - GEN\nER  - \n" },
    )
    expect((await w.file("arxiv", "ris", "1706.03762")).outcomes).toMatchObject([{ kind: "file" }])
    expect(w.server.requests.map(({ host, headers }) => [host, headers.accept])).toEqual([
      ["doi.org", "application/x-research-info-systems"],
      ["data.crosscite.org", "application/x-research-info-systems"],
    ])
  })

  test.each([
    ["html", 404, "<html><body>No HTML for this paper</body></html>"],
    ["pdf", 404, "<html><body>Not found</body></html>"],
    ["ris", 404, "The resource you are looking for doesn't exist."],
    ["oai", 200, '<OAI-PMH><error code="idDoesNotExist">Nothing found with this id</error></OAI-PMH>'],
  ])("a paper without %s is a miss", async (format, status, body) => {
    await using w = await world(() => ({ status, headers: { "content-type": "text/html" }, body }))
    expect((await w.file("arxiv", format, "1706.03762")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test.each(OUTAGES)("an outage is a failure and leaves no file: %s", async (_, reply) => {
    await using w = await world(() => reply)
    for (const format of ["pdf", "source", "bibtex", "ris", "csl-json", "datacite", "oai"])
      expect((await w.file("arxiv", format, "1706.03762")).outcomes).toMatchObject([{ kind: "failure" }])
    expect(await readdir(w.directory)).toEqual([])
  })
})

test("arXiv is asked once in three seconds and by one connection, over all of its hosts together", () => {
  const all = paces([arxiv], {})
  for (const host of [API, "arxiv.org", "oaipmh.arxiv.org"])
    expect(all.get(host)).toEqual({ perSecond: 1 / 3, concurrent: 1, pool: "arxiv.org" })
})
