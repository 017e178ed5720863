import { describe, expect, test } from "bun:test"
import { defineConnector } from "../../../src/science/connector.ts"
import {
  efetch,
  esearch,
  esummary,
  eutils,
  eutilsFailure,
  eutilsHosts,
  eutilsKey,
  eutilsMissing,
  members,
} from "../../../src/science/connectors/_eutils.ts"
import { paces } from "../../../src/science/http/pace.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world as anyWorld } from "../../support/world.ts"

const HOST = "eutils.ncbi.nlm.nih.gov"

/** The least that a database of Entrez needs: summaries as records, XML as a file. */
const entrez = defineConnector({
  id: "entrez",
  name: "Entrez",
  domain: "genomics",
  description: "Any database of Entrez",
  homepage: "https://www.ncbi.nlm.nih.gov",
  license: "public domain",
  cite: "NCBI",
  ids: { curie: "entrez", pattern: /^[\w.]+$/, examples: ["7157"] },
  probe: { query: "x", missing: "1" },
  hosts: eutilsHosts,
  key: eutilsKey,
  url: "https://www.ncbi.nlm.nih.gov/gene/{id}",
  missing: eutilsMissing,
  failure: eutilsFailure,
  identify: (record) => [String(members(record).get("uid"))],
  search: async (query, { limit, cursor }, http) => {
    const { ids, ...page } = await esearch(http, { db: "gene", term: query, limit, cursor, ceiling: 9999 })
    return { ...page, hits: ids.map((id) => ({ id, title: id })) }
  },
  fetch: async (id, http) => {
    if (/^\d+$/.test(id)) return (await esummary(http, "gene", [id])).get(id)
    const answer = await efetch(http, { db: "gene", retmode: "xml" }, [id])
    return answer && { uid: id, ...Object.fromEntries(members(answer)) }
  },
  fetchMany: { atOnce: 500, fetch: (ids, http) => esummary(http, "gene", ids) },
  files: {
    xml: { kind: "xml", locate: (id) => eutils("efetch", { db: "gene", retmode: "xml" }, [id]) },
    json: { kind: "json", locate: (id) => eutils("esummary", { db: "gene", retmode: "json" }, [id]) },
  },
})

const world = (answer: (request: Seen) => Reply | undefined, env: Record<string, string> = {}) =>
  anyWorld(answer, { connectors: [entrez], env })

const searched = (result: object) => JSON.stringify({ header: { type: "esearch" }, esearchresult: result })
const summaries = (...records: { uid: string }[]) =>
  JSON.stringify({
    header: { type: "esummary" },
    result: { uids: records.map(({ uid }) => uid), ...Object.fromEntries(records.map((each) => [each.uid, each])) },
  })
const xmlError = (text: string) => `<?xml version="1.0"?>
<!DOCTYPE eEfetchResult PUBLIC "-//NLM//DTD efetch 20131226//EN" "https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20131226/efetch.dtd">
<eFetchResult>
\t<ERROR>${text}</ERROR>
</eFetchResult>`
const XML = { "content-type": "text/xml; charset=UTF-8" }
const gone = { uid: "999999999", error: "cannot get document summary" }

const cutOff: Reply = (_, response) => {
  response.writeHead(200, { "content-length": "900" })
  response.write('{"header":{}', () => response.destroy())
}

const asked = ({ path, body }: Seen) => new URLSearchParams(body || path.split("?")[1])

