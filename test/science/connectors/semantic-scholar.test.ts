import { describe, expect, test } from "bun:test"
import s2 from "../../../src/science/connectors/literature/semantic-scholar.ts"
import { normalizeId } from "../../../src/science/ids.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const DID = "c31c87c591a25c64fbaa82e8ac6a81831b6ac7ce"
const LLM = "354dcdebf3f8b5feeed5c62090e0bc1f0c28db06"
const PAPER = {
  paperId: DID,
  externalIds: { MAG: "2096684396", DOI: "10.2139/ssrn.288970", CorpusId: 470667 },
  corpusId: 470667,
  title: "How Much Should We Trust Differences-in-Differences Estimates?",
  venue: "QJE",
  year: 2001,
  authors: [
    { authorId: "1", name: "Marianne Bertrand" },
    { authorId: "2", name: "E. Duflo" },
  ],
  citationCount: 857,
  referenceCount: 0,
  tldr: { model: "tldr@v2", text: "Standard errors are biased." },
}
const PUBLISHED = {
  paperId: LLM,
  externalIds: {
    ArXiv: "2304.05376",
    PubMed: "38799228",
    PubMedCentral: "11116106",
    DOI: "10.1038/s42256-024-00832-8",
    CorpusId: 258059792,
  },
  title: "Augmenting large language models with chemistry tools",
  citationCount: 1001,
  referenceCount: 70,
}

const json = (value: unknown): Reply => ({ body: JSON.stringify(value) })
const notFound = (id: string): Reply => ({ status: 404, body: `{"error":"Paper with id ${id} not found"}\n` })
const parameters = ({ path }: Seen) => new URL(path, "https://api.semanticscholar.org").searchParams
const placeOf = (request: Seen | undefined) => request?.path.replace(/\?.*$/, "").replace("/graph/v1", "")
const open = (answer: (request: Seen) => Reply | undefined, env = {}) => world(answer, { connectors: [s2], env })
const id = (typed: string) => normalizeId(s2, typed)

describe("ids", () => {
  test("each kind of id is read with its own prefix, arXiv's without a version", () => {
    expect(id(`https://www.semanticscholar.org/paper/How-Much-Should-We-Trust/${DID.toUpperCase()}`)).toBe(DID)
    expect(id("CorpusID:470667")).toBe("CorpusId:470667")
    expect(id("arXiv:1706.03762v7")).toBe("ARXIV:1706.03762")
    expect(id("https://arxiv.org/abs/hep-th/9901001v2")).toBe("ARXIV:hep-th/9901001")
    expect(id("PMC2323736")).toBe("PMCID:2323736")
    expect(id("PMID: 19872477")).toBe("PMID:19872477")
    expect(id("ACL:W12-3903")).toBe("ACL:W12-3903")
    expect(id("https://doi.org/10.18653/v1/N18-3011")).toBe("10.18653/v1/N18-3011")
  })

  test("plain digits, which may be a PMID or a CorpusId, are refused without a request", async () => {
    await using w = await open(() => json(PAPER))
    expect((await w.fetch("semantic-scholar", "470667")).outcomes[0]).toMatchObject({ failure: { code: "invalid_id" } })
    expect(w.server.requests).toHaveLength(0)
  })
})

