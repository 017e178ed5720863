import { describe, expect, test } from "bun:test"
import { normalizeId } from "../../../src/science/ids.ts"
import reactome from "../../../src/science/connectors/pathways/reactome.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const mPhase = {
  dbId: 68886,
  displayName: "M Phase",
  stId: "R-HSA-68886",
  stIdVersion: "R-HSA-68886.5",
  isInDisease: false,
  isInferred: false,
  orthologousEvent: [{ dbId: 11136594, stId: "R-PFA-68886", inferredFrom: [68886] }],
  hasDiagram: true,
  schemaClass: "Pathway",
}
const inPlasmodium = { ...mPhase, dbId: 11136594, stId: "R-PFA-68886", stIdVersion: "R-PFA-68886.1", isInferred: true }
const reaction = { dbId: 166208, stId: "R-HSA-166208", stIdVersion: "R-HSA-166208.3", schemaClass: "Reaction" }
const lkb1 = {
  dbId: 164160,
  displayName: "Lkb-1(Stk11) [nucleoplasm]",
  stId: "R-RNO-164160",
  stIdVersion: "R-RNO-164160.1",
  inDisease: false,
  species: { dbId: 48895, taxId: "10116" },
  schemaClass: "GenomeEncodedEntity",
}

const refusal = (message: string): Reply => ({
  status: 404,
  headers: { "content-type": "application/json;charset=UTF-8" },
  body: JSON.stringify({
    code: 404,
    reason: "NOT_FOUND",
    url: "http://localhost:8080/ContentService/x",
    messages: [message],
    targets: null,
  }),
})

const RECORDS: Record<string, unknown> = {
  "R-HSA-68886": mPhase,
  "68886": mPhase,
  "R-PFA-68886": inPlasmodium,
  "R-HSA-166208": reaction,
  "R-RNO-164160": lkb1,
}

/** Reactome with these records; other paths by the given answers. */
const serving = (answers: Record<string, Reply> = {}) =>
  world(
    ({ path }: Seen) => {
      const place = decodeURIComponent(path.split("?")[0] ?? "").replace("/ContentService", "")
      const record = RECORDS[/^\/data\/query\/(.*)$/.exec(place)?.[1] ?? ""]
      return (
        answers[place] ?? (record ? JSON.stringify(record) : refusal(`Id: ${place} has not been found in the System`))
      )
    },
    { connectors: [reactome] },
  )

type Served = Awaited<ReturnType<typeof serving>>

const asked = (w: Served) =>
  w.server.requests.map(({ path }) => decodeURIComponent(path).replace("/ContentService", ""))
const parameters = (w: Served) => Object.fromEntries(new URL(`http://x${w.server.requests[0]?.path}`).searchParams)

async function hits(w: Served, query: string, more: Parameters<Served["search"]>[2] = {}) {
  const { result } = await w.search("reactome", query, more)
  if (result.kind !== "hits") throw new Error(`no hits: ${result.failure.message}`)
  return result
}

const entry = (id: string, name: string, more = {}) => ({ dbId: id.slice(6), stId: id, id, name, ...more })
const group = (typeName: string, entriesCount: number, entries: unknown[]) =>
  JSON.stringify({ results: [{ entries, typeName, entriesCount, rowCount: entries.length }] })

describe("an id", () => {
  test("is upper case, and comes out of pages, diagrams and prefixes", () => {
    for (const typed of [
      "r-hsa-68886",
      "reactome:R-HSA-68886",
      "https://reactome.org/content/detail/R-HSA-68886",
      "https://reactome.org/PathwayBrowser/#/R-HSA-68886&SEL=R-HSA-69275",
    ])
      expect(normalizeId(reactome, typed)).toBe("R-HSA-68886")
  })

  test("of another spelling, or of the time before 2015, is refused without a request", async () => {
    await using w = await serving()
    for (const id of ["R-HSA68886", "HSA-68886", "REACT_111119", "hsa04110"]) {
      const { outcomes } = await w.fetch("reactome", id)
      expect(outcomes).toMatchObject([{ kind: "failure", failure: { code: "invalid_id" } }])
    }
    expect(w.server.requests).toHaveLength(0)
  })
})

