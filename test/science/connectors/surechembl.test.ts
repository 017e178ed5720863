import { describe, expect, test } from "bun:test"
import { normalizeId, readId, splitIds } from "../../../src/science/ids.ts"
import { createRegistry } from "../../../src/science/registry.ts"
import surechembl from "../../../src/science/connectors/chemistry/surechembl.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const envelope = (data: unknown, status = "OK", error_message = "") =>
  JSON.stringify({ status, timestamp: "2025-07-20 21:39:02 +0000", error_message, data })
const failed = (http: number, message: string): Reply => ({ status: http, body: envelope("", "ERROR", message) })

const TOLUENE = {
  id: "1",
  chemical_id: "1",
  name: "methylbenzene",
  smiles: "Cc1ccccc1",
  mol_formula: "C7H8",
  mol_weight: 92.1384,
  global_frequency: 295,
  similarity: "",
}
const ASPIRIN = { ...TOLUENE, id: "1353", chemical_id: "1353", name: "aspirin", smiles: "CC(=O)Oc1ccccc1C(=O)O" }

const PATENT = "EP-3068388-A2"
const patent = (doc_id: string, more = {}) =>
  envelope({ doc_id, contents: { patentDocument: { pdfUrl: "", hasPDF: false, priorityClaims: "", ...more } } })
const row = (docId: string, more = {}) => ({
  docId,
  pa: "ACME",
  metadata: {
    pd: "20240131",
    titles: [
      { lang: "fr", titles: ["Composés"] },
      { lang: "en", titles: ["Compounds"] },
    ],
    ...more,
  },
})
const documents = (total_hits: number, rows: unknown[]) => envelope({ results: { total_hits, documents: rows } })

const serving = (answers: Record<string, Reply> = {}) =>
  world(
    ({ method, path, body }: Seen) =>
      answers[`${method} ${decodeURIComponent(path.replace("/api", ""))} ${body}`.trim()],
    { connectors: [surechembl], retry: { attempts: 3, baseMs: 1, ceilingMs: 5000 } },
  )
type World = Awaited<ReturnType<typeof serving>>
const asked = (w: World) =>
  w.server.requests.map(({ method, path, body }) =>
    `${method} ${decodeURIComponent(path.replace("/api", ""))} ${body}`.trim(),
  )

async function hits(w: World, text: string, more: Parameters<World["search"]>[2] = {}) {
  const { result } = await w.search("surechembl", text, more)
  if (result.kind !== "hits") throw new Error(result.failure.message)
  return result
}

async function refused(text: string, more: Parameters<World["search"]>[2] = {}) {
  await using w = await serving()
  const { result } = await w.search("surechembl", text, more)
  expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
  expect(w.server.requests).toHaveLength(0)
  return result.kind === "failure" ? result.failure.message : ""
}

test("an id is a compound or a publication with its kind, in every way that they are written", () => {
  const ways = {
    SCHEMBL1353: ["SCHEMBL1353", "schembl 1353", "1353", "https://www.surechembl.org/chemical/SCHEMBL1353"],
    "US-10000000-B2": [
      "US-10000000-B2",
      "US10000000B2",
      "us 10,000,000 B2",
      "https://www.surechembl.org/patent/US-10000000-B2",
    ],
    "EP-3068388-A2": ["EP3068388A2", "ep-3068388-a2"],
    "US-20180086690-A1": ["US20180086690A1"],
  }
  for (const [id, written] of Object.entries(ways))
    for (const typed of written) expect(normalizeId(surechembl, typed)).toBe(id)
  expect(splitIds(surechembl, "us 10,000,000 B2")).toEqual(["us 10,000,000 B2"])
  for (const typed of ["US-10000000", "aspirin", "CHEMBL25", "SCHEMBL"])
    expect(() => readId(surechembl, typed, createRegistry([surechembl]))).toThrow("is not an id of SureChEMBL")
})

