import { describe, expect, test } from "bun:test"
import { normalizeId, readId } from "../../../src/science/ids.ts"
import { createRegistry } from "../../../src/science/registry.ts"
import gtopdb from "../../../src/science/connectors/chemistry/gtopdb.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const NOTHING: Reply = { status: 204 }
const UNKNOWN: Reply = { status: 404, body: "" }

/** As recorded: what has no value is "". */
const ASPIRIN = {
  ligandId: 4139,
  name: "aspirin",
  type: "Synthetic organic",
  abbreviation: "",
  inn: "",
  approvalSource: "FDA (no history prior to 1965)",
  approved: true,
  withdrawn: false,
}
const STRUCTURE = { ligandName: "aspirin", smiles: "CC(=O)Oc1ccccc1C(=O)O", inchiKey: "BSYNRYMUTXBXSQ-UHFFFAOYSA-N" }
const EGFR = {
  targetId: 1797,
  name: "epidermal growth factor receptor",
  abbreviation: "EGFR",
  systematicName: "",
  type: "catalytic_receptor",
  familyNames: ["Type I RTKs"],
}
const D2 = { targetId: 215, name: "D<sub>2</sub> receptor", type: "GPCR", familyIds: [20], subunitIds: [] }
const INTERACTIONS = [
  { interactionId: 1, targetId: 215, ligandId: 4139, affinity: "8.5 - 9.0", affinityParameter: "pKi" },
]
const LINKS = [{ accession: "4.10.1240.10", database: "CATH/Gene3D", species: "None" }]

const isReply = (own: Reply | object): own is Reply =>
  typeof own === "string" || typeof own === "function" || "status" in own

function serving(answers: Record<string, Reply | object> = {}) {
  const answer = ({ path }: Seen): Reply => {
    const own = answers[decodeURIComponent(path.replace("/services", ""))]
    if (own === undefined) return UNKNOWN
    return isReply(own) ? own : JSON.stringify(own)
  }
  return world(answer, { connectors: [gtopdb] })
}
type World = Awaited<ReturnType<typeof serving>>
const asked = (w: World) => w.server.requests.map(({ path }) => decodeURIComponent(path.replace("/services", "")))

async function hits(w: World, text: string, more: Parameters<World["search"]>[2] = {}) {
  const { result } = await w.search("gtopdb", text, more)
  if (result.kind !== "hits") throw new Error(result.failure.message)
  return result
}

async function refused(text: string, more: Parameters<World["search"]>[2] = {}) {
  await using w = await serving()
  const { result } = await w.search("gtopdb", text, more)
  expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
  expect(w.server.requests).toHaveLength(0)
  return result.kind === "failure" ? result.failure.message : ""
}

test("an id says of what kind it is, and without a word it is a ligand's", () => {
  const ways = {
    "4139": [
      "4139",
      "IUPHAR:4139",
      "GTOPDB:4139",
      "gtpo ligand 4139",
      "iuphar.ligand:4139",
      "https://www.guidetopharmacology.org/GRAC/LigandDisplayForward?ligandId=4139",
      "https://www.guidetopharmacology.org/GRAC/LigandDisplayForward?tab=refs&ligandId=4139",
    ],
    "target:319": [
      "target:319",
      "target 319",
      "iuphar.receptor:319",
      "https://www.guidetopharmacology.org/GRAC/ObjectDisplayForward?objectId=319",
    ],
    "family:50": [
      "family:50",
      "iuphar.family:50",
      "https://www.guidetopharmacology.org/GRAC/FamilyDisplayForward?familyId=50",
    ],
  }
  for (const [id, written] of Object.entries(ways))
    for (const typed of written) expect(normalizeId(gtopdb, typed)).toBe(id)
  for (const typed of ["aspirin", "target:", "0", "P35372"])
    expect(() => readId(gtopdb, typed, createRegistry([gtopdb]))).toThrow("is not an id of Guide to PHARMACOLOGY")
})

