import { describe, expect, test } from "bun:test"
import dbsnp from "../../../src/science/connectors/variants/dbsnp.ts"
import { paces } from "../../../src/science/http/pace.ts"
import { normalizeId } from "../../../src/science/ids.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world as anyWorld } from "../../support/world.ts"

const XML = { "content-type": "text/xml; charset=UTF-8" }
const VARIATION = "api.ncbi.nlm.nih.gov"

const asked = ({ path, body }: Seen) => new URLSearchParams(body || path.split("?")[1])
const verbOf = ({ host, path }: Seen) => (host === VARIATION ? host : (/\/(\w+)\.fcgi/.exec(path)?.[1] ?? ""))
const idsOf = (request: Seen) => (asked(request).get("id") ?? "").split(",")

const RS334 = {
  uid: "334",
  snp_id: 334,
  global_mafs: [
    { study: "1000Genomes", freq: "A=0.027356/137" },
    { study: "PRJEB36033", freq: "A=0./0" },
    { study: "ALFA", freq: "A=0.000785/35" },
  ],
  clinical_significance: "protective,pathogenic",
  genes: [{ name: "HBB", gene_id: "3043" }],
  acc: "NC_000011.10",
  chr: "11",
  spdi: "NC_000011.10:5227001:T:A,NC_000011.10:5227001:T:C,NC_000011.10:5227001:T:G",
  fxn_class: "coding_sequence_variant,missense_variant",
  docsum: "HGVS=NC_000011.10:g.5227002T>A,NP_000509.1:p.Glu7Val|SEQ=[T/A/C/G]|LEN=1|GENE=HBB:3043",
  tax_id: 9606,
  upd_build: 157,
  snp_class: "snv",
  chrpos: "11:5227002",
  chrpos_prev_assm: "11:5248232",
}
const RS268 = { ...RS334, uid: "268", snp_id: 268, genes: [{ name: "LPL", gene_id: "4023" }] }
const SUMMARIES = new Map<string, { uid: string }>(
  [RS334, RS268, { ...RS268, uid: "386571803" }, { ...RS334, uid: "7", snp_id: 7, chrpos: "", genes: [] }].map(
    (each) => [each.uid, each],
  ),
)
const summarised = (...uids: string[]) => {
  const records = uids.map((uid) => SUMMARIES.get(uid) ?? { uid, error: "cannot get document summary" })
  return JSON.stringify({
    header: { type: "esummary", version: "0.3" },
    result: { uids, ...Object.fromEntries(records.map((each) => [each.uid, each])) },
  })
}
const searched = (idlist: string[], more: object = {}) =>
  JSON.stringify({ header: {}, esearchresult: { count: String(idlist.length), idlist, ...more } })

const NO_REFSNP: Reply = { status: 404, body: '{"error":{"code":404,"message":"RefSNP not found","errors":[]}}' }
/** The RefSNPs by number: which snapshot each has. */
const REFSNPS: Record<string, object> = {
  "334": { primary_snapshot_data: { variant_type: "snv" } },
  "77121243": { merged_snapshot_data: { merged_into: ["3168321"] } },
  "3168321": { merged_snapshot_data: { merged_into: ["334"] } },
  "386": { withdrawn_snapshot_data: { withdrawn_time: "2015-06-16T14:54Z" } },
  "10921627": { unsupported_snapshot_data: {}, present_obs_movements: [] },
  "11": { nosnppos_snapshot_data: {} },
  "12": { merged_snapshot_data: { merged_into: ["13"] } },
  "13": { merged_snapshot_data: { merged_into: ["12"] } },
  "14": { merged_snapshot_data: { merged_into: ["334", "268"] } },
  "15": { primary_snapshot_data: {} },
  "16": {},
}
const refsnp = ({ path }: Seen): Reply | undefined => {
  const number = /^\/variation\/v0\/refsnp\/(\d+)$/.exec(path)?.[1]
  if (number === undefined) return undefined
  return number in REFSNPS ? JSON.stringify({ refsnp_id: number, citations: [], ...REFSNPS[number] }) : NO_REFSNP
}

