import { readdir } from "node:fs/promises"
import { describe, expect, test } from "bun:test"
import uniprot from "../../../src/science/connectors/proteins/uniprot.ts"
import { printJson } from "../../../src/science/json.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const CURSOR = "1bq1yslaqtbf8zsosc0nw4cegwj849rqlpnky4i03v5ygve7nh"

const P53 = {
  entryType: "UniProtKB reviewed (Swiss-Prot)",
  primaryAccession: "P04637",
  secondaryAccessions: ["Q15086", "Q9UQ61"],
  uniProtkbId: "P53_HUMAN",
  entryAudit: { entryVersion: 314, sequenceVersion: 4 },
  organism: { scientificName: "Homo sapiens", taxonId: 9606 },
  proteinDescription: { recommendedName: { fullName: { value: "Cellular tumor antigen p53" } } },
  genes: [{ geneName: { value: "TP53" } }],
  comments: [
    { commentType: "FUNCTION", texts: [{ value: "Multifunctional transcription factor." }] },
    {
      commentType: "ALTERNATIVE PRODUCTS",
      isoforms: [
        { isoformIds: ["P04637-1"], isoformSequenceStatus: "Displayed" },
        { isoformIds: ["P04637-2"], isoformSequenceStatus: "Described" },
      ],
    },
  ],
  sequence: { length: 393 },
}
const P53_BETA = { ...P53, primaryAccession: "P04637-2", secondaryAccessions: undefined, comments: undefined }
const BRCA1 = {
  entryType: "UniProtKB reviewed (Swiss-Prot)",
  primaryAccession: "P38398",
  uniProtkbId: "BRCA1_HUMAN",
  entryAudit: { entryVersion: 280, sequenceVersion: 2 },
}
const TREMBL = {
  entryType: "UniProtKB unreviewed (TrEMBL)",
  primaryAccession: "A0A1W2Q698",
  uniProtkbId: "A0A1W2Q698_RAT",
  proteinDescription: {
    submissionNames: [{ fullName: { value: "Far upstream element binding protein 3" } }],
    flag: "Fragment",
  },
  genes: [{ orfNames: [{ value: "BN796_01519" }] }],
  organism: { scientificName: "Rattus norvegicus" },
  sequence: { length: 77 },
}
const DELETED = {
  entryType: "Inactive",
  primaryAccession: "I8FBX0",
  uniProtkbId: "I8FBX0_MYCAB",
  annotationScore: 0,
  inactiveReason: { inactiveReasonType: "DELETED", deletedReason: "Not part of a reference proteome" },
  extraAttributes: { uniParcId: "UPI0001661588" },
}
const DEMERGED = {
  entryType: "Inactive",
  primaryAccession: "Q00007",
  uniProtkbId: "2ABA_HUMAN",
  inactiveReason: { inactiveReasonType: "DEMERGED", mergeDemergeTo: ["P63151", "P63150"] },
}
const MERGED = {
  entryType: "Inactive",
  primaryAccession: "Q15086",
  inactiveReason: { inactiveReasonType: "MERGED", mergeDemergeTo: ["P04637"] },
}
const HEIRS = ["P63151", "P63150"].map((primaryAccession) => ({
  ...BRCA1,
  primaryAccession,
  uniProtkbId: `${primaryAccession}_HUMAN`,
  secondaryAccessions: ["Q00007"],
}))

const json = (value: unknown, headers: Record<string, string> = {}): Reply => ({ body: JSON.stringify(value), headers })
const notFound: Reply = {
  status: 404,
  body: '{"url":"http://rest.uniprot.org/uniprotkb/Q00000","messages":["Resource not found"]}',
}

