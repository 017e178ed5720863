import { readdir } from "node:fs/promises"
import path from "node:path"
import { describe, expect, test } from "bun:test"
import pubmed from "../../../src/science/connectors/literature/pubmed.ts"
import { normalizeId } from "../../../src/science/ids.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world as anyWorld } from "../../support/world.ts"

const EUTILS = "eutils.ncbi.nlm.nih.gov"
const CONVERTER = "pmc.ncbi.nlm.nih.gov"
const EXPORTER = "api.ncbi.nlm.nih.gov"
const BUCKET = "pmc-oa-opendata.s3.amazonaws.com"
const XML = { "content-type": "text/xml; charset=UTF-8" }
const TEXT = { "content-type": "text/plain; charset=UTF-8" }

const world = (answer: (request: Seen) => Reply | undefined) => anyWorld(answer, { connectors: [pubmed] })

const asked = ({ path, body }: Seen) => new URLSearchParams(body || path.split("?")[1])
const verbOf = ({ host, path }: Seen) => (host === EUTILS ? /\/(\w+)\.fcgi/.exec(path)?.[1] : host)

interface Article {
  pmid: string
  title?: string
  types?: string[]
  links?: string
  ids?: Record<string, string>
}

const escaped = (text: string) => text.replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const article = ({ pmid, title = "A title.", types = ["Journal Article"], links = "", ids = {} }: Article) => `
<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">${pmid}</PMID><Article PubModel="Print">
<Journal><Title>Journal of cheminformatics</Title></Journal><ArticleTitle>${title}</ArticleTitle>
<PublicationTypeList>${types.map((type) => `<PublicationType UI="D016428">${type}</PublicationType>`).join("")}</PublicationTypeList></Article>
${links && `<CommentsCorrectionsList>${links}</CommentsCorrectionsList>`}</MedlineCitation>
<PubmedData><ArticleIdList><ArticleId IdType="pubmed">${pmid}</ArticleId>
${Object.entries(ids)
  .map(([type, id]) => `<ArticleId IdType="${type}">${escaped(id)}</ArticleId>`)
  .join("")}</ArticleIdList></PubmedData></PubmedArticle>`

const BOOK = `<PubmedBookArticle><BookDocument><PMID Version="1">20301295</PMID><ArticleIdList><ArticleId IdType="bookaccession">NBK1103</ArticleId></ArticleIdList>
<Book><BookTitle>GeneReviews</BookTitle></Book></BookDocument><PubmedBookData><ArticleIdList><ArticleId IdType="pubmed">20301295</ArticleId></ArticleIdList></PubmedBookData></PubmedBookArticle>`

const set = (...articles: string[]): Reply => ({
  headers: XML,
  body: `<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">
<PubmedArticleSet>${articles.join("\n")}</PubmedArticleSet>`,
})

const JMOL = article({
  pmid: "27933103",
  title: "Programmatic conversion of <i>crystal</i> structures using Jmol.",
  ids: { pmc: "PMC5122160", doi: "10.1186/s13321-016-0181-z", mid: "NIHMS830298" },
})
/** What stripping the letters off PMC5122160 would lead to. */
const ANOTHER = article({ pmid: "5122160", title: "Another article altogether." })

const converted = (...records: object[]) => JSON.stringify({ status: "ok", records })
const JMOL_CONVERTED = {
  doi: "10.1186/s13321-016-0181-z",
  pmcid: "PMC5122160",
  pmid: 27933103,
  "requested-id": "PMC5122160",
}

const searched = (idlist: string[], more: object = {}) =>
  JSON.stringify({ header: {}, esearchresult: { count: String(idlist.length), idlist, ...more } })

const SUMMARY = {
  uid: "27933103",
  pubdate: "2016",
  source: "J Cheminform",
  authors: [
    { name: "Scalfani VF", authtype: "Author", clusterid: "" },
    { name: "Williams AJ", authtype: "Author", clusterid: "" },
  ],
  title: "Programmatic conversion of crystal structures into 3D printable files using Jmol.",
  pubtype: ["Journal Article"],
  articleids: [
    { idtype: "pubmed", idtypen: 1, value: "27933103" },
    { idtype: "pmc", idtypen: 8, value: "PMC5122160" },
    { idtype: "pmcid", idtypen: 5, value: "pmc-id: PMC5122160;" },
  ],
  references: [],
  pmcrefcount: "",
  fulljournalname: "Journal of cheminformatics",
}
const summarised = (...records: { uid: string; [field: string]: unknown }[]) =>
  JSON.stringify({
    header: { type: "esummary", version: "0.3" },
    result: { uids: records.map(({ uid }) => uid), ...Object.fromEntries(records.map((each) => [each.uid, each])) },
  })