describe("search", () => {
  test("offset and next lead from page to page, and no next is the end", async () => {
    await using w = await open((request) =>
      parameters(request).get("offset") === "0"
        ? json({ total: 2, offset: 0, next: 1, data: [PAPER] })
        : json({ total: 2, offset: 1, data: [PUBLISHED] }),
    )
    const first = (await w.search("semantic-scholar", "estimates", { limit: 1 })).result
    expect(first).toMatchObject({ kind: "hits", total: 2, next: "1", notes: [], hits: [{ id: "CorpusId:470667" }] })
    const last = (await w.search("semantic-scholar", "estimates", { limit: 1, cursor: "1" })).result
    expect(last).toMatchObject({ hits: [{ id: "CorpusId:258059792" }] })
    expect(last).not.toHaveProperty("next")
    expect(w.server.requests.map((request) => parameters(request).get("limit"))).toEqual(["1", "1"])
  })

  test("offset and limit together stay within 1,000, where pages end", async () => {
    await using w = await open(() => json({ total: 70_498, offset: 995, next: 1000, data: [PAPER] }))
    const { result } = await w.search("semantic-scholar", "turing", { limit: 10, cursor: "995" })
    expect(parameters(w.server.requests[0] ?? expect.unreachable()).get("limit")).toBe("5")
    expect(result).not.toHaveProperty("next")
    expect(result).toMatchObject({ total: 70_498, notes: [expect.stringContaining("pages end at 1,000")] })
  })

  test("an empty search has no list, and that is no hits; hits without a list are a bad response", async () => {
    await using w = await open(() => json({ total: 0, offset: 0 }))
    expect((await w.search("semantic-scholar", "n0 r3sult")).result).toMatchObject({ kind: "hits", total: 0, hits: [] })
    await using broken = await open(() => json({ total: 12, offset: 0 }))
    expect((await broken.search("semantic-scholar", "x")).result).toMatchObject({ failure: { code: "bad_response" } })
  })

  test("a hit says author, venue, year, citations, DOI and the summary of one sentence", async () => {
    await using w = await open(() =>
      json({ total: 2, data: [PAPER, { paperId: LLM, title: null, externalIds: null, authors: [] }] }),
    )
    expect((await w.search("semantic-scholar", "x")).result).toMatchObject({
      hits: [
        {
          summary:
            "Marianne Bertrand et al. · QJE · 2001 · cited by 857 · 10.2139/ssrn.288970 · Standard errors are biased.",
        },
        { id: LLM, title: "(without a title)", summary: "" },
      ],
    })
  })

  test("hyphens, which find nothing, and phrases become words, and the answer says so; filters go through", async () => {
    await using w = await open(() => json({ total: 0, offset: 0 }))
    const { result } = await w.search(
      "semantic-scholar",
      '"base-editing" α-synuclein&year=2022-&fieldsOfStudy=Biology,Medicine',
    )
    const asked = parameters(w.server.requests[0] ?? expect.unreachable())
    expect(asked.get("query")).toBe("base editing α synuclein")
    expect([asked.get("year"), asked.get("fieldsOfStudy")]).toEqual(["2022-", "Biology,Medicine"])
    expect(result).toMatchObject({ notes: [expect.stringContaining("searched as base editing α synuclein")] })
  })

  test("a query of filters alone is refused, and a cursor that is not ours, without a request", async () => {
    await using w = await open(() => json({ total: 0 }))
    expect((await w.search("semantic-scholar", "year=2020")).result).toMatchObject({
      failure: { code: "invalid_query" },
    })
    for (const cursor of ["0", "1000", "PCOKWVSK"])
      expect((await w.search("semantic-scholar", "x", { cursor })).result).toMatchObject({
        failure: { code: "invalid_query" },
      })
    expect(w.server.requests).toHaveLength(0)
  })

  test("a query that is an id finds that paper, or nothing", async () => {
    await using w = await open(({ path }) => (path.includes("/CorpusId:470667") ? json(PAPER) : notFound("x")))
    expect((await w.search("semantic-scholar", "CorpusId:470667")).result).toMatchObject({
      total: 1,
      hits: [{ id: "CorpusId:470667" }],
    })
    expect((await w.search("semantic-scholar", "10.1000/none")).result).toMatchObject({ total: 0, hits: [] })
  })

  test("a 429 says that a key helps, and a wrong key is named", async () => {
    const body = '{"message": "Too Many Requests. Please wait and try again or apply for a key", "code": "429"}'
    await using w = await open(() => ({ status: 429, body }))
    expect((await w.search("semantic-scholar", "x")).result).toMatchObject({
      failure: { code: "rate_limited", retryable: true, message: expect.stringContaining("SEMANTIC_SCHOLAR_API_KEY") },
    })
    await using wrong = await open(() => ({ status: 403, body: '{"message":"Forbidden"}' }), {
      SEMANTIC_SCHOLAR_API_KEY: "k3y-of-mine",
    })
    expect((await wrong.search("semantic-scholar", "x")).result).toMatchObject({ failure: { code: "key_required" } })
    expect(wrong.server.requests[0]?.headers["x-api-key"]).toBe("k3y-of-mine")
  })
})