/** UniProt's way with single entries: itself, or a relative 303 that keeps the ending, or its JSON 404. */
function entries(request: Seen): Reply {
  const { pathname } = new URL(request.path, "https://rest.uniprot.org")
  const [, id = "", ending = ""] = /^\/uniprotkb\/([A-Z0-9_-]+)(\.\w+)?$/.exec(pathname) ?? []
  const found = [P53, P53_BETA, BRCA1, DELETED, DEMERGED].find(({ primaryAccession }) => primaryAccession === id)
  if (found) return ending === ".fasta" ? { body: `>sp|${id}|NAME\nMEEPQ\n` } : json(found)
  const leads: Record<string, string> = { Q15086: "P04637", P53_HUMAN: "P04637", OLD_HUMAN: "P38398" }
  if (!leads[id]) return notFound
  const location = `/uniprotkb/${leads[id]}${ending === ".json" ? "" : ending}?from=${id}`
  return { status: 303, headers: { location }, body: JSON.stringify(MERGED) }
}

const isSearch = ({ path }: Seen) => path.startsWith("/uniprotkb/search?")
const parameters = ({ path }: Seen) => new URL(path, "https://rest.uniprot.org").searchParams
const open = (answer: (request: Seen) => Reply | undefined) => world(answer, { connectors: [uniprot] })

describe("search", () => {
  test("the total and the next cursor are read from the headers, and the cursor leads on until no page is left", async () => {
    const link = `<https://rest.uniprot.org/uniprotkb/search?format=json&query=FUBP3&cursor=${CURSOR}&size=1>; rel="next"`
    await using w = await open((request) =>
      parameters(request).has("cursor")
        ? json({ results: [BRCA1] }, { "X-Total-Results": "999" })
        : json({ results: [P53] }, { "X-Total-Results": "999", Link: link }),
    )
    const first = (await w.search("uniprot", "FUBP3", { limit: 1 })).result
    expect(first).toMatchObject({ kind: "hits", total: 999, next: CURSOR, hits: [{ id: "P04637" }] })
    const last = (await w.search("uniprot", "FUBP3", { limit: 1, cursor: CURSOR })).result
    expect(last).toMatchObject({ kind: "hits", total: 999, hits: [{ id: "P38398" }] })
    expect(last).not.toHaveProperty("next")
    const [, second] = w.server.requests.map(parameters)
    expect(second?.get("cursor")).toBe(CURSOR)
    expect(second?.get("size")).toBe("1")
    expect(second?.get("format")).toBe("json")
  })

  test("a cursor that is not UniProt's is refused without a request", async () => {
    await using w = await open(() => json({ results: [] }))
    const { result } = await w.search("uniprot", "p53", { cursor: "2" })
    expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(0)
  })

  test("a hit says gene, organism, length and section; a submitted name is its title; a fragment is marked", async () => {
    await using w = await open(() => json({ results: [P53, TREMBL] }))
    const { result } = await w.search("uniprot", "x")
    expect(result).toMatchObject({
      hits: [
        {
          id: "P04637",
          title: "Cellular tumor antigen p53",
          summary: "TP53 · Homo sapiens · 393 aa · reviewed · Multifunctional transcription factor.",
        },
        {
          id: "A0A1W2Q698",
          title: "Far upstream element binding protein 3",
          summary: "BN796_01519 · Rattus norvegicus · 77 aa · unreviewed",
          marks: ["fragment"],
        },
      ],
    })
  })

  test("a retired entry among the hits is marked and says where it went", async () => {
    await using w = await open(() => json({ results: [DEMERGED, DELETED] }))
    const { result } = await w.search("uniprot", "Q00007")
    expect(result).toMatchObject({
      hits: [
        {
          id: "Q00007",
          title: "2ABA_HUMAN",
          summary: "demerged into P63151 and P63150: fetch those",
          marks: ["demerged"],
        },
        { id: "I8FBX0", marks: ["deleted"] },
      ],
    })
  })

  test("no hits is an empty page with the total 0", async () => {
    await using w = await open(() => json({ results: [] }, { "X-Total-Results": "0" }))
    expect((await w.search("uniprot", "gene_exact:NOTAGENE1")).result).toMatchObject({
      kind: "hits",
      hits: [],
      total: 0,
    })
  })

  const sent: [string, string][] = [
    ["human antigen", "human antigen"],
    ["alpha-synuclein", "alpha-synuclein"],
    ["CROHN'S DISEASE", "CROHN'S DISEASE"],
    ["L(1)2CB", "L\\(1\\)2CB"],
    ["HLA-A*02:01", "HLA-A\\*02\\:01"],
    ["NAD(P)H dehydrogenase [quinone]", "NAD\\(P\\)H dehydrogenase \\[quinone\\]"],
    ['5" end', '5\\" end'],
    ["tumor necrosis factor - alpha", "tumor necrosis factor alpha"],
    ["GO:0005515", "GO\\:0005515"],
    ["gene_exact:CFTR AND reviewed:true", "gene_exact:CFTR AND reviewed:true"],
    ["human OR mouse", "human OR mouse"],
    ["human -antigen", "human -antigen"],
    ['"prion protein"', '"prion protein"'],
    ["anti*", "anti*"],
    ["length:[500 TO 700]", "length:[500 TO 700]"],
    ["L\\(1\\)2CB", "L\\(1\\)2CB"],
    ["+kinase -(human)", "+kinase -(human)"],
  ]
  test.each(sent)("%s is sent as %s: plain words are escaped, UniProt's own syntax is not", async (query, expected) => {
    await using w = await open(() => json({ results: [] }))
    await w.search("uniprot", query)
    expect(w.server.requests.map((request) => parameters(request).get("query"))).toEqual([expected])
  })

  const filters: [string, string][] = [
    ["9606", "(BRAF OR RAF1) AND organism_id:9606"],
    ["NCBITaxon:9606", "(BRAF OR RAF1) AND organism_id:9606"],
    ["Ovis aries", '(BRAF OR RAF1) AND organism_name:"Ovis aries"'],
  ]
  test.each(filters)("an OR does not escape the filter for organism %s", async (organism, expected) => {
    await using w = await open(() => json({ results: [] }))
    await w.search("uniprot", "BRAF OR RAF1", { organism })
    expect(w.server.requests.map((request) => parameters(request).get("query"))).toEqual([expected])
  })

  test("an organism's name is matched by its words, and the page says so; for a taxon id it says nothing", async () => {
    await using w = await open(() => json({ results: [] }))
    const named = (await w.search("uniprot", "p53", { organism: "human" })).result
    expect(named).toMatchObject({ notes: [expect.stringContaining("a taxon id is exact")] })
    expect((await w.search("uniprot", "p53", { organism: "9606" })).result).toMatchObject({ notes: [] })
  })

  test("a query whose parentheses would let it out of the filter is refused without a request", async () => {
    await using w = await open(() => json({ results: [] }))
    const { result } = await w.search("uniprot", "gene:a) OR (gene:b", { organism: "9606" })
    expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(0)
  })

  test("a query that UniProt refuses is invalid, in UniProt's own words", async () => {
    const body =
      '{"url":"http://rest.uniprot.org/uniprotkb/search","messages":["\'nosuchfield\' is not a valid search field"]}'
    await using w = await open(() => ({ status: 400, body }))
    const { result } = await w.search("uniprot", "nosuchfield:abc")
    expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query", retryable: false } })
    expect(result).toHaveProperty("failure.message", expect.stringContaining("is not a valid search field"))
  })
})