const world = (answer: (request: Seen) => Reply | undefined = () => undefined) =>
  anyWorld(
    (request) =>
      answer(request) ??
      (verbOf(request) === "esummary"
        ? summarised(...idsOf(request))
        : verbOf(request) === VARIATION
          ? refsnp(request)
          : undefined),
    { connectors: [dbsnp] },
  )

const COUNTING = "chrpos counts from 1, spdi from 0; a frequency is of the allele it names"

describe("ids", () => {
  test.each(["rs334", "RS334", "334", "rs 334", "dbSNP:rs334", "dbsnp:334", "https://www.ncbi.nlm.nih.gov/snp/rs334"])(
    "%s is read as rs334",
    (typed) => {
      expect(normalizeId(dbsnp, typed)).toBe("rs334")
    },
  )

  test.each(["ss335", "NC_000011.10:g.5227002T>A", "11:5227002", "rs0", "rs", "rs334x"])(
    "%s is no rs number, and nothing is asked for it",
    async (typed) => {
      await using w = await world()
      expect((await w.fetch("dbsnp", typed)).outcomes).toMatchObject([
        { kind: "failure", failure: { code: "invalid_id" } },
      ])
      expect(w.server.requests).toEqual([])
    },
  )

  test("one odd spelling in a lot is reported alone, the others come", async () => {
    await using w = await world()
    const { outcomes } = await w.fetch("dbsnp", "rs334", "ss335", "268")
    expect(outcomes).toMatchObject([
      { kind: "record", id: "rs334" },
      { kind: "failure", failure: { code: "invalid_id" } },
      { kind: "record", id: "rs268" },
    ])
  })
})

describe("records", () => {
  test("a variant comes as its own summary, from one request, its number without the letters", async () => {
    await using w = await world()
    const { outcomes, cost } = await w.fetch("dbsnp", "RS334")
    expect(outcomes).toMatchObject([
      {
        kind: "record",
        id: "rs334",
        url: "https://www.ncbi.nlm.nih.gov/snp/rs334",
        remarks: [COUNTING],
        record: { uid: "334", upd_build: 157, global_mafs: RS334.global_mafs },
      },
    ])
    expect(cost.requests).toBe(1)
    expect(Object.fromEntries(asked(w.server.requests[0]!))).toMatchObject({ db: "snp", retmode: "json", id: "334" })
  })

  test("a merged number that NCBI answers gives the present variant, with both numbers", async () => {
    await using w = await world()
    const { outcomes } = await w.fetch("dbsnp", "rs386571803", "rs268")
    expect(outcomes).toMatchObject([
      { kind: "record", resolvedId: "rs268", remarks: ["rs386571803 was merged into rs268", COUNTING] },
      { kind: "record", id: "rs268", remarks: [COUNTING] },
    ])
    expect(w.server.requests).toHaveLength(1)
  })

  test("a merged number without a summary is followed through two mergers, and both are in the record", async () => {
    await using w = await world()
    const { outcomes } = await w.fetch("dbsnp", "rs77121243")
    expect(outcomes).toMatchObject([
      {
        kind: "record",
        id: "rs77121243",
        resolvedId: "rs334",
        remarks: ["rs77121243 was merged into rs334", COUNTING],
        record: { snp_id: 334 },
      },
    ])
  })

  test.each([
    ["rs386", "withdrawn on 2015-06-16"],
    ["rs10921627", "withdrawn: no observation supports it any more"],
    ["rs11", "it has no place on any sequence"],
    ["rs12", "its mergers lead in a circle"],
    ["rs14", "merged into rs334 and rs268: fetch those"],
    ["rs15", "dbSNP has no summary of rs15: the format refsnp gives the whole of it"],
    ["rs999999999", undefined],
  ])("%s is a miss: %s", async (id, reason) => {
    await using w = await world()
    const { outcomes } = await w.fetch("dbsnp", id)
    expect(outcomes).toEqual([{ kind: "miss", db: "dbsnp", id, ...(reason === undefined ? {} : { reason }) }])
  })

  test("a number without observations does not stop the list that it stands in", async () => {
    await using w = await world()
    const { outcomes } = await w.fetch("dbsnp", "rs268", "rs10921627", "rs334")
    expect(outcomes).toMatchObject([{ kind: "record" }, { kind: "miss" }, { kind: "record" }])
  })

  test("when what became of a number cannot be learnt, that one fails, and is no miss", async () => {
    await using w = await world((request) => (request.host === VARIATION ? { status: 500, body: "" } : undefined))
    const { outcomes } = await w.fetch("dbsnp", "rs386", "rs334")
    expect(outcomes).toMatchObject([
      { kind: "failure", id: "rs386", failure: { code: "unavailable" } },
      { kind: "record", id: "rs334" },
    ])
  })

  test("a RefSNP without any of the known snapshots is a changed answer", async () => {
    await using w = await world()
    expect((await w.fetch("dbsnp", "rs16")).outcomes).toMatchObject([{ failure: { code: "bad_response" } }])
  })

  test("many dead numbers are not all looked up at one a second", async () => {
    await using w = await world()
    const { outcomes } = await w.fetch(
      "dbsnp",
      ...Array.from({ length: 30 }, (_, i) => `rs9${String(i).padStart(6, "0")}`),
    )
    expect(outcomes.every(({ kind }) => kind === "miss")).toBe(true)
    expect(w.server.requests.filter(({ host }) => host === VARIATION)).toHaveLength(20)
    expect(outcomes[29]).toMatchObject({ reason: "ask for it alone to learn why" })
  })

  test("another variant than the asked one is never given", async () => {
    await using w = await world((request) =>
      verbOf(request) === "esummary" ? JSON.stringify({ result: { uids: ["334"], "334": RS268 } }) : undefined,
    )
    expect((await w.fetch("dbsnp", "rs334")).outcomes).toMatchObject([
      { kind: "miss", reason: expect.stringContaining("rs268") },
    ])
  })

  test("a variant without a place on GRCh38 is said to be without one", async () => {
    await using w = await world()
    expect((await w.fetch("dbsnp", "rs7")).outcomes).toMatchObject([
      { kind: "record", remarks: ["it has no place on GRCh38"] },
    ])
  })

  test("Variation Services are asked once a second, one at a time", () => {
    expect(paces([dbsnp], {}).get(VARIATION)).toMatchObject({ perSecond: 1, concurrent: 1 })
    expect(paces([dbsnp], { NCBI_API_KEY: "k" }).get(VARIATION)).toMatchObject({ perSecond: 1 })
  })
})

