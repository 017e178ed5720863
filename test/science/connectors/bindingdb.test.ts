import { describe, expect, test } from "bun:test"
import { normalizeId, readId, splitIds } from "../../../src/science/ids.ts"
import { createRegistry } from "../../../src/science/registry.ts"
import bindingdb from "../../../src/science/connectors/chemistry/bindingdb.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const MDM2 = "E3 ubiquitin-protein ligase Mdm2"
const P53 = "Cellular tumor antigen p53"
const row = (monomerid: string, affinity: string, query = P53, more = {}) => ({
  query,
  monomerid,
  smile: "CN1c2ncnn2C |c:9|",
  affinity_type: "IC50",
  affinity,
  pmid: "19856920",
  doi: "10.1021/jm900681h",
  ...more,
})
/** The wrapper is not called as the endpoint is. */
const byUniprot = (affinities: unknown) => JSON.stringify({ getLindsByUniprotsResponse: { affinities } })
const byPdb = (affinities: unknown) => JSON.stringify({ getLindsByPDBsResponse: { affinities } })
const uniprot = (id: string, cutoff: number) =>
  `/rest/getLigandsByUniprots?uniprot=${id}&cutoff=${cutoff}&code=0&response=application/json`
const pdb = (id: string, cutoff: number) =>
  `/rest/getLigandsByPDBs?pdb=${id}&cutoff=${cutoff}&response=application/json`
const MALFORMED: Reply = {
  status: 500,
  headers: { "content-type": "text/html" },
  body: "<html><title>HTTP Status 500</title>You have an error in your SQL syntax</html>",
}

const serving = (answers: Record<string, Reply> = {}) =>
  world(({ path }: Seen) => answers[decodeURIComponent(path)], { connectors: [bindingdb] })
type World = Awaited<ReturnType<typeof serving>>
const asked = (w: World) => w.server.requests.map(({ host, path }) => host + decodeURIComponent(path))

async function hits(w: World, text: string, more: Parameters<World["search"]>[2] = {}) {
  const { result } = await w.search("bindingdb", text, more)
  if (result.kind !== "hits") throw new Error(result.failure.message)
  return result
}

test("an id is an accession without its isoform, or a PDB id; a ligand's number or a gene is none", () => {
  expect(
    ["p04637", "P04637-2", "UniProtKB:P04637", "6n4b", "PDB:6N4B"].map((typed) => normalizeId(bindingdb, typed)),
  ).toEqual(["P04637", "P04637", "P04637", "6N4B", "6N4B"])
  expect(splitIds(bindingdb, "P04637, 6N4B")).toEqual(["P04637", "6N4B"])
  for (const typed of ["BDBM50025671", "50025671", "TP53", "P53_HUMAN", "2244"])
    expect(() => readId(bindingdb, typed, createRegistry([bindingdb]))).toThrow("is not an id of BindingDB")
})

