import { readFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, test } from "bun:test"
import { normalizeId } from "../../../src/science/ids.ts"
import intact from "../../../src/science/connectors/interactions/intact.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const row = {
  ac: "EBI-15982574",
  binaryInteractionId: 3190502,
  idA: "P05067-PRO_0000000092 (uniprotkb)",
  acA: "EBI-821758",
  acB: "EBI-821758",
  moleculeA: "P05067-PRO_0000000092",
  moleculeB: "P05067-PRO_0000000092",
  aliasesA: ["A4 (MI:0302 (gene name synonym))"],
  speciesA: "Homo sapiens",
  speciesB: "Homo sapiens",
  taxIdA: 9606,
  featuresA: null,
  xrefsA: ["EBI-77613 (intact)"],
  xrefsB: ["EBI-77613 (intact)"],
  detectionMethod: "tem",
  identifiers: ["DIP-87859E (dip)", "EBI-15982574 (intact)"],
  xrefs: ["CPX-1062 (complex portal)", "IM-21274-1 (imex)"],
  expansionMethod: null,
  creationDate: "2017-08-07T09:49:31.000+0000",
  negative: false,
  type: "direct interaction",
  hostOrganismTaxId: -1,
  intactMiscore: 0.99,
  publicationIdentifiers: ["EBI-15982555 (intact)", "22547798 (pubmed)"],
  firstAuthor: "Stroud JC. et al. (2012)\t\n",
}
const embedded = {
  taxIdAStyled: "9606__Homo sapiens__#335e94",
  jsonFormat: '{"object":"interactor"}',
  xml25Format: "<entry>curator@example.org</entry>",
  xml30Format: "<entry/>",
  tab25Format: "uniprotkb:P05067",
  tab26Format: "uniprotkb:P05067",
  tab27Format: "uniprotkb:P05067",
}

/** The search with a page of rows for each query; what it does not know has none. */
const serving = (
  pages: (asked: Record<string, string>) => unknown[] | Reply | undefined,
  exports?: (seen: Seen) => Reply,
) =>
  world(
    (seen: Seen) => {
      if (seen.path.startsWith("/intact/ws/graph/export/")) return exports?.(seen)
      if (seen.path !== "/intact/ws/interaction/findInteractionWithFacet") return undefined
      const asked = Object.fromEntries(new URLSearchParams(seen.body))
      const answer = pages(asked) ?? []
      if (!Array.isArray(answer)) return answer
      const [page, size] = [Number(asked["page"]), Number(asked["pageSize"])]
      const content = answer.slice(page * size, (page + 1) * size)
      return JSON.stringify({
        data: { content, totalElements: answer.length, last: true },
        recordsTotal: answer.length,
      })
    },
    { connectors: [intact] },
  )

type Served = Awaited<ReturnType<typeof serving>>

const bodies = (w: Served) => w.server.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))

async function hits(w: Served, query: string, more: Parameters<Served["search"]>[2] = {}) {
  const { result } = await w.search("intact", query, more)
  if (result.kind !== "hits") throw new Error(`no hits: ${result.failure.message}`)
  return result
}

const exactly = (asked: Record<string, string>) => asked["query"] === 'interaction_id:"EBI-15982574"'

describe("an id", () => {
  test("is upper case and comes without its prefix or page", () => {
    for (const typed of [
      "ebi-15982574",
      "intact:EBI-15982574",
      "https://www.ebi.ac.uk/intact/details/interaction/EBI-15982574",
      "https://www.ebi.ac.uk/intact/search?query=EBI-15982574",
    ])
      expect(normalizeId(intact, typed)).toBe("EBI-15982574")
  })

  test("of a protein, or without its hyphen, is refused without a request", async () => {
    await using w = await serving(() => [])
    for (const id of ["P04637", "EBI15982574", "3190502"])
      expect((await w.fetch("intact", id)).outcomes).toMatchObject([{ failure: { code: "invalid_id" } }])
    expect(w.server.requests).toHaveLength(0)
  })
})