const stored = async (directory: string) =>
  (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !/manifest|gitignore/.test(entry.name))
    .map((entry) => path.basename(entry.name))

describe("ids", () => {
  test.each([
    ["10508479", "10508479"],
    ["PMID:10508479", "10508479"],
    ["PMID 10508479", "10508479"],
    ["pmid: 10508479", "10508479"],
    ["pubmed:10508479", "10508479"],
    ["https://pubmed.ncbi.nlm.nih.gov/10508479/", "10508479"],
    ["https://www.ncbi.nlm.nih.gov/pubmed/10508479?dopt=Abstract", "10508479"],
    ["pmc5122160", "PMC5122160"],
    ["PMCID: PMC5122160", "PMC5122160"],
    ["PMC 5122160", "PMC5122160"],
    ["pmc-id: PMC5122160;", "PMC5122160"],
    ["PMC2883744.2", "PMC2883744"],
    ["https://pmc.ncbi.nlm.nih.gov/articles/PMC5122160/", "PMC5122160"],
    ["https://www.ncbi.nlm.nih.gov/pmc/articles/PMC5122160/?report=reader", "PMC5122160"],
    ["nihms198092", "NIHMS198092"],
    ["doi:10.1038/ng.590", "10.1038/ng.590"],
    ["https://doi.org/10.1038/ng.590", "10.1038/ng.590"],
    ["https://doi.org/10.1038%2Fng.590", "10.1038/ng.590"],
    ["10.1038/ng.590.", "10.1038/ng.590"],
    [
      "10.1002/(sici)1097-0215(19991112)83:4<456::aid-ijc4>3.0.co;2-5",
      "10.1002/(sici)1097-0215(19991112)83:4<456::aid-ijc4>3.0.co;2-5",
    ],
  ])("%s is read as %s", (typed, id) => {
    expect(normalizeId(pubmed, typed)).toBe(id)
    expect(id).toMatch(pubmed.ids.pattern)
  })

  test.each(["0", "123456789", "12a4", "PMC", "p53", "NBK1103", "rs7412", "../10508479", "00000000"])(
    "%s is no id of PubMed, and nothing is asked for it",
    async (typed) => {
      await using w = await world(() => set(JMOL))
      expect((await w.fetch("pubmed", typed)).outcomes).toMatchObject([
        { kind: "failure", failure: { code: "invalid_id" } },
      ])
      expect(w.server.requests).toEqual([])
    },
  )
})