describe("search", () => {
  test("a page of ids is asked for as JSON, under the program's own name, and its total is a number", async () => {
    await using w = await world(() =>
      searched({ count: "115258", retmax: "2", retstart: "0", idlist: ["7157", "672"] }),
    )
    const { result, cost } = await w.search("entrez", "p53", { limit: 2 })
    expect(result).toMatchObject({ kind: "hits", total: 115258, next: "2", notes: [] })
    expect(result).toHaveProperty("hits", [
      { id: "7157", title: "7157" },
      { id: "672", title: "672" },
    ])
    expect(cost.requests).toBe(1)
    expect(w.server.requests[0]).toMatchObject({ host: HOST, method: "GET" })
    expect(Object.fromEntries(asked(w.server.requests[0]!))).toEqual({
      db: "gene",
      term: "p53",
      retmode: "json",
      retstart: "0",
      retmax: "2",
      tool: "opencode-science",
    })
  })

  test("the cursor of a page leads to the next one, and the last page has none", async () => {
    await using w = await world((request) =>
      searched({ count: "3", idlist: asked(request).get("retstart") === "2" ? ["3"] : ["1", "2"] }),
    )
    const first = await w.search("entrez", "p53", { limit: 2 })
    expect(first.result).toHaveProperty("next", "2")
    const last = await w.search("entrez", "p53", { limit: 2, cursor: "2" })
    expect(last.result).toHaveProperty("hits", [{ id: "3", title: "3" }])
    expect(last.result).not.toHaveProperty("next")
  })

  test("more ids than were asked for do not make the next page skip any", async () => {
    await using w = await world(() => searched({ count: "9", idlist: ["1", "2", "3", "4"] }))
    const { result } = await w.search("entrez", "p53", { limit: 3 })
    expect(result).toMatchObject({ next: "3", hits: [{ id: "1" }, { id: "2" }, { id: "3" }] })
  })

  test("no page goes past the last hit that can be reached, and that is said", async () => {
    await using w = await world(() => searched({ count: "115258", idlist: ["1", "2"] }))
    const { result } = await w.search("entrez", "p53", { limit: 10, cursor: "9997" })
    expect(asked(w.server.requests[0]!).get("retmax")).toBe("2")
    expect(result).not.toHaveProperty("next")
    expect(result).toMatchObject({ notes: [expect.stringContaining("9,999")] })
  })

  test.each(["-3", "abc", "9999", "1.5", "2&retmax=1"])(
    "%p is no cursor, and nothing is asked with it",
    async (cursor) => {
      await using w = await world(() => searched({ count: "0", idlist: [] }))
      const { result } = await w.search("entrez", "p53", { cursor })
      expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
      expect(w.server.requests).toEqual([])
    },
  )

  test("a blank query is refused before any request", async () => {
    await using w = await world(() => searched({ ERROR: "Empty term and query_key - nothing todo" }))
    const { result } = await w.search("entrez", "  \t ")
    expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query", retryable: false } })
    expect(w.server.requests).toEqual([])
  })

  test("a search without hits is an empty page", async () => {
    await using w = await world(() =>
      searched({
        count: "0",
        retmax: "0",
        retstart: "0",
        idlist: [],
        querytranslation: "(abcXYZ[All Fields])",
        errorlist: { phrasesnotfound: ["abcXYZ"], fieldsnotfound: [] },
        warninglist: { phrasesignored: [], quotedphrasesnotfound: [], outputmessages: ["No items found."] },
      }),
    )
    const { result } = await w.search("entrez", "abcXYZ")
    expect(result).toMatchObject({ kind: "hits", total: 0, hits: [] })
    expect(result).toHaveProperty("notes", ["not found, so left out: abcXYZ", "searched as (abcXYZ[All Fields])"])
  })

  test("what was dropped from a query with hits is said, and how the rest was understood", async () => {
    await using w = await world(() =>
      searched({
        count: "40362",
        idlist: ["1"],
        querytranslation: '("ann pancreat cancer"[Journal] OR "apc"[All Fields])',
        errorlist: { phrasesnotfound: ["p.E1317Q"], fieldsnotfound: ["BOGUS"] },
        warninglist: { phrasesignored: ["of"], quotedphrasesnotfound: ['"x y"'], outputmessages: ["Some note."] },
      }),
    )
    const { result } = await w.search("entrez", "APC p.E1317Q", { limit: 1 })
    expect(result).toHaveProperty("notes", [
      'not found, so left out: p.E1317Q, "x y"',
      "no such field, so left out: BOGUS",
      "ignored: of",
      "Some note.",
      'searched as ("ann pancreat cancer"[Journal] OR "apc"[All Fields])',
    ])
  })

  test("a query that was taken as it stands is not told again", async () => {
    await using w = await world(() =>
      searched({ count: "1", idlist: ["1"], querytranslation: '"MLH1"[Title/Abstract] AND "G67E"[Title/Abstract]' }),
    )
    const { result } = await w.search("entrez", '("MLH1"[Title/Abstract] AND "G67E"[Title/Abstract])')
    expect(result).toHaveProperty("notes", [])
  })

  test("an answer without a list of ids is a failure that names it, never an empty page", async () => {
    await using w = await world(() => searched({ count: "12" }))
    const { result } = await w.search("entrez", "p53")
    expect(result).toMatchObject({
      kind: "failure",
      failure: { code: "bad_response", message: expect.stringContaining("esearchresult.idlist") },
    })
  })

  test("a long query goes by POST, whole", async () => {
    await using w = await world(() => searched({ count: "0", idlist: [] }))
    const term = Array.from({ length: 300 }, (_, i) => `${10000 + i}[uid]`).join(" OR ")
    await w.search("entrez", term)
    expect(w.server.requests[0]).toMatchObject({ method: "POST", path: "/entrez/eutils/esearch.fcgi" })
    expect(asked(w.server.requests[0]!).get("term")).toBe(term)
  })
})

