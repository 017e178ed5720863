import { readdir } from "node:fs/promises"
import { describe, expect, test } from "bun:test"
import opentargets from "../../../src/science/connectors/clinical/opentargets.ts"
import { normalizeId } from "../../../src/science/ids.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const serve = (answer: (request: Seen) => Reply | undefined) => world(answer, { connectors: [opentargets] })

const BRAF = {
  id: "ENSG00000157764",
  approvedSymbol: "BRAF",
  approvedName: "B-Raf proto-oncogene, serine/threonine kinase",
  associatedDiseases: { count: 1474, rows: [{ score: 0.8769922233616118, disease: { id: "MONDO_0015280" } }] },
  interactions: null,
}
const EGFR = { id: "ENSG00000146648", approvedSymbol: "EGFR" }
const CF = {
  id: "MONDO_0009061",
  name: "cystic fibrosis",
  obsoleteTerms: ["http://www.orpha.net/ORDO/Orphanet_586", "EFO_0000389"],
  // Three rows without a phenotype still count.
  phenotypes: { count: 2, rows: [{ phenotypeHPO: null }, { phenotypeHPO: { id: "HP_0032342" } }] },
}
const PEMBROLIZUMAB = {
  id: "CHEMBL3137343",
  name: "PEMBROLIZUMAB",
  indications: { rows: [{ maxClinicalStage: "PHASE_2" }] },
  drugWarnings: [{ warningType: "Black Box Warning" }, { warningType: "Black Box Warning" }],
}

const data = (value: Record<string, unknown>) => JSON.stringify({ data: value })
const asked = ({ body }: Seen): { query: string; variables: Record<string, unknown> } => JSON.parse(body)
const questions = (w: { server: { requests: Seen[] } }) => w.server.requests.map(asked)
const addressed = ({ path }: Seen) => {
  const given = new URL(`https://x${path}`).searchParams
  return { query: given.get("query") ?? "", variables: JSON.parse(given.get("variables") ?? "{}") }
}

