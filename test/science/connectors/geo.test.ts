import { gzipSync } from "node:zlib"
import { readdir } from "node:fs/promises"
import { describe, expect, test } from "bun:test"
import geo from "../../../src/science/connectors/expression/geo.ts"
import { normalizeId } from "../../../src/science/ids.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world as anyWorld } from "../../support/world.ts"

const FTP = "ftp.ncbi.nlm.nih.gov"
const VIEWER = "www.ncbi.nlm.nih.gov"
const PAGE = { "content-type": "text/html" }

const asked = ({ path, body }: Seen) => new URLSearchParams(body || path.split("?")[1])
const verbOf = ({ path }: Seen) => /\/(\w+)\.fcgi/.exec(path)?.[1] ?? ""
const idsOf = (request: Seen) => (asked(request).get("id") ?? "").split(",")

interface Summary {
  uid: string
  accession: string
  [field: string]: unknown
}

const GSE1000: Summary = {
  uid: "200001000",
  accession: "GSE1000",
  gds: "562",
  title: "Osteosarcoma TE85 cell tissue culture study",
  summary: "Amino acid conjugated surfaces and controls at 6 and 32 hours\r\nKeywords: other",
  gpl: "96",
  gse: "1000",
  taxon: "Homo sapiens",
  entrytype: "GSE",
  gdstype: "Expression profiling by array",
  pdat: "2004/01/28",
  suppfile: "CEL",
  samples: [{ accession: "GSM15787", title: "Glutamic Acid Surface 6 hours" }],
  n_samples: 1,
  pubmedids: [],
  ftplink: "ftp://ftp.ncbi.nlm.nih.gov/geo/series/GSE1nnn/GSE1000/",
}
const GSE3353: Summary = { ...GSE1000, uid: "200003353", accession: "GSE3353", gpl: "180;201" }
const GSM15787: Summary = { ...GSE1000, uid: "300015787", accession: "GSM15787", entrytype: "GSM", samples: [] }
const GPL96: Summary = { ...GSE1000, uid: "100000096", accession: "GPL96", entrytype: "GPL", n_samples: 1146310 }
const GDS507: Summary = { ...GSE1000, uid: "507", accession: "GDS507", entrytype: "GDS" }
/** Under another number than it should have. */
const ELSEWHERE: Summary = { ...GSE1000, uid: "42", accession: "GSE935" }
const SUMMARIES = new Map([GSE1000, GSE3353, GSM15787, GPL96, GDS507, ELSEWHERE].map((each) => [each.uid, each]))

const summarised = (...uids: string[]) => {
  const records = uids.map((uid) => SUMMARIES.get(uid) ?? { uid, error: "cannot get document summary" })
  return JSON.stringify({
    header: { type: "esummary", version: "0.3" },
    result: { uids, ...Object.fromEntries(records.map((each) => [each.uid, each])) },
  })
}
const searched = (idlist: string[], more: object = {}) =>
  JSON.stringify({ header: {}, esearchresult: { count: String(idlist.length), idlist, ...more } })
const nothing = searched([], { errorlist: { phrasesnotfound: ["GSE100030[ACCN]"], fieldsnotfound: [] } })

const usual = (request: Seen): Reply | undefined => {
  if (verbOf(request) === "esummary") return summarised(...idsOf(request))
  return verbOf(request) === "esearch" ? nothing : undefined
}

const world = (answer: (request: Seen) => Reply | undefined = () => undefined) =>
  anyWorld((request) => answer(request) ?? usual(request), { connectors: [geo] })

describe("ids", () => {
  test.each([
    ["gse1000", "GSE1000"],
    ["GEO:GSE1000", "GSE1000"],
    ["GSE 1000", "GSE1000"],
    ["E-GEOD-1000", "GSE1000"],
    ["GSE1000_RAW", "GSE1000"],
    ["GSE1000_RAW.tar", "GSE1000"],
    ["gsm11805", "GSM11805"],
    ["gse3353-gpl180", "GSE3353-GPL180"],
    ["https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc=GSE1000", "GSE1000"],
    ["https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc=GSM11805&targ=self&form=text", "GSM11805"],
  ])("%s is read as %s", (typed, id) => {
    expect(normalizeId(geo, typed)).toBe(id)
    expect(id).toMatch(geo.ids.pattern)
  })

  test.each(["PRJNA87053", "SRP000001", "200001000", "GSE", "GSE0", "GSX1", "GPL96-GSE1000"])(
    "%s is no accession of GEO, and nothing is asked for it",
    async (typed) => {
      await using w = await world()
      const { outcomes } = await w.fetch("geo", typed)
      expect(outcomes).toMatchObject([{ kind: "failure", failure: { code: "invalid_id" } }])
      expect(w.server.requests).toEqual([])
    },
  )
})

