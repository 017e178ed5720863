import { describe, expect, test } from "bun:test"
import interpro from "../../../src/science/connectors/proteins/interpro.ts"
import { printRecord } from "../../../src/science/print.ts"
import type { Reply } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const json = (body: unknown, status = 200): Reply => ({ status, body: JSON.stringify(body) })
const KRINGLE = {
  metadata: {
    accession: "IPR000001",
    type: "domain",
    source_database: "interpro",
    integrated: null,
    go_terms: null,
    member_databases: { pfam: { PF00051: "Kringle domain" } },
    name: { name: "Kringle", short: "Kringle" },
    description: [{ text: "<p>Kringles [[cite:PUB00002414]]</p>", llm: false, checked: false, updated: false }],
    overlaps_with: [{ accession: "IPR038178", name: "Kringle superfamily", type: "homologous_superfamily" }],
    counters: { proteins: 19901 },
  },
}
const described = (...description: unknown[]) => json({ metadata: { ...KRINGLE.metadata, description } })
const entry = (id: string, name: string, type: string) => ({
  id,
  source: "interpro7",
  fields: { name: [name], type: [type] },
})
const found = (hitCount: number, ...entries: unknown[]) => json({ hitCount, entries, facets: [] })
const row = (accession: string, name: unknown, more = {}) => ({
  metadata: { accession, name, source_database: "interpro", type: "homologous_superfamily", integrated: null },
  ...more,
})
const answering = (reply: Reply) => world(() => reply, { connectors: [interpro], retry: { attempts: 2, baseMs: 1 } })
const SEARCH = "/ebisearch/ws/rest/interpro7"