describe("a record", () => {
  test("is the row of that accession, without the exports and colours that are embedded in it", async () => {
    await using w = await serving((asked) => (exactly(asked) ? [{ ...row, ...embedded }] : []))
    const { outcomes } = await w.fetch("intact", "EBI-15982574")
    expect(outcomes).toMatchObject([
      { kind: "record", remarks: [], url: "https://www.ebi.ac.uk/intact/details/interaction/EBI-15982574" },
    ])
    expect(outcomes[0]).toHaveProperty("record", row)
    expect(bodies(w)).toEqual([
      {
        query: 'interaction_id:"EBI-15982574"',
        advancedSearch: "true",
        negativeFilter: "POSITIVE_AND_NEGATIVE",
        page: "0",
        pageSize: "10",
      },
    ])
  })

  test("is never the first row of a fuzzy search: a molecule's accession is a miss that says so", async () => {
    await using w = await serving(({ query }) => (query === "EBI-77613" ? [row, row] : []))
    const { outcomes } = await w.fetch("intact", "EBI-77613")
    expect(outcomes).toMatchObject([
      { kind: "miss", reason: "it is a molecule, not an interaction: search for it to see its 2 interactions" },
    ])
  })

  test("of a publication's accession is a miss that says so, of an unknown one a plain miss", async () => {
    await using w = await serving(({ query }) => (query === "EBI-15982555" ? [row] : []))
    expect((await w.fetch("intact", "EBI-15982555")).outcomes).toMatchObject([
      { kind: "miss", reason: expect.stringContaining("publication") },
    ])
    const { outcomes } = await w.fetch("intact", "EBI-1")
    expect(outcomes).toMatchObject([{ kind: "miss" }])
    expect(outcomes[0]).not.toHaveProperty("reason")
  })

  test("that only the plain search finds is found", async () => {
    await using w = await serving(({ query }) => (query === "EBI-15982574" ? [{ ...row, ac: "EBI-9" }, row] : []))
    expect((await w.fetch("intact", "EBI-15982574")).outcomes).toMatchObject([{ kind: "record", record: row }])
  })

  test("of an interaction shown not to take place is found, and says so", async () => {
    await using w = await serving((asked) =>
      exactly(asked) && asked["negativeFilter"] === "POSITIVE_AND_NEGATIVE" ? [{ ...row, negative: true }] : [],
    )
    const { outcomes } = await w.fetch("intact", "EBI-15982574")
    expect(outcomes).toMatchObject([{ kind: "record", remarks: [expect.stringContaining("NOT to interact")] }])
  })

  test("of a complex is all its pairs, over all pages, and says that they were inferred", async () => {
    const pairs = Array.from({ length: 63 }, (_, i) => ({
      ...row,
      binaryInteractionId: i,
      expansionMethod: "spoke expansion",
    }))
    await using w = await serving((asked) => (exactly(asked) ? pairs : []))
    const [outcome] = (await w.fetch("intact", "EBI-15982574")).outcomes
    expect(outcome).toMatchObject({
      kind: "record",
      remarks: [expect.stringContaining("63 pairs"), expect.stringContaining("spoke expansion")],
    })
    expect(outcome).toHaveProperty("record", pairs)
    expect(bodies(w).map(({ page, pageSize }) => `${page}/${pageSize}`)).toEqual(["0/10", "0/50", "1/50"])
  })

  test("is found by its IMEx number, which is said", async () => {
    await using w = await serving(({ query }) =>
      query === 'xref:"IM-21274-1"' ? [{ ...row, ac: "EBI-9", xrefs: null }, row] : [],
    )
    const { outcomes } = await w.fetch("intact", "im-21274-1")
    expect(outcomes).toMatchObject([
      {
        kind: "record",
        resolvedId: "EBI-15982574",
        remarks: ["IM-21274-1 is the IMEx number of EBI-15982574"],
      },
    ])
  })

  test("in an answer that has changed is a failure that names the field", async () => {
    await using w = await serving(() => '{"content":[],"totalElements":0}')
    expect((await w.fetch("intact", "EBI-15982574")).outcomes).toMatchObject([
      { failure: { code: "bad_response", message: expect.stringContaining("data") } },
    ])
  })
})