describe("errors inside good answers", () => {
  test("a raw line feed in the text does not hide what the error says, and it is the query's fault", async () => {
    const body = `{"header":{"type":"esearch","version":"0.3"},"esearchresult":{"ERROR":"Search Backend failed: Exception:
'retstart' cannot be larger than 9998."}}`
    await using w = await world(() => body)
    const { result } = await w.search("entrez", "aspirin")
    expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query", retryable: false } })
    expect(w.server.requests).toHaveLength(1)
  })

  test.each([
    [searched({ ERROR: "Empty term and query_key - nothing todo" }), "invalid_query", 1],
    [searched({ ERROR: "Invalid db name specified: genes" }), "invalid_query", 1],
    [searched({ ERROR: "Search Backend failed: read failed" }), "unavailable", 3],
    [searched({ ERROR: "Unable to obtain query #1" }), "unavailable", 3],
    [searched({ ERROR: "Something that nobody has seen yet" }), "bad_response", 2],
    ['{"error":"error forwarding request","api-key":"192.0.2.7","type":"ip","status":"ok"}', "unavailable", 3],
    ['{"error":"/lbsm/eutils_lb -> Neg","api-key":"192.0.2.7","type":"ip","status":"ok"}', "unavailable", 3],
    ['{"error":"API rate limit exceeded","api-key":"192.0.2.7","count":"4","limit":"3"}', "rate_limited", 3],
    [
      '{"header":{"type":"esearch"},"eutilsresult":{"ERROR":"Input XML size is 93810383 bytes, and cannot be transformed to JSON. the max size is 10MB"}}',
      "too_large",
      1,
    ],
    ["<eSearchResult><ERROR>NCBI C++ Exception: no dtd</ERROR></eSearchResult>", "unavailable", 3],
  ])("%s is %s in a search, after %d requests", async (body, code, requests) => {
    await using w = await world(() => body)
    const { result } = await w.search("entrez", "p53")
    expect(result).toMatchObject({ kind: "failure", failure: { code } })
    expect(JSON.stringify(result)).not.toContain("192.0.2.7")
    expect(w.server.requests).toHaveLength(requests)
  })

  test.each([
    ['{"header":{},"esummaryresult":["Invalid uid TP53 at position= 0","Empty id list - nothing todo"]}', "invalid_id"],
    ["<eSummaryResult><ERROR>NCBI C++ Exception: Error: dtd not found</ERROR></eSummaryResult>", "unavailable"],
    ["<eSummaryResult>\n\t<ERROR>Neither query_key nor id specified</ERROR>\n</eSummaryResult>", "invalid_id"],
    [summaries({ uid: "7157" }).replace('"uid":"7157"', '"uid":"7157","error":"another text"'), "bad_response"],
    ['{"header":{"type":"esummary"}}', "bad_response"],
  ])("%s is %s for a record", async (body, code) => {
    await using w = await world(() => body)
    const { outcomes } = await w.fetch("entrez", "7157")
    expect(outcomes).toMatchObject([{ kind: "failure", failure: { code } }])
  })

  test("a backend that stumbled inside a good answer is asked again", async () => {
    const answers = [searched({ ERROR: "Search Backend failed: read failed" }), searched({ count: "1", idlist: ["1"] })]
    await using w = await world(() => answers.shift())
    const { result } = await w.search("entrez", "p53")
    expect(result).toMatchObject({ kind: "hits", total: 1 })
  })

  test("the word ERROR in a query that is echoed is no error", async () => {
    await using w = await world(() =>
      searched({ count: "1", idlist: ["1"], querytranslation: '"ERROR" : "x"[All Fields]' }),
    )
    expect((await w.search("entrez", "ERROR")).result).toMatchObject({ kind: "hits", total: 1 })
  })
})