const outages: [string, Reply, string][] = [
  ["a 503 while UniProt updates", { status: 503, body: "" }, "unavailable"],
  ["a 429", { status: 429, headers: { "retry-after": "0" }, body: "" }, "rate_limited"],
  [
    "a page under 200",
    { headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><p>Maintenance" },
    "bad_response",
  ],
  ["a page under 404", { status: 404, headers: { "content-type": "text/html" }, body: "<html>gone" }, "bad_response"],
]

describe("an outage is a failure, never a miss or an empty page:", () => {
  test.each(outages)("%s", async (_, reply, code) => {
    await using w = await open(() => reply)
    expect((await w.search("uniprot", "p53")).result).toMatchObject({ kind: "failure", failure: { code } })
    expect((await w.fetch("uniprot", "P04637")).outcomes).toMatchObject([{ kind: "failure", failure: { code } }])
    expect((await w.fetch("uniprot", "P04637", "P38398")).outcomes).toMatchObject([
      { kind: "failure", failure: { code } },
      { kind: "failure", failure: { code } },
    ])
    for (const format of ["fasta", "rdf"])
      expect((await w.file("uniprot", format, "P04637")).outcomes).toMatchObject([
        { kind: "failure", failure: { code } },
      ])
  })

  test("a body that is cut off", async () => {
    await using w = await open(() => '{"results":[{"entryType":"UniProtKB rev')
    expect((await w.search("uniprot", "p53")).result).toMatchObject({ failure: { code: "bad_response" } })
    expect((await w.fetch("uniprot", "P04637")).outcomes).toMatchObject([{ failure: { code: "bad_response" } }])
    expect((await w.file("uniprot", "json", "P04637")).outcomes).toMatchObject([{ failure: { code: "bad_response" } }])
  })
})

describe("one record", () => {
  test("is UniProt's own JSON, unchanged", async () => {
    await using w = await open(entries)
    const { outcomes } = await w.fetch("uniprot", "P04637")
    expect(outcomes).toEqual([
      {
        kind: "record",
        db: "uniprot",
        id: "P04637",
        record: JSON.parse(JSON.stringify(P53)),
        url: "https://www.uniprot.org/uniprotkb/P04637/entry",
        remarks: [],
        incomplete: [],
      },
    ])
    expect(w.server.requests.map(({ host, path }) => host + path)).toEqual(["rest.uniprot.org/uniprotkb/P04637.json"])
  })

  const spellings = [
    "p04637",
    "uniprot:P04637",
    "UniProtKB:P04637",
    "UniProtKB/Swiss-Prot:P04637",
    "sp|P04637|P53_HUMAN",
    ">sp|P04637|P53_HUMAN Cellular tumor antigen p53 OS=Homo sapiens",
    "https://www.uniprot.org/uniprotkb/P04637/entry",
    "https://www.uniprot.org/uniprotkb/P04637/history",
    "https://rest.uniprot.org/uniprotkb/P04637.json",
    "http://purl.uniprot.org/uniprot/P04637",
    "https://identifiers.org/uniprot:P04637",
  ]
  test.each(spellings)("is asked for as P04637 when %s is typed", async (typed) => {
    await using w = await open(entries)
    const { outcomes } = await w.fetch("uniprot", typed)
    expect(outcomes).toMatchObject([{ kind: "record", id: "P04637", remarks: [] }])
    expect(w.server.requests.map(({ path }) => path)).toEqual(["/uniprotkb/P04637.json"])
  })

  test.each(["TP53", "INSULIN", "KINASE", "P0463", "UPI000002ED67", "../P04637"])(
    "is not asked for by %s, which is no id",
    async (typed) => {
      await using w = await open(entries)
      expect((await w.fetch("uniprot", typed)).outcomes).toMatchObject([{ failure: { code: "invalid_id" } }])
      expect(w.server.requests).toHaveLength(0)
    },
  )

  test("of a secondary accession is found over a relative 303, and the answer says which accession it has now", async () => {
    await using w = await open(entries)
    const { outcomes } = await w.fetch("uniprot", "Q15086")
    expect(outcomes).toMatchObject([
      { kind: "record", id: "Q15086", resolvedId: "P04637", remarks: ["Q15086 is now P04637"] },
    ])
    expect(w.server.requests.map(({ host, path }) => host + path)).toEqual([
      "rest.uniprot.org/uniprotkb/Q15086.json",
      "rest.uniprot.org/uniprotkb/P04637?from=Q15086",
    ])
  })

  test("of an isoform is the isoform's own; the entry's is not taken for it", async () => {
    await using w = await open(entries)
    expect((await w.fetch("uniprot", "P04637-2")).outcomes).toMatchObject([
      { kind: "record", id: "P04637-2", record: { primaryAccession: "P04637-2" }, remarks: [] },
    ])
    await using other = await open(() => json(P53))
    expect((await other.fetch("uniprot", "P04637-2")).outcomes).toMatchObject([
      { kind: "miss", reason: expect.stringContaining("another record") },
    ])
  })

  test("of the isoform that the entry shows is the entry; without other isoforms that is number 1", async () => {
    await using w = await open(() => json(P53))
    expect((await w.fetch("uniprot", "P04637-1")).outcomes).toMatchObject([
      { kind: "record", resolvedId: "P04637", remarks: ["P04637-1 is the canonical sequence of P04637"] },
    ])
    await using single = await open(() => json(BRCA1))
    expect((await single.fetch("uniprot", "P38398-1")).outcomes).toMatchObject([{ resolvedId: "P38398" }])
    expect((await single.fetch("uniprot", "P38398-2")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test("of the present sequence version is the entry, of another one a miss; the version itself is not sent", async () => {
    await using w = await open(entries)
    expect((await w.fetch("uniprot", "P04637.4")).outcomes).toMatchObject([
      { kind: "record", resolvedId: "P04637", remarks: ["P04637.4 is the present sequence of P04637"] },
    ])
    expect((await w.fetch("uniprot", "P04637.2")).outcomes).toMatchObject([
      { kind: "miss", reason: "P04637 is at sequence version 4 now: fetch P04637" },
    ])
    expect(new Set(w.server.requests.map(({ path }) => path))).toEqual(new Set(["/uniprotkb/P04637.json"]))
  })

  test("of an entry name is found; a name that was given up, split or never used is a miss", async () => {
    const obsolete =
      "Invalid request received. This protein ID 'YK29_YEAST' is now obsolete. Please refer to the accessions"
    await using w = await open((request) =>
      request.path.includes("YK29")
        ? { status: 400, body: JSON.stringify({ messages: [obsolete] }) }
        : entries(request),
    )
    expect((await w.fetch("uniprot", "p53_human")).outcomes).toMatchObject([
      { kind: "record", resolvedId: "P04637", remarks: ["P53_HUMAN is the entry name of P04637"] },
    ])
    expect((await w.fetch("uniprot", "OLD_HUMAN")).outcomes).toMatchObject([
      { kind: "miss", reason: "this name was given up; P38398 (BRCA1_HUMAN) took its place: fetch that" },
    ])
    for (const name of ["YK29_YEAST", "NONE_HUMAN"])
      expect((await w.fetch("uniprot", name)).outcomes).toMatchObject([
        { kind: "miss", reason: "no entry has this name; search for the protein" },
      ])
  })

  test("of an unassigned accession is a miss", async () => {
    await using w = await open(() => notFound)
    expect((await w.fetch("uniprot", "Q00000")).outcomes).toEqual([{ kind: "miss", db: "uniprot", id: "Q00000" }])
  })

  test("of an inactive entry is a miss with its reason, though UniProt answers 200", async () => {
    await using w = await open((request) => (request.path.includes("Q15086") ? json(MERGED) : entries(request)))
    expect((await w.fetch("uniprot", "I8FBX0")).outcomes).toMatchObject([
      {
        kind: "miss",
        reason: "deleted (Not part of a reference proteome); UniParc keeps its sequence as UPI0001661588",
      },
    ])
    expect((await w.fetch("uniprot", "Q00007")).outcomes).toMatchObject([
      { kind: "miss", reason: "demerged into P63151 and P63150: fetch those" },
    ])
    expect((await w.fetch("uniprot", "Q15086")).outcomes).toMatchObject([
      { kind: "miss", reason: "merged into P04637: fetch that" },
    ])
  })

  test("of another entry is not the one that was asked for", async () => {
    await using w = await open(() => json(BRCA1))
    expect((await w.fetch("uniprot", "P04637")).outcomes).toMatchObject([
      { kind: "miss", reason: "it answered with P38398 instead, which is another record" },
    ])
  })

  test("without its accession is a changed answer, which is named", async () => {
    await using w = await open(() => json({ ...P53, primaryAccession: undefined }))
    const { outcomes } = await w.fetch("uniprot", "P04637")
    expect(outcomes).toMatchObject([{ kind: "failure", failure: { code: "bad_response" } }])
    expect(outcomes[0]).toHaveProperty("failure.message", expect.stringContaining("primaryAccession"))
  })
})

describe("several records", () => {
  test("come by one request, a secondary accession among them, and each says which it was asked for", async () => {
    await using w = await open((request) =>
      isSearch(request) ? json({ results: [BRCA1, MERGED, P53] }) : entries(request),
    )
    const { outcomes } = await w.fetch("uniprot", "Q15086", "P38398")
    expect(outcomes).toMatchObject([
      { kind: "record", id: "Q15086", resolvedId: "P04637", remarks: ["Q15086 is now P04637"] },
      { kind: "record", id: "P38398", remarks: [] },
    ])
    expect(w.server.requests).toHaveLength(1)
    expect(w.server.requests.map((request) => parameters(request).get("query"))).toEqual([
      "accession:Q15086 OR sec_acc:Q15086 OR accession:P38398 OR sec_acc:P38398",
    ])
  })

  test("are matched by id, whatever their order and whatever comes beside them", async () => {
    const retired = { ...DELETED, primaryAccession: "P00938", uniProtkbId: "P53_HUMAN" }
    await using w = await open((request) =>
      isSearch(request)
        ? json({ results: [retired, ...HEIRS, P53_BETA, TREMBL, DEMERGED, P53, DELETED] })
        : entries(request),
    )
    const ids = ["P04637", "P53_HUMAN", "P04637-2", "P04637.4", "P04637.3", "I8FBX0", "Q00007", "Q00000"]
    const { outcomes } = await w.fetch("uniprot", ...ids)
    expect(outcomes.map(({ id }) => id)).toEqual(ids)
    expect(outcomes).toMatchObject([
      { kind: "record", record: { primaryAccession: "P04637" } },
      { kind: "record", record: { primaryAccession: "P04637" } },
      { kind: "record", record: { primaryAccession: "P04637-2" } },
      { kind: "record", record: { primaryAccession: "P04637" } },
      { kind: "miss", reason: "P04637 is at sequence version 4 now: fetch P04637" },
      { kind: "miss", reason: expect.stringContaining("deleted") },
      { kind: "miss", reason: "demerged into P63151 and P63150: fetch those" },
      { kind: "miss" },
    ])
    expect(parameters(w.server.requests[0]!).get("query")).toContain(" OR id:P53_HUMAN OR accession_id:P04637-2 OR ")
    // What the search did not answer is asked for alone.
    expect(w.server.requests.slice(1).map(({ path }) => path)).toEqual(["/uniprotkb/Q00000.json"])
  })

  test("an accession that two entries list was split, even when its own entry is not in the answer", async () => {
    await using w = await open((request) => (isSearch(request) ? json({ results: [P53, ...HEIRS] }) : entries(request)))
    expect((await w.fetch("uniprot", "Q00007", "P04637")).outcomes).toMatchObject([
      { kind: "miss", reason: "demerged into P63151 and P63150: fetch those" },
      { kind: "record" },
    ])
  })

  test("an id that the search leaves out is found alone", async () => {
    await using w = await open((request) => (isSearch(request) ? json({ results: [BRCA1] }) : entries(request)))
    expect((await w.fetch("uniprot", "Q15086", "P38398")).outcomes).toMatchObject([
      { kind: "record", resolvedId: "P04637" },
      { kind: "record", id: "P38398" },
    ])
  })

  test("many ids are asked for in lots of a hundred terms at most, which is what UniProt takes", async () => {
    await using w = await open((request) => {
      const asked = [...(parameters(request).get("query") ?? "").matchAll(/accession:(\w+)/g)].map(([, id]) => id)
      return json({ results: asked.map((primaryAccession) => ({ ...BRCA1, primaryAccession })) })
    })
    const ids = Array.from({ length: 120 }, (_, i) => `P${String(10000 + i)}`)
    const { outcomes } = await w.fetch("uniprot", ...ids)
    expect(outcomes.filter(({ kind }) => kind === "record").map(({ id }) => id)).toEqual(ids)
    const terms = w.server.requests.map((request) => (parameters(request).get("query") ?? "").split(" OR ").length)
    expect(terms.sort((a, b) => b - a)).toEqual([100, 100, 40])
  })

  test("keep the digits of their numbers", async () => {
    const result = JSON.stringify(BRCA1).replace("{", '{"annotationScore":5.0,')
    await using w = await open(() => `{"results":[${result},${JSON.stringify(P53)}]}`)
    const { outcomes } = await w.fetch("uniprot", "P38398", "P04637")
    expect(printJson(outcomes, 0)).toContain('"annotationScore":5.0,')
  })

  test("an id that is none is reported alone; the others come", async () => {
    await using w = await open((request) => (isSearch(request) ? json({ results: [BRCA1, P53] }) : entries(request)))
    expect((await w.fetch("uniprot", "P04637", "TP53", "P38398")).outcomes).toMatchObject([
      { kind: "record" },
      { kind: "failure", failure: { code: "invalid_id" } },
      { kind: "record" },
    ])
  })
})

const ZIP = new Uint8Array([0x50, 0x4b, 5, 6, ...Array<number>(18).fill(0)])

const bodies: [string, string, string | Uint8Array][] = [
  ["fasta", "P04637.fasta", ">sp|P04637|P53_HUMAN Cellular tumor antigen p53\nMEEPQ\n"],
  ["txt", "P04637.txt", "ID   P53_HUMAN\nAC   P04637;\n//\n"],
  ["xml", "P04637.xml", "<?xml version='1.0'?>\n<uniprot xmlns=\"http://uniprot.org/uniprot\"><entry/></uniprot>"],
  ["gff", "P04637.gff", "##gff-version 3\n##sequence-region P04637 1 393\n"],
  ["tsv", "P04637.tsv", "Entry\tEntry Name\tReviewed\nP04637\tP53_HUMAN\treviewed\n"],
  ["json", "P04637.raw.json", JSON.stringify(P53)],
  ["list", "P04637.list.txt", "P04637\n"],
  ["xlsx", "P04637.xlsx", ZIP],
  ["rdf", "P04637.rdf", "<?xml version='1.0'?>\n<rdf:RDF></rdf:RDF>"],
  ["ttl", "P04637.ttl", "<P04637> a up:Protein .\n"],
  ["nt", "P04637.nt", "<a> <b> <c> .\n"],
]

describe("files", () => {
  test.each(bodies)("the %s of an entry comes from its address by that ending", async (format, name, body) => {
    await using w = await open((request) => (request.path === `/uniprotkb/P04637.${format}` ? { body } : json(P53)))
    const { outcomes } = await w.file("uniprot", format, "P04637")
    expect(outcomes).toMatchObject([
      {
        kind: "file",
        url: `https://rest.uniprot.org/uniprotkb/P04637.${format}`,
        saved: { path: `.openscience/fetch/uniprot/${name}` },
      },
    ])
  })

  test("there is one for every format that is declared", () => {
    expect(bodies.map(([format]) => format)).toEqual(Object.keys(uniprot.files))
  })

  test("a secondary accession keeps its format over the 303, and the file's address says whose it is", async () => {
    await using w = await open(entries)
    expect((await w.file("uniprot", "fasta", "Q15086")).outcomes).toMatchObject([
      { kind: "file", id: "Q15086", url: "https://rest.uniprot.org/uniprotkb/P04637.fasta?from=Q15086" },
    ])
  })

  test("an isoform's FASTA is the isoform's", async () => {
    await using w = await open(entries)
    expect((await w.file("uniprot", "fasta", "P04637-2")).outcomes).toMatchObject([{ kind: "file" }])
    expect(w.server.requests.map(({ path }) => path)).toEqual(["/uniprotkb/P04637-2.fasta"])
  })

  test("an entry name and a version are looked up first; an older version has no file", async () => {
    await using w = await open(entries)
    for (const id of ["P53_HUMAN", "P04637.4"])
      expect((await w.file("uniprot", "fasta", id)).outcomes).toMatchObject([
        { kind: "file", url: "https://rest.uniprot.org/uniprotkb/P04637.fasta" },
      ])
    expect((await w.file("uniprot", "fasta", "P04637.1")).outcomes).toMatchObject([
      { kind: "miss", reason: "P04637 is at sequence version 4 now: fetch P04637" },
    ])
  })

  test("an error in plain text is not saved as a sequence", async () => {
    const text = { "content-type": "text/plain; format=fasta" }
    await using w = await open((request) =>
      request.path.includes("Q00000")
        ? { status: 404, headers: text, body: "Error messages\nResource not found" }
        : { status: 400, headers: text, body: "Error messages\nThe 'accession' value has invalid format." },
    )
    expect((await w.file("uniprot", "fasta", "P04637")).outcomes).toMatchObject([{ failure: { code: "invalid_id" } }])
    expect((await w.file("uniprot", "fasta", "Q00000")).outcomes).toMatchObject([{ kind: "miss" }])
    expect(await readdir(w.directory)).toEqual([])
  })

  const nothing: [string, string][] = [
    ["fasta", ""],
    ["txt", "\n"],
    ["json", JSON.stringify(DELETED)],
    ["tsv", "Entry\tEntry Name\tReviewed\tProtein names\nI8FBX0\tI8FBX0_MYCAB\t\tdeleted\t\t\t\n"],
    ["gff", "##gff-version 3\n"],
    ["xml", '<?xml version="1.0"?><uniprot xmlns="http://uniprot.org/uniprot"></uniprot>'],
  ]
  test.each(nothing)("the %s of a deleted entry is a miss, though it comes with 200", async (format, body) => {
    await using w = await open(() => body)
    expect((await w.file("uniprot", format, "I8FBX0")).outcomes).toMatchObject([{ kind: "miss" }])
    expect(await readdir(w.directory)).toEqual([])
  })

  test("RDF, which is made of retired entries too, is that of the entry they went into, or a miss", async () => {
    await using w = await open((request) =>
      request.path.endsWith(".ttl") ? "<P04637> a up:Protein .\n" : entries(request),
    )
    expect((await w.file("uniprot", "ttl", "Q15086")).outcomes).toMatchObject([
      { kind: "file", url: "https://rest.uniprot.org/uniprotkb/P04637.ttl" },
    ])
    expect((await w.file("uniprot", "ttl", "Q00007")).outcomes).toMatchObject([
      { kind: "miss", reason: "demerged into P63151 and P63150: fetch those" },
    ])
  })

  test("several ids share one FASTA, each entry once, under the accessions that they have now", async () => {
    await using w = await open((request) => {
      if (!request.path.startsWith("/uniprotkb/accessions?")) return entries(request)
      const asked = parameters(request)
      // Secondary accessions are left out without a word.
      const found = [P53, BRCA1].filter((entry) => asked.get("accessions")?.split(",").includes(entry.primaryAccession))
      if (asked.get("format") === "json") return json({ results: found })
      return found.map(({ primaryAccession }) => `>sp|${primaryAccession}|X\nMEEPQ\n`).join("")
    })
    const { outcomes } = await w.file("uniprot", "fasta", "P38398", "Q15086", "P53_HUMAN")
    expect(outcomes).toMatchObject([
      { kind: "file", ids: ["P38398", "Q15086", "P53_HUMAN"], saved: { entries: { count: 2 } } },
    ])
    const last = w.server.requests.at(-1)!
    expect(Object.fromEntries(parameters(last))).toEqual({ accessions: "P38398,P04637", format: "fasta" })
  })

  test("a shared file holds those that there are, and each other id is a miss of its own", async () => {
    await using w = await open((request) => {
      if (!request.path.startsWith("/uniprotkb/accessions?")) return entries(request)
      return request.path.includes("format=fasta")
        ? { body: ">sp|P38398|BRCA1_HUMAN\nMDLSA\n" }
        : json({ results: [BRCA1] })
    })
    const { outcomes } = await w.file("uniprot", "fasta", "Q00000", "P38398", "Q00007")
    expect(outcomes).toMatchObject([
      { kind: "miss", id: "Q00000" },
      { kind: "file", ids: ["P38398"] },
      { kind: "miss", id: "Q00007", reason: "demerged into P63151 and P63150: fetch those" },
    ])
  })
})
