import { describe, expect, test } from "bun:test"
import clinvar from "../../../src/science/connectors/variants/clinvar.ts"
import { normalizeId } from "../../../src/science/ids.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world as anyWorld } from "../../support/world.ts"

const XML = { "content-type": "text/xml; charset=UTF-8" }

const asked = ({ path, body }: Seen) => new URLSearchParams(body || path.split("?")[1])
const verbOf = ({ path }: Seen) => /\/(\w+)\.fcgi/.exec(path)?.[1] ?? ""
const idsOf = (request: Seen) => (asked(request).get("id") ?? "").split(",")

interface Summary {
  uid: string
  [field: string]: unknown
}

const NONE = { description: "", last_evaluated: "1/01/01 00:00", review_status: "", trait_set: [] }
const TRAPS: Summary = {
  uid: "12345",
  obj_type: "single nucleotide variant",
  accession: "VCV000012345",
  accession_version: "VCV000012345.2",
  title: "NM_001065.4(TNFRSF1A):c.295T>A (p.Cys99Ser)",
  variation_set: [{ measure_id: "27384", canonical_spdi: "NC_000012.12:6333763:A:T" }],
  supporting_submissions: { scv: ["SCV000116051", "SCV000033385"], rcv: ["RCV000013138"] },
  germline_classification: {
    description: "Pathogenic",
    last_evaluated: "2003/09/01 00:00",
    review_status: "no assertion criteria provided",
    trait_set: [{ trait_xrefs: [], trait_name: "TNF receptor-associated periodic fever syndrome (TRAPS)" }],
  },
  clinical_impact_classification: NONE,
  oncogenicity_classification: NONE,
  record_status: "",
  gene_sort: "TNFRSF1A",
  protein_change: "C99S",
}
const BRAF: Summary = {
  ...TRAPS,
  uid: "13961",
  accession: "VCV000013961",
  accession_version: "VCV000013961.134",
  title: "NM_004333.6(BRAF):c.1799T>A (p.Val600Glu)",
  supporting_submissions: { scv: ["SCV000035230"], rcv: ["RCV000014992", "RCV000014993"] },
  germline_classification: {
    description: "Conflicting classifications of pathogenicity",
    review_status: "criteria provided, conflicting classifications",
    trait_set: [{ trait_name: "a" }, { trait_name: "b" }, { trait_name: "c" }, { trait_name: "d" }],
  },
  clinical_impact_classification: {
    description: "Tier I - Strong",
    review_status: "criteria provided, multiple submitters",
    trait_set: [{ trait_name: "Melanoma" }],
  },
  oncogenicity_classification: {
    description: "Oncogenic",
    review_status: "reviewed by expert panel",
    trait_set: [],
  },
  gene_sort: "BRAF",
  protein_change: "V600E, V640E",
}
const SUMMARIES = new Map([TRAPS, BRAF].map((each) => [each.uid, each]))

const summarised = (...uids: string[]) => {
  const records = uids.map((uid) => SUMMARIES.get(uid) ?? { uid, error: "cannot get document summary" })
  return JSON.stringify({
    header: { type: "esummary", version: "0.3" },
    result: { uids, ...Object.fromEntries(records.map((each) => [each.uid, each])) },
  })
}
const searched = (idlist: string[], more: object = {}) =>
  JSON.stringify({ header: {}, esearchresult: { count: String(idlist.length), idlist, ...more } })

const world = (answer: (request: Seen) => Reply | undefined = () => undefined) =>
  anyWorld(
    (request) => answer(request) ?? (verbOf(request) === "esummary" ? summarised(...idsOf(request)) : undefined),
    { connectors: [clinvar] },
  )

const CAUTION = "not for diagnosis or treatment without review by a genetics professional (ClinVar)"

describe("ids", () => {
  test.each([
    ["12345", "12345"],
    ["clinvar:12345", "12345"],
    ["VariationID: 12345", "12345"],
    ["VCV12345", "VCV000012345"],
    ["vcv000012345.2", "VCV000012345.2"],
    ["rcv000013138", "RCV000013138"],
    ["RCV000013138.7", "RCV000013138"],
    ["SCV000033385.1", "SCV000033385"],
    ["https://www.ncbi.nlm.nih.gov/clinvar/variation/12345/", "12345"],
    ["https://www.ncbi.nlm.nih.gov/clinvar/variation/12345/?new_evidence=true", "12345"],
  ])("%s is read as %s", (typed, id) => {
    expect(normalizeId(clinvar, typed)).toBe(id)
    expect(id).toMatch(clinvar.ids.pattern)
  })

  test.each(["rs80357906", "NM_000059.4:c.5946del", "BRCA1", "0", "VCV", "XCV000012345"])(
    "%s is no id of ClinVar, and nothing is asked for it",
    async (typed) => {
      await using w = await world()
      const { outcomes } = await w.fetch("clinvar", typed)
      expect(outcomes).toMatchObject([{ kind: "failure", failure: { code: "invalid_id" } }])
      expect(w.server.requests).toEqual([])
    },
  )
})

