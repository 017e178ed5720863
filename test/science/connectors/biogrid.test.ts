import { describe, expect, test } from "bun:test"
import { normalizeId } from "../../../src/science/ids.ts"
import biogrid from "../../../src/science/connectors/interactions/biogrid.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const KEY = "0123456789abcdef0123456789abcdef"

const row = (id: number, more = {}) => ({
  BIOGRID_INTERACTION_ID: id,
  ENTREZ_GENE_A: "852931",
  ENTREZ_GENE_B: "851396",
  BIOGRID_ID_A: 33287,
  BIOGRID_ID_B: 31905,
  OFFICIAL_SYMBOL_A: "KSS1",
  OFFICIAL_SYMBOL_B: "STE7",
  SYNONYMS_A: "mitogen-activated serine/threonine-protein kinase KSS1|L000000922",
  EXPERIMENTAL_SYSTEM: "Affinity Capture-MS",
  EXPERIMENTAL_SYSTEM_TYPE: "physical",
  PUBMED_AUTHOR: "Breitkreutz A (2010)",
  PUBMED_ID: 20489023,
  ORGANISM_A: 559292,
  ORGANISM_B: 559292,
  THROUGHPUT: "High Throughput",
  QUANTITATION: "1.0",
  MODIFICATION: "-",
  ONTOLOGY_TERMS: {},
  ...more,
})
const keyed = (...rows: { BIOGRID_INTERACTION_ID: number }[]) =>
  JSON.stringify(Object.fromEntries(rows.map((each) => [each.BIOGRID_INTERACTION_ID, each])))

const refusal = (message: string) => JSON.stringify({ STATUS: "ERROR", MESSAGES: [message], TYPE: "Exception" })

/** BioGRID with a key that is set; counts apart from rows. */
const serving = (answer: (asked: URLSearchParams, seen: Seen) => Reply | undefined, count: Reply = "0", key = KEY) =>
  world(
    (seen: Seen) => {
      const asked = new URL(`https://${seen.host}${seen.path}`).searchParams
      return asked.get("format") === "count" ? count : answer(asked, seen)
    },
    { connectors: [biogrid], env: { BIOGRID_ACCESS_KEY: key } },
  )

type Served = Awaited<ReturnType<typeof serving>>

const asked = (w: Served) =>
  w.server.requests.map(({ path }) => {
    const { accesskey: _, ...rest } = Object.fromEntries(new URL(`http://x${path}`).searchParams)
    return rest
  })

async function hits(w: Served, query: string, more: Parameters<Served["search"]>[2] = {}) {
  const { result } = await w.search("biogrid", query, more)
  if (result.kind !== "hits") throw new Error(`no hits: ${result.failure.message}`)
  return result
}

describe("the key", () => {
  test("when it is not set, nothing is asked and no search looks empty", async () => {
    await using w = await serving(() => keyed(row(439969)), "1", "")
    const search = (await w.search("biogrid", "TP53")).result
    const [record] = (await w.fetch("biogrid", "439969")).outcomes
    const [file] = (await w.file("biogrid", "tab2", "439969")).outcomes
    for (const each of [search, record, file])
      expect(each).toMatchObject({
        kind: "failure",
        failure: { code: "key_required", message: expect.stringContaining("BIOGRID_ACCESS_KEY") },
      })
    expect(w.server.requests).toHaveLength(0)
  })

  test("goes into every request under the documented name and into no message", async () => {
    await using w = await serving(() => ({ status: 400, body: refusal(`Key ${KEY} is odd`) }))
    const { outcomes } = await w.fetch("biogrid", "439969")
    expect(new URL(`http://x${w.server.requests[0]?.path}`).searchParams.get("accesskey")).toBe(KEY)
    expect(JSON.stringify(outcomes)).not.toContain(KEY)
  })

  test("that is not accepted is said, whether by status or by the error of a good answer", async () => {
    for (const reply of [
      { status: 401, body: "" },
      { status: 403, body: "Forbidden" },
      { status: 200, body: refusal("The specified access key is invalid") },
      { status: 500, body: refusal("No AccessKey was given") },
    ]) {
      await using w = await serving(() => reply)
      expect((await w.search("biogrid", "TP53")).result).toMatchObject({ failure: { code: "key_required" } })
      expect((await w.fetch("biogrid", "1")).outcomes).toMatchObject([{ failure: { code: "key_required" } }])
      expect((await w.file("biogrid", "tab2", "1")).outcomes).toMatchObject([{ failure: { code: "key_required" } }])
    }
  })
})