describe("a search", () => {
  test("for one word is the plain one, with total, next offset and lean hits", async () => {
    await using w = await serving(() => Array.from({ length: 7 }, () => ({ ...row, ...embedded })))
    const page = await hits(w, "BRCA1", { limit: 3 })
    expect(bodies(w)).toEqual([{ query: "BRCA1", negativeFilter: "POSITIVE_AND_NEGATIVE", page: "0", pageSize: "3" }])
    expect(page).toMatchObject({ total: 7, next: "3" })
    expect(page.hits[0]).toEqual({
      id: "EBI-15982574",
      title: "P05067-PRO_0000000092 - P05067-PRO_0000000092",
      summary: "direct interaction · tem · Homo sapiens · Stroud JC. et al. (2012) · MI score 0.99",
    })
    expect(await hits(w, "BRCA1", { limit: 3, cursor: "6" })).not.toHaveProperty("next")
    expect(await hits(w, "BRCA1", { limit: 7 })).not.toHaveProperty("next")
    expect(page.notes.join()).toContain("counted by pairs")
  })

  test("goes on where it was when the limit changes, without a row twice or lost", async () => {
    const rows = Array.from({ length: 12 }, (_, i) => ({ ...row, ac: `EBI-${i}` }))
    await using w = await serving(() => rows)
    const seen: string[] = []
    let cursor: string | undefined
    for (const limit of [5, 4, 3, 10, 7, 5, 9, 9]) {
      const page = await hits(w, "x", { limit, ...(cursor === undefined ? {} : { cursor }) })
      seen.push(...page.hits.map(({ id }) => id))
      cursor = page.next
      if (cursor === undefined) break
    }
    expect(seen).toEqual(rows.map(({ ac }) => ac))
    for (const { page } of bodies(w)) expect(page).toMatch(/^\d+$/)
  })

  test("never asks for more than twenty of the large rows, and says so", async () => {
    await using w = await serving(() => Array.from({ length: 40 }, () => row))
    const page = await hits(w, "BRCA1", { limit: 100 })
    expect(bodies(w)[0]).toMatchObject({ pageSize: "20" })
    expect(page).toMatchObject({ next: "20", notes: [expect.anything(), expect.stringContaining("at most 20")] })
  })

  test("for several words wants all of them: IntAct itself is satisfied with any", async () => {
    await using w = await serving(() => [row])
    await hits(w, "BRCA1 BARD1")
    const { query, advancedSearch } = bodies(w)[0] ?? {}
    expect(advancedSearch).toBe("true")
    expect(query?.split(" AND ")).toHaveLength(2)
    expect(query).toContain('(identifier:"BRCA1" OR ')
    expect(query).toContain('AND (identifier:"BARD1" OR ')
  })

  test("keeps operators, parentheses, phrases and wildcards between words", async () => {
    await using w = await serving(() => [row])
    await hits(w, '(BRCA1 OR BRCA2*) "two hybrid" NOT mouse')
    const short = (bodies(w)[0]?.["query"] ?? "").replaceAll(/\(identifier:("[^"]*"|\S+) OR [^)]*\)/g, "<$1>")
    expect(short).toBe('( <"BRCA1"> OR <BRCA2*> ) AND <"two hybrid"> NOT <"mouse">')
  })

  test("in IntAct's own syntax is passed on as it is, slashes in an address included", async () => {
    await using w = await serving(() => [row])
    const miql = 'pubid:"10.1073/pnas.1203193109" AND intact-miscore:[0.6 TO 1]'
    await hits(w, miql)
    expect(bodies(w)[0]).toMatchObject({ query: miql, advancedSearch: "true" })
    expect(w.server.requests[0]?.path).not.toContain("pnas")
  })

  test("does not take a prefixed accession for a field", async () => {
    await using w = await serving(() => [row])
    await hits(w, "CHEBI:15422")
    expect(bodies(w)[0]).toMatchObject({ query: "CHEBI:15422" })
    expect(bodies(w)[0]).not.toHaveProperty("advancedSearch")
  })

  test("is limited to an organism by taxon, the query in parentheses, strains included", async () => {
    await using w = await serving(() => [row])
    await hits(w, "id:P04637 OR id:P38398", { organism: "human" })
    await hits(w, "id:P04637", { organism: "yeast" })
    await hits(w, "id:P04637", { organism: 'Felis "catus"' })
    expect(bodies(w).map(({ query }) => query)).toEqual([
      "(id:P04637 OR id:P38398) AND species:9606",
      "(id:P04637) AND species:(4932 OR 559292)",
      '(id:P04637) AND species:"Felis catus"',
    ])
  })

  test("whose parentheses would let an organism leak is refused without a request", async () => {
    await using w = await serving(() => [row])
    for (const query of ["id:P04637) OR (id:P38398", "(BRCA1 BARD1", 'geneName:"TP53'])
      expect((await w.search("intact", query, { organism: "9606" })).result).toMatchObject({
        failure: { code: "invalid_query" },
      })
    expect(w.server.requests).toHaveLength(0)
  })

  test("marks what was shown not to interact and what was inferred from a complex", async () => {
    await using w = await serving(() => [{ ...row, negative: true, expansionMethod: "spoke expansion" }])
    expect((await hits(w, "x")).hits).toMatchObject([{ marks: ["negative", "spoke expansion"] }])
  })

  test("without hits is an empty page with the total 0", async () => {
    await using w = await serving(() => [])
    expect(await hits(w, "zzq")).toMatchObject({ hits: [], total: 0 })
  })
})

describe("a file", () => {
  const mitab = "uniprotkb:P05067\tuniprotkb:P05067\tintact:EBI-15982574\n"

  test("is the export of the accession, byte for byte", async () => {
    await using w = await serving(
      () => [],
      () => mitab,
    )
    const [outcome] = (await w.file("intact", "mitab27", "EBI-15982574")).outcomes
    if (outcome?.kind !== "file") throw new Error(JSON.stringify(outcome))
    expect(w.server.requests[0]?.path).toBe("/intact/ws/graph/export/interaction/EBI-15982574?format=miTab27")
    expect(outcome.saved.path).toEndWith(".mitab")
    expect(await readFile(path.join(w.directory, outcome.saved.path), "utf8")).toBe(mitab)
  })

  test("that holds no interaction is a miss", async () => {
    for (const [format, body] of [
      ["miTab27", ""],
      ["miTab25", "#ID(s) interactor A\tID(s) interactor B\n"],
      ["miJSON", '{"data":[]}'],
      ["miXML30", '<?xml version="1.0"?><entrySet xmlns="http://psi.hupo.org/mi/mif300" level="3"></entrySet>'],
    ] as const) {
      await using w = await serving(
        () => [],
        () => body,
      )
      const { outcomes } = await w.file("intact", format, "EBI-77613")
      expect(`${format} ${outcomes[0]?.kind}`).toBe(`${format} miss`)
    }
  })

  test("of an IMEx number is that of its interaction's accession", async () => {
    await using w = await serving(
      () => [row],
      () => mitab,
    )
    expect((await w.file("intact", "miTab27", "IM-21274-1")).outcomes).toMatchObject([{ kind: "file" }])
    expect(w.server.requests[1]?.path).toContain("/EBI-15982574?")
  })
})