describe("summaries", () => {
  test("one that NCBI cannot give is a miss, and its neighbours are records", async () => {
    await using w = await world(() => summaries({ uid: "672" }, gone, { uid: "7157" }))
    const { outcomes, cost } = await w.fetch("entrez", "7157", "999999999", "672", "5")
    expect(outcomes).toMatchObject([
      { kind: "record", id: "7157", record: { uid: "7157" } },
      { kind: "miss", id: "999999999" },
      { kind: "record", id: "672", record: { uid: "672" } },
      { kind: "miss", id: "5" },
    ])
    expect(cost.requests).toBe(1)
    expect(w.server.requests[0]?.path).toContain("&id=7157,999999999,672,5")
  })

  test("a number in one keeps its digits", async () => {
    await using w = await world(() => '{"result":{"uids":["7157"],"7157":{"uid":"7157","big":1237649770260463687}}}')
    const { outcomes } = await w.fetch("entrez", "7157")
    expect(outcomes).toMatchObject([{ record: { big: { value: "1237649770260463687" } } }])
  })

  test("up to 200 ids go by GET, more by POST, in one request either way", async () => {
    await using w = await world((request) =>
      summaries(
        ...asked(request)
          .get("id")!
          .split(",")
          .map((uid) => ({ uid })),
      ),
    )
    const ids = Array.from({ length: 250 }, (_, i) => String(i + 1))
    const few = await w.fetch("entrez", ...ids.slice(0, 200))
    const many = await w.fetch("entrez", ...ids)
    expect(few.outcomes.filter(({ kind }) => kind === "record")).toHaveLength(200)
    expect(many.outcomes.filter(({ kind }) => kind === "record")).toHaveLength(250)
    expect(w.server.requests.map(({ method }) => method)).toEqual(["GET", "POST"])
    expect(w.server.requests[1]?.path).toBe("/entrez/eutils/esummary.fcgi")
    expect(asked(w.server.requests[1]!).get("db")).toBe("gene")
  })

  test("a file of one that NCBI cannot give is a miss and nothing is stored", async () => {
    await using w = await world(() => summaries(gone))
    expect((await w.file("entrez", "json", "999999999")).outcomes).toMatchObject([{ kind: "miss" }])
  })
})