describe("a record", () => {
  test("comes as Reactome gave it, bare numbers among its objects included", async () => {
    await using w = await serving()
    const { outcomes } = await w.fetch("reactome", "R-HSA-68886")
    expect(outcomes).toMatchObject([
      { kind: "record", record: mPhase, remarks: [], url: "https://reactome.org/content/detail/R-HSA-68886" },
    ])
    expect(asked(w)).toEqual(["/data/query/R-HSA-68886"])
  })

  test("of a version is asked for without it; that it is the current one is said", async () => {
    await using w = await serving()
    const { outcomes } = await w.fetch("reactome", "R-HSA-68886.3")
    expect(asked(w)).toEqual(["/data/query/R-HSA-68886"])
    expect(outcomes).toMatchObject([{ kind: "record", resolvedId: "R-HSA-68886" }])
    expect(JSON.stringify(outcomes)).toContain("names a version; this is the current one, R-HSA-68886.5")
  })

  test("of a version that there is not yet is a miss", async () => {
    await using w = await serving()
    expect((await w.fetch("reactome", "R-HSA-68886.9")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test("of an internal number is the one that carries this number, not the one whose stable id ends in it", async () => {
    await using w = await serving({ "/data/query/68886": JSON.stringify(inPlasmodium) })
    expect((await w.fetch("reactome", "68886")).outcomes).toMatchObject([{ kind: "miss" }])
    await using right = await serving()
    const { outcomes } = await right.fetch("reactome", "68886")
    expect(outcomes).toMatchObject([{ kind: "record", resolvedId: "R-HSA-68886" }])
    expect(JSON.stringify(outcomes)).toContain("internal number of R-HSA-68886")
  })

  test("that was inferred from another species says so", async () => {
    await using w = await serving()
    const { outcomes } = await w.fetch("reactome", "R-PFA-68886")
    expect(outcomes).toMatchObject([{ kind: "record", remarks: [expect.stringContaining("inferred by orthology")] }])
  })

  test("of a molecule has its species as one object and is a record like any", async () => {
    await using w = await serving()
    expect((await w.fetch("reactome", "R-RNO-164160")).outcomes).toMatchObject([{ kind: "record", record: lkb1 }])
  })

  test("of several ids is asked for by each alone, since the call for many leaves out the relations", async () => {
    await using w = await serving()
    const { outcomes } = await w.fetch("reactome", "R-HSA-68886", "R-HSA-9", "R-PFA-68886")
    expect(outcomes.map(({ kind }) => kind)).toEqual(["record", "miss", "record"])
    expect(w.server.requests.every(({ method }) => method === "GET")).toBe(true)
  })

  test("that is not there is a miss; a wrong address, told by its message only, is a failure", async () => {
    await using w = await serving()
    expect((await w.fetch("reactome", "R-HSA-99999999")).outcomes).toMatchObject([{ kind: "miss" }])
    await using moved = await serving({ "/data/query/R-HSA-1": refusal("HTTP 404 Not Found") })
    expect((await moved.fetch("reactome", "R-HSA-1")).outcomes).toMatchObject([{ kind: "failure" }])
  })

  test("whose body breaks off into an error is a failure", async () => {
    await using w = await serving({
      "/data/query/R-HSA-1": `${JSON.stringify(mPhase)}]{"code":500,"reason":"INTERNAL_SERVER_ERROR"}`,
    })
    const { outcomes } = await w.fetch("reactome", "R-HSA-1")
    expect(outcomes).toMatchObject([{ kind: "failure", failure: { code: "bad_response" } }])
  })
})

describe("a search", () => {
  const found = group("Pathway", 57, [
    entry("R-HSA-5683057", '<span class="highlighting" >MAPK</span> family cascades', {
      exactType: "Pathway",
      species: ["Homo sapiens"],
      summation: "The <i>MAPKs</i> are …",
    }),
    entry("R-HSA-9652817", "Signaling by MAPK mutants", { isDisease: true }),
  ])

  test("for words asks for pathways, by rows and an offset that is named with a blank", async () => {
    await using w = await serving({ "/search/query": found })
    await hits(w, "MAPK signaling", { limit: 2, cursor: "4" })
    expect(w.server.requests[0]?.path).toContain("Start%20row=4")
    expect(parameters(w)).toEqual({
      query: "MAPK AND signaling",
      types: "Pathway",
      cluster: "true",
      "Start row": "4",
      rows: "2",
    })
  })

  test("has the total of its group and the offset of the next page", async () => {
    await using w = await serving({ "/search/query": found })
    const page = await hits(w, "MAPK", { limit: 2, cursor: "54" })
    expect(page).toMatchObject({ total: 57, next: "56" })
    expect(await hits(w, "MAPK", { limit: 2, cursor: "55" })).not.toHaveProperty("next")
    expect(page.hits).toMatchObject([
      {
        id: "R-HSA-5683057",
        title: expect.stringContaining("family cascades"),
        summary: expect.stringContaining("Pathway · Homo sapiens · "),
      },
      { id: "R-HSA-9652817", marks: ["disease"] },
    ])
    expect(page.notes).toEqual([expect.stringContaining("pathways only")])
  })

  test("without hits is a 404, which is an empty page; a 404 with another message is a failure", async () => {
    await using w = await serving({ "/search/query": refusal("No entries found for query: zzq") })
    expect(await hits(w, "zzq")).toMatchObject({ hits: [], total: 0 })
    await using moved = await serving({ "/search/query": refusal("HTTP 404 Not Found") })
    expect((await moved.search("reactome", "zzq")).result.kind).toBe("failure")
  })

  test("limits to the species by name, whether a number or a common name was given", async () => {
    for (const [organism, name] of [
      ["9606", "Homo sapiens"],
      ["mouse", "Mus musculus"],
      ["559292", "Saccharomyces cerevisiae"],
      ["Mycobacterium tuberculosis", "Mycobacterium tuberculosis"],
    ] as const) {
      await using w = await serving({ "/search/query": found })
      await hits(w, "apoptosis", { organism })
      expect(parameters(w)).toMatchObject({ species: name })
    }
  })

  test("for a taxon whose name is not known here is refused, not answered with nothing", async () => {
    await using w = await serving({ "/search/query": found })
    const { result } = await w.search("reactome", "apoptosis", { organism: "123456" })
    expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(0)
  })

  test("takes another type from the query, one at a time, and looks for a stable id among all", async () => {
    await using w = await serving({ "/search/query": found })
    await hits(w, "type:reaction apoptosis")
    await hits(w, 'kinase type:"Chemical Compound"')
    await hits(w, "R-HSA-164160")
    const types = w.server.requests.map(({ path }) => new URL(`http://x${path}`).searchParams.get("types"))
    expect(types).toEqual(["Reaction", "Chemical Compound", null])
    expect((await w.search("reactome", "kinase type:Reaction,Complex")).result.kind).toBe("failure")
    expect((await w.search("reactome", "type:Reaction")).result.kind).toBe("failure")
    expect(w.server.requests).toHaveLength(3)
  })

  test("wants all words that tell something, since the service itself is satisfied with any", async () => {
    await using w = await serving({ "/search/query": found })
    for (const query of ["signaling by the MAPK & ERK", "Crohn's disease (IBD)", "kinase", "the"]) await hits(w, query)
    expect(w.server.requests.map(({ path }) => new URL(`http://x${path}`).searchParams.get("query"))).toEqual([
      "signaling AND MAPK AND ERK",
      "Crohn's AND disease AND \\(IBD\\)",
      "kinase",
      "the",
    ])
  })

  test("in the service's own syntax is passed on as it is", async () => {
    await using w = await serving({ "/search/query": found })
    const queries = ["MAPK OR ERK", '"cell cycle" mitosis', "name:kinase p53", "kinas* human", "human -mouse"]
    for (const query of queries) await hits(w, query)
    expect(w.server.requests.map(({ path }) => new URL(`http://x${path}`).searchParams.get("query"))).toEqual(queries)
  })

  test("whose entries lost their names is a failure that says so", async () => {
    await using w = await serving({ "/search/query": group("Pathway", 1, [{ id: "R-HSA-1" }]) })
    const { result } = await w.search("reactome", "x")
    expect(result).toMatchObject({ failure: { code: "bad_response", message: expect.stringContaining("name") } })
  })
})

describe("a search for a molecule's accession", () => {
  const pathways = JSON.stringify([
    { dbId: 111448, stId: "R-HSA-111448", displayName: "Activation of  NOXA ", speciesName: "Homo sapiens" },
    { dbId: 5620971, stId: "R-HSA-5620971", displayName: "Pyroptosis", speciesName: "Homo sapiens", isInferred: true },
    { dbId: 6804754, stId: "R-HSA-6804754", displayName: "Regulation of TP53", isInDisease: true },
  ])

  test("gives the pathways that it takes part in, with a total and an offset of its own", async () => {
    await using w = await serving({ "/data/mapping/UniProt/P04637/pathways": pathways })
    const page = await hits(w, "p04637", { limit: 2 })
    expect(asked(w)).toEqual(["/data/mapping/UniProt/P04637/pathways"])
    expect(page).toMatchObject({ total: 3, next: "2", notes: ["pathways that UniProt P04637 takes part in"] })
    expect(page.hits.map(({ id }) => id)).toEqual(["R-HSA-111448", "R-HSA-5620971"])
    expect(page.hits[1]?.summary).toContain("inferred by orthology")
    expect(await hits(w, "P04637", { limit: 2, cursor: "2" })).toMatchObject({
      hits: [{ id: "R-HSA-6804754", marks: ["disease"] }],
    })
  })

  test("takes the species by its number, from a name as well; a small molecule's is human, which is said", async () => {
    await using w = await serving({ "/data/mapping/ChEBI/15422/pathways": pathways })
    await hits(w, "CHEBI:15422", { organism: "Rattus norvegicus" })
    const page = await hits(w, "CHEBI:15422")
    expect(asked(w)).toEqual([
      "/data/mapping/ChEBI/15422/pathways?species=10116",
      "/data/mapping/ChEBI/15422/pathways?species=9606",
    ])
    expect(page.notes).toEqual(["pathways of Homo sapiens that ChEBI 15422 takes part in"])
  })

  test("that is in no pathway has no hits; a wrong address is a failure", async () => {
    await using w = await serving({
      "/data/mapping/UniProt/Q00000/pathways": refusal("No pathways found for UniProt:Q00000"),
    })
    expect(await hits(w, "Q00000")).toMatchObject({ hits: [], total: 0 })
    expect((await w.search("reactome", "ENSG00000141510")).result.kind).toBe("failure")
  })
})

describe("a file", () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"></svg>'

  test("of a pathway's drawing is the diagram, of a reaction's the reaction", async () => {
    await using w = await serving({
      "/exporter/diagram/R-HSA-68886.svg": svg,
      "/exporter/reaction/R-HSA-166208.svg": svg,
    })
    const { outcomes } = await w.file("reactome", "svg", "R-HSA-68886.5", "R-HSA-166208")
    expect(outcomes.map(({ kind }) => kind)).toEqual(["file", "file"])
  })

  test("of a molecule is a miss that says what it is", async () => {
    await using w = await serving()
    const { outcomes } = await w.file("reactome", "sbml", "R-RNO-164160")
    expect(outcomes).toMatchObject([{ kind: "miss", reason: expect.stringContaining("GenomeEncodedEntity") }])
    expect(asked(w)).toEqual(["/data/query/R-RNO-164160"])
  })

  test("is never another record's", async () => {
    await using w = await serving({ "/data/query/R-HSA-1": JSON.stringify(mPhase) })
    expect((await w.file("reactome", "svg", "R-HSA-1")).outcomes).toMatchObject([{ kind: "miss" }])
    expect(w.server.requests).toHaveLength(1)
  })

  test("of SBML, SBGN and the participants is asked for by the stable id", async () => {
    await using w = await serving({
      "/exporter/event/R-HSA-68886.sbml": '<?xml version="1.0"?><sbml></sbml>',
      "/exporter/event/R-HSA-68886.sbgn": "<sbgn></sbgn>",
      "/data/participants/R-HSA-68886": '[{"peDbId":1,"refEntities":[]}]',
    })
    for (const format of ["sbml", "sbgn", "participants"]) {
      const { outcomes } = await w.file("reactome", format, "68886")
      expect(outcomes.map(({ kind }) => kind)).toEqual(["file"])
    }
  })

  test("with no participants is a miss, not an empty list on disk", async () => {
    await using w = await serving({ "/data/participants/R-HSA-68886": "[]" })
    expect((await w.file("reactome", "participants", "R-HSA-68886")).outcomes).toMatchObject([{ kind: "miss" }])
  })
})