describe("records", () => {
  test("records of all four types come from one request, each by its accession", async () => {
    await using w = await world()
    const { outcomes, cost } = await w.fetch("geo", "GPL96", "GSE1000", "GDS507", "GSM15787")
    expect(outcomes).toMatchObject([
      { kind: "record", id: "GPL96", record: GPL96 },
      { kind: "record", id: "GSE1000", record: GSE1000, url: `https://${VIEWER}/geo/query/acc.cgi?acc=GSE1000` },
      { kind: "record", id: "GDS507", record: GDS507 },
      { kind: "record", id: "GSM15787", record: GSM15787 },
    ])
    expect(cost.requests).toBe(1)
    expect(idsOf(w.server.requests[0]!)).toEqual(["100000096", "200001000", "507", "300015787"])
  })

  test("a record under another number than it should have is searched for by accession and type", async () => {
    await using w = await world((request) =>
      verbOf(request) === "esearch" ? searched(["300015787", "42"]) : undefined,
    )
    const { outcomes } = await w.fetch("geo", "GSE935")
    expect(outcomes).toMatchObject([{ kind: "record", record: { uid: "42", accession: "GSE935" } }])
    expect(asked(w.server.requests[1]!).get("term")).toBe("GSE935[ACCN] AND gse[ETYP]")
  })

  test("what lies under a number counts by its accession: another one there is never given", async () => {
    await using w = await world((request) =>
      verbOf(request) === "esummary"
        ? JSON.stringify({ result: { uids: ["200000935"], "200000935": { ...GSM15787, uid: "200000935" } } })
        : undefined,
    )
    expect((await w.fetch("geo", "GSE935")).outcomes).toMatchObject([{ kind: "miss", id: "GSE935" }])
  })

  test("the first hit of a search is never given for a record that is not among them", async () => {
    await using w = await world((request) => (verbOf(request) === "esearch" ? searched(["300015787"]) : undefined))
    expect((await w.fetch("geo", "GSE935")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test("a withdrawn or private series is a miss that says that it may be so, beside the others", async () => {
    await using w = await world()
    expect((await w.fetch("geo", "GSE100030", "GSE1000")).outcomes).toMatchObject([
      { kind: "miss", id: "GSE100030", reason: expect.stringContaining("private, not released yet, or withdrawn") },
      { kind: "record" },
    ])
  })

  test("a search that fails is a failure of that record alone, and no miss", async () => {
    await using w = await world((request) => (verbOf(request) === "esearch" ? { status: 503, body: "" } : undefined))
    expect((await w.fetch("geo", "GSE100030", "GSE1000")).outcomes).toMatchObject([
      { kind: "failure", failure: { code: "unavailable" } },
      { kind: "record" },
    ])
  })

  test("a search that did not keep to the accession is no proof that there is none", async () => {
    await using w = await world((request) =>
      verbOf(request) === "esearch" ? searched(["200001000"], { count: "294373" }) : undefined,
    )
    expect((await w.fetch("geo", "GSE935")).outcomes).toMatchObject([{ failure: { code: "bad_response" } }])
  })

  test("a part of a series by platform is the series, and that is said", async () => {
    await using w = await world()
    const { outcomes } = await w.fetch("geo", "GSE3353-GPL201", "GSE3353-GPL96")
    expect(outcomes).toMatchObject([
      { kind: "record", resolvedId: "GSE3353", remarks: [expect.stringContaining("is the part of GSE3353")] },
      { kind: "miss", id: "GSE3353-GPL96" },
    ])
  })

  test("a list of samples that is not all of them is said to be so", async () => {
    await using w = await world()
    expect((await w.fetch("geo", "GPL96")).outcomes).toMatchObject([{ remarks: ["samples names 1 of 1,146,310"] }])
  })

  test("an answer that NCBI cannot make JSON of is too large, not empty", async () => {
    const ERROR = "Input XML size is 93810383 bytes, and cannot be transformed to JSON. the max size is 10MB"
    await using w = await world(() => JSON.stringify({ header: {}, eutilsresult: { ERROR } }))
    expect((await w.fetch("geo", "GSE1000", "GPL96")).outcomes).toMatchObject([
      { failure: { code: "too_large" } },
      { failure: { code: "too_large" } },
    ])
  })
})

describe("search", () => {
  const hits =
    (idlist: string[], more: object = {}) =>
    (request: Seen) =>
      verbOf(request) === "esearch" ? searched(idlist, more) : undefined

  test("plain words find series, which is said; a hit has its accession, organism, samples, type and date", async () => {
    await using w = await world(hits(["200001000"], { count: "2343" }))
    const { result } = await w.search("geo", "osteosarcoma OR bone", { limit: 1 })
    expect(asked(w.server.requests[0]!).get("term")).toBe("(osteosarcoma OR bone) AND gse[ETYP]")
    expect(result).toMatchObject({
      total: 2343,
      next: "1",
      notes: [expect.stringContaining("series only")],
      hits: [
        {
          id: "GSE1000",
          title: "Osteosarcoma TE85 cell tissue culture study",
          summary: expect.stringMatching(
            /^Homo sapiens · 1 sample · Expression profiling by array · 2004\/01\/28 · Amino acid .* hours Keywords/,
          ),
        },
      ],
    })
  })

  test.each(["breast cancer RNA-seq AND gse[Entry Type]", "GPL96[ACCN] AND gpl[ETYP]"])(
    "a query with an entry type of its own reaches NCBI as it is: %s",
    async (query) => {
      await using w = await world(hits(["200001000"]))
      const { result } = await w.search("geo", query)
      expect(asked(w.server.requests[0]!).get("term")).toBe(query)
      expect(result).toMatchObject({ notes: [] })
    },
  )

  test("an organism limits all of it", async () => {
    await using w = await world(hits(["200001000"]))
    await w.search("geo", "aging OR ageing", { organism: "Mus musculus" })
    expect(asked(w.server.requests[0]!).get("term")).toBe('((aging OR ageing) AND gse[ETYP]) AND "mus musculus"[orgn]')
  })

  test("a query that would lead out of the series is refused before any request", async () => {
    await using w = await world(hits(["200001000"]))
    expect((await w.search("geo", "aging) OR (ageing")).result).toMatchObject({ failure: { code: "invalid_query" } })
    expect(w.server.requests).toEqual([])
  })

  test("a field that GEO does not have is said to have been searched otherwise", async () => {
    await using w = await world(hits(["200001000"], { querytranslation: "aging[All Fields] AND gse[Entry Type]" }))
    const { result } = await w.search("geo", "aging[BOGUS] AND gse[ETYP]")
    expect(result).toMatchObject({ notes: ["searched as aging[All Fields] AND gse[Entry Type]"] })
  })

  test("hits without a summary are said to be left out, and the next page skips none", async () => {
    await using w = await world(hits(["200001000", "999999999"], { count: "9" }))
    const { result } = await w.search("geo", "x[ETYP]", { limit: 2 })
    expect(result).toMatchObject({ next: "2", notes: ["1 of this page's hits have no summary, so left out"] })
    expect(result).toHaveProperty("hits.length", 1)
  })

  test("when the summaries fail the search fails: numbers without accessions are of no use", async () => {
    await using w = await world((request) =>
      verbOf(request) === "esearch" ? searched(["200001000"]) : { status: 503, body: "" },
    )
    expect((await w.search("geo", "x")).result).toMatchObject({ kind: "failure", failure: { code: "unavailable" } })
  })
})

describe("files", () => {
  const GZ: Reply = { headers: { "content-type": "application/x-gzip" }, body: gzipSync("^DATABASE = Geo\n") }
  const INDEX: Reply = {
    headers: PAGE,
    body: '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">\n<html>\n<head>\n<title>Index of /geo/series</title></head></html>',
  }
  const stored: (answer: Reply) => (request: Seen) => Reply | undefined = (answer) => (request) =>
    request.host === FTP ? answer : undefined

  test.each([
    ["family", "GSE263566", "series/GSE263nnn/GSE263566/soft/GSE263566_family.soft.gz"],
    ["family", "GSE935", "series/GSEnnn/GSE935/soft/GSE935_family.soft.gz"],
    ["family", "GPL97", "platforms/GPLnnn/GPL97/soft/GPL97_family.soft.gz"],
    ["family", "GDS5435", "datasets/GDS5nnn/GDS5435/soft/GDS5435.soft.gz"],
    ["family", "GDS507", "datasets/GDSnnn/GDS507/soft/GDS507.soft.gz"],
    ["miniml", "GSE1000", "series/GSE1nnn/GSE1000/miniml/GSE1000_family.xml.tgz"],
    ["annot", "GPL97", "platforms/GPLnnn/GPL97/annot/GPL97.annot.gz"],
    ["matrix", "GSE1000", "series/GSE1nnn/GSE1000/matrix/GSE1000_series_matrix.txt.gz"],
    ["matrix", "GSE3353-GPL201", "series/GSE3nnn/GSE3353/matrix/GSE3353-GPL201_series_matrix.txt.gz"],
    ["raw", "GSE1000", "series/GSE1nnn/GSE1000/suppl/GSE1000_RAW.tar"],
  ])("%s of %s lies in %s", async (format, id, path) => {
    await using w = await world(stored(GZ))
    const { outcomes } = await w.file("geo", format, id)
    expect(outcomes).toMatchObject([{ kind: "file", url: `https://${FTP}/geo/${path}` }])
  })

  test("a file that the server does not have is a miss, page or not; an outage is none", async () => {
    await using w = await world(stored({ status: 404, headers: PAGE, body: "<html><h1>Not Found</h1></html>" }))
    expect((await w.file("geo", "filelist", "GSE1000")).outcomes).toMatchObject([
      { kind: "miss", reason: "GEO keeps no such file of it" },
    ])
    await using down = await world(stored({ status: 503, headers: PAGE, body: "<html><h1>Down</h1></html>" }))
    expect((await down.file("geo", "filelist", "GSE1000")).outcomes).toMatchObject([
      { failure: { code: "unavailable" } },
    ])
  })

  test("a series on several platforms has several matrices: which one is asked for, none is given for all", async () => {
    await using w = await world(stored(GZ))
    expect((await w.file("geo", "matrix", "GSE3353")).outcomes).toMatchObject([
      { failure: { code: "invalid_id", message: expect.stringContaining("GSE3353-GPL180 or GSE3353-GPL201") } },
    ])
  })

  test.each([
    ["annot", "GSE1000"],
    ["matrix", "GSM15787"],
    ["soft", "GDS507"],
    ["family", "GSM15787"],
  ])("%s of %s is said not to exist for its type, without a request", async (format, id) => {
    await using w = await world()
    expect((await w.file("geo", format, id)).outcomes).toMatchObject([{ failure: { code: "unsupported_format" } }])
    expect(w.server.requests).toEqual([])
  })

  test("the index of the uploaded files is a page, and is what was asked for", async () => {
    await using w = await world(stored(INDEX))
    expect((await w.file("geo", "suppl", "GSM15787")).outcomes).toMatchObject([
      { kind: "file", url: `https://${FTP}/geo/samples/GSM15nnn/GSM15787/suppl/` },
    ])
  })

  test("a folder's index in place of an archive is no file", async () => {
    await using w = await world(stored(INDEX))
    expect((await w.file("geo", "family", "GSE1000")).outcomes).toMatchObject([{ failure: { code: "bad_response" } }])
    expect(await readdir(w.directory)).toEqual([])
  })

  test("soft is the record's own text from the viewer, with its records counted", async () => {
    const body = "^SAMPLE = GSM11805\n!Sample_title = N035 Normal Human Kidney U133A\n!sample_table_end\n"
    await using w = await world(({ host }) =>
      host === VIEWER ? { headers: { "content-type": "geo/text" }, body } : undefined,
    )
    expect((await w.file("geo", "soft", "GSM11805")).outcomes).toMatchObject([
      { kind: "file", saved: { entries: { count: 1, word: "record" } } },
    ])
    expect(Object.fromEntries(asked(w.server.requests[0]!))).toEqual({
      acc: "GSM11805",
      targ: "self",
      form: "text",
      view: "full",
    })
  })

  const viewed = (text: string): ((request: Seen) => Reply | undefined) => {
    const body = `<!DOCTYPE html>\n<html><head><title>GEO Accession viewer</title></head><body>${text}</body></html>`
    return ({ host }) => (host === VIEWER ? { headers: PAGE, body } : undefined)
  }

  test.each([
    ['Could not find a public or private accession "GSM99999999"', "GEO has no public record of it"],
    ["Accession was deleted by the GEO staff on Mar 02, 2018.", "deleted by GEO's staff on Mar 02, 2018"],
    [
      'Accession "GSE1" is currently private and is scheduled to be released',
      "it is private until its submitters release it",
    ],
  ])("the viewer's page under status 200 is a miss when it says %s", async (text, reason) => {
    await using w = await world(viewed(text))
    expect((await w.file("geo", "soft", "GSM11805")).outcomes).toMatchObject([{ kind: "miss", reason }])
  })

  test("a challenge in place of the text is a failure that names what else would serve, with nothing on disk", async () => {
    await using w = await world(viewed("<script src='https://www.google.com/recaptcha/api.js'></script>"))
    expect((await w.file("geo", "soft", "GSE1000")).outcomes).toMatchObject([
      { failure: { code: "bad_response", message: expect.stringContaining("family and matrix"), retryable: false } },
    ])
    expect(w.server.requests).toHaveLength(1)
    expect(await readdir(w.directory)).toEqual([])
  })

  test("the summaries of several records are one file", async () => {
    await using w = await world()
    expect((await w.file("geo", "json", "GSE1000", "GSE100030", "GPL96")).outcomes).toMatchObject([
      { kind: "file", ids: ["GSE1000", "GPL96"] },
      { kind: "miss", id: "GSE100030" },
    ])
    expect(idsOf(w.server.requests.at(-1)!)).toEqual(["200001000", "100000096"])
  })
})