describe("a record", () => {
  test("of a ligand has its structure, links and interactions beside it, each under its own name", async () => {
    await using w = await serving({
      "/ligands/4139": ASPIRIN,
      "/ligands/4139/structure": STRUCTURE,
      "/ligands/4139/databaseLinks": LINKS,
      "/ligands/4139/interactions": INTERACTIONS,
    })
    expect((await w.fetch("gtopdb", "4139")).outcomes).toMatchObject([
      {
        kind: "record",
        id: "4139",
        record: { ...ASPIRIN, structure: STRUCTURE, databaseLinks: LINKS, interactions: INTERACTIONS },
        incomplete: [],
        url: "https://www.guidetopharmacology.org/GRAC/LigandDisplayForward?ligandId=4139",
      },
    ])
  })

  test("tells a part that is not there (null) from one that could not be had (named)", async () => {
    await using w = await serving({
      "/ligands/4139": ASPIRIN,
      "/ligands/4139/structure": NOTHING,
      "/ligands/4139/databaseLinks": LINKS,
      "/ligands/4139/interactions": { status: 503, body: "<html>busy</html>" },
    })
    const [found] = (await w.fetch("gtopdb", "4139")).outcomes
    expect(found).toMatchObject({ kind: "record", incomplete: ["interactions"], record: { structure: null } })
    if (found?.kind === "record") expect(found.record).not.toHaveProperty("interactions")
  })

  test("of a target is the target of that number, never the ligand", async () => {
    await using w = await serving({ "/targets/215": D2, "/targets/215/databaseLinks": LINKS, "/ligands/215": ASPIRIN })
    expect((await w.fetch("gtopdb", "target:215")).outcomes).toMatchObject([
      {
        kind: "record",
        id: "target:215",
        record: { ...D2, interactions: null },
        url: "https://www.guidetopharmacology.org/GRAC/ObjectDisplayForward?objectId=215",
      },
    ])
    expect(asked(w).sort()).toEqual(["/targets/215", "/targets/215/databaseLinks", "/targets/215/interactions"])
  })

  test("that does not exist is a miss after one request, not a half of nothing", async () => {
    await using w = await serving()
    expect((await w.fetch("gtopdb", "99999")).outcomes).toMatchObject([{ kind: "miss" }])
    expect(asked(w)).toEqual(["/ligands/99999"])
  })

  test("whose main part is out of order is a failure", async () => {
    for (const reply of [{ status: 500, body: "" }, { status: 404, body: "<html>HTTP Status 404</html>" }, "{}"]) {
      await using w = await serving({ "/ligands/4139": reply, "/ligands/4139/structure": STRUCTURE })
      expect((await w.fetch("gtopdb", "4139")).outcomes).toMatchObject([{ kind: "failure" }])
    }
  })

  test("of a family is a miss where the service answers with number -1", async () => {
    await using w = await serving({
      "/targets/families/11": { familyId: 11, name: "Calcitonin receptors", targetIds: [43], parentFamilyIds: [694] },
      "/targets/families/999999": { familyId: -1, targetIds: [], parentFamilyIds: [], subFamilyIds: [] },
    })
    expect((await w.fetch("gtopdb", "family:11", "family:999999")).outcomes).toMatchObject([
      { kind: "record", record: { name: "Calcitonin receptors" } },
      { kind: "miss", id: "family:999999" },
    ])
  })

  test("of another ligand is not the one that was asked for", async () => {
    await using w = await serving({ "/ligands/5687": ASPIRIN })
    expect((await w.fetch("gtopdb", "5687")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test("of a withdrawn drug says so", async () => {
    await using w = await serving({ "/ligands/4139": { ...ASPIRIN, withdrawn: true } })
    expect((await w.fetch("gtopdb", "4139")).outcomes).toMatchObject([
      { kind: "record", remarks: ["a drug that was withdrawn from at least one market"] },
    ])
  })
})

describe("a search", () => {
  test("for a name asks ligands, targets and genes, and puts the very name first, approved drugs next", async () => {
    const other = { ...ASPIRIN, ligandId: 2, name: "EGFR inhibitor <i>x</i>", approved: false }
    const drug = { ...ASPIRIN, ligandId: 3, name: "anti-EGFR" }
    await using w = await serving({
      "/ligands?name=EGFR": [other, drug],
      "/targets?name=EGFR": [EGFR],
      "/targets?geneSymbol=EGFR": [EGFR],
    })
    const found = await hits(w, "EGFR")
    expect(found).toMatchObject({ total: 3 })
    expect(found.hits.map(({ id }) => id)).toEqual(["target:1797", "3", "2"])
    expect(found.hits[0]?.summary).toBe("target · catalytic_receptor · EGFR · Type I RTKs")
    expect(asked(w).sort()).toEqual(["/ligands?name=EGFR", "/targets?geneSymbol=EGFR", "/targets?name=EGFR"])
  })

  test("for a gene puts its product first, whatever that is called", async () => {
    const mu = { targetId: 319, name: "&mu; receptor", abbreviation: "MOP", type: "GPCR" }
    await using w = await serving({
      "/ligands?name=OPRM1": [{ ...ASPIRIN, name: "anti-OPRM1" }],
      "/targets?name=OPRM1": NOTHING,
      "/targets?geneSymbol=OPRM1": [mu],
    })
    expect((await hits(w, "OPRM1")).hits.map(({ id }) => id)).toEqual(["target:319", "4139"])
  })

  test("compares names without their markup", async () => {
    await using w = await serving({
      "/targets?name=D2 receptor": [{ ...D2, targetId: 1, name: "PLC D2 receptor-like" }, D2],
    })
    expect((await hits(w, "target: D2 receptor")).hits[0]?.id).toBe("target:215")
  })

  test("that finds nothing has no hits, whether by 204, by 404 or by an empty list", async () => {
    await using w = await serving({ "/ligands?name=zz z": NOTHING, "/targets?name=zz z": [] })
    expect(await hits(w, "zz z")).toMatchObject({ total: 0, hits: [] })
    expect(await hits(w, "ligand: unheard")).toMatchObject({ total: 0, hits: [] })
  })

  test("of which one list is out of order is a failure, not the other list alone", async () => {
    await using w = await serving({
      "/ligands?name=aspirin": [ASPIRIN],
      "/targets?name=aspirin": { status: 500, body: "" },
    })
    expect((await w.search("gtopdb", "aspirin")).result).toMatchObject({
      kind: "failure",
      failure: { code: "unavailable" },
    })
  })

  test("pages through a list that comes whole", async () => {
    const five = [1, 2, 3, 4, 5].map((ligandId) => ({ ...ASPIRIN, ligandId }))
    await using w = await serving({ "/ligands?type=Approved": five })
    const first = await hits(w, "ligands?type=Approved", { limit: 2 })
    expect(first).toMatchObject({ total: 5, next: "2", hits: [{ id: "1" }, { id: "2" }] })
    const last = await hits(w, "ligands?type=Approved", { limit: 2, cursor: "4" })
    expect(last).toMatchObject({ total: 5, hits: [{ id: "5" }] })
    expect(last.next).toBeUndefined()
  })

  test("refuses a filter that the service would ignore, and never asks for all interactions", async () => {
    expect(await refused("ligands?approved=true")).toContain("type=Approved")
    expect(await refused("targetId=215")).toContain("targetId is no filter")
    expect(await refused("similarity 80: c1ccccc1")).toContain("not searched for here")
    await refused("aspirin", { cursor: "x" })
  })

  test("by gene, accession, InChIKey, SMILES or id is exact", async () => {
    await using w = await serving({ "/targets?geneSymbol=EGFR": [EGFR], "/targets/215": D2 })
    expect((await hits(w, "geneSymbol=EGFR")).hits).toMatchObject([{ id: "target:1797" }])
    await hits(w, "P35372")
    await hits(w, STRUCTURE.inchiKey)
    await hits(w, STRUCTURE.smiles)
    expect((await hits(w, "target:215")).hits).toMatchObject([{ id: "target:215", title: "D<sub>2</sub> receptor" }])
    expect(asked(w).slice(0, 4)).toEqual([
      "/targets?geneSymbol=EGFR",
      "/targets?accession=P35372",
      `/ligands?inchikey=${STRUCTURE.inchiKey}`,
      `/ligands/exact?smiles=${STRUCTURE.smiles}`,
    ])
  })

  test("for a family looks through the list of them", async () => {
    const family = (familyId: number, name: string) => ({ familyId, name, targetIds: [1, 2], parentFamilyIds: [] })
    await using w = await serving({
      "/targets/families": [family(4, "Adrenoceptors"), family(11, "Calcitonin receptors")],
    })
    expect(await hits(w, "family: calcitonin")).toMatchObject({
      total: 1,
      hits: [{ id: "family:11", title: "Calcitonin receptors", summary: "family · 2 targets" }],
    })
  })
})

describe("a file", () => {
  test("is a list as the service gives it, of the kind that has one", async () => {
    await using w = await serving({ "/targets/215/interactions": INTERACTIONS, "/ligands/4139/databaseLinks": LINKS })
    expect((await w.file("gtopdb", "interactions", "target:215")).outcomes).toMatchObject([{ kind: "file" }])
    expect((await w.file("gtopdb", "links", "4139")).outcomes).toMatchObject([{ kind: "file" }])
    expect((await w.file("gtopdb", "structure", "target:215")).outcomes).toMatchObject([
      { kind: "miss", reason: "this format is one of ligands only" },
    ])
  })

  test("without a row is a miss, whether by 204, by 404 or by an empty list", async () => {
    await using w = await serving({ "/ligands/1/interactions": NOTHING, "/ligands/2/interactions": [] })
    for (const id of ["1", "2", "3"])
      expect((await w.file("gtopdb", "interactions", id)).outcomes).toMatchObject([{ kind: "miss" }])
  })
})