describe("records", () => {
  test("a DOI is sent with its prefix, its slashes as they are and every other character once encoded", async () => {
    const doi = "10.1002/(SICI)1097-0274(199909)36:1+<1::AID-AJIM2>3.0.CO;2-0?#"
    await using w = await open(() => json({ ...PAPER, externalIds: { DOI: doi.toLowerCase() } }))
    const { outcomes } = await w.fetch("semantic-scholar", doi)
    expect(outcomes[0]).toMatchObject({
      kind: "record",
      resolvedId: DID,
      remarks: [],
      url: `https://www.semanticscholar.org/paper/${DID}`,
    })
    expect(placeOf(w.server.requests[0])).toBe(
      "/paper/DOI:10.1002/%28SICI%291097-0274%28199909%2936:1%2B%3C1::AID-AJIM2%3E3.0.CO%3B2-0%3F%23",
    )
  })

  test("a paper answers to each of its ids, arXiv's DOI among them", async () => {
    await using w = await open(() => json(PUBLISHED))
    for (const typed of [
      LLM,
      "CorpusId:258059792",
      "arXiv:2304.05376v3",
      "10.48550/arXiv.2304.05376",
      "PMID:38799228",
      "PMC11116106",
    ])
      expect((await w.fetch("semantic-scholar", typed)).outcomes[0]?.kind).toBe("record")
    expect(placeOf(w.server.requests.at(-1))).toBe("/paper/PMCID:11116106")
  })

  test("another paper than the asked one, as into which a preprint was merged, is a miss that names it", async () => {
    await using w = await open(() => json(PUBLISHED))
    expect((await w.fetch("semantic-scholar", "10.1101/2023.04.11.1")).outcomes[0]).toMatchObject({
      kind: "miss",
      reason: expect.stringContaining("CorpusId:258059792, 10.1038/s42256-024-00832-8"),
    })
  })

  test("its own 404 is a miss, any other a failure", async () => {
    await using w = await open(() => notFound("DOI:10.1101/2024.04.01.587366"))
    expect((await w.fetch("semantic-scholar", "10.1101/2024.04.01.587366")).outcomes[0]?.kind).toBe("miss")
    await using lost = await open(() => ({ status: 404, body: '{"message":"Not Found"}' }))
    expect((await lost.fetch("semantic-scholar", DID)).outcomes[0]?.kind).toBe("failure")
  })

  test("rows of a batch are matched by id, whatever their order; holes are misses", async () => {
    await using w = await open(() => json([PUBLISHED, null, PAPER]))
    const { outcomes } = await w.fetch(
      "semantic-scholar",
      "CorpusId:470667",
      "CorpusId:211530585",
      "10.1038/S42256-024-00832-8",
    )
    expect(outcomes.map(({ kind }) => kind)).toEqual(["record", "miss", "record"])
    expect(outcomes).toMatchObject([{ record: { paperId: DID } }, {}, { record: { paperId: LLM } }])
    expect(w.server.requests).toHaveLength(1)
    expect(JSON.parse(w.server.requests[0]?.body ?? "")).toEqual({
      ids: ["CorpusId:470667", "CorpusId:211530585", "DOI:10.1038/S42256-024-00832-8"],
    })
  })

  test("a merged paper in a batch is not taken for its neighbour: each open id is asked for alone and named", async () => {
    const old = "0".repeat(40)
    await using w = await open(({ path }) => {
      if (path.includes("/batch")) return json([PAPER, null, PUBLISHED])
      return path.includes(old) ? json(PUBLISHED) : notFound("MAG:1")
    })
    const { outcomes } = await w.fetch("semantic-scholar", DID, "MAG:1", old)
    expect(outcomes).toMatchObject([
      { kind: "record", record: { paperId: DID } },
      { kind: "miss" },
      { kind: "miss", reason: expect.stringContaining(LLM) },
    ])
  })

  test("a refused batch fails all of its ids, and says of none that it is not there", async () => {
    await using w = await open(() => ({ status: 400, body: '{"error":"Response would exceed maximum size"}' }))
    const { outcomes } = await w.fetch("semantic-scholar", DID, LLM)
    expect(outcomes.map(({ kind }) => kind)).toEqual(["failure", "failure"])
  })
})

describe("files", () => {
  test("references come by the paper's own id, in one page", async () => {
    await using w = await open((request) =>
      placeOf(request)?.endsWith("/references")
        ? json({ offset: 0, data: [{ citedPaper: { paperId: DID } }] })
        : json(PUBLISHED),
    )
    expect((await w.file("semantic-scholar", "references", "10.1038/s42256-024-00832-8")).outcomes[0]?.kind).toBe(
      "file",
    )
    expect(placeOf(w.server.requests[1])).toBe(`/paper/${LLM}/references`)
    expect(parameters(w.server.requests[1] ?? expect.unreachable()).get("limit")).toBe("1000")
  })

  test("more citations than a page holds are refused, never cut; none are a miss", async () => {
    await using w = await open(() => json(PUBLISHED))
    expect((await w.file("semantic-scholar", "citations", LLM)).outcomes[0]).toMatchObject({
      failure: { code: "too_large" },
    })
    await using none = await open(() => json(PAPER))
    expect((await none.file("semantic-scholar", "references", DID)).outcomes[0]?.kind).toBe("miss")
  })

  test("no embedding and no recommendations are misses", async () => {
    await using w = await open(({ path }) =>
      path.includes("recommendations") ? json({ recommendedPapers: [] }) : json({ paperId: DID, embedding: null }),
    )
    expect((await w.file("semantic-scholar", "embedding", DID)).outcomes[0]?.kind).toBe("miss")
    expect((await w.file("semantic-scholar", "recommendations", DID)).outcomes[0]?.kind).toBe("miss")
    expect(w.server.requests[1]?.path).toStartWith(`/recommendations/v1/papers/forpaper/${DID}?`)
  })

  test("the file of an id under which another paper came is a miss", async () => {
    await using w = await open(() => json(PUBLISHED))
    expect((await w.file("semantic-scholar", "json", "10.1101/2023.04.11.1")).outcomes[0]?.kind).toBe("miss")
  })
})