describe("a record", () => {
  test("holds the service's own rows, and says on which targets they were measured", async () => {
    const rows = [row("1", "3000"), row("2", ">3000", MDM2), row("3", "0.000", MDM2)]
    await using w = await serving({ [uniprot("P04637", 10000)]: byUniprot(rows) })
    const [found] = (await w.fetch("bindingdb", "P04637-2")).outcomes
    expect(found).toMatchObject({
      kind: "record",
      id: "P04637",
      record: { uniprot: "P04637", cutoff_nM: 10000, getLindsByUniprotsResponse: { affinities: rows } },
      url: "https://www.bindingdb.org/uniprot/P04637",
    })
    expect(found?.kind === "record" && found.remarks[0]).toBe(
      `3 affinities of at most 10000 nM, each measured on the target that query names: 2 of ${MDM2}, 1 of ${P53}`,
    )
    expect(asked(w)).toEqual([`bindingdb.org${uniprot("P04637", 10000)}`])
  })

  test("of a structure comes from the endpoint for structures", async () => {
    await using w = await serving({ [pdb("6N4B", 10000)]: byPdb([row("21243", ">2820", "Cannabinoid receptor 1")]) })
    expect((await w.fetch("bindingdb", "6n4b")).outcomes).toMatchObject([
      {
        kind: "record",
        id: "6N4B",
        record: { pdb: "6N4B" },
        url: expect.stringContaining("getLigandsByPDBs?pdb=6N4B"),
      },
    ])
  })

  test("may be a single row, which comes as an object and not as a list", async () => {
    await using w = await serving({ [uniprot("P04637", 10000)]: byUniprot(row("1", "12")) })
    const [found] = (await w.fetch("bindingdb", "P04637")).outcomes
    expect(found?.kind === "record" && found.remarks[0]).toStartWith("1 affinities")
  })

  test("that is empty in any of the ways that this service has is a miss", async () => {
    for (const body of ["", '""', byUniprot([]), byUniprot(""), '{"getLindsByUniprotsResponse":""}']) {
      await using w = await serving({ [uniprot("P04637", 10000)]: body })
      expect((await w.fetch("bindingdb", "P04637")).outcomes).toMatchObject([
        { kind: "miss", reason: expect.stringContaining("10000 nM") },
      ])
    }
  })

  test("of a structure without data, which makes the service's query malformed, is a miss with advice", async () => {
    await using w = await serving({ [pdb("2RH1", 10000)]: MALFORMED })
    expect((await w.fetch("bindingdb", "2RH1")).outcomes).toMatchObject([
      { kind: "miss", reason: expect.stringContaining("UniProt accession") },
    ])
  })

  test("is a failure where the service has lost its database, is down, or answers in another form", async () => {
    for (const reply of [
      { status: 500, body: "<html>java.sql.SQLException: connection refused</html>" },
      { status: 500, body: "<html>out of memory</html>" },
      { status: 404, headers: { "content-type": "text/html" }, body: "<html>Tomcat</html>" },
      "<getLigandsByUniprotsResponse/>",
      '{"getLindsByUniprotsResponse":{"rows":[]}}',
      byUniprot([{ monomerid: "1" }]),
    ]) {
      await using w = await serving({ [uniprot("P04637", 10000)]: reply })
      expect((await w.fetch("bindingdb", "P04637")).outcomes).toMatchObject([{ kind: "failure" }])
    }
  })

  test("of one of several targets costs a request of its own, since rows do not tell whose they are", async () => {
    await using w = await serving({ [uniprot("P04637", 10000)]: byUniprot([row("1", "1")]) })
    expect((await w.fetch("bindingdb", "P04637", "P24941")).outcomes).toMatchObject([
      { kind: "record", id: "P04637" },
      { kind: "failure", id: "P24941" },
    ])
  })
})