describe("record", () => {
  test("is the service's own JSON, whatever way the id is written", async () => {
    for (const typed of [
      "IPR000001",
      "ipr000001",
      "InterPro:IPR000001",
      "https://www.ebi.ac.uk/interpro/entry/InterPro/IPR000001/",
      "https://identifiers.org/interpro:IPR000001",
    ]) {
      await using w = await answering(json(KRINGLE))
      const { outcomes } = await w.fetch("interpro", typed)
      expect(outcomes[0]).toEqual({
        kind: "record",
        db: "interpro",
        id: "IPR000001",
        record: KRINGLE,
        url: "https://www.ebi.ac.uk/interpro/entry/interpro/IPR000001/",
        remarks: [],
        incomplete: [],
      })
      expect(w.server.requests.map(({ host, path }) => host + path)).toEqual([
        "www.ebi.ac.uk/interpro/api/entry/interpro/IPR000001/",
      ])
    }
  })

  test("numbers keep their digits", async () => {
    await using w = await answering('{"metadata":{"accession":"IPR000001","x":1.50}}')
    const { outcomes } = await w.fetch("interpro", "IPR000001")
    expect(outcomes[0]?.kind === "record" && printRecord(outcomes[0].record)).toContain('"x":1.50')
  })

  test("a text by a language model is said to be one, and whether a curator has read it", async () => {
    const llm = (checked: boolean) => ({ text: "<p>x</p>", llm: true, checked, updated: false })
    for (const [reply, expected] of [
      [described(llm(false)), ["its description was written by a language model and not checked by a curator"]],
      [described(llm(true)), ["its description was written by a language model and checked by a curator"]],
      [
        described(llm(true), llm(false)),
        ["its description was written by a language model and not checked by a curator"],
      ],
      [described({ text: "<p>x</p>", llm: false, checked: true }), []],
      // As the API answered before 2023.
      [described("<p>x</p>"), []],
      [json({ metadata: { ...KRINGLE.metadata, description: null } }), []],
    ] as const) {
      await using w = await answering(reply)
      const { outcomes } = await w.fetch("interpro", "IPR000001")
      expect(outcomes[0]).toMatchObject({ kind: "record", remarks: [...expected] })
    }
  })

  test("another entry than the asked one is a miss", async () => {
    await using w = await answering(json(KRINGLE))
    const { outcomes } = await w.fetch("interpro", "IPR000002")
    expect(outcomes[0]).toMatchObject({
      kind: "miss",
      reason: "it answered with IPR000001 instead, which is another record",
    })
  })

  test("an unknown accession is a miss: a 204 without a body, or a 404 in the server's words for it", async () => {
    for (const reply of [
      { status: 204 },
      json({ Error: "IPR999999 is not a valid InterPro accession" }, 404),
      json({ Error: "The URL requested didn't have any data related.\nList of endpoints: ['entry']" }, 404),
    ]) {
      await using w = await answering(reply)
      const { outcomes } = await w.fetch("interpro", "IPR999999")
      expect(outcomes[0]).toEqual({ kind: "miss", db: "interpro", id: "IPR999999" })
    }
  })

  test("a 404 that hides a fault of the server is a failure to try again, never a miss", async () => {
    for (const reply of [
      json({ Error: "aggregations" }, 404),
      json({ Error: "ConnectionTimeout caused by - ReadTimeoutError" }, 404),
      { status: 404, headers: { "content-type": "text/html" }, body: "<html>not a valid page</html>" },
      { status: 404, body: "no route" },
    ]) {
      await using w = await answering(reply)
      const { outcomes } = await w.fetch("interpro", "IPR000001")
      expect(outcomes[0]?.kind).toBe("failure")
    }
    await using w = await answering(json({ Error: "aggregations" }, 404))
    const { outcomes } = await w.fetch("interpro", "IPR000001")
    expect(outcomes[0]).toMatchObject({ failure: { code: "unavailable", retryable: true } })
    expect(w.server.requests).toHaveLength(2)
  })

  test("a deleted entry is a miss that says when and by what name to search", async () => {
    for (const [body, reason] of [
      [
        {
          accession: "IPR000099",
          source_database: "interpro",
          type: "family",
          name: 'Old "x" family',
          short_name: "Old",
          deletion_date: "2023-10-05T00:00:00Z",
          history: { names: ["a"], signatures: { pfam: ["PF1"] } },
        },
        'deleted on 2023-10-05; search for its name: Old "x" family',
      ],
      [{ accession: "IPR000099", name: null }, "deleted; search for what took its place"],
    ] as const) {
      await using w = await answering(json(body, 410))
      const { outcomes } = await w.fetch("interpro", "IPR000099")
      expect(outcomes[0]).toMatchObject({ kind: "miss", reason })
    }
  })

  test("a 410 about anything but an entry is a failure", async () => {
    await using w = await answering(json({ detail: "the modifier is deprecated" }, 410))
    expect((await w.fetch("interpro", "IPR000001")).outcomes[0]?.kind).toBe("failure")
  })

  test("a slow query is not asked again at once: it is still being worked on", async () => {
    await using w = await answering(json({ detail: "Query timed out" }, 408))
    const { outcomes } = await w.fetch("interpro", "IPR000001")
    expect(outcomes[0]).toMatchObject({ failure: { code: "timeout", retryable: true, retryAfterMs: 300_000 } })
    expect(w.server.requests).toHaveLength(1)
  })

  test("an id of another database, or a number of which it is not sure, is refused without a request", async () => {
    for (const id of ["PF00051", "IPR1", "IPR0000012", "kringle"]) {
      await using w = await answering(json(KRINGLE))
      expect((await w.fetch("interpro", id)).outcomes[0]).toMatchObject({ failure: { code: "invalid_id" } })
      expect(w.server.requests).toHaveLength(0)
    }
  })

  test("an answer whose shape changed is a failure that names the field", async () => {
    await using w = await answering(json({ meta: {} }))
    const { outcomes } = await w.fetch("interpro", "IPR000001")
    expect(outcomes[0]).toMatchObject({ failure: { code: "bad_response" } })
    expect(outcomes[0]?.kind === "failure" && outcomes[0].failure.message).toContain("metadata")
  })
})