describe("records", () => {
  test.each(["12345", "VCV000012345", "VCV000012345.2", "vcv12345"])(
    "%s is one variant, by its VariationID, from one request",
    async (typed) => {
      await using w = await world()
      const { outcomes, cost } = await w.fetch("clinvar", typed)
      expect(outcomes).toMatchObject([
        {
          kind: "record",
          record: TRAPS,
          url: "https://www.ncbi.nlm.nih.gov/clinvar/variation/12345/",
          remarks: [CAUTION],
        },
      ])
      expect(cost.requests).toBe(1)
      expect(idsOf(w.server.requests[0]!)).toEqual(["12345"])
    },
  )

  test("an older version of a VCV gives the present one, and says so", async () => {
    await using w = await world()
    const { outcomes } = await w.fetch("clinvar", "VCV000012345.1")
    expect(outcomes).toMatchObject([
      { resolvedId: "12345", remarks: ["VCV000012345.1 is an older version; this is VCV000012345.2", CAUTION] },
    ])
  })

  test("a version that does not exist yet is a miss", async () => {
    await using w = await world()
    expect((await w.fetch("clinvar", "VCV000012345.3")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test.each([
    ["RCV000013138", "a condition"],
    ["SCV000033385.1", "a submission"],
  ])("%s is looked for, and gives the variant that lists it", async (typed, what) => {
    await using w = await world((request) => (verbOf(request) === "esearch" ? searched(["13961", "12345"]) : undefined))
    const { outcomes } = await w.fetch("clinvar", typed)
    expect(asked(w.server.requests[0]!).get("term")).toBe(typed.replace(".1", ""))
    expect(outcomes).toMatchObject([{ kind: "record", resolvedId: "12345", record: { uid: "12345" } }])
    expect(outcomes[0]).toHaveProperty("remarks.0", expect.stringContaining(`${what} of this variant, VCV000012345.2`))
  })

  test.each([
    ["nothing", []],
    ["a variant that does not list it", ["13961"]],
  ])("an accession whose search finds %s is a miss, never the first hit", async (_, found) => {
    await using w = await world((request) => (verbOf(request) === "esearch" ? searched(found) : undefined))
    expect((await w.fetch("clinvar", "RCV000013138")).outcomes).toMatchObject([
      { kind: "miss", reason: "no present variant of ClinVar lists it" },
    ])
  })

  test("an accession among more hits than were read is not called missing", async () => {
    await using w = await world((request) =>
      verbOf(request) === "esearch" ? searched(["13961"], { count: "4000" }) : undefined,
    )
    expect((await w.fetch("clinvar", "RCV000013138")).outcomes).toMatchObject([
      { kind: "failure", failure: { code: "too_large", message: expect.stringContaining("4,000") } },
    ])
  })

  test("ids of all sorts make a lot of two requests, each answered by its own number", async () => {
    await using w = await world((request) => (verbOf(request) === "esearch" ? searched(["13961", "12345"]) : undefined))
    const { outcomes, cost } = await w.fetch(
      "clinvar",
      "SCV000035230",
      "999999999",
      "VCV000012345",
      "RCV000014993",
      "RCV000000001",
      "13961",
    )
    expect(outcomes).toMatchObject([
      { record: { uid: "13961" } },
      { kind: "miss", id: "999999999" },
      { record: { uid: "12345" } },
      { record: { uid: "13961" } },
      { kind: "miss", id: "RCV000000001" },
      { record: { uid: "13961" } },
    ])
    expect(asked(w.server.requests[0]!).get("term")).toBe("SCV000035230 OR RCV000014993 OR RCV000000001")
    expect(cost.requests).toBe(2)
  })

  test("another variant than the asked one is never given", async () => {
    await using w = await world(() => summarised("13961"))
    expect((await w.fetch("clinvar", "12345")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test("a summary of before 2024, without the classifications of today, is a changed answer", async () => {
    const { germline_classification: _, ...old } = TRAPS
    await using w = await world(() => JSON.stringify({ result: { uids: ["12345"], "12345": old } }))
    expect((await w.fetch("clinvar", "12345")).outcomes).toMatchObject([
      { failure: { code: "bad_response", message: expect.stringContaining("germline_classification") } },
    ])
  })

  test("NCBI's missing dtd file is its own fault, never a miss", async () => {
    await using w = await world(() => ({
      headers: XML,
      body: "<eSummaryResult><ERROR>NCBI C++ Exception: Cannot open file dtdinfo.ini</ERROR></eSummaryResult>",
    }))
    expect((await w.fetch("clinvar", "12345")).outcomes).toMatchObject([{ failure: { code: "unavailable" } }])
  })
})

describe("search", () => {
  const hits = (request: Seen) =>
    verbOf(request) === "esearch" ? searched(["12345", "13961"], { count: "85233" }) : undefined

  test("each hit says its classification with its stars, its condition and its accession", async () => {
    await using w = await world(hits)
    const { result } = await w.search("clinvar", "TNFRSF1A[gene]", { limit: 2 })
    expect(asked(w.server.requests[0]!).get("term")).toBe("TNFRSF1A[gene]")
    expect(result).toMatchObject({ total: 85233, next: "2", notes: [CAUTION] })
    expect(result).toHaveProperty("hits.0", {
      id: "12345",
      title: "NM_001065.4(TNFRSF1A):c.295T>A (p.Cys99Ser)",
      summary:
        "Pathogenic (0/4 stars) · TNF receptor-associated periodic fever syndrome (TRAPS) · TNFRSF1A · C99S · VCV000012345.2",
    })
  })

  test("somatic classifications stand beside the germline one; an empty one is not shown", async () => {
    await using w = await world(hits)
    const { result } = await w.search("clinvar", "V600E")
    expect(result).toHaveProperty(
      "hits.1.summary",
      "Conflicting classifications of pathogenicity (1/4 stars) · a, b, +2 · somatic impact: Tier I - Strong (2/4 stars) · Melanoma · oncogenicity: Oncogenic (3/4 stars) · BRAF · V600E, V640E · VCV000013961.134",
    )
    expect(JSON.stringify(result)).not.toContain("1/01/01")
  })

  test.each(["BRCA1[gene] AND pathogenic[clinsig]", "pathogenic[Clinical_Significance]", "clinsig_vus[Properties]"])(
    "%s is passed on, with a note that it matches single submissions",
    async (query) => {
      await using w = await world(hits)
      const { result } = await w.search("clinvar", query)
      expect(asked(w.server.requests[0]!).get("term")).toBe(query)
      expect(result).toMatchObject({ notes: [expect.stringContaining("single submissions"), CAUTION] })
    },
  )

  test("an organism is said not to be a filter", async () => {
    await using w = await world(hits)
    const { result } = await w.search("clinvar", "BRAF", { organism: "9606" })
    expect(result).toMatchObject({ notes: [expect.stringContaining("organism is not a filter of ClinVar"), CAUTION] })
  })
})

describe("files", () => {
  const archive = (...ids: string[]): Reply => ({
    headers: XML,
    body: `<ClinVarResult-Set>${ids.map((id) => `<VariationArchive VariationID="${id}"></VariationArchive>`).join("")}</ClinVarResult-Set>`,
  })
  const fetched = (body: Reply) => (request: Seen) => (verbOf(request) === "efetch" ? body : undefined)

  test("the whole record is asked for by its VCV: a bare number would be read as another variant's", async () => {
    await using w = await world(fetched(archive("12345", "13961")))
    const { outcomes } = await w.file("clinvar", "vcv-xml", "12345", "VCV000013961", "999999999", "VCV000012345")
    expect(outcomes).toMatchObject([
      { kind: "file", ids: ["12345", "VCV000013961", "VCV000012345"] },
      { kind: "miss", id: "999999999" },
    ])
    expect(Object.fromEntries(asked(w.server.requests[1]!))).toEqual({
      db: "clinvar",
      rettype: "vcv",
      id: "VCV000012345,VCV000013961",
      tool: "opencode-science",
    })
  })

  test.each([
    [
      "a notice in place of the record",
      "<ClinVarResult-Set>\n  <Info>Variation objects (blobs) are no longer supported.</Info></ClinVarResult-Set>",
      "failure",
    ],
    ["an empty set", "<ClinVarResult-Set></ClinVarResult-Set>", "miss"],
    ["an empty set written shortly", '<?xml version="1.0"?>\n<ClinVarResult-Set/>', "miss"],
    ["an error", "<eFetchResult><ERROR>Search Backend failed</ERROR></eFetchResult>", "failure"],
  ])("%s is no file", async (_, body, kind) => {
    await using w = await world(fetched({ headers: XML, body }))
    expect((await w.file("clinvar", "vcv-xml", "12345")).outcomes.map((each) => each.kind)).toEqual([kind as "miss"])
  })

  test.each([
    ["RCV000014993", "RCV000014993"],
    ["13961", "RCV000014992,RCV000014993"],
  ])("rcv-xml of %s holds %s", async (id, accessions) => {
    await using w = await world((request) =>
      verbOf(request) === "esearch"
        ? searched(["13961"])
        : fetched({ headers: XML, body: '<ClinVarResult-Set><ClinVarSet ID="1"></ClinVarSet></ClinVarResult-Set>' })(
            request,
          ),
    )
    expect((await w.file("clinvar", "rcv-xml", id)).outcomes).toMatchObject([{ kind: "file" }])
    expect(Object.fromEntries(asked(w.server.requests.at(-1)!))).toMatchObject({
      rettype: "clinvarset",
      id: accessions,
    })
  })

  test("a variant without an RCV has no such file, and NCBI is not asked for nothing", async () => {
    const bare = { ...TRAPS, supporting_submissions: { scv: [], rcv: [] } }
    await using w = await world(() => JSON.stringify({ result: { uids: ["12345"], "12345": bare } }))
    expect((await w.file("clinvar", "rcv-xml", "12345")).outcomes).toMatchObject([{ kind: "miss" }])
    expect(w.server.requests).toHaveLength(1)
  })
})