describe("a search", () => {
  test("for an accession begins with the potent ones, and sorts by what the text means", async () => {
    const rows = [row("1", "0.000"), row("2", ">5"), row("3", " 40"), row("4", "<0.5", MDM2), row("5", "9.00")]
    await using w = await serving({ [uniprot("P04637", 100)]: byUniprot(rows) })
    const found = await hits(w, "P04637", { limit: 4 })
    expect(found).toMatchObject({ total: 5, next: "4" })
    expect(found.hits.map(({ title }) => title)).toEqual([
      `IC50 <0.5 nM, ${MDM2}`,
      `IC50 9.00 nM, ${P53}`,
      `IC50 40 nM, ${P53}`,
      `IC50 >5 nM, ${P53}`,
    ])
    expect(found.hits[0]).toMatchObject({ id: "P04637", summary: "BDBM4 · CN1c2ncnn2C |c:9| · PMID 19856920" })
    const last = await hits(w, "P04637", { limit: 4, cursor: "4" })
    expect(last.hits).toMatchObject([{ title: `IC50 not reported, ${P53}` }])
    expect(last.next).toBeUndefined()
  })

  test("looks further only where the first look finds nothing, and as far as it is told", async () => {
    await using w = await serving({
      [uniprot("P04637", 100)]: "",
      [uniprot("P04637", 10000)]: byUniprot([row("1", "3000")]),
      [uniprot("P24941", 1)]: byUniprot([]),
    })
    expect(await hits(w, "P04637")).toMatchObject({
      total: 1,
      notes: [expect.stringContaining("at most 10000 nM"), expect.anything()],
    })
    expect(await hits(w, "P24941;1")).toMatchObject({ total: 0 })
    expect(asked(w)).toHaveLength(3)
  })

  test("for a PDB id says how it was read", async () => {
    await using w = await serving({ [pdb("6N4B", 100)]: byPdb([row("21243", ">2820", "Cannabinoid receptor 1")]) })
    const found = await hits(w, "6n4b")
    expect(found.hits).toMatchObject([{ id: "6N4B", title: "IC50 >2820 nM, Cannabinoid receptor 1" }])
    expect(found.notes).toContain("6N4B was read as a PDB id")
  })

  test("for a SMILES asks by compound, and reads the fields that only that answer has", async () => {
    const compound = {
      "bdb.monomerid": 22360,
      "bdb.smiles": "CCO",
      "bdb.inhibitor": "ethanol",
      "bdb.target": "5-HT3A",
      "bdb.species": "Mouse",
      "bdb.affinity_type": "Ki",
      "bdb.affinity": " 40",
    }
    const path = "/rest/getTargetByCompound?smiles=CC(=O)O&cutoff=0.7&response=application/json"
    await using w = await serving({
      [path]: JSON.stringify({ getLindsByUniprotResponse: { "bdb.hit": 1, "bdb.affinities": compound } }),
    })
    const found = await hits(w, "similarity 70: CC(=O)O")
    expect(found.hits).toEqual([{ id: "BDBM22360", title: "Ki 40 nM, 5-HT3A", summary: "ethanol · Mouse · CCO" }])
    expect(found.notes.join()).toContain("cannot be fetched here")
    await w.search("bindingdb", "CC(=O)O")
    expect(asked(w)[1]).toContain("cutoff=1&")
  })

  test("for a name is UniProt's, among entries with affinities here, where an organism truly filters", async () => {
    const entry = {
      entryType: "UniProtKB reviewed (Swiss-Prot)",
      primaryAccession: "P00533",
      organism: { scientificName: "Homo sapiens" },
    }
    await using w = await world(
      () => ({ headers: { "x-total-results": "1" }, body: JSON.stringify({ results: [entry] }) }),
      { connectors: [bindingdb] },
    )
    expect(await hits(w, "EGFR", { organism: "9606" })).toMatchObject({ total: 1, hits: [{ id: "P00533" }] })
    expect(asked(w)[0]).toContain("(EGFR) AND organism_id:9606 AND database:bindingdb")
  })

  test("says where an organism was not applied, and refuses what it cannot ask", async () => {
    await using w = await serving({ [uniprot("P04637", 100)]: byUniprot([row("1", "1")]) })
    expect((await hits(w, "P04637", { organism: "human" })).notes[0]).toContain("organism was not applied")
    for (const [query, more] of [
      ["substructure: c1ccccc1", {}],
      ["P04637", { cursor: "x" }],
    ] as const)
      expect((await w.search("bindingdb", query, more)).result).toMatchObject({ failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(1)
  })

  test("during an outage is a failure, not an empty list", async () => {
    await using w = await serving({ [uniprot("P04637", 100)]: { status: 503, body: "<html></html>" } })
    expect((await w.search("bindingdb", "P04637")).result).toMatchObject({
      kind: "failure",
      failure: { code: "unavailable" },
    })
  })
})

describe("a file", () => {
  const xml = uniprot("P04637", 10000).replace(/&response.*/, "")

  test("is JSON, or the XML that the service gives by itself", async () => {
    await using w = await serving({
      [uniprot("P04637", 10000)]: byUniprot([row("1", "1")]),
      [xml]:
        "<r:getLindsByUniprotsResponse><r:affinities><query>x</query></r:affinities></r:getLindsByUniprotsResponse>",
    })
    expect((await w.file("bindingdb", "json", "P04637")).outcomes).toMatchObject([{ kind: "file" }])
    expect((await w.file("bindingdb", "xml", "P04637")).outcomes).toMatchObject([{ kind: "file" }])
  })

  test("without a row is a miss", async () => {
    await using w = await serving({
      [uniprot("P04637", 10000)]: byUniprot([]),
      [xml]: "<r:getLindsByUniprotsResponse/>",
      [uniprot("P24941", 10000)]: "",
    })
    for (const [format, id] of [
      ["json", "P04637"],
      ["xml", "P04637"],
      ["json", "P24941"],
    ] as const)
      expect((await w.file("bindingdb", format, id)).outcomes).toMatchObject([{ kind: "miss" }])
  })
})