describe("a record", () => {
  test("comes as the service gave it, and says which of its lists are cut", async () => {
    await using w = await serve(() => data({ target: BRAF }))
    const { outcomes } = await w.fetch("opentargets", "ensg00000157764.14")
    expect(outcomes).toMatchObject([
      {
        kind: "record",
        id: "ENSG00000157764",
        record: BRAF,
        url: "https://platform.opentargets.org/target/ENSG00000157764",
        remarks: ["holds 1 of 1474 associatedDiseases (format associations has all)"],
      },
    ])
    expect(w.server.requests[0]).toMatchObject({
      method: "POST",
      host: "api.platform.opentargets.org",
      path: "/api/v4/graphql",
      headers: { "content-type": "application/json" },
    })
    expect(questions(w)).toMatchObject([
      { query: expect.stringContaining("target(ensemblId:$id){id "), variables: { id: "ENSG00000157764" } },
    ])
  })

  test("is asked for at the root that the shape of its id tells", async () => {
    for (const [id, call, root, page] of [
      ["MONDO:0009061", "disease(efoId:$id)", "disease", "disease/MONDO_0009061"],
      ["chembl25", "drug(chemblId:$id)", "drug", "drug/CHEMBL25"],
      ["19-44908822-C-T", "variant(variantId:$id)", "variant", "variant/19_44908822_C_T"],
      ["GCST004131", "study(studyId:$id)", "study", "study/GCST004131"],
      ["gtex_tx_liver_enst00000357654", "study(studyId:$id)", "study", "study/gtex_tx_liver_enst00000357654"],
    ] as const) {
      await using w = await serve((request) => data({ [root]: { id: asked(request).variables["id"] } }))
      expect((await w.fetch("opentargets", id)).outcomes).toMatchObject([
        { kind: "record", url: `https://platform.opentargets.org/${page}` },
      ])
      expect(questions(w)[0]?.query).toContain(call)
    }
    const set = "0123456789abcdef0123456789abcdef"
    await using w = await serve(() => data({ credibleSet: { studyLocusId: set } }))
    expect((await w.fetch("opentargets", set)).outcomes).toMatchObject([{ kind: "record" }])
  })

  test("of a drug asks for none of the fields that differ between releases, and tells of warnings", async () => {
    await using w = await serve(() => data({ drug: PEMBROLIZUMAB }))
    expect((await w.fetch("opentargets", "CHEMBL3137343")).outcomes).toMatchObject([
      { kind: "record", remarks: ["has drug warnings: Black Box Warning"] },
    ])
    expect(questions(w)[0]?.query).not.toMatch(/\b(?:synonyms|tradeNames|knownDrugs|isApproved)\b/)
  })

  test("with rows that are null but count is whole", async () => {
    await using w = await serve(() => data({ disease: CF }))
    expect((await w.fetch("opentargets", "MONDO_0009061")).outcomes).toMatchObject([{ kind: "record", remarks: [] }])
  })

  test("that is null is a miss, and a disease's says that ids drift between releases", async () => {
    await using w = await serve(({ body }) => data({ [body.includes("efoId") ? "disease" : "target"]: null }))
    expect((await w.fetch("opentargets", "ENSG00000000000")).outcomes).toEqual([
      { kind: "miss", db: "opentargets", id: "ENSG00000000000" },
    ])
    expect((await w.fetch("opentargets", "EFO_0000274")).outcomes).toMatchObject([
      { kind: "miss", reason: expect.stringContaining("search for its name") },
    ])
  })

  test("whose root is not in the answer is a failure, not a miss", async () => {
    await using w = await serve(() => data({ disease: null }))
    expect((await w.fetch("opentargets", "ENSG00000157764")).outcomes).toMatchObject([
      { kind: "failure", failure: { code: "bad_response" } },
    ])
  })

  test("of another id is a miss, and one that replaces the asked id is given with both", async () => {
    await using w = await serve(({ body }) => data(body.includes("efoId") ? { disease: CF } : { target: EGFR }))
    expect((await w.fetch("opentargets", "ENSG00000157764")).outcomes).toMatchObject([{ kind: "miss" }])
    expect((await w.fetch("opentargets", "ORPHA:586")).outcomes).toMatchObject([
      { kind: "record", resolvedId: "MONDO_0009061", remarks: ["Orphanet_586 is now MONDO_0009061"] },
    ])
  })

  test("is asked for by an id: symbols, rs numbers and accessions are refused, with the advice to search", async () => {
    await using w = await serve(() => data({}))
    for (const id of ["TP53", "rs7412", "P04637", "ENSG_UNKNOWN_DOES_NOT_EXIST"])
      expect((await w.fetch("opentargets", id)).outcomes).toMatchObject([
        { kind: "failure", failure: { code: "invalid_id" } },
      ])
    expect(w.server.requests).toHaveLength(0)
  })
})

describe("an error", () => {
  const MESSAGE = "Cannot query field 'knownDrugs' on type 'Target'. (line 2, column 3):\n  knownDrugs\n  ^"

  test("of the schema under 400 is a changed answer that is shown, never a miss and not tried again", async () => {
    const body = JSON.stringify({ errors: [{ message: MESSAGE, locations: [{ line: 2, column: 3 }] }] })
    await using w = await serve(() => ({ status: 400, body }))
    for (const outcome of [
      (await w.fetch("opentargets", "ENSG00000157764")).outcomes[0],
      (await w.search("opentargets", "BRAF")).result,
    ]) {
      expect(outcome).toMatchObject({ kind: "failure", failure: { code: "bad_response", retryable: false } })
      expect(JSON.stringify(outcome)).toContain("Cannot query field 'knownDrugs'")
    }
    expect(w.server.requests).toHaveLength(2)
  })

  test("beside data under 200 is a failure, since the data is then in doubt", async () => {
    const body = JSON.stringify({ data: { target: BRAF }, errors: [{ message: "Internal server error" }] })
    await using w = await serve(() => body)
    expect((await w.fetch("opentargets", "ENSG00000157764")).outcomes).toMatchObject([
      { kind: "failure", failure: { code: "bad_response" } },
    ])
    expect((await w.file("opentargets", "json", "ENSG00000157764")).outcomes).toMatchObject([{ kind: "failure" }])
    expect(await readdir(w.directory)).toEqual([])
  })

  test("of load or of the server is an outage, never a miss", async () => {
    for (const [status, code] of [
      [429, "rate_limited"],
      [503, "unavailable"],
    ] as const) {
      await using w = await serve(() => ({ status, body: "{}" }))
      expect((await w.fetch("opentargets", "CHEMBL25")).outcomes).toMatchObject([
        { kind: "failure", failure: { code } },
      ])
    }
  })
})