describe("search", () => {
  const hits =
    (idlist: string[], more: object = {}) =>
    (request: Seen) =>
      verbOf(request) === "esearch" ? searched(idlist, more) : undefined

  test("a hit names gene and alleles, place, consequence, significance and one frequency with its allele", async () => {
    await using w = await world(hits(["334"], { count: "25031" }))
    const { result } = await w.search("dbsnp", "HBB[Gene Name] AND pathogenic[Clinical_Significance]", { limit: 1 })
    expect(asked(w.server.requests[0]!).get("term")).toBe("HBB[Gene Name] AND pathogenic[Clinical_Significance]")
    expect(result).toMatchObject({
      total: 25031,
      next: "1",
      notes: [],
      hits: [
        {
          id: "rs334",
          title: "HBB T>A,C,G",
          summary:
            "11:5227002 (GRCh38) · coding_sequence_variant, missense_variant · protective, pathogenic · ALFA A=0.000785/35",
        },
      ],
    })
  })

  test("merged numbers and their present one are one hit, and the next page skips none", async () => {
    await using w = await world(hits(["386571803", "268", "334"], { count: "9" }))
    const { result } = await w.search("dbsnp", "rs268", { limit: 3 })
    expect(result).toMatchObject({ next: "3", total: 9, notes: [expect.stringContaining("merged rs numbers too")] })
    expect(result).toHaveProperty("hits.length", 2)
    expect(result).toHaveProperty("hits.0.id", "rs268")
    expect(result).not.toHaveProperty("hits.0.marks")
  })

  test("a merged number that is found alone is marked", async () => {
    await using w = await world(hits(["386571803"]))
    const { result } = await w.search("dbsnp", "rs386571803")
    expect(result).toMatchObject({
      hits: [{ id: "rs268", marks: ["merged"], summary: expect.stringContaining("rs386571803 was merged into it") }],
    })
  })

  const SPDI = "NC_000011.10:5227001:T:A"

  test("an allele in SPDI is answered by its rs numbers, not by words that look like it", async () => {
    await using w = await world(({ path }) =>
      decodeURIComponent(path) === `/variation/v0/spdi/${SPDI}/rsids` ? '{"data":{"rsids":[334]}}' : undefined,
    )
    const { result } = await w.search("dbsnp", SPDI)
    expect(result).toMatchObject({
      total: 1,
      hits: [{ id: "rs334" }],
      notes: [expect.stringContaining("SPDI counts from 0")],
    })
    expect(w.server.requests[0]?.path).toContain("NC_000011.10%3A5227001%3AT%3AA")
  })

  test("an allele in HGVS is turned into SPDI by NCBI, which knows how each counts", async () => {
    const spdi = { seq_id: "NC_000011.10", position: 5227001, deleted_sequence: "T", inserted_sequence: "A" }
    await using w = await world(({ path }) => {
      const decoded = decodeURIComponent(path)
      if (decoded.endsWith("/hgvs/NC_000011.10:g.5227002T>A/contextuals"))
        return JSON.stringify({ data: { spdis: [spdi] } })
      return decoded.endsWith(`/spdi/${SPDI}/rsids`) ? '{"data":{"rsids":[334]}}' : undefined
    })
    const { result } = await w.search("dbsnp", "NC_000011.10:g.5227002T>A")
    expect(result).toMatchObject({ hits: [{ id: "rs334" }] })
  })

  test("an allele without an rs number is an empty page; an outage is none", async () => {
    await using w = await world((request) => (request.host === VARIATION ? NO_REFSNP : undefined))
    expect((await w.search("dbsnp", SPDI)).result).toMatchObject({ kind: "hits", hits: [], total: 0 })
    await using down = await world(() => ({ status: 503, body: "" }))
    expect((await down.search("dbsnp", SPDI)).result).toMatchObject({ failure: { code: "unavailable" } })
  })

  test("a cursor has no meaning for an allele, so it is refused before any request", async () => {
    await using w = await world()
    expect((await w.search("dbsnp", SPDI, { cursor: "10" })).result).toMatchObject({
      failure: { code: "invalid_query" },
    })
    expect(w.server.requests).toEqual([])
  })
})

