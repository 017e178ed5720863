import { describe, expect, test } from "bun:test"
import connector from "../../../src/science/connectors/structures/rcsb-pdb.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const json = (body: unknown, status = 200): Reply => ({ status, body: JSON.stringify(body) })
const none = json({ status: 404, message: "No data found for entry id: XXXX", link: "https://data.rcsb.org" }, 404)
const page: Reply = { status: 200, headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><html>Down</html>" }

const entry = {
  rcsb_id: "6LU7",
  struct: { title: "The crystal structure of COVID-19 main protease in complex with an inhibitor N3" },
  exptl: [{ method: "X-RAY DIFFRACTION" }],
  pdbx_database_status: { pdb_format_compatible: "Y", status_code: "REL" },
  rcsb_entry_info: { structure_determination_methodology: "experimental", resolution_combined: [2.16] },
}

const results = {
  query_id: "576ce878-c722-449f-99f4-25bbd9874900",
  result_type: "entry",
  total_count: 24742,
  result_set: [
    { identifier: "1QEZ", score: 1.0 },
    { identifier: "5TY5", score: 0.998681352206127 },
  ],
}

const facts = {
  data: {
    entries: [
      {
        rcsb_id: "5TY5",
        struct: { title: "Inorganic pyrophosphatase of Naegleria fowleri" },
        exptl: [{ method: "X-RAY DIFFRACTION" }],
        rcsb_entry_info: { resolution_combined: [2.3] },
        rcsb_accession_info: { initial_release_date: "2016-12-07T00:00:00Z" },
        rcsb_primary_citation: { rcsb_journal_abbrev: "To be published", year: null },
        polymer_entities: [
          { rcsb_entity_source_organism: [{ ncbi_scientific_name: "Naegleria fowleri" }] },
          { rcsb_entity_source_organism: [{ ncbi_scientific_name: "Naegleria fowleri" }] },
        ],
      },
      {
        rcsb_id: "1QEZ",
        struct: { title: "Inorganic pyrophosphatase" },
        exptl: [{ method: "SOLUTION NMR" }],
        rcsb_entry_info: { resolution_combined: null },
        rcsb_accession_info: null,
        rcsb_primary_citation: { rcsb_journal_abbrev: "Protein Sci", year: 1999 },
        polymer_entities: null,
      },
    ],
  },
}

const searching = (hits: Reply, titles: Reply = json(facts)) => {
  const answer = ({ host }: Seen) => (host === "search.rcsb.org" ? hits : titles)
  return world(answer, { connectors: [connector] })
}

const answering = (answers: Record<string, Reply>, otherwise: Reply = none) =>
  world(({ host, path }) => answers[`${host}${path}`] ?? answers[path.replace("/rest/v1", "")] ?? otherwise, {
    connectors: [connector],
  })

const bodyOf = (seen: Seen | undefined): unknown => JSON.parse(seen?.body ?? "null")

describe("search", () => {
  test("gives titles and what lets one choose, matched by id, in one further request for all hits", async () => {
    await using w = await searching(json(results))
    const { result } = await w.search("rcsb-pdb", "inorganic pyrophosphatase", { limit: 2 })
    expect(result).toMatchObject({
      kind: "hits",
      total: 24742,
      next: "2",
      hits: [
        { id: "1QEZ", title: "Inorganic pyrophosphatase", summary: "SOLUTION NMR · Protein Sci 1999" },
        {
          id: "5TY5",
          title: "Inorganic pyrophosphatase of Naegleria fowleri",
          summary: "X-RAY DIFFRACTION 2.3 Å · Naegleria fowleri · released 2016-12-07 · To be published",
        },
      ],
    })
    expect(w.server.requests.map(({ host, method, path }) => `${method} ${host}${path}`)).toEqual([
      "POST search.rcsb.org/rcsbsearch/v2/query",
      "POST data.rcsb.org/graphql",
    ])
    expect(bodyOf(w.server.requests[1])).toMatchObject({ variables: { ids: ["1QEZ", "5TY5"] } })
  })

  test("plain words are a full-text search of experimental entries, as they were typed", async () => {
    await using w = await searching(json(results))
    await w.search("rcsb-pdb", 'human "DNA polymerase" 3\'-end', { limit: 7 })
    expect(bodyOf(w.server.requests[0])).toEqual({
      query: { type: "terminal", service: "full_text", parameters: { value: 'human "DNA polymerase" 3\'-end' } },
      return_type: "entry",
      request_options: {
        paginate: { start: 0, rows: 7 },
        results_content_type: ["experimental"],
        sort: [{ sort_by: "score", direction: "desc" }],
      },
    })
  })

  test("a query in the API's own language is passed through", async () => {
    const node = {
      type: "terminal",
      service: "text",
      parameters: { attribute: "exptl.method", operator: "exact_match", value: "SOLUTION NMR" },
    }
    await using w = await searching(json(results))
    await w.search("rcsb-pdb", JSON.stringify(node), { organism: "9606" })
    expect(bodyOf(w.server.requests[0])).toMatchObject({
      query: {
        type: "group",
        logical_operator: "and",
        nodes: [
          node,
          {
            type: "terminal",
            service: "text",
            parameters: {
              attribute: "rcsb_entity_source_organism.taxonomy_lineage.id",
              operator: "exact_match",
              value: "9606",
            },
          },
        ],
      },
    })
  })

  test("an organism may be a name", async () => {
    await using w = await searching(json(results))
    await w.search("rcsb-pdb", "kinase", { organism: "Mus musculus" })
    expect(w.server.requests[0]?.body).toContain(
      'taxonomy_lineage.name","operator":"exact_match","value":"Mus musculus"',
    )
  })

  test("broken JSON, a whole request and a foreign cursor are the query's fault, and nothing is sent", async () => {
    await using w = await searching(json(results))
    for (const [query, cursor] of [
      ['{"type":"terminal"', undefined],
      ['{"query":{"type":"terminal"},"return_type":"polymer_entity"}', undefined],
      ["kinase", "AoE/abc"],
    ] as const) {
      const { result } = await w.search("rcsb-pdb", query, cursor ? { cursor } : {})
      expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
    }
    expect(w.server.requests).toHaveLength(0)
  })

  test("a cursor is where the next page starts, and the last page has none", async () => {
    await using w = await searching(json({ ...results, total_count: 22 }))
    const { result } = await w.search("rcsb-pdb", "kinase", { cursor: "20", limit: 2 })
    expect(bodyOf(w.server.requests[0])).toMatchObject({ request_options: { paginate: { start: 20, rows: 2 } } })
    expect(result).toMatchObject({ total: 22 })
    expect(result).not.toHaveProperty("next")
  })

  test("204 without a body is no hits, and titles are not asked for", async () => {
    await using w = await searching({ status: 204 })
    const { result } = await w.search("rcsb-pdb", "zzqqxxyyvvww")
    expect(result).toMatchObject({ kind: "hits", hits: [], total: 0 })
    expect(w.server.requests).toHaveLength(1)
  })

  test("a refused query says what the service said", async () => {
    await using w = await searching(json({ status: 400, message: "JSON schema validation failed for query: x" }, 400))
    const { result } = await w.search("rcsb-pdb", '{"type":"terminal"}')
    expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
    expect(result.kind === "failure" && result.failure.message).toContain("JSON schema validation failed")
  })

  test("an outage, a page, an empty or a cut-off body is a failure, never no hits", async () => {
    const cases: [Reply, string][] = [
      [{ status: 503 }, "unavailable"],
      [{ status: 429 }, "rate_limited"],
      [{ status: 404 }, "bad_response"],
      [page, "bad_response"],
      ["", "bad_response"],
      [JSON.stringify(results).slice(0, 90), "bad_response"],
      [json({ result_set: results.result_set }), "bad_response"],
    ]
    for (const [reply, code] of cases) {
      await using w = await searching(reply)
      const { result } = await w.search("rcsb-pdb", "kinase")
      expect(result).toMatchObject({ kind: "failure", failure: { code } })
    }
  })

  test("titles that fail, also by an error under status 200, are said to be missing and the ids still come", async () => {
    for (const titles of [{ status: 503 }, json({ errors: [{ message: "Validation error" }], data: null })]) {
      await using w = await searching(json(results), titles)
      const { result } = await w.search("rcsb-pdb", "kinase")
      expect(result).toMatchObject({
        kind: "hits",
        hits: [{ id: "1QEZ", title: "1QEZ" }, { id: "5TY5" }],
        notes: ["titles could not be had"],
      })
    }
  })

  test("a hit that GraphQL leaves out keeps its own place", async () => {
    await using w = await searching(json(results), json({ data: { entries: [null, facts.data.entries[0]] } }))
    const { result } = await w.search("rcsb-pdb", "kinase")
    expect(result).toMatchObject({
      hits: [
        { id: "1QEZ", title: "1QEZ" },
        { id: "5TY5", title: "Inorganic pyrophosphatase of Naegleria fowleri" },
      ],
      notes: [],
    })
  })
})

describe("fetch", () => {
  test("an entry is found under every spelling that is in use", async () => {
    for (const typed of [
      "6LU7",
      "6lu7",
      "PDB:6lu7",
      "pdb_00006lu7",
      "PDB_00006LU7",
      "pdb6lu7",
      "pdb6lu7.ent.gz",
      "6LU7.pdb",
      "6lu7.cif.gz",
      "10.2210/pdb6lu7/pdb",
      "https://doi.org/10.2210/pdb6lu7/pdb",
      "https://www.rcsb.org/structure/6LU7",
    ]) {
      await using w = await answering({ "/core/entry/6LU7": json(entry) })
      const { outcomes } = await w.fetch("rcsb-pdb", typed)
      expect(outcomes[0]).toMatchObject({ kind: "record", id: "6LU7", record: entry, remarks: [] })
      expect(w.server.requests.map(({ path }) => path)).toEqual(["/rest/v1/core/entry/6LU7"])
    }
  })

  test("an id that is none is refused before anything is sent", async () => {
    await using w = await answering({})
    for (const typed of ["6LU7_A", "6LU7:A", "EMD-1234", "P04637", "../6LU7", "hemoglobin"]) {
      const { outcomes } = await w.fetch("rcsb-pdb", typed)
      expect(outcomes[0]).toMatchObject({ kind: "failure", failure: { code: "invalid_id" } })
    }
    expect(w.server.requests).toHaveLength(0)
  })

  test("an extended id without a short one is asked for as it is", async () => {
    await using w = await answering({ "/core/entry/pdb_1000abcd": json({ rcsb_id: "PDB_1000ABCD" }) })
    const { outcomes } = await w.fetch("rcsb-pdb", "PDB_1000abcd")
    expect(outcomes[0]).toMatchObject({ kind: "record", id: "pdb_1000abcd" })
  })

  test("an entity is looked for among polymers, ligands and glycans", async () => {
    const glycerol = { rcsb_id: "4G22_2", pdbx_entity_nonpoly: { comp_id: "GOL", name: "GLYCEROL" } }
    await using w = await answering({ "/core/nonpolymer_entity/4G22/2": json(glycerol) })
    const { outcomes } = await w.fetch("rcsb-pdb", "4g22_2")
    expect(outcomes[0]).toMatchObject({ kind: "record", id: "4G22_2", record: glycerol })
    expect(w.server.requests.map(({ path }) => path)).toEqual([
      "/rest/v1/core/polymer_entity/4G22/2",
      "/rest/v1/core/nonpolymer_entity/4G22/2",
    ])
  })

  test("a resource that fails is not passed over on the way to the next", async () => {
    await using w = await answering({
      "/core/polymer_entity/4G22/2": { status: 503 },
      "/core/nonpolymer_entity/4G22/2": json({ rcsb_id: "4G22_2" }),
    })
    const { outcomes } = await w.fetch("rcsb-pdb", "4G22_2")
    expect(outcomes[0]).toMatchObject({ kind: "failure", failure: { code: "unavailable" } })
  })

  test("a chain is by its label, in the case it has, and the authors' letter is said where it differs", async () => {
    const chain = {
      rcsb_id: "2FBW.J",
      rcsb_nonpolymer_entity_instance_container_identifiers: { asym_id: "J", auth_asym_id: "A", comp_id: "Y3P" },
    }
    await using w = await answering({ "/core/nonpolymer_entity_instance/2FBW/J": json(chain) })
    const { outcomes } = await w.fetch("rcsb-pdb", "2fbw.J")
    expect(outcomes[0]).toMatchObject({
      kind: "record",
      id: "2FBW.J",
      remarks: ["J is the label_asym_id; the authors call this chain A"],
    })
  })

  test("a chain whose two letters agree needs no remark", async () => {
    const ids = { asym_id: "A", auth_asym_id: "A" }
    await using w = await answering({
      "/core/polymer_entity_instance/4HHB/A": json({
        rcsb_id: "4HHB.A",
        rcsb_polymer_entity_instance_container_identifiers: ids,
      }),
    })
    const { outcomes } = await w.fetch("rcsb-pdb", "4HHB.A")
    expect(outcomes[0]).toMatchObject({ kind: "record", remarks: [] })
  })

  test("assemblies, ligands and computed models have their own resources", async () => {
    const model = {
      rcsb_id: "AF_AFP04637F1",
      rcsb_entry_info: { structure_determination_methodology: "computational" },
    }
    await using w = await answering({
      "/core/assembly/1RH7/1": json({ rcsb_id: "1RH7-1" }),
      "/core/chemcomp/ATP": json({ rcsb_id: "ATP" }),
      "/core/chemcomp/A1LU6": json({ rcsb_id: "A1LU6" }),
      "/core/entry/AF_AFP04637F1": json(model),
    })
    const { outcomes } = await w.fetch(
      "rcsb-pdb",
      "1rh7-1",
      "atp",
      "https://www.rcsb.org/ligand/A1LU6",
      "AF-P04637-F1-model_v4",
    )
    expect(outcomes.map(({ kind, id }) => [kind, id])).toEqual([
      ["record", "1RH7-1"],
      ["record", "ATP"],
      ["record", "A1LU6"],
      ["record", "AF_AFP04637F1"],
    ])
    expect(outcomes[3]).toMatchObject({ remarks: ["a computed structure model, not an experimental structure"] })
  })

  test("another entry than the asked one is a miss", async () => {
    await using w = await answering({ "/core/entry/6LU8": json(entry) })
    const { outcomes } = await w.fetch("rcsb-pdb", "6LU8")
    expect(outcomes[0]).toMatchObject({ kind: "miss", id: "6LU8" })
  })

  test("each of several ids has its own outcome", async () => {
    await using w = await answering({
      "/core/entry/6LU7": json(entry),
      "/core/entry/2NZT": { status: 500 },
    })
    const { outcomes } = await w.fetch("rcsb-pdb", "2NZT", "9ZZZ", "6lu7")
    expect(outcomes.map(({ kind }) => kind)).toEqual(["failure", "miss", "record"])
  })

  test("an unknown entry is a miss", async () => {
    await using w = await answering({})
    const { outcomes } = await w.fetch("rcsb-pdb", "9ZZZ")
    expect(outcomes[0]).toEqual({ kind: "miss", db: "rcsb-pdb", id: "9ZZZ" })
  })

  test("an obsolete entry is a miss that names what replaced it", async () => {
    await using w = await answering({
      "/holdings/removed/1HHB": json({
        rcsb_id: "1HHB",
        rcsb_repository_holdings_removed: {
          remove_date: "1984-07-17T00:00:00Z",
          id_codes_replaced_by: ["2HHB", "3HHB", "4HHB"],
        },
      }),
      "/holdings/removed/8FG2": json({ rcsb_repository_holdings_removed: { title: "x" } }),
    })
    const { outcomes } = await w.fetch("rcsb-pdb", "1hhb", "8FG2")
    expect(outcomes).toMatchObject([
      { kind: "miss", reason: "1HHB is obsolete since 1984-07-17, replaced by 2HHB and 3HHB and 4HHB: fetch that" },
      { kind: "miss", reason: "8FG2 is obsolete, withdrawn without a replacement" },
    ])
  })

  test("an entry on hold, and a part that an entry does not have, are misses that say so", async () => {
    const holding = (status: string, status_code: string) =>
      json({ rcsb_repository_holdings_combined: { status, status_code } })
    await using w = await answering({
      "/holdings/status/9ABC": holding("UNRELEASED", "HPUB"),
      "/holdings/status/4HHB": holding("CURRENT", "REL"),
    })
    const { outcomes } = await w.fetch("rcsb-pdb", "9ABC", "4HHB_9", "4HHB.a")
    expect(outcomes).toMatchObject([
      { kind: "miss", reason: "9ABC is deposited but not released yet (HPUB)" },
      { kind: "miss", reason: "4HHB has no such entity: fetch 4HHB for what it has" },
      {
        kind: "miss",
        reason:
          "4HHB has no such chain: fetch 4HHB for what it has; chains go by label_asym_id, and letter case matters",
      },
    ])
    expect(w.server.requests.map(({ path }) => path)).toContain("/rest/v1/core/polymer_entity_instance/4HHB/a")
  })

  test("an outage, a page, a cut-off or a changed record is a failure, never a miss", async () => {
    const cases: [Reply, string][] = [
      [{ status: 503 }, "unavailable"],
      [{ status: 429 }, "rate_limited"],
      [page, "bad_response"],
      [{ status: 404, body: "<html><body>gateway</body></html>" }, "bad_response"],
      [JSON.stringify(entry).slice(0, 60), "bad_response"],
      [json({ title: "no id in it" }), "bad_response"],
      ["", "bad_response"],
    ]
    for (const [reply, code] of cases) {
      await using w = await answering({}, reply)
      const { outcomes } = await w.fetch("rcsb-pdb", "6LU7")
      expect(outcomes[0]).toMatchObject({ kind: "failure", failure: { code } })
    }
  })

  test("whether a missing entry is obsolete is not guessed when that cannot be asked", async () => {
    await using w = await answering({ "/holdings/removed/1HHB": { status: 503 } })
    const { outcomes } = await w.fetch("rcsb-pdb", "1HHB")
    expect(outcomes[0]).toMatchObject({ kind: "failure", failure: { code: "unavailable" } })
  })
})

describe("files", () => {
  const cif = "data_X\n#\nATOM 1 N N\n"
  const gzip = { body: Bun.gzipSync("data_X\n") }
  const bcif = { body: new Uint8Array([0x83, 0xa7, ...Buffer.from("encoder"), 0xa1, 0x78]) }
  const sdf = "ATP\n\n\n\nM  END\n$$$$\n"
  const fasta = ">6LU7_1|Chain A\nSGFRKM\n"
  const pdf = "%PDF-1.4\n%%EOF\n"

  test.each([
    ["6lu7", "cif", "files.rcsb.org/download/6LU7.cif", cif],
    ["6lu7", "xml", "files.rcsb.org/download/6LU7.xml", "<?xml version='1.0'?><a>1</a>"],
    ["6lu7", "cif.gz", "files.rcsb.org/download/6LU7.cif.gz", gzip],
    ["6lu7", "bcif", "models.rcsb.org/6lu7.bcif", bcif],
    ["6lu7", "bcif.gz", "models.rcsb.org/6lu7.bcif.gz", gzip],
    ["AF-O25142-F1", "bcif", "models.rcsb.org/af_afo25142f1.bcif", bcif],
    ["6lu7", "assembly", "files.rcsb.org/download/6LU7-assembly1.cif", cif],
    ["6lu7-2", "assembly", "files.rcsb.org/download/6LU7-assembly2.cif", cif],
    ["6lu7-2", "cif", "files.rcsb.org/download/6LU7-assembly2.cif", cif],
    ["6lu7-2", "cif.gz", "files.rcsb.org/download/6LU7-assembly2.cif.gz", gzip],
    ["6lu7", "sf", "files.rcsb.org/download/6LU7-sf.cif", cif],
    ["6lu7", "validation", "files.rcsb.org/pub/pdb/validation_reports/lu/6lu7/6lu7_full_validation.pdf", pdf],
    ["atp", "cif", "files.rcsb.org/ligands/download/ATP.cif", cif],
    ["atp", "sdf", "files.rcsb.org/ligands/download/ATP_ideal.sdf", sdf],
    ["6lu7", "fasta", "www.rcsb.org/fasta/entry/6LU7", fasta],
    ["6lu7_1", "fasta", "www.rcsb.org/fasta/entity/6LU7_1", fasta],
    ["6lu7.A", "fasta", "www.rcsb.org/fasta/chain/6LU7.A", fasta],
  ] as const)("%s as %s is at %s", async (id, format, address, reply) => {
    await using w = await answering({ [address]: reply })
    const { outcomes } = await w.file("rcsb-pdb", format, id)
    expect(outcomes[0]).toMatchObject({ kind: "file", url: `https://${address}` })
    expect(w.server.requests).toHaveLength(1)
  })

  test("a PDB file is asked for once the record says that there is one", async () => {
    await using w = await answering({
      "/core/entry/6LU7": json(entry),
      "files.rcsb.org/download/6LU7.pdb": "ATOM      1  N\nEND\n",
      "files.rcsb.org/download/6LU7.pdb1": "ATOM      1  N\nEND\n",
    })
    const { outcomes } = await w.file("rcsb-pdb", "pdb", "6lu7", "6LU7-1")
    expect(outcomes).toMatchObject([
      { kind: "file", url: "https://files.rcsb.org/download/6LU7.pdb" },
      { kind: "file", url: "https://files.rcsb.org/download/6LU7.pdb1" },
    ])
  })

  test("a structure that does not fit the PDB format is a miss that names cif", async () => {
    const ribosome = { rcsb_id: "4V6X", pdbx_database_status: { pdb_format_compatible: "N" } }
    await using w = await answering({ "/core/entry/4V6X": json(ribosome) })
    const { outcomes } = await w.file("rcsb-pdb", "pdb", "4V6X")
    expect(outcomes[0]).toMatchObject({
      kind: "miss",
      reason: "it does not fit the PDB format (over 62 chains or 99,999 atoms, or a 5-letter ligand): ask for cif",
    })
  })

  test("the PDB file of an obsolete entry is a miss that names what replaced it", async () => {
    await using w = await answering({
      "/holdings/removed/1HHB": json({ rcsb_repository_holdings_removed: { id_codes_replaced_by: ["4HHB"] } }),
    })
    const { outcomes } = await w.file("rcsb-pdb", "pdb", "1HHB")
    expect(outcomes[0]).toMatchObject({ kind: "miss", reason: "1HHB is obsolete, replaced by 4HHB: fetch that" })
  })

  test("a record that is not there yet does not keep the PDB file away", async () => {
    await using w = await answering({ "files.rcsb.org/download/1A8O.pdb": "ATOM      1  N\nEND\n" })
    const { outcomes } = await w.file("rcsb-pdb", "pdb", "1A8O")
    expect(outcomes[0]).toMatchObject({ kind: "file" })
  })

  test("an unknown file is a miss: 404 with a page, or a sentence in place of a FASTA file", async () => {
    await using w = await answering(
      { "www.rcsb.org/fasta/entry/9ZZZ": "No fasta files were found." },
      { status: 404, headers: { "content-type": "text/html" }, body: "<html><body>404</body></html>" },
    )
    for (const format of ["cif", "fasta"]) {
      const { outcomes } = await w.file("rcsb-pdb", format, "9ZZZ")
      expect(outcomes[0]).toMatchObject({ kind: "miss" })
    }
  })

  test("an outage, a page or a cut-off file is a failure, never a miss and never a file", async () => {
    const cut: Reply = (_, response) => {
      response.writeHead(200, { "content-length": "5000" })
      response.write("data_6LU7\n")
      setTimeout(() => response.destroy(), 20)
    }
    for (const [reply, code] of [
      [{ status: 503 }, "unavailable"],
      [{ status: 429 }, "rate_limited"],
      [page, "bad_response"],
      [cut, "unavailable"],
    ] as const) {
      await using w = await answering({}, reply)
      const { outcomes } = await w.file("rcsb-pdb", "cif", "6LU7")
      expect(outcomes[0]).toMatchObject({ kind: "failure", failure: { code } })
    }
  })

  test("a format that is not served for what the id names is refused, with what it is served for", async () => {
    await using w = await answering({})
    for (const [id, format, words] of [
      ["4HHB.A", "cif", "served for an entry (4HHB) or an assembly (4HHB-1) or a ligand (ATP), not for 4HHB.A"],
      ["4HHB", "sdf", "served for a ligand (ATP), not for 4HHB"],
      ["AF_AFP04637F1", "cif", "with its provider (AF_: alphafold)"],
      ["AF_AFP04637F1_1", "fasta", "not for AF_AFP04637F1_1"],
    ] as const) {
      const { outcomes } = await w.file("rcsb-pdb", format, id)
      const [outcome] = outcomes
      expect(outcome).toMatchObject({ kind: "failure", failure: { code: "unsupported_format" } })
      expect(outcome?.kind === "failure" && outcome.failure.message).toContain(words)
    }
    expect(w.server.requests).toHaveLength(0)
  })
})