describe("several ids", () => {
  test("take one question; lists are matched by id, whatever their order and holes", async () => {
    const variant = { id: "19_44908822_C_T" }
    await using w = await serve(() => data({ targets: [EGFR, BRAF], diseases: [], r3: variant, r4: null }))
    const { outcomes } = await w.fetch(
      "opentargets",
      "ENSG00000157764",
      "EFO_0000274",
      "ENSG00000146648",
      "19_44908822_C_T",
      "GCST004131",
    )
    expect(outcomes).toMatchObject([
      { kind: "record", record: BRAF },
      { kind: "miss", id: "EFO_0000274" },
      { kind: "record", record: EGFR },
      { kind: "record", record: variant },
      { kind: "miss", id: "GCST004131" },
    ])
    const [question, ...others] = questions(w)
    expect(others).toEqual([])
    expect(question?.variables).toEqual({
      targets: ["ENSG00000157764", "ENSG00000146648"],
      diseases: ["EFO_0000274"],
      v3: "19_44908822_C_T",
      v4: "GCST004131",
    })
    expect(question?.query).toStartWith(
      "query($targets:[String!]!,$diseases:[String!]!,$v3:String!,$v4:String!){targets(ensemblIds:$targets){id ",
    )
  })

  test("of which a list is not in the answer are failures, not misses", async () => {
    await using w = await serve(() => data({ targets: [BRAF] }))
    const { outcomes } = await w.fetch("opentargets", "ENSG00000157764", "CHEMBL25")
    expect(outcomes.map(({ kind }) => kind)).toEqual(["failure", "failure"])
  })
})