describe("files", () => {
  test.each([
    ["refsnp", "rs334", "/variation/v0/refsnp/334"],
    ["refsnp", "rs77121243", "/variation/v0/refsnp/334"],
    ["frequency", "rs77121243", "/variation/v0/refsnp/334/frequency"],
  ])("%s of %s is the present RefSNP's", async (format, id, path) => {
    await using w = await world((request) => (request.path.endsWith("/frequency") ? '{"results":{}}' : undefined))
    const { outcomes } = await w.file("dbsnp", format, id)
    expect(outcomes).toMatchObject([{ kind: "file", url: `https://${VARIATION}${path}` }])
  })

  test.each([
    ["rs386", "withdrawn on 2015-06-16"],
    ["rs999999999", undefined],
  ])("a tombstone is no file: %s", async (id, reason) => {
    await using w = await world()
    expect((await w.file("dbsnp", "refsnp", id)).outcomes).toEqual([
      { kind: "miss", db: "dbsnp", id, ...(reason === undefined ? {} : { reason }) },
    ])
  })

  test("xml is one file of several variants by their present numbers; dead ones are named", async () => {
    const body = '<ExchangeSet><DocumentSummary uid="268"></DocumentSummary></ExchangeSet>'
    await using w = await world((request) => (verbOf(request) === "efetch" ? { headers: XML, body } : undefined))
    const { outcomes } = await w.file("dbsnp", "xml", "rs386571803", "rs386", "rs268", "rs334")
    expect(outcomes).toMatchObject([
      { kind: "file", ids: ["rs386571803", "rs268", "rs334"] },
      { kind: "miss", id: "rs386", reason: "withdrawn on 2015-06-16" },
    ])
    expect(idsOf(w.server.requests.at(-1)!)).toEqual(["268", "334"])
  })
})
