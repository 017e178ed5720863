import { describe, expect, test } from "bun:test"
import { normalizeId } from "../../../src/science/ids.ts"
import stringDb from "../../../src/science/connectors/interactions/string-db.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const TP53 = "9606.ENSP00000269305"
const B14 = "511145.b0014"

const row = (a: string, b: string, score = 0.999, taxon: number | string = 9606) => ({
  stringId_A: a,
  stringId_B: b,
  preferredName_A: "A",
  preferredName_B: "B",
  ncbiTaxonId: taxon,
  score,
  tscore: 0.859,
})
const protein = (queryItem: string, stringId: string, preferredName: string, annotation = "Some protein [...] ") => ({
  queryIndex: 0,
  queryItem,
  stringId,
  ncbiTaxonId: 9606,
  taxonName: "Homo sapiens",
  preferredName,
  annotation,
})

const notFound = (name: string): Reply => ({
  status: 404,
  body: `[{ "Error" : "not found", "ErrorMessage" : "<p>Sorry, STRING did not find a protein called '${name}' in the taxon '3702'.</p>" }]`,
})

/** STRING's methods by name, in any format. */
const serving = (methods: Record<string, (asked: URLSearchParams, seen: Seen) => Reply>) =>
  world(
    (seen: Seen) => {
      const { pathname, searchParams } = new URL(`https://${seen.host}${seen.path}`)
      const asked = seen.method === "POST" ? new URLSearchParams(seen.body) : searchParams
      return methods[pathname.split("/").at(-1) ?? ""]?.(asked, seen)
    },
    { connectors: [stringDb] },
  )

type Served = Awaited<ReturnType<typeof serving>>

const json = (value: unknown) => () => JSON.stringify(value)

async function hits(w: Served, query: string, more: Parameters<Served["search"]>[2] = {}) {
  const { result } = await w.search("string-db", query, more)
  if (result.kind !== "hits") throw new Error(`no hits: ${result.failure.message}`)
  return result
}

const askedOf = ({ path, method, body }: Seen) =>
  Object.fromEntries(method === "POST" ? new URLSearchParams(body) : new URL(`http://x${path}`).searchParams)

describe("an id", () => {
  test("keeps its letters as they are, since locus tags and transcripts have both cases", () => {
    for (const id of ["83332.Rv1908c", "3702.AT1G01010.1", B14, TP53]) expect(normalizeId(stringDb, id)).toBe(id)
  })

  test("of an Ensembl protein has no version, and human's and mouse's need no taxon", () => {
    expect(normalizeId(stringDb, "9606.ENSP00000269305.4")).toBe(TP53)
    expect(normalizeId(stringDb, "ENSP00000269305")).toBe(TP53)
    expect(normalizeId(stringDb, "ensmusp00000104298")).toBe("10090.ENSMUSP00000104298")
    expect(normalizeId(stringDb, "9606:ENSP00000269305")).toBe(TP53)
    expect(normalizeId(stringDb, "STRING:9606.ENSP00000269305")).toBe(TP53)
  })

  test("that is a symbol, an accession or a number is refused: without a species it would be any organism's", async () => {
    await using w = await serving({})
    for (const id of ["TP53", "P04637", "9606", "9606.53", "constructor"]) {
      const { outcomes } = await w.fetch("string-db", id)
      expect(outcomes).toMatchObject([{ kind: "failure", failure: { code: "invalid_id" } }])
    }
    expect(w.server.requests).toHaveLength(0)
  })
})