describe("refusals", () => {
  test.each([
    ["Error: CEFetchPApplication::proxy_stream(): Failed to connect to PubOne service. Try again later."],
    [
      "Error: CEFetchPApplication::proxy_stream(): <html><head><title>502 Server Error</title></head><body></body></html>",
    ],
    ["Error: External viewer error: Empty Response. Bytes read: 0 Status: Timeout"],
  ])("%s under status 400 is a fault of the backend and tried again", async (text) => {
    const answers: Reply[] = [
      { status: 400, headers: XML, body: xmlError(text) },
      { headers: XML, body: xmlError(text) },
      { headers: XML, body: "<Entrezgene-Set/>" },
    ]
    await using w = await world(() => answers.shift())
    expect((await w.fetch("entrez", "a1")).outcomes).toMatchObject([{ kind: "record" }])
    expect(w.server.requests).toHaveLength(3)
  })

  test("a backend that keeps failing under status 400 is unavailable, in records and files, never a miss", async () => {
    const text = "Error: CEFetchPApplication::proxy_stream(): Failed to connect to PubOne service."
    await using w = await world(() => ({ status: 400, headers: XML, body: xmlError(text) }))
    const failure = { code: "unavailable", retryable: true, message: expect.stringContaining("PubOne") }
    expect((await w.fetch("entrez", "a1")).outcomes).toMatchObject([{ kind: "failure", failure }])
    expect((await w.file("entrez", "xml", "a1")).outcomes).toMatchObject([{ kind: "failure", failure }])
  })

  test("no valid id at all is a miss, whichever status and spelling says so", async () => {
    const empty = xmlError("ID list is empty! Possibly it has no correct IDs.")
    const unknown =
      "+Error%3A+CEFetchPApplication%3A%3Aproxy_stream()%3A+Error%3A+F+a+i+l+e+d++t+o++u+n+d+e+r+s+t+a+n+d++i+d+%3A++N+M+_+9+.+9+%0A%0A"
    const answers: Reply[] = [
      { status: 400, headers: XML, body: empty },
      { headers: XML, body: empty },
      { status: 400, headers: { "content-type": "text/plain" }, body: unknown },
    ]
    await using w = await world(() => answers.shift())
    for (const _ of [1, 2, 3]) expect((await w.fetch("entrez", "NM_9.9")).outcomes).toMatchObject([{ kind: "miss" }])
    expect(w.server.requests).toHaveLength(3)
  })

  test("a parameter that NCBI does not accept is the id's fault and not tried again", async () => {
    await using w = await world(() => ({ status: 400, headers: XML, body: xmlError("Invalid id parameter") }))
    expect((await w.fetch("entrez", "a1")).outcomes).toMatchObject([
      { kind: "failure", failure: { code: "invalid_id", retryable: false } },
    ])
    expect(w.server.requests).toHaveLength(1)
  })

  test("a rate limit is tried again, and what it echoes of the caller is not shown", async () => {
    const body = '{"error":"API rate limit exceeded","api-key":"192.0.2.7","count":"4","limit":"3"}'
    await using w = await world(() => ({ status: 429, body }))
    for (const outcome of [
      (await w.search("entrez", "p53")).result,
      (await w.fetch("entrez", "7157")).outcomes[0],
      (await w.file("entrez", "json", "7157")).outcomes[0],
    ]) {
      expect(outcome).toMatchObject({ kind: "failure", failure: { code: "rate_limited", retryable: true } })
      expect(outcome?.kind === "failure" && outcome.failure.message).not.toContain("192.0.2.7")
    }
    expect(w.server.requests).toHaveLength(9)
  })

  test("a key that is not accepted is said without being shown", async () => {
    const key = "0123456789abcdef0123456789abcdef0123"
    const body = JSON.stringify({ error: "API key invalid", "api-key": key, type: "api-key", status: "unknown" })
    await using w = await world(() => ({ status: 400, body }), { NCBI_API_KEY: key })
    const { result } = await w.search("entrez", "p53")
    expect(result).toMatchObject({
      kind: "failure",
      failure: { code: "key_required", message: expect.stringContaining("NCBI_API_KEY") },
    })
    expect(JSON.stringify(result)).not.toContain(key)
    expect(asked(w.server.requests[0]!).get("api_key")).toBe(key)
  })

  test.each([
    ["a 503", { status: 503, headers: { "content-type": "text/html" }, body: "<html><body>busy</body></html>" }],
    [
      "a maintenance page under 200",
      { headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><html></html>" },
    ],
    [
      "a 404 of the service itself",
      { status: 404, headers: { "content-type": "text/plain" }, body: "no such program" },
    ],
    ["half an answer", '{"header":{"type":"esearch"},"esearchresult":{"count":"1","idli'],
    ["an answer cut off", cutOff],
    ["an XML prolog without a root", { headers: XML, body: '<?xml version="1.0"?>\n' }],
  ] satisfies [string, Reply][])("%s is a failure for a search and a record, never a miss", async (_, reply) => {
    await using w = await world(() => reply)
    expect((await w.search("entrez", "p53")).result.kind).toBe("failure")
    expect((await w.fetch("entrez", "7157")).outcomes).toMatchObject([{ kind: "failure" }])
    expect((await w.fetch("entrez", "a1")).outcomes).toMatchObject([{ kind: "failure" }])
  })
})

test("a server's own fault is not blamed on the id, whatever it says", async () => {
  await using w = await world(() => ({ status: 502, body: '{"error":"Invalid gateway"}' }))
  expect((await w.fetch("entrez", "7157")).outcomes).toMatchObject([{ failure: { code: "unavailable" } }])
})

test("all databases share three requests a second, ten with a key", () => {
  expect(paces([entrez, entrez], {}).get(HOST)?.perSecond).toBe(3)
  expect(paces([entrez, entrez], { NCBI_API_KEY: "x" }).get(HOST)?.perSecond).toBe(10)
})