describe("records", () => {
  test("an article comes as its own XML, mapped, from one request", async () => {
    await using w = await world(() => set(JMOL))
    const { outcomes, cost } = await w.fetch("pubmed", "PMID: 27933103")
    expect(outcomes).toMatchObject([
      {
        kind: "record",
        id: "27933103",
        url: "https://pubmed.ncbi.nlm.nih.gov/27933103/",
        remarks: [],
        record: {
          MedlineCitation: {
            "@Status": "MEDLINE",
            PMID: { "@Version": "1", "#text": "27933103" },
            Article: { ArticleTitle: "Programmatic conversion of <i>crystal</i> structures using Jmol." },
          },
        },
      },
    ])
    expect(cost.requests).toBe(1)
    expect(w.server.requests[0]?.host).toBe(EUTILS)
    expect(Object.fromEntries(asked(w.server.requests[0]!))).toEqual({
      db: "pubmed",
      retmode: "xml",
      id: "27933103",
      tool: "opencode-science",
    })
  })

  test("a hundred articles cost one request, and each is found by its PMID, in whatever order they come", async () => {
    const pmids = Array.from({ length: 100 }, (_, i) => String(30000000 + i))
    await using w = await world(() =>
      set(
        ...pmids
          .slice(1)
          .toReversed()
          .map((pmid) => article({ pmid })),
      ),
    )
    const { outcomes, cost } = await w.fetch("pubmed", ...pmids)
    expect(cost.requests).toBe(1)
    expect(outcomes[0]).toMatchObject({ kind: "miss", id: pmids[0] })
    expect(outcomes.slice(1).every((each, i) => each.kind === "record" && each.id === pmids[i + 1])).toBe(true)
  })

  test("a chapter of a book is a record too", async () => {
    await using w = await world(() => set(BOOK, JMOL))
    const { outcomes } = await w.fetch("pubmed", "20301295", "27933103")
    expect(outcomes).toMatchObject([
      { kind: "record", record: { BookDocument: { Book: { BookTitle: "GeneReviews" } } } },
      { kind: "record", record: { MedlineCitation: {} } },
    ])
  })

  test.each([
    ["an empty set", "<PubmedArticleSet></PubmedArticleSet>"],
    ["an empty set written shortly", '<?xml version="1.0" ?><PubmedArticleSet/>'],
  ])("an unknown PMID is a miss: %s", async (_, body) => {
    await using w = await world(() => ({ headers: XML, body }))
    expect((await w.fetch("pubmed", "40482261")).outcomes).toMatchObject([{ kind: "miss", id: "40482261" }])
    expect(w.server.requests).toHaveLength(1)
  })

  test("an article that was not asked for is never given", async () => {
    await using w = await world(() => set(ANOTHER))
    expect((await w.fetch("pubmed", "27933103")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test("an answer of another shape names what is missing", async () => {
    await using w = await world(() => ({ headers: XML, body: "<PubmedArticles><PubmedArticle/></PubmedArticles>" }))
    expect((await w.fetch("pubmed", "27933103")).outcomes).toMatchObject([
      { failure: { code: "bad_response", message: expect.stringContaining("PubmedArticleSet") } },
    ])
  })

  test("retractions, corrections, notices and preprints are said", async () => {
    const link = (type: string, source: string, pmid = "") =>
      `<CommentsCorrections RefType="${type}"><RefSource>${source}</RefSource>${pmid && `<PMID Version="1">${pmid}</PMID>`}</CommentsCorrections>`
    const retracted = article({
      pmid: "1",
      types: ["Journal Article", "Retracted Publication"],
      links: link("RetractionIn", "Nature. 2020;1:2", "11") + link("CommentIn", "Nature. 2019;1:1", "12"),
    })
    const marked = article({ pmid: "2", types: ["Retracted Publication"] })
    const corrected = article({ pmid: "3", links: link("ErratumIn", "Cell. 2020;1:2") })
    const notice = article({ pmid: "4", links: link("RetractionOf", "Nature. 2018;1:2", "1") })
    const preprint = article({
      pmid: "5",
      types: ["Preprint"],
      links: link("UpdateIn", "Nature. 2021;3:4", "55"),
    })
    await using w = await world(() => set(retracted, marked, corrected, notice, preprint))
    const { outcomes } = await w.fetch("pubmed", "1", "2", "3", "4", "5")
    expect(outcomes.map((each) => each.kind === "record" && each.remarks)).toEqual([
      ["Retracted: Nature. 2020;1:2 (PMID 11)"],
      ["Retracted"],
      ["Corrected: Cell. 2020;1:2"],
      ["This is the retraction of: Nature. 2018;1:2 (PMID 1)"],
      ["Updated: Nature. 2021;3:4 (PMID 55)", "A preprint: not peer-reviewed"],
    ])
  })

  test.each([
    ["503", { status: 503, body: "busy" }],
    ["429", { status: 429, body: '{"error":"API rate limit exceeded","api-key":"192.0.2.7"}' }],
    ["a page", { headers: { "content-type": "text/html" }, body: "<html><body>Maintenance</body></html>" }],
    ["half an answer", { headers: XML, body: '<?xml version="1.0"?><PubmedArticleSet><PubmedArticle>' }],
    ["an error inside", { headers: XML, body: "<eFetchResult><ERROR>NCBI C++ Exception</ERROR></eFetchResult>" }],
    ["404", { status: 404, headers: TEXT, body: "no such program" }],
  ] satisfies [string, Reply][])(
    "an outage is a failure in records, files and searches, never a miss: %s",
    async (_, reply) => {
      await using w = await world(() => reply)
      expect((await w.fetch("pubmed", "27933103")).outcomes).toMatchObject([{ kind: "failure" }])
      expect((await w.search("pubmed", "p53")).result).toMatchObject({ kind: "failure" })
      expect((await w.fetch("pubmed", "PMC5122160")).outcomes).toMatchObject([{ kind: "failure" }])
    },
  )
})

describe("other identifiers", () => {
  test("a PMC id is converted, never read for its digits, and the record says whose it is", async () => {
    await using w = await world((request) =>
      request.host === CONVERTER ? converted(JMOL_CONVERTED) : set(JMOL, ANOTHER),
    )
    const { outcomes } = await w.fetch("pubmed", "pmc5122160")
    expect(outcomes).toMatchObject([
      { kind: "record", id: "PMC5122160", resolvedId: "27933103", remarks: ["PMC5122160 is PMID 27933103"] },
    ])
    expect(w.server.requests[0]).toMatchObject({ host: CONVERTER })
    expect(w.server.requests[0]?.path).toStartWith("/tools/idconv/api/v1/articles/?")
    expect(Object.fromEntries(asked(w.server.requests[0]!))).toEqual({
      ids: "PMC5122160",
      idtype: "pmcid",
      format: "json",
      tool: "opencode-science",
    })
    expect(asked(w.server.requests[1]!).get("id")).toBe("27933103")
  })

  test("a manuscript's number is asked for as one, and a DOI as a DOI", async () => {
    await using w = await world((request) => {
      if (request.host !== CONVERTER) return set(JMOL)
      return converted({ ...JMOL_CONVERTED, "requested-id": asked(request).get("ids") })
    })
    const { outcomes } = await w.fetch("pubmed", "NIHMS830298", "10.1186/S13321-016-0181-Z", "27933103", "PMC5122160")
    expect(outcomes).toMatchObject([
      { kind: "record", resolvedId: "27933103", remarks: ["NIHMS830298 is PMID 27933103"] },
      { kind: "record", resolvedId: "27933103" },
      { kind: "record", id: "27933103" },
      { kind: "record", resolvedId: "27933103" },
    ])
    const converter = w.server.requests.filter(({ host }) => host === CONVERTER)
    expect(converter.map((request) => asked(request).get("idtype")).toSorted()).toEqual(["doi", "mid", "pmcid"])
    expect(w.server.requests.filter(({ host }) => host === EUTILS).map((request) => asked(request).get("id"))).toEqual([
      "27933103",
    ])
  })

  test("a DOI that PMC does not know is looked for in PubMed, whole, and only the article that carries it counts", async () => {
    const doi = "10.1002/(sici)1097-0215(19991112)83:4<456::aid-ijc4>3.0.co;2-5"
    await using w = await world((request) => {
      if (request.host === CONVERTER)
        return converted({ doi, "requested-id": doi, status: "error", errmsg: "Identifier not found in PMC" })
      if (verbOf(request) === "esearch") return searched(["5122160", "10508479"])
      return set(ANOTHER, article({ pmid: "10508479", ids: { doi } }))
    })
    const { outcomes } = await w.fetch("pubmed", doi)
    expect(outcomes).toMatchObject([{ kind: "record", resolvedId: "10508479", remarks: [`${doi} is PMID 10508479`] }])
    expect(asked(w.server.requests[1]!).get("term")).toBe(`"${doi}"[aid]`)
  })

  test("a DOI with a comma, which would end it in the converter's list, is looked for in PubMed alone", async () => {
    const doi = "10.1000/a,5122160"
    await using w = await world((request) =>
      verbOf(request) === "esearch" ? searched(["7"]) : set(article({ pmid: "7", ids: { doi } })),
    )
    expect((await w.fetch("pubmed", doi)).outcomes).toMatchObject([{ kind: "record", resolvedId: "7" }])
    expect(w.server.requests.map(({ host }) => host)).toEqual([EUTILS, EUTILS])
  })

  test("a DOI that nobody carries is a miss, whatever PubMed found for its parts", async () => {
    await using w = await world((request) => {
      if (request.host === CONVERTER) return converted()
      return verbOf(request) === "esearch" ? searched(["5122160"]) : set(ANOTHER)
    })
    expect((await w.fetch("pubmed", "10.9999/nothing")).outcomes).toMatchObject([
      { kind: "miss", reason: "PubMed has no article with this DOI" },
    ])
  })

  test("an id that the converter does not know, one outside PubMed, and one that the record does not carry are misses that say so", async () => {
    await using w = await world((request) =>
      request.host === CONVERTER
        ? converted(
            { pmcid: "PMC1", "requested-id": "PMC1", status: "error", errmsg: "Identifier not found in PMC" },
            { pmcid: "PMC2", "requested-id": "PMC2" },
            { pmcid: "PMC3", pmid: 5122160, "requested-id": "PMC3" },
          )
        : set(ANOTHER),
    )
    const { outcomes } = await w.fetch("pubmed", "PMC1", "PMC2", "PMC3")
    expect(outcomes).toMatchObject([
      { kind: "miss", reason: "NCBI's ID converter does not know it" },
      { kind: "miss", reason: expect.stringContaining("in PMC but not in PubMed") },
      { kind: "miss", reason: expect.stringContaining("5122160") },
    ])
  })

  test("a converter that stumbles, refuses or is down is a failure", async () => {
    const replies: Reply[] = [
      converted({ "requested-id": "PMC5122160", status: "error", errmsg: "internal error" }),
      converted({ "requested-id": "PMC5122160", status: "error", errmsg: "internal error" }),
      { status: 400, body: '{"status":"error","errors":[{"message":"All values must be PMC ids","code":"invalid"}]}' },
      { status: 404, body: "{}" },
    ]
    await using w = await world(() => replies.shift() ?? { status: 503, body: "busy" })
    for (const _ of [1, 2, 3, 4])
      expect((await w.fetch("pubmed", "PMC5122160")).outcomes).toMatchObject([{ kind: "failure" }])
  })
})

describe("search", () => {
  const found = (request: Seen) =>
    verbOf(request) === "esearch"
      ? searched(["41884867", "27933103"], {
          count: "115258",
          querytranslation: '"attention"[MeSH Terms] OR "attention"[All Fields]',
        })
      : summarised(SUMMARY, { ...SUMMARY, uid: "41884867", title: "Later", authors: SUMMARY.authors.slice(0, 1) })

  test("hits keep the order of relevance and come with what helps to choose, from two requests", async () => {
    await using w = await world(found)
    const { result, cost } = await w.search("pubmed", "attention mechanism", { limit: 2 })
    expect(cost.requests).toBe(2)
    expect(result).toMatchObject({
      kind: "hits",
      total: 115258,
      next: "2",
      notes: ['searched as "attention"[MeSH Terms] OR "attention"[All Fields]'],
    })
    expect(result).toHaveProperty("hits", [
      { id: "41884867", title: "Later", summary: "Scalfani VF · J Cheminform 2016 · PMC5122160" },
      { id: "27933103", title: SUMMARY.title, summary: "Scalfani VF et al. · J Cheminform 2016 · PMC5122160" },
    ])
    expect(asked(w.server.requests[0]!).get("sort")).toBe("relevance")
    expect(asked(w.server.requests[1]!).get("id")).toBe("41884867,27933103")
  })

  test("PubMed's own syntax is passed on as it is", async () => {
    await using w = await world(() => searched([]))
    const query = '"base editing"[tiab] AND 2024:2026[dp] NOT retracted publication[pt]'
    await w.search("pubmed", query)
    expect(asked(w.server.requests[0]!).get("term")).toBe(query)
  })

  test("no hits cost one request", async () => {
    await using w = await world(() => searched([]))
    expect(await w.search("pubmed", "qqqq")).toMatchObject({
      result: { kind: "hits", total: 0, hits: [] },
      cost: { requests: 1 },
    })
  })

  test("an organism is no filter of PubMed, and that is said", async () => {
    await using w = await world(found)
    const { result } = await w.search("pubmed", "p53", { organism: "9606" })
    expect(result).toMatchObject({ notes: [expect.stringContaining("organism is not a filter"), expect.anything()] })
    expect(asked(w.server.requests[0]!).get("term")).toBe("p53")
  })

  test("retracted papers, notices, corrections and preprints are marked", async () => {
    const records = [
      { ...SUMMARY, uid: "1", pubtype: ["Journal Article", "Retracted Publication"] },
      { ...SUMMARY, uid: "2", references: [{ refsource: "x", reftype: "Retraction in", pmid: 3, note: "" }] },
      { ...SUMMARY, uid: "3", pubtype: ["Retraction of Publication"] },
      { ...SUMMARY, uid: "4", pubtype: ["Preprint", "Review"], references: [{ reftype: "Erratum in" }] },
      { ...SUMMARY, uid: "5", pubtype: ["Systematic Review"], references: [{ reftype: "Comment in" }] },
    ]
    await using w = await world((request) =>
      verbOf(request) === "esearch" ? searched(["1", "2", "3", "4", "5"]) : summarised(...records),
    )
    const { result } = await w.search("pubmed", "p53")
    const hits = result.kind === "hits" ? result.hits : []
    expect(hits.map(({ marks }) => marks)).toEqual([
      ["retracted"],
      ["retracted"],
      ["retraction notice"],
      ["preprint", "corrected"],
      undefined,
    ])
    expect(hits[4]?.summary).toContain("Systematic Review")
  })

  test("a hit whose summary NCBI cannot give keeps its place", async () => {
    await using w = await world((request) =>
      verbOf(request) === "esearch"
        ? searched(["9", "27933103"])
        : summarised({ uid: "9", error: "cannot get document summary" } as { uid: string }, SUMMARY),
    )
    const { result } = await w.search("pubmed", "p53")
    expect(result).toMatchObject({ hits: [{ id: "9", title: "(title not given)" }, { id: "27933103" }] })
  })

  test("hits without their titles are said to be so when only the summaries fail", async () => {
    await using w = await world((request) =>
      verbOf(request) === "esearch" ? searched(["27933103"]) : { status: 503, body: "busy" },
    )
    const { result, cost } = await w.search("pubmed", "p53")
    expect(result).toMatchObject({
      kind: "hits",
      total: 1,
      hits: [{ id: "27933103" }],
      notes: ["titles could not be had"],
    })
    expect(cost.incomplete).toEqual(["titles"])
  })

  test("a page past the 9,999 hits that PubMed shows is refused with what to do", async () => {
    await using w = await world(() => searched([]))
    expect((await w.search("pubmed", "aspirin", { cursor: "9999" })).result).toMatchObject({
      kind: "failure",
      failure: { code: "invalid_query" },
    })
    expect(w.server.requests).toEqual([])
  })
})

describe("files", () => {
  const ABSTRACT = "1. Int J Cancer. 1999 Nov 12;83(4):456-64.\n\nAntigens recognized by autologous antibody.\n"
  const NBIB = "\nPMID- 12230038\nOWN - NLM\nTI  - The Bio* toolkits--a brief overview.\n"
  const RIS = "TY  - JOUR\r\nTI  - The Bio* toolkits\r\nER  - \r\n"

  test.each([
    ["abstract", EUTILS, "/entrez/eutils/efetch.fcgi", { rettype: "abstract", retmode: "text" }, ABSTRACT],
    ["nbib", EUTILS, "/entrez/eutils/efetch.fcgi", { rettype: "medline", retmode: "text" }, NBIB],
    ["xml", EUTILS, "/entrez/eutils/efetch.fcgi", { retmode: "xml" }, "<PubmedArticleSet>x</PubmedArticleSet>"],
    ["summary", EUTILS, "/entrez/eutils/esummary.fcgi", { retmode: "json" }, summarised(SUMMARY)],
    ["ris", EXPORTER, "/lit/ctxp/v1/pubmed/", { format: "ris" }, RIS],
    ["csl-json", EXPORTER, "/lit/ctxp/v1/pubmed/", { format: "csl" }, '{"type":"article-journal"}'],
    [
      "bioc",
      "www.ncbi.nlm.nih.gov",
      "/research/pubtator3-api/publications/export/biocjson",
      { pmids: "12230038" },
      '{"PubTator3":[{"id":"12230038"}]}',
    ],
  ])("%s is at %s%s", async (format, host, place, parameters, body) => {
    await using w = await world(() => ({ headers: TEXT, body }))
    const { outcomes, cost } = await w.file("pubmed", format, "12230038")
    expect(outcomes).toMatchObject([{ kind: "file", format }])
    expect(cost.requests).toBe(1)
    const [request] = w.server.requests
    expect(request?.host).toBe(host)
    expect(request?.path.split("?")[0]).toBe(place)
    expect(Object.fromEntries(asked(request!))).toMatchObject(parameters)
    expect(asked(request!).get("id") ?? asked(request!).get("pmids")).toBe("12230038")
    expect(await stored(w.directory)).toHaveLength(1)
  })

  test.each([
    ["nbib", TEXT, "\nid: 32816848 Error occurred: The following PMID is not available: 32816848\n"],
    ["abstract", TEXT, "id: 32816848 Error occurred: The following PMID is not available: 32816848"],
    ["abstract", TEXT, ""],
    ["nbib", TEXT, "\n\n"],
    ["xml", XML, '<?xml version="1.0" ?>\n<PubmedArticleSet></PubmedArticleSet>\n'],
    ["summary", TEXT, summarised({ uid: "32816848", error: "cannot get document summary" })],
    ["ris", XML, '<pub-one-record-set xmlns:p1="http://pubmed.gov/pub-one" p1:error="PubOne failure: empty XML."/>'],
    ["csl-json", XML, '<pub-one-record-set xmlns:p1="x" p1:error="PubOne failure: empty XML."/>'],
    ["bioc", TEXT, '{"PubTator3": []}'],
  ])("an unknown PMID is a miss as %s and leaves no file: %#", async (format, headers, body) => {
    await using w = await world(() => ({ headers, body }))
    expect((await w.file("pubmed", format, "32816848")).outcomes).toMatchObject([{ kind: "miss" }])
    expect(await stored(w.directory)).toEqual([])
  })

  test("no valid id under status 400 is a miss of a file too", async () => {
    const body = "<eFetchResult><ERROR>ID list is empty! Possibly it has no correct IDs.</ERROR></eFetchResult>"
    await using w = await world(() => ({ status: 400, headers: XML, body }))
    expect((await w.file("pubmed", "xml", "32816848")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test.each(["abstract", "nbib", "xml", "summary", "ris", "csl-json", "bioc"])(
    "a page or an outage is no file: %s",
    async (format) => {
      const replies: Reply[] = [
        {
          headers: { "content-type": "text/html" },
          body: "<!DOCTYPE html><html><body>Preparing to download</body></html>",
        },
        { status: 503, body: "busy" },
        { status: 429, body: '{"error":"API rate limit exceeded","api-key":"192.0.2.7"}' },
      ]
      for (const reply of replies) {
        await using w = await world(() => reply)
        expect((await w.file("pubmed", format, "12230038")).outcomes).toMatchObject([{ kind: "failure" }])
        expect(await stored(w.directory)).toEqual([])
      }
    },
  )

  test("a PMC id is converted for the files of citations", async () => {
    await using w = await world((request) => {
      if (request.host === CONVERTER) return converted(JMOL_CONVERTED)
      return request.host === EXPORTER ? { headers: TEXT, body: RIS } : set(JMOL)
    })
    expect((await w.file("pubmed", "ris", "PMC5122160")).outcomes).toMatchObject([{ kind: "file", id: "PMC5122160" }])
    expect(w.server.requests.at(-1)?.path).toContain("format=ris&id=27933103")
  })

  test("a hundred citations are one file from two requests, and its count is theirs", async () => {
    const pmids = Array.from({ length: 100 }, (_, i) => String(30000000 + i))
    await using w = await world((request) =>
      asked(request).get("rettype") === "medline"
        ? { headers: TEXT, body: pmids.map((pmid) => `\nPMID- ${pmid}\nTI  - x\n`).join("") }
        : set(...pmids.map((pmid) => article({ pmid }))),
    )
    const { outcomes, cost } = await w.file("pubmed", "nbib", ...pmids)
    expect(outcomes).toMatchObject([{ kind: "file", ids: pmids, saved: { entries: { count: 100 } } }])
    expect(cost.requests).toBe(2)
  })

  test("one that PubMed does not know is never left out of such a file without a word", async () => {
    await using w = await world(() => set(JMOL))
    const { outcomes } = await w.file("pubmed", "xml", "27933103", "40482261")
    expect(outcomes).toMatchObject([
      { kind: "file", ids: ["27933103"] },
      { kind: "miss", id: "40482261" },
    ])
    expect(asked(w.server.requests.at(-1)!).get("id")).toBe("27933103")
  })
})

describe("full texts of PMC", () => {
  const jats = (inside: string): Reply => ({
    headers: XML,
    body: `<?xml version="1.0"  ?><!DOCTYPE pmc-articleset PUBLIC "-//NLM//DTD ARTICLE SET 2.0//EN" "https://dtd.nlm.nih.gov/ncbi/pmc/articleset/nlm-articleset-2.0.dtd"><pmc-articleset>${inside}</pmc-articleset>`,
  })
  const WHOLE = jats("<article><front/><body><sec><p>Text.</p></sec></body></article>")

  test("JATS is asked for by the digits of the PMC id", async () => {
    await using w = await world(() => WHOLE)
    expect((await w.file("pubmed", "jats", "PMC3040717")).outcomes).toMatchObject([{ kind: "file" }])
    expect(Object.fromEntries(asked(w.server.requests.at(-1)!))).toMatchObject({
      db: "pmc",
      id: "3040717",
      retmode: "xml",
    })
  })

  test("for a PMID the PMC id is looked up; without one there is no full text, and that is said", async () => {
    await using w = await world((request) => {
      if (request.host !== CONVERTER) return WHOLE
      return asked(request).get("ids") === "20516115"
        ? converted({ pmid: 20516115, pmcid: "PMC3040717", "requested-id": "20516115" })
        : converted({
            pmid: 22663011,
            "requested-id": "22663011",
            status: "error",
            errmsg: "Identifier not found in PMC",
          })
    })
    const { outcomes } = await w.file("pubmed", "jats", "20516115", "22663011")
    expect(outcomes).toMatchObject([
      { kind: "file", id: "20516115" },
      { kind: "miss", id: "22663011", reason: expect.stringContaining("not in PubMed Central") },
    ])
    expect(asked(w.server.requests[0]!).get("idtype")).toBe("pmid")
  })

  test("front matter alone is no full text: a miss that says why, and no file", async () => {
    const comment = "<!--The publisher of this article does not allow downloading of the full text in XML form.-->"
    for (const [inside, why] of [
      [`<article>${comment}<front/></article>`, "as its publisher wants it"],
      ["<article><front/></article>", "only the front matter"],
    ] as const) {
      await using w = await world(() => jats(inside))
      expect((await w.file("pubmed", "jats", "PMC10716352")).outcomes).toMatchObject([
        { kind: "miss", reason: expect.stringContaining(why) },
      ])
      expect(await stored(w.directory)).toEqual([])
    }
  })

  test.each(['<error id="999">The following PMCID is not available: 999</error>', ""])(
    "an unknown PMC id is a miss: %p",
    async (inside) => {
      await using w = await world(() => jats(inside))
      expect((await w.file("pubmed", "jats", "PMC999")).outcomes).toMatchObject([{ kind: "miss" }])
      expect(w.server.requests).toHaveLength(1)
    },
  )

  test("half a full text is a failure, not front matter", async () => {
    await using w = await world(() => ({ headers: XML, body: "<pmc-articleset><article><front/>" }))
    expect((await w.file("pubmed", "jats", "PMC3040717")).outcomes).toMatchObject([{ kind: "failure" }])
  })

  const listing = (...versions: string[]): Reply => ({
    headers: { "content-type": "application/xml" },
    body: `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>pmc-oa-opendata</Name><Prefix>PMC5053142.</Prefix>${versions
      .map((version) => `<CommonPrefixes><Prefix>${version}/</Prefix></CommonPrefixes>`)
      .join("")}</ListBucketResult>`,
  })
  const described = (version: string, ...endings: [string, string][]) =>
    JSON.stringify({
      pmcid: "PMC5053142",
      ...Object.fromEntries(
        endings.map(([name, ending]) => [name, `s3://pmc-oa-opendata/${version}/${version}.${ending}?md5=f583`]),
      ),
    })

  test.each([
    ["pdf", "pdf", "%PDF-1.7\n%%EOF\n"],
    ["txt", "txt", "Full text"],
    ["oa-xml", "xml", "\n<!DOCTYPE article>\n<article><body/></article>"],
  ])(
    "%s comes from the newest version in the bucket, by the name that its description gives",
    async (format, ending, body) => {
      await using w = await world(({ path }) => {
        if (path.startsWith("/?")) return listing("PMC5053142.9", "PMC5053142.10", "PMC5053142.2")
        return path.endsWith(".json")
          ? described("PMC5053142.10", ["pdf_url", "pdf"], ["text_url", "txt"], ["xml_url", "xml"])
          : { headers: { "content-type": "application/octet-stream" }, body }
      })
      expect((await w.file("pubmed", format, "PMC5053142")).outcomes).toMatchObject([{ kind: "file" }])
      expect(w.server.requests.map(({ host, path }) => `${host}${path}`)).toEqual([
        `${BUCKET}/?list-type=2&prefix=PMC5053142.&delimiter=%2F`,
        `${BUCKET}/PMC5053142.10/PMC5053142.10.json`,
        `${BUCKET}/PMC5053142.10/PMC5053142.10.${ending}`,
      ])
    },
  )

  test("an article that is not in the bucket, or not in that form, is a miss that says so", async () => {
    await using none = await world(() => listing())
    expect((await none.file("pubmed", "pdf", "PMC5053142")).outcomes).toMatchObject([
      { kind: "miss", reason: expect.stringContaining("not among the articles that PMC opens") },
    ])
    await using manuscript = await world(({ path }) =>
      path.startsWith("/?")
        ? listing("PMC5053142.1")
        : described("PMC5053142.1", ["text_url", "txt"], ["xml_url", "xml"]),
    )
    expect((await manuscript.file("pubmed", "pdf", "PMC5053142")).outcomes).toMatchObject([
      { kind: "miss", reason: expect.stringContaining("only as txt, oa-xml") },
    ])
  })

  test("a bucket that does not answer, or points elsewhere, is a failure", async () => {
    await using down = await world(() => ({ status: 503, headers: XML, body: "<Error><Code>SlowDown</Code></Error>" }))
    expect((await down.file("pubmed", "pdf", "PMC5053142")).outcomes).toMatchObject([{ kind: "failure" }])
    await using elsewhere = await world(({ path }) =>
      path.startsWith("/?") ? listing("PMC5053142.1") : '{"pdf_url":"https://example.org/x.pdf"}',
    )
    expect((await elsewhere.file("pubmed", "pdf", "PMC5053142")).outcomes).toMatchObject([
      { kind: "failure", failure: { code: "bad_response", message: expect.stringContaining("pdf_url") } },
    ])
  })
})