describe("a record", () => {
  const partners = [row(TP53, "9606.ENSP00000340989"), row(TP53, "9606.ENSP00000263253", 0.9, "9606")]
  const known = { get_string_ids: json([protein(TP53, TP53, "TP53")]), interaction_partners: json(partners) }

  test("is the protein and its partners as STRING gave them, the taxon a number or a text", async () => {
    await using w = await serving(known)
    const { outcomes } = await w.fetch("string-db", TP53)
    expect(outcomes).toMatchObject([
      { kind: "record", record: { protein: protein(TP53, TP53, "TP53"), partners }, remarks: [], incomplete: [] },
    ])
  })

  test("says with every call who asks, and does not insist on JSON, which has made requests hang", async () => {
    await using w = await serving(known)
    await w.fetch("string-db", TP53)
    for (const seen of w.server.requests) {
      expect(askedOf(seen)).toMatchObject({ identifiers: TP53, caller_identity: "opencode-science" })
      expect(seen.headers.accept).toBe("*/*")
    }
    expect(w.server.requests.map(({ path }) => path.split("?")[0])).toEqual([
      "/api/json/interaction_partners",
      "/api/json/get_string_ids",
    ])
  })

  test("whose protein's own entry could not be had says so", async () => {
    await using w = await serving({ ...known, get_string_ids: () => ({ status: 503 }) })
    const { outcomes } = await w.fetch("string-db", TP53)
    expect(outcomes).toMatchObject([{ kind: "record", record: { partners }, incomplete: ["protein"] }])
  })

  test("of a protein without partners is a record that says so, not a miss", async () => {
    await using w = await serving({ ...known, interaction_partners: json([]) })
    const { outcomes } = await w.fetch("string-db", TP53)
    expect(outcomes).toMatchObject([
      { kind: "record", record: { partners: [] }, remarks: [expect.stringContaining("no partner")] },
    ])
  })

  test("without partners and without the protein's entry is no record", async () => {
    await using w = await serving({ ...known, interaction_partners: json([]), get_string_ids: () => ({ status: 503 }) })
    expect((await w.fetch("string-db", TP53)).outcomes).toMatchObject([{ kind: "failure" }])
    await using gone = await serving({ interaction_partners: json([]), get_string_ids: json([]) })
    expect((await gone.fetch("string-db", TP53)).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test("of an unknown protein, a 404 with an array, is a miss that says what to do; a 404 page is a failure", async () => {
    await using w = await serving({ interaction_partners: () => notFound("1.x") })
    const { outcomes } = await w.fetch("string-db", "1.x")
    expect(outcomes).toMatchObject([{ kind: "miss", reason: expect.stringContaining("search for its name") }])
    await using moved = await serving({
      interaction_partners: () => ({ status: 404, body: "<!DOCTYPE html><html lang='en'>\n<head>" }),
    })
    expect((await moved.fetch("string-db", "1.x")).outcomes).toMatchObject([{ kind: "failure" }])
  })

  test("of a protein that STRING resolves to another one is a miss that names it", async () => {
    await using w = await serving(known)
    const { outcomes } = await w.fetch("string-db", "9606.TP53")
    expect(outcomes).toMatchObject([{ kind: "miss", reason: expect.stringContaining(TP53) }])
  })

  test("cut at the hundred best partners says so", async () => {
    const many = Array.from({ length: 100 }, (_, i) => row(TP53, `9606.P${i}`))
    await using w = await serving({ ...known, interaction_partners: json(many) })
    const { outcomes } = await w.fetch("string-db", TP53)
    expect(outcomes).toMatchObject([{ remarks: [expect.stringContaining("only the 100 best partners")] }])
    expect(askedOf(w.server.requests[0] ?? fail())).toMatchObject({ limit: "100" })
  })

  test("that an error under status 200 stands for is a failure, with its words and without their markup", async () => {
    for (const body of [
      '{"Error":"internal","ErrorMessage":"<p>The database is <b>down</b></p>"}',
      '[{ "Error" : "internal", "ErrorMessage" : "<p>The database is <b>down</b></p>" }]',
    ]) {
      await using w = await serving({ interaction_partners: () => body })
      expect((await w.fetch("string-db", TP53)).outcomes).toMatchObject([
        { kind: "failure", failure: { code: "unavailable", message: expect.stringContaining("The database is down") } },
      ])
    }
  })

  test("of several ids comes in two requests, each row to its own protein, whatever the order", async () => {
    await using w = await serving({
      get_string_ids: json([protein(B14, B14, "dnaK"), protein(TP53, TP53, "TP53"), protein("9.x", "9606.Y", "Y")]),
      interaction_partners: json([row(B14, "511145.b0015"), row(TP53, "9606.A"), row(B14, "511145.b0016")]),
    })
    const { outcomes } = await w.fetch("string-db", TP53, "9.x", B14)
    expect(outcomes).toMatchObject([
      { kind: "record", record: { protein: { preferredName: "TP53" }, partners: [{ stringId_B: "9606.A" }] } },
      { kind: "miss" },
      { kind: "record", record: { partners: [{ stringId_B: "511145.b0015" }, { stringId_B: "511145.b0016" }] } },
    ])
    expect(w.server.requests.map(({ method }) => method)).toEqual(["POST", "POST"])
    expect(w.server.requests.map((seen) => askedOf(seen)["identifiers"])).toEqual([
      [TP53, "9.x", B14].join("\r"),
      [TP53, B14].join("\r"),
    ])
  })
})

const fail = (): never => {
  throw new Error("no request")
}

describe("a search", () => {
  const found = { get_string_ids: json([protein("p53", TP53, "TP53"), protein("p53", "9606.X", "P53")]) }

  test("resolves a name in the organism's taxon, with as many matches as hits are wanted", async () => {
    await using w = await serving(found)
    const page = await hits(w, "p53", { organism: "human", limit: 7 })
    expect(askedOf(w.server.requests[0] ?? fail())).toEqual({
      identifiers: "p53",
      species: "9606",
      limit: "7",
      echo_query: "1",
      caller_identity: "opencode-science",
    })
    expect(page.hits).toMatchObject([
      { id: TP53, title: "TP53", summary: expect.stringContaining("found as p53") },
      { id: "9606.X", title: "P53", summary: expect.not.stringContaining("found as") },
    ])
    expect(page).not.toHaveProperty("total")
    expect(page).not.toHaveProperty("next")
  })

  test("without an organism is of all, and says so; no organism is chosen in silence", async () => {
    await using w = await serving(found)
    const page = await hits(w, "p53")
    expect(askedOf(w.server.requests[0] ?? fail())).not.toHaveProperty("species")
    expect(page.notes.join()).toContain("of any organism")
  })

  test("takes the taxon that STRING has, and says where it is another; yeast is the species", async () => {
    for (const [organism, species] of [
      ["yeast", "4932"],
      ["559292", "4932"],
      ["Escherichia coli", "511145"],
      ["83332", "83332"],
      ["NCBITaxon:10090", "10090"],
    ] as const) {
      await using w = await serving(found)
      const page = await hits(w, "p53", { organism })
      expect(askedOf(w.server.requests[0] ?? fail())).toMatchObject({ species })
      expect(page.notes.join().includes("of any organism")).toBe(false)
      if (organism === "559292") expect(page.notes.join()).toContain("searched in taxon 4932")
    }
  })

  test("for an organism whose number is not known here is refused without a request", async () => {
    await using w = await serving(found)
    const { result } = await w.search("string-db", "p53", { organism: "Felis catus" })
    expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(0)
  })

  test("takes several names apart by a carriage return, sent as itself and encoded once", async () => {
    await using w = await serving({ get_string_ids: json([protein("TP53", TP53, "TP53")]) })
    const page = await hits(w, "TP53 MDM2 P38398", { organism: "9606", limit: 10 })
    expect(w.server.requests[0]?.body).toContain("identifiers=TP53%0DMDM2%0DP38398")
    expect(askedOf(w.server.requests[0] ?? fail())).toMatchObject({ limit: "3" })
    expect(page.notes.join()).toContain("not found: MDM2, P38398")
  })

  test("keeps a name of several words together, and parts at commas", async () => {
    await using w = await serving(found)
    await hits(w, "tumor protein p53")
    await hits(w, "katG, ahpC")
    expect(w.server.requests.map((seen) => askedOf(seen)["identifiers"])).toEqual(["tumor protein p53", "katG\rahpC"])
  })

  test("for a name that is nobody's has no hits, whether STRING says so or sends an empty list", async () => {
    await using w = await serving({ get_string_ids: () => notFound("NOSUCHPROT99") })
    expect(await hits(w, "NOSUCHPROT99")).toMatchObject({ hits: [] })
    await using empty = await serving({ get_string_ids: json([]) })
    expect(await hits(empty, "NOSUCHPROT99")).toMatchObject({ hits: [] })
  })

  test("that STRING refuses is the query's fault, in its words without markup", async () => {
    await using w = await serving({
      get_string_ids: () => ({
        status: 400,
        body: '[{"Error":"bad request","ErrorMessage":"<p>Please specify the species</p>"}]',
      }),
    })
    const { result } = await w.search("string-db", "p53")
    expect(result).toMatchObject({
      failure: { code: "invalid_query", message: "STRING says: Please specify the species" },
    })
  })
})

describe("a file", () => {
  const partners = "stringId_A\tstringId_B\n9606.ENSP00000269305\t9606.ENSP00000340989\n"

  test("of one protein's partners is had by its id, with a limit that is not the service's own", async () => {
    await using w = await serving({ interaction_partners: () => partners })
    expect((await w.file("string-db", "tsv", TP53)).outcomes).toMatchObject([{ kind: "file" }])
    expect(w.server.requests[0]?.path).toBe(
      `/api/tsv/interaction_partners?identifiers=${TP53}&limit=5000&caller_identity=opencode-science`,
    )
  })

  test("of several proteins holds those that are known, and names those that are not", async () => {
    await using w = await serving({
      get_string_ids: json([protein(TP53, TP53, "TP53"), protein(B14, B14, "dnaK")]),
      network: (asked) => `stringId_A\tstringId_B\n${asked.get("identifiers")?.replace("\r", "\t")}\n`,
    })
    const { outcomes } = await w.file("string-db", "network", TP53, "1.x", B14)
    expect(outcomes).toMatchObject([
      { kind: "file", ids: [TP53, B14] },
      { kind: "miss", id: "1.x" },
    ])
    expect(askedOf(w.server.requests[1] ?? fail())).toMatchObject({ identifiers: [TP53, B14].join("\r") })
  })

  test("of an unknown protein is a miss; an error under status 200 is a failure, with nothing on disk", async () => {
    await using w = await serving({ interaction_partners: () => notFound("1.x") })
    expect((await w.file("string-db", "tsv", "1.x")).outcomes).toMatchObject([{ kind: "miss" }])
    await using ill = await serving({ interaction_partners: () => "Error\tErrorMessage\ninternal\tdatabase down\n" })
    expect((await ill.file("string-db", "tsv", TP53)).outcomes).toMatchObject([
      { kind: "failure", failure: { code: "unavailable" } },
    ])
  })

  test("of enrichment is of several proteins only", async () => {
    await using w = await serving({})
    const { outcomes } = await w.file("string-db", "enrichment", TP53)
    expect(outcomes).toMatchObject([{ kind: "miss", reason: expect.stringContaining("several ids") }])
    expect(w.server.requests).toHaveLength(0)
  })
})