describe("search by words", () => {
  test("goes to EBI Search, kept to this database, with total and next page", async () => {
    await using w = await answering(
      found(
        57,
        entry("IPR000001", "Kringle", "domain"),
        entry("IPR013806", "Kringle-like fold", "homologous_superfamily"),
      ),
    )
    const { result } = await w.search("interpro", "kringle", { limit: 2 })
    expect(result).toMatchObject({
      kind: "hits",
      total: 57,
      next: "2",
      notes: [],
      hits: [
        { id: "IPR000001", title: "Kringle", summary: "domain" },
        { id: "IPR013806", title: "Kringle-like fold", summary: "homologous superfamily" },
      ],
    })
    const asked = new URL(`https://x${w.server.requests[0]?.path}`)
    expect(asked.pathname).toBe(SEARCH)
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      query: "kringle",
      filter: "source_database:INTERPRO",
      fields: "name,type",
      format: "json",
      start: "0",
      size: "2",
    })
  })

  test("the last page has no next, and a page is asked for by the cursor of the one before", async () => {
    await using w = await answering(found(3, entry("IPR000001", "Kringle", "domain")))
    const { result } = await w.search("interpro", "kringle", { limit: 2, cursor: "2" })
    expect(result).not.toHaveProperty("next")
    expect(w.server.requests[0]?.path).toContain("start=2&")
  })

  test("an empty page never leads to itself", async () => {
    await using w = await answering(found(3))
    expect((await w.search("interpro", "kringle")).result).not.toHaveProperty("next")
  })

  test("words must all be there, and what Lucene reserves is escaped in them", async () => {
    for (const [query, expected] of [
      ["p53 tumor suppressor", "p53 AND tumor AND suppressor"],
      ["alpha/beta hydrolase", "alpha\\/beta AND hydrolase"],
      ["kinase: activity", "kinase\\: AND activity"],
      ["SH2 & SH3 -", "SH2 AND SH3"],
      ['"zinc finger" C2H2', '"zinc finger" AND C2H2'],
      ["14-3-3 (eta)", "14\\-3\\-3 AND \\(eta\\)"],
      ["type:domain AND kinase", "type:domain AND kinase"],
      ["kinase NOT (receptor OR histidine)", "kinase NOT (receptor OR histidine)"],
    ]) {
      await using w = await answering(found(0))
      expect((await w.search("interpro", query ?? "")).result).toMatchObject({ kind: "hits", total: 0 })
      expect(new URL(`https://x${w.server.requests[0]?.path}`).searchParams.get("query")).toBe(expected ?? "")
    }
  })

  test("entries of other databases are left out and no total is believed when the filter leaks", async () => {
    await using w = await answering(
      found(8136, entry("cd08367", "P53", "domain"), entry("IPR000001", "Kringle", "domain")),
    )
    const { result } = await w.search("interpro", "kinase")
    expect(result).toMatchObject({ hits: [{ id: "IPR000001" }] })
    expect(result).not.toHaveProperty("total")
    expect(result.kind === "hits" && result.notes[0]).toContain("did not keep to this database")
  })

  test("no hits are a total of 0, and a refusal is the query's fault", async () => {
    await using none = await answering(found(0))
    expect((await none.search("interpro", "xyzzy")).result).toMatchObject({ kind: "hits", hits: [], total: 0 })
    await using bad = await answering(json({ error: "Cannot parse" }, 400))
    expect((await bad.search("interpro", "a OR ")).result).toMatchObject({ failure: { code: "invalid_query" } })
  })
})

