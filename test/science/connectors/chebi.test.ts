import { describe, expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import path from "node:path"
import { normalizeId, readId } from "../../../src/science/ids.ts"
import { createRegistry } from "../../../src/science/registry.ts"
import chebi from "../../../src/science/connectors/chemistry/chebi.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const API = "/chebi/backend/api/public"
const NOT_FOUND: Reply = { status: 404, body: '{"detail":"No Compound matches the given query."}' }

const WATER = {
  id: 15377,
  chebi_accession: "CHEBI:15377",
  name: "water",
  ascii_name: "water",
  definition: "An oxygen hydride",
  stars: 3,
  secondary_ids: ["CHEBI:10743"],
  chemical_data: { formula: "H2O", mass: "18.010", charge: 0 },
  default_structure: { id: 4561, smiles: "[H]O[H]" },
  is_released: true,
}
/** As recorded: asked for 1, served 18357, without a structure's id. */
const NORADRENALINE = {
  id: 18357,
  chebi_accession: "CHEBI:18357",
  name: "(<em>R</em>)-noradrenaline",
  ascii_name: "(R)-noradrenaline",
  stars: 3,
  secondary_ids: ["CHEBI:1", "CHEBI:14668"],
  chemical_data: { formula: "C8H11NO3", mass: "169.18", charge: 0 },
  default_structure: { smiles: "NC[C@H](O)c1ccc(O)c(O)c1" },
}
const ROLE = {
  id: 33281,
  chebi_accession: "CHEBI:33281",
  name: "antimicrobial agent",
  stars: 2,
  default_structure: null,
}
const ALL = [WATER, NORADRENALINE, ROLE]
const find = (number: string) =>
  ALL.find(({ chebi_accession: own, ...each }) =>
    [own, ...("secondary_ids" in each ? each.secondary_ids : [])].includes(`CHEBI:${number}`),
  )

const row = (number: number, more = {}) => ({
  _score: 1,
  _source: { chebi_accession: `CHEBI:${number}`, name: "one", formula: "H2O", mass: 18.01, stars: 3, ...more },
})
const found = (total: number, results: unknown[]) => JSON.stringify({ total, number_pages: 1, results })

function service(answers: Record<string, Reply> = {}) {
  return ({ path: asked }: Seen): Reply => {
    const own = answers[decodeURIComponent(asked.replace(API, ""))]
    if (own !== undefined) return own
    if (asked.startsWith("/ols4/")) return '{"page":{"size":20,"totalElements":0,"totalPages":0,"number":0}}'
    const [, number = ""] = /\/compound\/(\d+)\/$/.exec(asked) ?? []
    const ids = new URL(asked, "https://x").searchParams.get("chebi_ids")?.split(",")
    if (ids)
      return JSON.stringify(
        Object.fromEntries(
          ids.toReversed().map((id) => {
            const data = find(id.slice(6))
            return [
              id,
              {
                standardized_chebi_id: id,
                primary_chebi_id: data?.chebi_accession,
                exists: !!data,
                data: data ?? null,
              },
            ]
          }),
        ),
      )
    const one = find(number)
    return one ? JSON.stringify(one) : NOT_FOUND
  }
}

const serving = (answers: Record<string, Reply> = {}) => world(service(answers), { connectors: [chebi] })
type World = Awaited<ReturnType<typeof serving>>
const asked = (w: World) => w.server.requests.map((request) => decodeURIComponent(request.path.replace(API, "")))

async function hits(w: World, text: string, more: Parameters<World["search"]>[2] = {}) {
  const { result } = await w.search("chebi", text, more)
  if (result.kind !== "hits") throw new Error(result.failure.message)
  return result
}

test("an accession is read in every way that it is written", () => {
  for (const typed of [
    "CHEBI:15377",
    "chebi:15377",
    "15377",
    "CHEBI 15377",
    "CHEBI_15377",
    "ChEBI:CHEBI:15377",
    "https://www.ebi.ac.uk/chebi/CHEBI:15377",
    "http://purl.obolibrary.org/obo/CHEBI_15377",
    "https://identifiers.org/CHEBI:15377",
  ])
    expect(normalizeId(chebi, typed)).toBe("CHEBI:15377")
  for (const typed of ["water", "C00001", "CHEBI:", "CHEBI:0", "GO:0008150"])
    expect(() => readId(chebi, typed, createRegistry([chebi]))).toThrow("is not an id of ChEBI")
})

describe("a record", () => {
  test("is what ChEBI 2.0 sent, masses as the text that they are, in one request", async () => {
    await using w = await serving()
    expect((await w.fetch("chebi", "chebi:15377")).outcomes).toMatchObject([
      { kind: "record", id: "CHEBI:15377", record: WATER, remarks: [], url: "https://www.ebi.ac.uk/chebi/CHEBI:15377" },
    ])
    expect(asked(w)).toEqual(["/compound/15377/"])
  })

  test("of a merged accession is said to be another one's by now", async () => {
    await using w = await serving()
    expect((await w.fetch("chebi", "CHEBI:1")).outcomes).toMatchObject([
      {
        kind: "record",
        id: "CHEBI:1",
        resolvedId: "CHEBI:18357",
        remarks: ["CHEBI:1 was merged into CHEBI:18357"],
        url: "https://www.ebi.ac.uk/chebi/CHEBI:18357",
      },
    ])
  })

  test("about another entity is not the one that was asked for", async () => {
    await using w = await serving({ "/compound/99/": JSON.stringify(WATER) })
    expect((await w.fetch("chebi", "CHEBI:99")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test("that its curators have not checked says so", async () => {
    await using w = await serving()
    expect((await w.fetch("chebi", "CHEBI:33281")).outcomes).toMatchObject([
      { kind: "record", remarks: ["2 of 3 stars: not checked by ChEBI's curators"] },
    ])
  })

  test("that does not exist is a miss, and an envelope of the ontology's service is never taken for it", async () => {
    await using w = await serving()
    expect((await w.fetch("chebi", "CHEBI:9999999")).outcomes).toEqual([
      { kind: "miss", db: "chebi", id: "CHEBI:9999999" },
    ])
  })

  test("that became obsolete is a miss that names its heir", async () => {
    const term = { obo_id: "CHEBI:77", is_obsolete: true, term_replaced_by: "http://purl.obolibrary.org/obo/CHEBI_78" }
    await using w = await serving({
      "/ols4/api/ontologies/chebi/terms?obo_id=CHEBI:77": JSON.stringify({
        _embedded: { terms: [term] },
        page: { totalElements: 1 },
      }),
    })
    expect((await w.fetch("chebi", "CHEBI:77")).outcomes).toMatchObject([
      { kind: "miss", reason: "it is obsolete, replaced by CHEBI:78: fetch that" },
    ])
  })

  test("that does not exist stays a miss when the ontology's service is down, and that is said", async () => {
    await using w = await serving({ "/ols4/api/ontologies/chebi/terms?obo_id=CHEBI:77": { status: 503, body: "" } })
    expect((await w.fetch("chebi", "CHEBI:77")).outcomes).toMatchObject([
      { kind: "miss", reason: expect.stringContaining("could not be asked") },
    ])
  })

  test("comes with others in one request, matched by the asked id, merged ones and misses among them", async () => {
    await using w = await serving()
    expect((await w.fetch("chebi", "CHEBI:15377", "CHEBI:1", "CHEBI:9999999")).outcomes).toMatchObject([
      { kind: "record", id: "CHEBI:15377", record: WATER },
      { kind: "record", id: "CHEBI:1", resolvedId: "CHEBI:18357" },
      { kind: "miss", id: "CHEBI:9999999" },
    ])
    expect(asked(w)).toEqual(["/compounds/?chebi_ids=CHEBI:15377,CHEBI:1,CHEBI:9999999"])
  })

  test("is a failure where a lot is answered in another form", async () => {
    await using w = await serving({ "/compounds/?chebi_ids=CHEBI:1,CHEBI:2": '{"detail":"Internal error"}' })
    expect((await w.fetch("chebi", "CHEBI:1", "CHEBI:2")).outcomes).toMatchObject([
      { kind: "failure", failure: { code: "bad_response" } },
      { kind: "failure" },
    ])
  })
})

describe("a search", () => {
  test("is for a term, a page at a time, with names free of markup", async () => {
    await using w = await serving({
      "/es_search/?term=aspirin&page=1&size=2": found(26, [
        row(759292, { name: "<em>x</em>", ascii_name: "x" }),
        row(2),
      ]),
      "/es_search/?term=aspirin&page=2&size=2": found(26, [row(3), row(4)]),
    })
    const first = await hits(w, "aspirin", { limit: 2 })
    expect(first).toMatchObject({
      total: 26,
      next: "2",
      hits: [{ id: "CHEBI:759292", title: "x", summary: "H2O · 18.01 g/mol · 3 of 3 stars" }, { id: "CHEBI:2" }],
    })
    expect(await hits(w, "aspirin", { limit: 2, cursor: "2" })).toMatchObject({
      next: "4",
      hits: [{ id: "CHEBI:3" }, { id: "CHEBI:4" }],
    })
  })

  test("ends at the last page, and an empty one is no failure", async () => {
    await using w = await serving({
      "/es_search/?term=aspirin&page=3&size=2": found(5, [row(1)]),
      "/es_search/?term=zzz&page=1&size=10": found(0, []),
    })
    expect((await hits(w, "aspirin", { limit: 2, cursor: "4" })).next).toBeUndefined()
    expect(await hits(w, "zzz")).toMatchObject({ total: 0, hits: [] })
  })

  test("refuses a cursor that would skip or repeat hits, without a request", async () => {
    await using w = await serving()
    for (const [cursor, limit] of [
      ["3", 2],
      ["abc", 10],
    ] as const)
      expect((await w.search("chebi", "aspirin", { cursor, limit })).result).toMatchObject({
        kind: "failure",
        failure: { code: "invalid_query" },
      })
    expect(w.server.requests).toHaveLength(0)
  })

  test("for an InChIKey keeps only what has that very key", async () => {
    const key = "RYYVLZVUVIJVGH-UHFFFAOYSA-N"
    await using w = await serving({
      [`/es_search/?term=${key}&page=1&size=10`]: found(2, [row(27732, { inchikey: key }), row(2, { inchikey: "X" })]),
    })
    expect(await hits(w, key)).toMatchObject({ total: 1, hits: [{ id: "CHEBI:27732" }] })
  })

  test("for an accession gives that entity, and says where it was merged", async () => {
    await using w = await serving()
    expect(await hits(w, "chebi:1")).toMatchObject({
      total: 1,
      hits: [{ id: "CHEBI:18357", title: "(R)-noradrenaline" }],
      notes: ["CHEBI:1 was merged into CHEBI:18357"],
    })
    expect(await hits(w, "CHEBI:9999999")).toMatchObject({ total: 0, hits: [] })
  })

  test("for a SMILES is one for structures, every sign of it encoded and no star left out", async () => {
    await using w = await serving()
    await w.search("chebi", "C[N+](C)(C)CC#N")
    await w.search("chebi", "similarity 70: c1ccccc1O")
    expect(w.server.requests.map((request) => request.path.replace(API, ""))).toEqual([
      "/structure_search/?smiles=C%5BN%2B%5D%28C%29%28C%29CC%23N&search_type=connectivity&three_star_only=false&page=1&size=10",
      "/structure_search/?smiles=c1ccccc1O&search_type=similarity&three_star_only=false&similarity=0.7&page=1&size=10",
    ])
  })

  test("with an organism says that it does not filter by one", async () => {
    await using w = await serving({ "/es_search/?term=aspirin&page=1&size=10": found(1, [row(1)]) })
    expect((await hits(w, "aspirin", { organism: "human" })).notes).toContain(
      "organism is not a filter of ChEBI: not applied",
    )
  })

  test("whose answer has changed is a failure that names the field", async () => {
    await using w = await serving({
      "/es_search/?term=aspirin&page=1&size=10": '{"results":[{"_source":{}}],"total":1}',
    })
    expect((await w.search("chebi", "aspirin")).result).toMatchObject({
      failure: { code: "bad_response", message: expect.stringContaining("results.0._source.chebi_accession") },
    })
  })
})

describe("a file", () => {
  const MOL = "\n  Marvin\n\n  1  0\nM  END\n"
  const text = { "content-type": "text/plain" }

  test("of a structure is asked for under the entity's present number, a drawing under its structure's own", async () => {
    await using w = await serving({
      "/molfile/18357/": { headers: text, body: MOL },
      "/structure/4561/": { headers: { "content-type": "image/svg+xml" }, body: "<svg></svg>" },
    })
    const [mol] = (await w.file("chebi", "mol", "CHEBI:1")).outcomes
    if (mol?.kind !== "file") throw new Error("no file")
    expect(await readFile(path.join(w.directory, mol.saved.path), "utf8")).toBe(MOL)
    expect((await w.file("chebi", "svg", "CHEBI:15377")).outcomes).toMatchObject([{ kind: "file" }])
  })

  test("of a structure is a miss for a role or a class", async () => {
    await using w = await serving()
    for (const format of ["mol", "svg"])
      expect((await w.file("chebi", format, "CHEBI:33281")).outcomes).toMatchObject([
        { kind: "miss", reason: "it has no structure: a class or a role" },
      ])
    expect(asked(w)).toEqual(["/compound/33281/", "/compound/33281/"])
  })

  test("of a structure that comes empty is a failure, not an empty file", async () => {
    await using w = await serving({ "/molfile/15377/": { headers: text, body: "" } })
    expect((await w.file("chebi", "mol", "CHEBI:15377")).outcomes).toMatchObject([{ kind: "failure" }])
  })

  test("of relations is one request, and an unknown id has none", async () => {
    await using w = await serving({
      "/ontology/parents/15377/": '{"id":15377,"ontology_relations":{"outgoing_relations":[]}}',
    })
    expect((await w.file("chebi", "parents", "CHEBI:15377")).outcomes).toMatchObject([{ kind: "file" }])
    expect((await w.file("chebi", "children", "CHEBI:9999999")).outcomes).toMatchObject([{ kind: "miss" }])
    expect(asked(w)).toEqual(["/ontology/parents/15377/", "/ontology/children/9999999/"])
  })

  test("of the ontology's term is a miss where the page is empty", async () => {
    await using w = await serving()
    expect((await w.file("chebi", "term", "CHEBI:9999999")).outcomes).toMatchObject([{ kind: "miss" }])
  })
})
