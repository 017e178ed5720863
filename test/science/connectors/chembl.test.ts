import { describe, expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import path from "node:path"
import { normalizeId, readId } from "../../../src/science/ids.ts"
import { createRegistry } from "../../../src/science/registry.ts"
import chembl from "../../../src/science/connectors/chemistry/chembl.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const API = "/chembl/api/data"

/** As recorded: a miss has an empty body that is called HTML. */
const GONE: Reply = { status: 404, headers: { "content-type": "text/html; charset=utf-8" }, body: "" }

const ASPIRIN = {
  molecule_chembl_id: "CHEMBL25",
  pref_name: "ASPIRIN",
  max_phase: "4.0",
  withdrawn_flag: false,
  black_box_warning: 0,
  molecule_hierarchy: { parent_chembl_id: "CHEMBL25" },
  molecule_properties: { full_molformula: "C9H8O4", full_mwt: "180.16" },
  molecule_structures: { canonical_smiles: "CC(=O)Oc1ccccc1C(=O)O" },
  molecule_synonyms: [{ molecule_synonym: "Acetylsalicylic acid" }],
}
const MESYLATE = {
  ...ASPIRIN,
  molecule_chembl_id: "CHEMBL1642",
  pref_name: null,
  molecule_hierarchy: { parent_chembl_id: "CHEMBL941" },
  molecule_synonyms: [{ molecule_synonym: "Gleevec" }],
}
const ENZYME = {
  ...ASPIRIN,
  molecule_chembl_id: "CHEMBL2108703",
  pref_name: "LIPROTAMASE",
  max_phase: "3.0",
  molecule_hierarchy: { parent_chembl_id: "CHEMBL2108703" },
  molecule_properties: null,
  molecule_structures: null,
}
const WITHDRAWN = { ...ASPIRIN, molecule_chembl_id: "CHEMBL122", pref_name: "ROFECOXIB", withdrawn_flag: true }
const TARGET = {
  target_chembl_id: "CHEMBL203",
  pref_name: "Epidermal growth factor receptor",
  organism: "Homo sapiens",
  target_type: "SINGLE PROTEIN",
  target_components: [{ accession: "P00533" }],
}
const ASSAY = {
  assay_chembl_id: "CHEMBL771355",
  description: "Antiedema efficacy",
  document_chembl_id: "CHEMBL1121620",
  target_chembl_id: "CHEMBL376",
  cell_chembl_id: null,
}
const MOLECULES = [ASPIRIN, MESYLATE, ENZYME, WITHDRAWN]
const lookup = (id: string, entity_type: string, status = "ACTIVE") =>
  JSON.stringify({ chembl_id: id, entity_type, status, last_active: status === "ACTIVE" ? 37 : 30 })

const page = (total_count: number, next: string | null = null) => ({
  limit: 20,
  next,
  offset: 0,
  previous: null,
  total_count,
})
const rows = (key: string, list: unknown[], total = list.length, next: string | null = null) =>
  JSON.stringify({ [key]: list, page_meta: page(total, next) })

function service(answers: Record<string, Reply> = {}) {
  return ({ path: asked }: Seen): Reply => {
    const own = answers[asked.replace(API, "")]
    if (own !== undefined) return own
    const url = new URL(asked, "https://x")
    const many = url.searchParams.get("molecule_chembl_id__in")?.split(",")
    if (many) {
      // Another order than asked for, and never more than the limit, which is 20 where it is not given.
      const found = MOLECULES.filter((each) => many.includes(each.molecule_chembl_id)).reverse()
      return rows("molecules", found.slice(0, Number(url.searchParams.get("limit") ?? 20)))
    }
    const one = MOLECULES.find((each) => url.pathname === `${API}/molecule/${each.molecule_chembl_id}.json`)
    return one ? JSON.stringify(one) : GONE
  }
}

const serving = (answers: Record<string, Reply> = {}) => world(service(answers), { connectors: [chembl] })
type World = Awaited<ReturnType<typeof serving>>
const asked = (w: World) => w.server.requests.map((request) => decodeURIComponent(request.path.replace(API, "")))
const query = (w: World, i = 0) =>
  Object.fromEntries(new URL(w.server.requests[i]?.path ?? "", "https://x").searchParams)

async function hits(w: World, text: string, more: Parameters<World["search"]>[2] = {}) {
  const { result } = await w.search("chembl", text, more)
  if (result.kind !== "hits") throw new Error(result.failure.message)
  return result
}

const refused = async (text: string, more: Parameters<World["search"]>[2] = {}) => {
  await using w = await serving()
  const { result } = await w.search("chembl", text, more)
  expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
  expect(w.server.requests).toHaveLength(0)
  return result.kind === "failure" ? result.failure.message : ""
}

describe("ids", () => {
  test("are read in every way that they are written", () => {
    for (const typed of [
      "CHEMBL25",
      "chembl25",
      "ChEMBL25",
      "CHEMBL:25",
      "CHEMBL_25",
      "25",
      "CHEMBL25.json",
      "chembl.compound:CHEMBL25",
      "https://www.ebi.ac.uk/chembl/explore/compound/CHEMBL25",
      "https://www.ebi.ac.uk/chembl/compound_report_card/CHEMBL25/",
      "https://identifiers.org/chembl.target:CHEMBL25",
    ])
      expect(normalizeId(chembl, typed)).toBe("CHEMBL25")
  })

  test("a name or a SMILES is none, and is refused before any request", () => {
    for (const typed of ["aspirin", "CCO", "CHEMBL", "CHEMBL0", "CHEMBL25;CHEMBL941"])
      expect(() => readId(chembl, typed, createRegistry([chembl]))).toThrow("is not an id of ChEMBL")
  })
})

describe("a record", () => {
  test("of a compound costs one request and is what ChEMBL sent", async () => {
    await using w = await serving()
    expect((await w.fetch("chembl", "chembl25")).outcomes).toMatchObject([
      {
        kind: "record",
        id: "CHEMBL25",
        record: ASPIRIN,
        remarks: [],
        url: "https://www.ebi.ac.uk/chembl/entity/CHEMBL25",
      },
    ])
    expect(asked(w)).toEqual(["/molecule/CHEMBL25.json"])
  })

  test("of another entity is found by the look-up, and an assay is not taken for its target or document", async () => {
    await using w = await serving({
      "/chembl_id_lookup/CHEMBL771355.json": lookup("CHEMBL771355", "ASSAY"),
      "/assay/CHEMBL771355.json": JSON.stringify(ASSAY),
      "/chembl_id_lookup/CHEMBL203.json": lookup("CHEMBL203", "TARGET"),
      "/target/CHEMBL203.json": JSON.stringify(TARGET),
    })
    expect((await w.fetch("chembl", "CHEMBL771355")).outcomes).toMatchObject([{ kind: "record", record: ASSAY }])
    expect((await w.fetch("chembl", "CHEMBL203")).outcomes).toMatchObject([{ kind: "record", record: TARGET }])
  })

  test("an id that ChEMBL does not know is a miss, although the empty answer calls itself HTML", async () => {
    await using w = await serving()
    expect((await w.fetch("chembl", "CHEMBL12345678")).outcomes).toMatchObject([{ kind: "miss", id: "CHEMBL12345678" }])
    expect(asked(w)).toEqual(["/molecule/CHEMBL12345678.json", "/chembl_id_lookup/CHEMBL12345678.json"])
  })

  test("an id that was given up is a miss that says since when", async () => {
    await using w = await serving({ "/chembl_id_lookup/CHEMBL5.json": lookup("CHEMBL5", "COMPOUND", "OBS") })
    const [found] = (await w.fetch("chembl", "CHEMBL5")).outcomes
    expect(found).toMatchObject({ kind: "miss" })
    expect(found?.kind === "miss" && found.reason).toBe(
      "ChEMBL knows this compound id as given up (OBS); it was last part of ChEMBL 30",
    )
  })

  test("an outage of the look-up is a failure, not an unknown id", async () => {
    await using w = await serving({ "/chembl_id_lookup/CHEMBL203.json": { status: 503, body: "<html></html>" } })
    expect((await w.fetch("chembl", "CHEMBL203")).outcomes).toMatchObject([
      { kind: "failure", failure: { code: "unavailable", retryable: true } },
    ])
  })

  test("an answer about another compound is not the record", async () => {
    await using w = await serving({ "/molecule/CHEMBL26.json": JSON.stringify(ASPIRIN) })
    expect((await w.fetch("chembl", "CHEMBL26")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test("says what must be known: withdrawn, no structure, a form of another compound", async () => {
    await using w = await serving()
    const remarks = async (id: string) => {
      const [found] = (await w.fetch("chembl", id)).outcomes
      return found?.kind === "record" ? found.remarks.join() : "no record"
    }
    expect(await remarks("CHEMBL122")).toContain("withdrawn")
    expect(await remarks("CHEMBL2108703")).toContain("no structure")
    expect(await remarks("CHEMBL1642")).toContain("another form of CHEMBL941")
  })

  test("many compounds are one request with its limit said, matched by id; only what is no compound is looked up", async () => {
    await using w = await serving({
      "/chembl_id_lookup/CHEMBL203.json": lookup("CHEMBL203", "TARGET"),
      "/target/CHEMBL203.json": JSON.stringify(TARGET),
    })
    expect((await w.fetch("chembl", "CHEMBL25", "CHEMBL203", "CHEMBL9", "CHEMBL1642")).outcomes).toMatchObject([
      { kind: "record", id: "CHEMBL25", record: ASPIRIN },
      { kind: "record", id: "CHEMBL203", record: TARGET },
      { kind: "miss", id: "CHEMBL9" },
      { kind: "record", id: "CHEMBL1642", record: MESYLATE },
    ])
    expect(query(w)).toEqual({ molecule_chembl_id__in: "CHEMBL25,CHEMBL203,CHEMBL9,CHEMBL1642", limit: "4" })
  })

  test("in a lot, a failed look-up costs only its own id", async () => {
    await using w = await serving({ "/chembl_id_lookup/CHEMBL203.json": { status: 500, body: "" } })
    expect((await w.fetch("chembl", "CHEMBL25", "CHEMBL203")).outcomes).toMatchObject([
      { kind: "record", id: "CHEMBL25" },
      { kind: "failure", id: "CHEMBL203", failure: { code: "unavailable" } },
    ])
  })
})

describe("a search", () => {
  test("for words asks for compounds in full text, says so, and follows ChEMBL's own next page", async () => {
    const next = `${API}/molecule/search.json?limit=2&offset=2&q=imatinib`
    await using w = await serving({
      "/molecule/search.json?q=imatinib&limit=2&offset=0": rows("molecules", [ASPIRIN, MESYLATE], 5, next),
    })
    const found = await hits(w, "imatinib", { limit: 2 })
    expect(found).toMatchObject({ total: 5, next: "2" })
    expect(found.hits).toMatchObject([
      { id: "CHEMBL25", title: "ASPIRIN", summary: "approved · C9H8O4 · 180.16 g/mol · CC(=O)Oc1ccccc1C(=O)O" },
      { id: "CHEMBL1642", title: "Gleevec" },
    ])
    expect(found.notes.join()).toContain("among compounds only")
  })

  test("that finds nothing has no hits and a total of 0", async () => {
    await using w = await serving({ "/molecule/search.json?q=zzz&limit=10&offset=0": rows("molecules", []) })
    expect(await hits(w, "zzz")).toMatchObject({ hits: [], total: 0 })
  })

  test("does not take the end of ChEMBL's window for a total, nor page beyond it", async () => {
    const next = `${API}/molecule/search.json?limit=10&offset=10000&q=acid`
    await using w = await serving({
      "/molecule/search.json?q=acid&limit=10&offset=9990": rows("molecules", [ASPIRIN], 10_000, next),
    })
    const found = await hits(w, "acid", { cursor: "9990" })
    expect(found.total).toBeUndefined()
    expect(found.next).toBeUndefined()
    expect(found.notes.join()).toContain("10,000 or more")
  })

  test("for an id gives that record alone, never what full text would put behind it", async () => {
    await using w = await serving({
      "/chembl_id_lookup/CHEMBL203.json": lookup("CHEMBL203", "TARGET"),
      "/target/CHEMBL203.json": JSON.stringify(TARGET),
    })
    expect((await hits(w, "chembl203")).hits).toEqual([
      { id: "CHEMBL203", title: TARGET.pref_name, summary: "Homo sapiens · single protein · P00533" },
    ])
    expect(await hits(w, "CHEMBL99")).toMatchObject({ hits: [], total: 0 })
  })

  test("for an InChIKey, a SMILES or an accession is an exact filter", async () => {
    await using w = await serving()
    for (const text of ["BSYNRYMUTXBXSQ-UHFFFAOYSA-N", "CC(=O)Oc1ccccc1C(=O)O", "P00533"])
      await w.search("chembl", text)
    expect([query(w, 0), query(w, 1), query(w, 2)]).toMatchObject([
      { molecule_structures__standard_inchi_key: "BSYNRYMUTXBXSQ-UHFFFAOYSA-N" },
      { molecule_structures__canonical_smiles__connectivity: "CC(=O)Oc1ccccc1C(=O)O" },
      { target_components__accession: "P00533" },
    ])
  })

  test("for similar structures sends every reserved character of a SMILES encoded, with a bound that ChEMBL takes", async () => {
    await using w = await serving()
    await w.search("chembl", "similarity 70: C/C=C/C#N")
    await w.search("chembl", "substructure: c1ccccc1")
    expect(w.server.requests.map((request) => request.path)).toEqual([
      `${API}/similarity/C%2FC%3DC%2FC%23N/70.json?limit=10&offset=0`,
      `${API}/substructure/c1ccccc1.json?limit=10&offset=0`,
    ])
    expect(await refused("similarity 30: CCO")).toContain("40 to 100")
  })

  test("in ChEMBL's own syntax goes to its resource, and doubtful or doubled measurements are marked", async () => {
    const activity = {
      molecule_chembl_id: "CHEMBL295054",
      molecule_pref_name: null,
      canonical_smiles: "CCO",
      standard_type: "IC50",
      standard_relation: ">",
      standard_value: "1.8",
      standard_units: null,
      pchembl_value: null,
      target_chembl_id: "CHEMBL203",
      target_pref_name: "EGFR",
      data_validity_comment: "Outside typical range",
      potential_duplicate: 1,
    }
    await using w = await serving({
      "/activity.json?target_chembl_id=CHEMBL203&pchembl_value__gte=7&limit=10&offset=0": rows(
        "activities",
        [activity],
        58847,
      ),
    })
    const found = await hits(w, "activity?target_chembl_id=CHEMBL203&pchembl_value__gte=7")
    expect(found).toMatchObject({
      total: 58847,
      hits: [
        {
          id: "CHEMBL295054",
          title: "CCO",
          summary: "IC50 > 1.8 · EGFR CHEMBL203",
          marks: ["outside typical range", "duplicate"],
        },
      ],
    })
    expect(found.notes.join()).toContain("may ignore a filter")
  })

  test("with filters alone reads off them what is asked for, or asks", async () => {
    await using w = await serving()
    await w.search("chembl", "mesh_heading__icontains=cystic+fibrosis")
    expect(asked(w)[0]).toBe("/drug_indication.json?mesh_heading__icontains=cystic fibrosis&limit=10&offset=0")
    expect(await refused("molecule_chembl_id=CHEMBL25")).toContain("activity?molecule_chembl_id=CHEMBL25")
  })

  test("refuses filters that would be dropped or would cut the answer", async () => {
    expect(await refused("activity?standard_type=IC50&standard_type=Ki")).toContain("standard_type__in=a,b")
    expect(await refused("activity?limit=5")).toContain("limit")
    expect(await refused("activity?standard_type=")).toContain("has no value")
    expect(await refused("mechanism: kinase")).toContain("no text search")
    expect(await refused("InChI=1S/CH4/h1H4")).toContain("InChIKey")
    await refused("imatinib", { cursor: "abc" })
  })

  test("rows without name, organism, action or target are shown all the same", async () => {
    await using w = await serving({
      "/target.json?organism__isnull=true&limit=10&offset=0": rows("targets", [
        {
          target_chembl_id: "CHEMBL3879801",
          pref_name: "NON-PROTEIN TARGET",
          organism: null,
          target_type: "NON-MOLECULAR",
          target_components: [],
        },
      ]),
      "/mechanism.json?action_type__isnull=true&limit=10&offset=0": rows("mechanisms", [
        {
          molecule_chembl_id: "CHEMBL2",
          mechanism_of_action: "Unknown",
          action_type: null,
          target_chembl_id: null,
          max_phase: 4,
        },
      ]),
    })
    expect((await hits(w, "target?organism__isnull=true")).hits).toMatchObject([{ summary: "non-molecular" }])
    expect((await hits(w, "mechanism?action_type__isnull=true")).hits).toMatchObject([
      { title: "Unknown", summary: "approved" },
    ])
  })

  test("with an organism filters targets by name or taxon, and refuses it for compounds", async () => {
    await using w = await serving()
    await w.search("chembl", "EGFR", { organism: "human" })
    await w.search("chembl", "target: growth factor receptor", { organism: "10090" })
    await w.search("chembl", "activity?standard_type=IC50", { organism: "Mus musculus" })
    expect([query(w, 0), query(w, 1), query(w, 2)]).toMatchObject([
      {
        target_components__target_component_synonyms__component_synonym__iexact: "EGFR",
        organism__iexact: "Homo sapiens",
      },
      { pref_name__icontains: "growth factor receptor", tax_id: "10090" },
      { standard_type: "IC50", target_organism__iexact: "Mus musculus" },
    ])
    expect(await refused("molecule: aspirin", { organism: "human" })).toContain("no organism")
  })

  test("a row without its id is a changed answer, not a row of undefined", async () => {
    await using w = await serving({
      "/molecule/search.json?q=aspirin&limit=10&offset=0": rows("molecules", [{ pref_name: "ASPIRIN" }]),
    })
    expect((await w.search("chembl", "aspirin")).result).toMatchObject({
      kind: "failure",
      failure: { code: "bad_response", message: expect.stringContaining("molecules.0.molecule_chembl_id") },
    })
  })
})

describe("a file", () => {
  const table = (resource: string, field: string, id: string, total: number): Record<string, Reply> => ({
    [`/${resource}.json?${field}=${id}&limit=1`]: rows("rows", total > 0 ? [{}] : [], total),
    [`/${resource}.json?${field}=${id}&limit=1000`]: rows(
      "rows",
      Array.from({ length: total }, () => ({})),
      total,
    ),
  })

  test("of a structure is one of a compound that has one; the others are misses that say why", async () => {
    const sdf = "\n  RDKit\n\n  0  0\nM  END\n> <chembl_id>\nCHEMBL25\n\n$$$$\n"
    await using w = await serving({
      "/molecule/CHEMBL25.sdf": { headers: { "content-type": "chemical/x-mdl-sdfile" }, body: sdf },
      "/image/CHEMBL25.svg": { headers: { "content-type": "image/svg+xml" }, body: "<svg></svg>" },
    })
    const [found] = (await w.file("chembl", "sdf", "CHEMBL25")).outcomes
    if (found?.kind !== "file") throw new Error("no file")
    expect(await readFile(path.join(w.directory, found.saved.path), "utf8")).toBe(sdf)
    expect((await w.file("chembl", "svg", "CHEMBL25")).outcomes).toMatchObject([{ kind: "file" }])
    expect((await w.file("chembl", "sdf", "CHEMBL2108703")).outcomes).toMatchObject([
      { kind: "miss", reason: "ChEMBL has no structure of this compound" },
    ])
    expect((await w.file("chembl", "sdf", "CHEMBL203")).outcomes).toMatchObject([
      { kind: "miss", reason: expect.stringContaining("compounds only") },
    ])
  })

  test("of mechanisms, indications or warnings holds those of all forms of the drug", async () => {
    await using w = await serving(table("mechanism", "parent_molecule_chembl_id", "CHEMBL941", 3))
    expect((await w.file("chembl", "mechanisms", "CHEMBL1642")).outcomes).toMatchObject([{ kind: "file" }])
    expect(asked(w).at(-1)).toBe("/mechanism.json?parent_molecule_chembl_id=CHEMBL941&limit=1000")
  })

  test("without a row is a miss", async () => {
    await using w = await serving(table("drug_warning", "parent_molecule_chembl_id", "CHEMBL25", 0))
    expect((await w.file("chembl", "warnings", "CHEMBL25")).outcomes).toMatchObject([
      { kind: "miss", reason: "ChEMBL has no such rows of CHEMBL25" },
    ])
  })

  test("that would be cut at 1,000 rows is refused, with what to do instead", async () => {
    await using w = await serving(table("activity", "molecule_chembl_id", "CHEMBL25", 4087))
    expect((await w.file("chembl", "activities", "CHEMBL25")).outcomes).toMatchObject([
      { kind: "failure", failure: { code: "too_large", message: expect.stringContaining("4,087 such rows") } },
    ])
  })

  test("of activities is that of the target, assay or document as well, and json is the entity's own", async () => {
    await using w = await serving({
      "/chembl_id_lookup/CHEMBL771355.json": lookup("CHEMBL771355", "ASSAY"),
      "/assay/CHEMBL771355.json": JSON.stringify(ASSAY),
      ...table("activity", "assay_chembl_id", "CHEMBL771355", 1),
    })
    expect((await w.file("chembl", "activities", "CHEMBL771355")).outcomes).toMatchObject([{ kind: "file" }])
    expect((await w.file("chembl", "json", "CHEMBL771355")).outcomes).toMatchObject([
      { kind: "file", url: `https://www.ebi.ac.uk${API}/assay/CHEMBL771355.json` },
    ])
  })

  test("an HTML page under 404 on the way to a file is no word about the compound", async () => {
    await using w = await serving({ "/molecule/CHEMBL25.json": { status: 404, body: "<html>gateway</html>" } })
    expect((await w.file("chembl", "mechanisms", "CHEMBL25")).outcomes).toMatchObject([{ kind: "failure" }])
  })
})