describe("search by what has the entry", () => {
  test("of a protein: each entry with its places, of all fragments", async () => {
    const proteins = [
      {
        accession: "p04637",
        entry_protein_locations: [
          { fragments: [{ start: 95, end: 288, "dc-status": "CONTINUOUS" }] },
          {
            fragments: [
              { start: 5, end: 9 },
              { start: 20, end: 29 },
            ],
          },
        ],
      },
    ]
    for (const query of ["P04637", "p04637", "uniprot:P04637"]) {
      await using w = await answering(
        json({ count: 1, next: null, results: [row("IPR002117", "p53 tumour suppressor family", { proteins })] }),
      )
      expect((await w.search("interpro", query)).result).toMatchObject({
        total: 1,
        notes: [],
        hits: [
          {
            id: "IPR002117",
            title: "p53 tumour suppressor family",
            summary: "homologous superfamily · at 95-288, 5-9+20-29",
          },
        ],
      })
      expect(w.server.requests[0]?.path).toBe("/interpro/api/entry/interpro/protein/uniprot/P04637/?page_size=10")
    }
  })

  test("of a structure, with the chains; of a GO term", async () => {
    const structures = [{ chain: "A", entry_protein_locations: [{ fragments: [{ start: 1, end: 90 }] }] }]
    await using w = await answering(
      json({ count: 1, next: null, results: [row("IPR002117", { name: "p53" }, { structures })] }),
    )
    const { result } = await w.search("interpro", "PDB:1TUP")
    expect(result).toMatchObject({ hits: [{ title: "p53", summary: "homologous superfamily · A: 1-90" }] })
    await w.search("interpro", "GO:0003723")
    expect(w.server.requests.map(({ path }) => path)).toEqual([
      "/interpro/api/entry/interpro/structure/pdb/1tup/?page_size=10",
      "/interpro/api/entry/interpro/?go_term=GO%3A0003723&page_size=10",
    ])
  })

  test("an organism is a block of the API's own search, and it is said that this one reads names only", async () => {
    for (const [organism, taxon] of [
      ["9606", 9606],
      ["taxid:10090", 10090],
      ["Human", 9606],
      ["Escherichia coli", 562],
    ] as const) {
      await using w = await answering(json({ count: 0, next: null, results: [] }))
      const { result } = await w.search("interpro", "kringle", { organism })
      expect(result.kind === "hits" && result.notes[0]).toContain("only names are searched")
      expect(w.server.requests[0]?.path).toBe(
        `/interpro/api/entry/interpro/taxonomy/uniprot/${taxon}/?search=kringle&page_size=10`,
      )
    }
    await using w = await answering(json({ count: 0, next: null, results: [] }))
    await w.search("interpro", "P04637", { organism: "9606" })
    expect(w.server.requests[0]?.path).toBe(
      "/interpro/api/entry/interpro/protein/uniprot/P04637/taxonomy/uniprot/9606/?page_size=10",
    )
  })

  test("an organism that it cannot name in numbers is refused, never dropped", async () => {
    await using w = await answering(found(1))
    const { result } = await w.search("interpro", "kringle", { organism: "Loxodonta africana" })
    expect(result).toMatchObject({ failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(0)
  })

  test("a 204 without a body is no hits; a 404 that hides a fault is a failure", async () => {
    await using none = await answering({ status: 204 })
    expect((await none.search("interpro", "P04637")).result).toMatchObject({ kind: "hits", hits: [], total: 0 })
    await using fault = await answering(json({ Error: "aggregations" }, 404))
    expect((await fault.search("interpro", "Q8A7T2")).result).toMatchObject({ failure: { code: "unavailable" } })
  })

  test("the next page is asked for at the API itself, whatever address the answer names", async () => {
    const next =
      "https://www.ebi.ac.uk:443/interpro/wwwapi/entry/interpro/protein/uniprot/P04637/?cursor=source%3As%3Aipr011615&page_size=2"
    await using w = await answering(json({ count: 9, next, results: [row("IPR002117", "p53")] }))
    const { result } = await w.search("interpro", "P04637", { limit: 2 })
    expect(result).toMatchObject({ total: 9, next: "cursor=source:s:ipr011615" })
    await w.search("interpro", "P04637", { limit: 2, cursor: "cursor=source:s:ipr011615" })
    expect(w.server.requests[1]?.path).toBe(
      "/interpro/api/entry/interpro/protein/uniprot/P04637/?page_size=2&cursor=source%3As%3Aipr011615",
    )
  })

  test("a cursor of another kind of search is refused without a request", async () => {
    await using w = await answering(found(1))
    for (const [query, cursor] of [
      ["kringle", "cursor=source:s:x"],
      ["kringle", "-1"],
      ["P04637", "20"],
      ["P04637", "search=x"],
      ["P04637", "cursor=a&search=b"],
    ] as const)
      expect((await w.search("interpro", query, { cursor })).result).toMatchObject({
        failure: { code: "invalid_query" },
      })
    expect(w.server.requests).toHaveLength(0)
  })

  test("a next page that cannot be asked for is a failure, not the last page", async () => {
    await using w = await answering(json({ count: 9, next: "https://www.ebi.ac.uk/interpro/api/x", results: [] }))
    expect((await w.search("interpro", "P04637")).result).toMatchObject({ failure: { code: "bad_response" } })
  })
})

describe("files", () => {
  test("tsv and json are the API's own renderings", async () => {
    for (const [format, path, body] of [
      ["tsv", "/interpro/api/entry/interpro/IPR000001/?format=tsv", "accession\tname\nIPR000001\tKringle\n"],
      ["json", "/interpro/api/entry/interpro/IPR000001/", JSON.stringify(KRINGLE)],
    ] as const) {
      await using w = await answering(body)
      const { outcomes } = await w.file("interpro", format, "IPR000001")
      expect(outcomes[0]).toMatchObject({ kind: "file", saved: { bytes: body.length } })
      expect(w.server.requests[0]?.path).toBe(path)
    }
  })

  test("an unknown or deleted entry has no file, and a fault is a failure", async () => {
    for (const [reply, kind] of [
      [{ status: 204 }, "miss"],
      [json({ accession: "IPR000001", name: "x", deletion_date: "2023-10-05" }, 410), "miss"],
      [json({ Error: "aggregations" }, 404), "failure"],
    ] as const) {
      await using w = await answering(reply)
      expect((await w.file("interpro", "tsv", "IPR000001")).outcomes[0]?.kind).toBe(kind)
    }
  })
})