describe("a record", () => {
  test("of a compound is asked for by the number alone and taken out of the list by it", async () => {
    await using w = await serving({ "GET /chemical/id/1": envelope([ASPIRIN, TOLUENE]) })
    expect((await w.fetch("surechembl", "SCHEMBL1")).outcomes).toMatchObject([
      { kind: "record", id: "SCHEMBL1", record: TOLUENE, url: "https://www.surechembl.org/chemical/SCHEMBL1" },
    ])
  })

  test("of an unknown compound, an empty list under 200, is a miss", async () => {
    await using w = await serving({ "GET /chemical/id/9": envelope([]) })
    expect((await w.fetch("surechembl", "9")).outcomes).toMatchObject([{ kind: "miss", id: "SCHEMBL9" }])
  })

  test("of a patent is the document of that very number, as it is, never a search's first hit", async () => {
    const answer = patent(PATENT)
    await using w = await serving({ [`GET /document/${PATENT}/contents`]: answer })
    expect((await w.fetch("surechembl", "EP3068388A2")).outcomes).toMatchObject([
      { kind: "record", id: PATENT, record: JSON.parse(answer), url: `https://www.surechembl.org/patent/${PATENT}` },
    ])
    expect((await w.fetch("surechembl", "US-1-A1")).outcomes).toMatchObject([{ kind: "miss" }])
    expect(asked(w)).toEqual([`GET /document/${PATENT}/contents`, "GET /document/US-1-A1/contents"])
  })

  test("of another patent than the asked one is a miss", async () => {
    await using w = await serving({ "GET /document/US-2-A1/contents": patent("US-3-A1") })
    expect((await w.fetch("surechembl", "US-2-A1")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test("is read where its text holds raw control characters, as machine-read text does", async () => {
    const answer = patent(PATENT, { copyright: "a\u0001b" }).replace("\\u0001", "\u0001")
    expect(answer).toContain("\u0001")
    await using w = await serving({ [`GET /document/${PATENT}/contents`]: answer })
    expect((await w.fetch("surechembl", PATENT)).outcomes).toMatchObject([{ kind: "record", id: PATENT }])
  })

  test("is a failure where the envelope reports one, even under 200, and a 500 is not tried again", async () => {
    await using w = await serving({
      "GET /chemical/id/1": envelope([], "ERROR", "no connection"),
      "GET /chemical/id/2": failed(500, "For input string"),
    })
    expect((await w.fetch("surechembl", "1")).outcomes).toMatchObject([
      { kind: "failure", failure: { code: "bad_response", message: expect.stringContaining("no connection") } },
    ])
    const before = w.server.requests.length
    expect((await w.fetch("surechembl", "2")).outcomes).toMatchObject([
      { kind: "failure", failure: { code: "unavailable", retryable: false } },
    ])
    expect(w.server.requests).toHaveLength(before + 1)
  })

  test("of several compounds is one request, matched by number, beside patents that are asked for alone", async () => {
    await using w = await serving({
      "POST /chemical/id ids=1%2C9%2C1353": envelope([ASPIRIN, TOLUENE]),
      [`GET /document/${PATENT}/contents`]: { status: 503, body: "<html></html>" },
    })
    expect((await w.fetch("surechembl", "1", PATENT, "9", "1353")).outcomes).toMatchObject([
      { kind: "record", id: "SCHEMBL1", record: { name: "methylbenzene" } },
      { kind: "failure", id: PATENT, failure: { code: "unavailable" } },
      { kind: "miss", id: "SCHEMBL9" },
      { kind: "record", id: "SCHEMBL1353", record: { name: "aspirin" } },
    ])
  })
})

describe("a search", () => {
  const content = (query: string, page = 1, size = 10) =>
    `POST /search/content?query=${query}&page=${page}&itemsPerPage=${size}`

  test("joins words by AND, escapes what the syntax reserves, and leaves the syntax itself alone", async () => {
    await using w = await serving()
    const written: [string, string][] = [
      ["sodium channel blocker", "sodium AND channel AND blocker"],
      ["treatment of pain", "treatment AND pain"],
      ["2-(acetyloxy)benzoic acid", "2\\-\\(acetyloxy\\)benzoic AND acid"],
      ['clm:"sodium channel" AND asg:novartis', 'clm:"sodium channel" AND asg:novartis'],
      ["ttl:diabet*", "ttl:diabet*"],
      ["EP3068388A2", "pn:EP-3068388-A2"],
    ]
    for (const [query] of written) await w.search("surechembl", query)
    expect(asked(w)).toEqual(written.map(([, sent]) => content(sent)))
    expect(await refused("(ttl:a OR ttl:b")).toContain("parentheses")
    expect(await refused("?!")).toContain("no word")
  })

  test("counts in pages from 1, and refuses a cursor between them", async () => {
    await using w = await serving({
      [content("aspirin", 1, 2)]: documents(3, [row("US-1-A1"), row("US-2-A1")]),
      [content("aspirin", 2, 2)]: documents(3, [row("US-3-A1")]),
    })
    const first = await hits(w, "aspirin", { limit: 2 })
    expect(first).toMatchObject({ total: 3, next: "2" })
    expect(first.hits[0]).toEqual({ id: "US-1-A1", title: "Compounds", summary: "2024-01-31 · ACME" })
    const last = await hits(w, "aspirin", { limit: 2, cursor: "2" })
    expect(last.hits).toMatchObject([{ id: "US-3-A1" }])
    expect(last.next).toBeUndefined()
    await refused("aspirin", { limit: 2, cursor: "1" })
    await refused("aspirin", { cursor: "x" })
  })

  test("reads the word null as no value", async () => {
    await using w = await serving({
      [content("aspirin")]: documents(2, [
        row("US-1-A1", { pd: "null", titles: "null" }),
        { docId: "US-2-A1", pa: "null", metadata: "null" },
      ]),
    })
    expect((await hits(w, "aspirin")).hits).toEqual([
      { id: "US-1-A1", title: "US-1-A1", summary: "ACME" },
      { id: "US-2-A1", title: "US-2-A1", summary: "" },
    ])
  })

  test("that finds nothing has no hits, and one that is not understood is the query's fault", async () => {
    await using w = await serving({
      [content("zzz")]: documents(0, []),
      [content("ttl:a")]: failed(400, "undefined field"),
    })
    expect(await hits(w, "zzz")).toMatchObject({ total: 0, hits: [] })
    expect((await w.search("surechembl", "ttl:a")).result).toMatchObject({
      failure: { code: "invalid_query", message: expect.stringContaining("undefined field") },
    })
  })

  test("for a compound's number gives the compound, and its patents when they are asked for", async () => {
    await using w = await serving({
      "GET /chemical/id/1353": envelope([ASPIRIN]),
      "POST /search/documents_for_structures?chemicalIds=1353&page=1&itemsPerPage=1": documents(694428, [
        row("US-1-A1"),
      ]),
    })
    expect((await hits(w, "SCHEMBL1353")).hits).toEqual([
      { id: "SCHEMBL1353", title: "aspirin", summary: "C7H8 · 92.1384 g/mol · in 295 patents · CC(=O)Oc1ccccc1C(=O)O" },
    ])
    expect(await hits(w, "patents: SCHEMBL1353", { limit: 1 })).toMatchObject({
      total: 694428,
      next: "1",
      hits: [{ id: "US-1-A1" }],
    })
    expect(await refused("patents: aspirin")).toContain("patents: SCHEMBL1353")
  })

  test("for a compound's name takes the service's 400 for no such name, and nothing else", async () => {
    await using w = await serving({
      "GET /chemical/name/aspirin": envelope([ASPIRIN]),
      "GET /chemical/name/zzz": failed(400, "There was an error retrieving chemical data: zzz"),
      "GET /chemical/name/yyy": failed(400, "Something else"),
    })
    expect(await hits(w, "compound: aspirin")).toMatchObject({ total: 1, hits: [{ id: "SCHEMBL1353" }] })
    expect(await hits(w, "compound: zzz")).toMatchObject({ total: 0 })
    expect((await w.search("surechembl", "compound: yyy")).result).toMatchObject({ kind: "failure" })
  })

  test("for a SMILES posts it, since a path cannot carry its slashes", async () => {
    await using w = await serving({
      "POST /chemical/smiles/ smiles=Cc1ccccc1": envelope({ "1": TOLUENE }),
      "POST /chemical/smiles/ smiles=C%2FC%3DC%2FC": envelope({}),
    })
    expect(await hits(w, "Cc1ccccc1")).toMatchObject({ total: 1, hits: [{ id: "SCHEMBL1" }] })
    expect(await hits(w, "C/C=C/C")).toMatchObject({ total: 0, notes: [expect.stringContaining("similarity: SMILES")] })
    expect(await refused("BSYNRYMUTXBXSQ-UHFFFAOYSA-N")).toContain("no look-up by InChI")
  })

  const JOB = 'POST /search/structure {"StructureSearchRequest":{"struct":"c1ccccc1O","structSearchType":"similarity"}}'

  test("for similar structures waits for the job's end and reads a page of what it found", async () => {
    let polls = 0
    await using w = await serving({
      [JOB]: envelope({ hash: "abc" }),
      "GET /search/abc/status": (_, response) =>
        response.end(
          envelope(
            polls++ === 0 ? { message: "Start/Loading search..." } : { message: "Searching finished.", resultCount: 2 },
          ),
        ),
      "GET /search/abc/results?page=1&max_results=10": envelope({
        results: { structures: [{ ...TOLUENE, similarity: 0.96 }, ASPIRIN] },
      }),
    })
    const found = await hits(w, "similarity: c1ccccc1O")
    expect(found).toMatchObject({ total: 2, hits: [{ id: "SCHEMBL1" }, { id: "SCHEMBL1353" }] })
    expect(found.hits[0]?.summary).toStartWith("similarity 0.96 · C7H8")
    expect(found.notes).toContain("not sorted by similarity")
    expect(polls).toBe(2)
  }, 20_000)

  test("whose job failed, or does not end, is a failure and not an empty list", async () => {
    for (const message of ["Search not complete due to internal error.", "Start/Loading search..."]) {
      await using w = await world(
        ({ path }: Seen) => envelope(path.endsWith("/structure") ? { hash: "abc" } : { message, resultCount: 0 }),
        { connectors: [surechembl], retry: { attempts: 1 } },
      )
      expect((await w.search("surechembl", "substructure: c1ccccc1")).result).toMatchObject({
        kind: "failure",
        failure: { code: "unavailable" },
      })
    }
  })
})

describe("a file", () => {
  const ZIP = Buffer.from("PK\x03\x04.....PK\x05\x06", "latin1")
  const known = `POST /search/content?query=pn:${PATENT}&page=1&itemsPerPage=1`

  test("of a patent's compounds is asked for only where the patent is there, since a table without rows says neither", async () => {
    await using w = await serving({
      [known]: documents(1, [row(PATENT)]),
      [`POST /export/document-chemistry?docID=${PATENT}&output_type=csv`]: {
        headers: { "content-type": "application/zip" },
        body: ZIP,
      },
      "POST /export/document-chemistry?docID=US-1-A1&output_type=csv": { body: ZIP },
      "POST /search/content?query=pn:US-1-A1&page=1&itemsPerPage=1": documents(1, [row("US-11-A1")]),
    })
    expect((await w.file("surechembl", "chemistry", PATENT)).outcomes).toMatchObject([{ kind: "file" }])
    expect((await w.file("surechembl", "chemistry", "US-1-A1")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test("under 200 that is an envelope with an error is a failure in the service's words", async () => {
    await using w = await serving({
      [known]: documents(1, [row(PATENT)]),
      [`POST /export/document-chemistry?docID=${PATENT}&output_type=csv`]: envelope("", "ERROR", "export failed"),
    })
    expect((await w.file("surechembl", "chemistry", PATENT)).outcomes).toMatchObject([
      { kind: "failure", failure: { message: expect.stringContaining("export failed") } },
    ])
  })

  test("in PDF is where the record says, and a miss where it says that there is none", async () => {
    await using w = await serving({
      [`GET /document/${PATENT}/contents`]: patent(PATENT),
      "GET /document/US-1-A1/contents": patent("US-1-A1", { hasPDF: true }),
      "GET /assets/pdf/US-1-A1": { headers: { "content-type": "application/pdf" }, body: "%PDF-1.4\n%%EOF\n" },
    })
    expect((await w.file("surechembl", "pdf", PATENT)).outcomes).toMatchObject([
      { kind: "miss", reason: expect.stringContaining("no PDF") },
    ])
    expect((await w.file("surechembl", "pdf", "US-1-A1")).outcomes).toMatchObject([{ kind: "file" }])
    expect((await w.file("surechembl", "pdf", "SCHEMBL1")).outcomes).toMatchObject([
      { kind: "miss", reason: "this format is one of patents only" },
    ])
  })

  test("of a family is a miss where the service's query fails for an unknown patent", async () => {
    await using w = await serving({
      [`GET /document/${PATENT}/family/members`]: envelope({ [PATENT]: { members: [{ [PATENT]: {} }] } }),
      "GET /document/US-1-A1/family/members": failed(500, "SQL exception detected while reading family members"),
      "GET /document/US-2-A1/family/members": failed(500, "out of memory"),
    })
    const kinds = []
    for (const id of [PATENT, "US-1-A1", "US-2-A1"])
      kinds.push((await w.file("surechembl", "family", id)).outcomes[0]?.kind)
    expect(kinds).toEqual(["file", "miss", "failure"])
  })

  test("of a compound is its drawing or its JSON, and an unknown one has neither", async () => {
    const PNG = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.from("IEND\xaeB`\x82", "latin1")])
    await using w = await serving({
      "GET /chemical/id/1": envelope([TOLUENE]),
      "GET /chemical/id/9": envelope([]),
      "GET /service/chemical/image?structure=Cc1ccccc1&width=300&height=300": {
        headers: { "content-type": "image/png" },
        body: PNG,
      },
    })
    for (const format of ["png", "json"]) {
      expect((await w.file("surechembl", format, "SCHEMBL1")).outcomes).toMatchObject([{ kind: "file" }])
      expect((await w.file("surechembl", format, "SCHEMBL9")).outcomes).toMatchObject([{ kind: "miss" }])
    }
  })
})