describe("a search", () => {
  const HITS = [
    { id: "ENSG00000012048", entity: "target", name: "BRCA1", description: "BRCA1 DNA repair associated" },
    { id: "Orphanet_145", entity: "disease", name: "Hereditary breast cancer", description: null },
  ]

  test("leaves studies out, says so, and gives the total of what it asked for", async () => {
    await using w = await serve(() => data({ search: { total: 41, hits: HITS } }))
    const { result } = await w.search("opentargets", "BRCA1", { limit: 2 })
    expect(result).toMatchObject({
      kind: "hits",
      total: 41,
      next: "2",
      notes: ["of target, disease, drug, variant; add entity:study to the query for studies"],
      hits: [
        { id: "ENSG00000012048", title: "BRCA1", summary: "target · BRCA1 DNA repair associated" },
        { id: "Orphanet_145", title: "Hereditary breast cancer", summary: "disease" },
      ],
    })
    expect(questions(w)[0]?.variables).toEqual({
      q: "BRCA1",
      e: ["target", "disease", "drug", "variant"],
      i: 0,
      s: 2,
    })
  })

  test("is of one entity where the query names it", async () => {
    await using w = await serve(() => data({ search: { total: 0, hits: [] } }))
    expect((await w.search("opentargets", "entity:Study breast cancer")).result).toMatchObject({
      kind: "hits",
      total: 0,
      hits: [],
      notes: [],
    })
    expect(questions(w)[0]?.variables).toMatchObject({ q: "breast cancer", e: ["study"] })
    expect((await w.search("opentargets", "entity:drug")).result).toMatchObject({ failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(1)
  })

  test("for an id spells it as the platform does, and looks for studies when it is one of theirs", async () => {
    for (const [typed, q, studies] of [
      ["EFO:0000311", "EFO_0000311", false],
      ["ENSG00000141510.18", "ENSG00000141510", false],
      ["GCST004131", "GCST004131", true],
      ["rs429358", "rs429358", false],
      ["Crohn's disease (ileal)", "Crohn's disease (ileal)", false],
    ] as const) {
      await using w = await serve(() => data({ search: { total: 2, hits: HITS } }))
      await w.search("opentargets", typed)
      expect(questions(w)[0]?.variables["q"]).toBe(q)
      expect(JSON.stringify(questions(w)[0]?.variables["e"]).includes("study")).toBe(studies)
    }
  })

  test("goes on by pages: a cursor that does not fall on one is refused, not rounded", async () => {
    await using w = await serve(() => data({ search: { total: 41, hits: HITS } }))
    await w.search("opentargets", "BRCA1", { limit: 20, cursor: "40" })
    expect(questions(w)[0]?.variables).toMatchObject({ i: 2, s: 20 })
    for (const cursor of ["30", "x", "-20"])
      expect((await w.search("opentargets", "BRCA1", { limit: 20, cursor })).result).toMatchObject({
        kind: "failure",
        failure: { code: "invalid_query" },
      })
    expect(w.server.requests).toHaveLength(1)
  })

  test("has no next page after its last", async () => {
    await using w = await serve(() => data({ search: { total: 2, hits: HITS } }))
    expect((await w.search("opentargets", "BRCA1", { limit: 2 })).result).not.toHaveProperty("next")
  })
})

describe("a file", () => {
  test("is the answer to the same question, asked by an address", async () => {
    const answer = data({ target: BRAF })
    await using w = await serve(() => answer)
    expect((await w.file("opentargets", "json", "ENSG00000157764")).outcomes).toMatchObject([
      { kind: "file", saved: { bytes: answer.length } },
    ])
    expect(w.server.requests).toMatchObject([{ method: "GET", host: "api.platform.opentargets.org" }])
    expect(w.server.requests.map(addressed)).toMatchObject([
      { query: expect.stringContaining("target(ensemblId:$id)"), variables: { id: "ENSG00000157764" } },
    ])
  })

  test("of nothing is a miss with nothing on disk", async () => {
    await using w = await serve(() => data({ target: null }))
    for (const format of ["json", "associations"])
      expect((await w.file("opentargets", format, "ENSG00000000000")).outcomes).toMatchObject([{ kind: "miss" }])
    expect(await readdir(w.directory)).toEqual([])
  })

  test("of several ids is one, of those that are there", async () => {
    await using w = await serve(({ method }) =>
      method === "POST" ? data({ targets: [{ id: BRAF.id }] }) : data({ targets: [BRAF] }),
    )
    const { outcomes } = await w.file("opentargets", "json", "ENSG00000000000", "ENSG00000157764")
    expect(outcomes).toMatchObject([
      { kind: "miss", id: "ENSG00000000000" },
      { kind: "file", ids: ["ENSG00000157764"] },
    ])
    expect(questions({ server: { requests: w.server.requests.slice(0, 1) } })[0]?.query).toContain(
      "targets(ensemblIds:$targets){id}",
    )
    expect(w.server.requests.slice(1).map(addressed)).toMatchObject([{ variables: { targets: ["ENSG00000157764"] } }])
  })

  test("of associations holds all of them, or says that it cannot", async () => {
    for (const [count, kind] of [
      [3000, "file"],
      [3001, "failure"],
    ] as const) {
      await using w = await serve(({ method }) =>
        method === "POST"
          ? data({ target: { id: BRAF.id, associatedDiseases: { count } } })
          : data({ target: { id: BRAF.id, associatedDiseases: { count, rows: [] } } }),
      )
      const { outcomes } = await w.file("opentargets", "associations", "ENSG00000157764")
      expect(outcomes).toMatchObject([{ kind }])
      if (kind === "failure") expect(outcomes).toMatchObject([{ failure: { code: "too_large" } }])
      else expect(w.server.requests.map(addressed)[1]?.query).toContain("associatedDiseases(page:{index:0,size:3000})")
    }
  })

  test("of associations is of a target or a disease", async () => {
    await using w = await serve(() => data({}))
    expect((await w.file("opentargets", "associations", "CHEMBL25")).outcomes).toMatchObject([{ kind: "miss" }])
    expect(w.server.requests).toHaveLength(0)
  })
})

test("ids are read in the spellings that people use", () => {
  for (const [typed, id] of [
    ["ORPHA:145", "Orphanet_145"],
    ["orphanet_145", "Orphanet_145"],
    ["hp:0002315", "HP_0002315"],
    ["NCIT:C4872", "NCIT_C4872"],
    ["CHEMBL:25", "CHEMBL25"],
    ["chr19:44908822:C:T", "19_44908822_C_T"],
    ["https://platform.opentargets.org/disease/MONDO_0004980/associations", "MONDO_0004980"],
    ["https://platform.opentargets.org/target/ENSG00000141510", "ENSG00000141510"],
  ] as const)
    expect(normalizeId(opentargets, typed)).toBe(id)
})