test("a page under 403, such as a proxy's, says nothing about the key", async () => {
  await using w = await serving(() => ({ status: 403, body: "<!DOCTYPE html><title>Blocked</title>" }))
  expect((await w.search("biogrid", "TP53")).result).toMatchObject({ failure: { code: "unavailable" } })
})

describe("a record", () => {
  test("is the row under its own id, as it came", async () => {
    await using w = await serving(() => keyed(row(439969)))
    const { outcomes } = await w.fetch("biogrid", "BIOGRID:439969")
    expect(outcomes).toMatchObject([{ kind: "record", url: "https://thebiogrid.org/interaction/439969" }])
    expect(outcomes[0]).toHaveProperty("record", row(439969))
    expect(w.server.requests[0]?.path).toStartWith("/interactions/439969?format=json")
  })

  test("is never another row, were the service to send ten thousand", async () => {
    await using w = await serving(() => keyed(row(103), row(117)))
    expect((await w.fetch("biogrid", "7157")).outcomes).toMatchObject([
      { kind: "miss", reason: expect.stringContaining("a gene's number") },
    ])
  })

  test("whose row is of another interaction than its key is a miss", async () => {
    await using w = await serving(() => JSON.stringify({ "1": row(2) }))
    expect((await w.fetch("biogrid", "1")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test("that is not there is a miss in each of the forms in which the service may say so", async () => {
    for (const reply of ["[]", "{}", { status: 404, body: "" }]) {
      await using w = await serving(() => reply)
      expect((await w.fetch("biogrid", "1")).outcomes).toMatchObject([{ kind: "miss" }])
    }
  })

  test("that an error object stands for is a failure with its words, not a record and not a miss", async () => {
    for (const status of [200, 404, 400]) {
      await using w = await serving(() => ({ status, body: refusal("Database is down") }))
      expect((await w.fetch("biogrid", "1")).outcomes).toMatchObject([
        { kind: "failure", failure: { message: expect.stringContaining("Database is down") } },
      ])
    }
  })

  test("is asked for by its interaction's number only: gene pages and symbols are refused", async () => {
    expect(normalizeId(biogrid, "https://thebiogrid.org/interaction/439969/kss1-ste7.html")).toBe("439969")
    await using w = await serving(() => "[]")
    for (const id of ["https://thebiogrid.org/31623", "TP53", "0", "EDG1"])
      expect((await w.fetch("biogrid", id)).outcomes).toMatchObject([{ failure: { code: "invalid_id" } }])
    expect(w.server.requests).toHaveLength(0)
  })
})

describe("a search", () => {
  test("for one gene compares symbols, synonyms and ids, asks for a page, and counts apart", async () => {
    await using w = await serving(() => keyed(row(1), row(2)), "57\n")
    const page = await hits(w, "TP53", { limit: 2, organism: "9606", cursor: "4" })
    const gene = {
      geneList: "TP53",
      searchNames: "true",
      searchSynonyms: "true",
      searchIds: "true",
      includeInteractors: "true",
      taxId: "9606",
    }
    expect(asked(w)).toEqual([
      { ...gene, start: "4", max: "2", format: "json" },
      { ...gene, format: "count" },
    ])
    expect(page).toMatchObject({ total: 57, next: "6" })
    expect(page.hits[0]).toEqual({
      id: "1",
      title: "KSS1 - STE7",
      summary:
        "Affinity Capture-MS (physical) · Saccharomyces cerevisiae · Breitkreutz A (2010) · PMID 20489023 · High Throughput",
    })
  })

  test("ends where the count does", async () => {
    await using w = await serving(() => keyed(row(1)), "6")
    expect(await hits(w, "TP53", { limit: 2, cursor: "4" })).not.toHaveProperty("next")
    expect(await hits(w, "TP53", { limit: 2, cursor: "2" })).toMatchObject({ next: "4" })
  })

  test("whose count fails has no total, says so, and goes on while pages are full", async () => {
    await using w = await serving(() => keyed(row(1), row(2)), { status: 503 })
    const page = await hits(w, "TP53", { limit: 2 })
    expect(page).not.toHaveProperty("total")
    expect(page).toMatchObject({ next: "2", notes: expect.arrayContaining(["total could not be had"]) })
    expect(await hits(w, "TP53", { limit: 3 })).not.toHaveProperty("next")
  })

  test("for several genes wants both partners among them, so that one more name never finds more", async () => {
    await using w = await serving(() => keyed(row(1)), "1")
    const page = await hits(w, "CDC28, CLN2|STE7")
    expect(asked(w)[0]).toMatchObject({ geneList: "CDC28|CLN2|STE7", includeInteractors: "false" })
    expect(page.notes.join()).toContain("between the named genes")
    expect(w.server.requests[0]?.path).toContain("CDC28%7CCLN2%7CSTE7")
  })

  test("without an organism is of all, and says so", async () => {
    await using w = await serving(() => keyed(row(1)), "1")
    const page = await hits(w, "KSS1")
    expect(asked(w)[0]).not.toHaveProperty("taxId")
    expect(page.notes).toContain("of all organisms")
  })

  test("in a species asks for its strains as well, since yeast is 559292 here", async () => {
    for (const organism of ["yeast", "4932", "559292"]) {
      await using w = await serving(() => keyed(row(1)), "1")
      await hits(w, "KSS1", { organism })
      expect(asked(w).map(({ taxId }) => taxId)).toEqual(["4932|559292", "4932|559292"])
    }
    await using w = await serving(() => "[]")
    expect((await w.search("biogrid", "KSS1", { organism: "Felis catus" })).result).toMatchObject({
      failure: { code: "invalid_query" },
    })
    expect(w.server.requests).toHaveLength(0)
  })

  test("for papers gives their interactions", async () => {
    await using w = await serving(() => keyed(row(1)), "1")
    await hits(w, "PMID:20489023, pubmed:24142105")
    expect(asked(w)[0]).toEqual({ pubmedList: "20489023|24142105", start: "0", max: "10", format: "json" })
  })

  test("passes the service's own parameters on, and says how it reads a list without a switch", async () => {
    await using w = await serving(() => keyed(row(1)), "1")
    await hits(w, "pubmedList=20489023|24142105&excludePubmeds=false")
    const page = await hits(w, "geneList=TP53&evidenceList=Two-hybrid&includeEvidence=true", { organism: "human" })
    expect(asked(w)[0]).toMatchObject({ pubmedList: "20489023|24142105", excludePubmeds: "false" })
    expect(asked(w)[2]).toMatchObject({ geneList: "TP53", searchNames: "true", includeEvidence: "true", taxId: "9606" })
    expect(page.notes.join()).toContain("official symbols")
  })

  test("that would be the whole database, or set what is not the query's to set, is refused", async () => {
    await using w = await serving(() => keyed(row(1)), "1")
    for (const query of [
      "throughputTag=low",
      "geneList=TP53&accesskey=x",
      "geneList=TP53&max=10000",
      "geneList=",
      "? !",
    ])
      expect((await w.search("biogrid", query)).result).toMatchObject({ failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(0)
  })

  test("without hits is an empty list, where hits would be an object", async () => {
    await using w = await serving(() => "[]")
    expect(await hits(w, "NOSUCHGENE")).toMatchObject({ hits: [], total: 0 })
  })

  test("that an error object answers is a failure, never no hits", async () => {
    await using w = await serving(() => refusal("Unknown identifier type"))
    expect((await w.search("biogrid", "TP53")).result).toMatchObject({
      failure: { code: "bad_response", message: expect.stringContaining("Unknown identifier type") },
    })
  })

  test("takes numbers that come as text, and names a field that is gone", async () => {
    await using w = await serving(() => keyed(row(1, { PUBMED_ID: "20489023", ORGANISM_A: "9606" })), "1")
    expect((await hits(w, "x")).hits[0]?.summary).toContain("Homo sapiens, Saccharomyces cerevisiae")
    await using changed = await serving(() => keyed(row(1, { OFFICIAL_SYMBOL_B: undefined })), "1")
    expect((await changed.search("biogrid", "x")).result).toMatchObject({ failure: { code: "bad_response" } })
  })
})

describe("a file", () => {
  const header = "#BioGRID Interaction ID\tEntrez Gene Interactor A\n"

  test("is a table with its header, or JSON", async () => {
    await using w = await serving((query) =>
      query.get("format") === "tab2" ? `${header}439969\t852931\n` : keyed(row(1)),
    )
    for (const format of ["tab2", "jsonextended"])
      expect((await w.file("biogrid", format, "439969")).outcomes).toMatchObject([{ kind: "file" }])
    expect(asked(w)).toEqual([{ format: "tab2", includeHeader: "true" }, { format: "jsonExtended" }])
  })

  test("with nothing in it is a miss", async () => {
    for (const [format, body] of [
      ["tab2", ""],
      ["tab2", header],
      ["json", "[]"],
      ["json", "{}"],
    ] as const) {
      await using w = await serving(() => body)
      expect((await w.file("biogrid", format, "1")).outcomes).toMatchObject([{ kind: "miss" }])
    }
  })

  test("that is an error object under status 200 is a failure", async () => {
    await using w = await serving(() => refusal("Database is down"))
    for (const format of ["tab2", "json"])
      expect((await w.file("biogrid", format, "1")).outcomes).toMatchObject([{ kind: "failure" }])
  })
})
