import { describe, expect, test } from "bun:test"
import { gzipSync } from "node:zlib"
import sifts from "../../../src/science/connectors/structures/sifts.ts"
import { printRecord } from "../../../src/science/print.ts"
import type { Reply } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const json = (body: unknown, status = 200): Reply => ({ status, body: JSON.stringify(body) })
const none = json({}, 404)
const segment = {
  entity_id: 3,
  chain_id: "C",
  struct_asym_id: "C",
  unp_start: 187,
  unp_end: 197,
  start: { author_residue_number: null, author_insertion_code: "", residue_number: 1 },
  end: { author_residue_number: 197, author_insertion_code: "", residue_number: 11 },
}
const PROTEIN = { P04637: { PDB: { "9yzh": [segment, { ...segment, chain_id: "F" }] } } }
const ENTRY = { "1hda": { UniProt: { P01966: { identifier: "HBA_BOVIN", mappings: [segment] } }, Pfam: {}, GO: {} } }
const RFAM = { "2gcv": { Rfam: { RF00234: { family: "glmS", mappings: [{ chain_id: "B" }] } } } }
const MAPPINGS = "/pdbe/api/mappings/"
const NUCLEIC = "/pdbe/api/nucleic_mappings/"

const answering = (replies: Record<string, Reply>, otherwise: Reply = none) =>
  world(({ path }) => replies[path] ?? otherwise, { connectors: [sifts], retry: { attempts: 2, baseMs: 1 } })

describe("record", () => {
  test("of a protein is its PDB chains, asked for in UniProt's spelling whatever was typed", async () => {
    for (const typed of ["P04637", "p04637", "uniprot:P04637", " UniProtKB:p04637"]) {
      await using w = await answering({ [`${MAPPINGS}P04637`]: json(PROTEIN) })
      const { outcomes } = await w.fetch("sifts", typed)
      expect(outcomes[0]).toEqual({
        kind: "record",
        db: "sifts",
        id: "P04637",
        record: PROTEIN,
        url: "https://www.ebi.ac.uk/pdbe/pdbe-kb/proteins/P04637",
        remarks: [],
        incomplete: [],
      })
      expect(w.server.requests).toHaveLength(1)
    }
  })

  test("of a PDB entry is all that is mapped to it, asked for in lower case", async () => {
    for (const typed of ["1hda", "1HDA", "PDB:1hda", "pdb_00001hda", "1HDA.cif", "10.2210/pdb1hda/pdb"]) {
      await using w = await answering({ [`${MAPPINGS}1hda`]: json(ENTRY) })
      const { outcomes } = await w.fetch("sifts", typed)
      expect(outcomes[0]).toMatchObject({ kind: "record", id: "1hda", record: ENTRY, incomplete: [] })
      expect(outcomes[0]).toMatchObject({ url: "https://www.ebi.ac.uk/pdbe/entry/pdb/1hda" })
      expect(w.server.requests.map(({ path }) => path)).toEqual([`${MAPPINGS}1hda`, `${NUCLEIC}1hda`])
    }
  })

  test("of an RNA alone is its mapping to Rfam", async () => {
    for (const nothing of [none, json({})]) {
      await using w = await answering({ [`${NUCLEIC}2gcv`]: json(RFAM) }, nothing)
      expect((await w.fetch("sifts", "2gcv")).outcomes[0]).toMatchObject({ kind: "record", record: RFAM })
    }
  })

  test("of proteins with RNA holds both", async () => {
    await using w = await answering({
      [`${MAPPINGS}1hda`]: json(ENTRY),
      [`${NUCLEIC}1hda`]: json({ "1hda": RFAM["2gcv"] }),
    })
    const { outcomes } = await w.fetch("sifts", "1hda")
    expect(outcomes[0]?.kind === "record" && outcomes[0].record).toEqual({
      "1hda": { ...ENTRY["1hda"], ...RFAM["2gcv"] },
    })
  })

  test("says that the mapping to Rfam is missing when its call failed or was about another entry", async () => {
    for (const reply of [{ status: 503 }, json(RFAM), json({ "1hda": "x" })]) {
      await using w = await answering({ [`${MAPPINGS}1hda`]: json(ENTRY), [`${NUCLEIC}1hda`]: reply })
      const { outcomes } = await w.fetch("sifts", "1hda")
      expect(outcomes[0]).toMatchObject({ kind: "record", record: ENTRY, incomplete: ["nucleic_mappings"] })
    }
  })

  test("numbers keep their digits and nulls stay", async () => {
    await using w = await answering({
      [`${MAPPINGS}P04637`]: '{"P04637":{"PDB":{"9yzh":[{"coverage":0.960,"a":null}]}}}',
    })
    const { outcomes } = await w.fetch("sifts", "P04637")
    expect(outcomes[0]?.kind === "record" && printRecord(outcomes[0].record)).toContain('"coverage":0.960,"a":null')
  })
})

describe("miss and failure", () => {
  test("a protein without a structure is a miss that does not say that the protein does not exist", async () => {
    for (const reply of [none, json({}), json({ message: "Requested endpoint does not contains any data" }, 404)]) {
      await using w = await answering({}, reply)
      const { outcomes } = await w.fetch("sifts", "P99999")
      expect(outcomes[0]).toMatchObject({ kind: "miss" })
      expect(outcomes[0]?.kind === "miss" && outcomes[0].reason).toStartWith("no PDB structure is mapped to P99999")
    }
  })

  test("an entry to which nothing is mapped is a miss", async () => {
    await using w = await answering({})
    const { outcomes } = await w.fetch("sifts", "176d")
    expect(outcomes[0]).toMatchObject({ kind: "miss" })
    expect(outcomes[0]?.kind === "miss" && outcomes[0].reason).toStartWith("nothing is mapped to 176d")
  })

  test("nothing in one call and an outage in the other is a failure, never a miss", async () => {
    await using w = await answering({ [`${NUCLEIC}1hda`]: { status: 503 } })
    expect((await w.fetch("sifts", "1hda")).outcomes[0]).toMatchObject({ failure: { code: "unavailable" } })
  })

  test("the mappings of another entry than the asked one are a miss", async () => {
    await using w = await answering({ [`${MAPPINGS}1abc`]: json(ENTRY) })
    expect((await w.fetch("sifts", "1abc")).outcomes[0]).toMatchObject({
      kind: "miss",
      reason: "it answered with 1hda instead, which is another record",
    })
  })

  test("a changed answer is a failure that names the field", async () => {
    await using w = await answering({ [`${MAPPINGS}P04637`]: json({ P04637: [] }) })
    const { outcomes } = await w.fetch("sifts", "P04637")
    expect(outcomes[0]?.kind === "failure" && outcomes[0].failure.message).toContain("P04637")
  })

  test("a name, an isoform and a word of six letters are no ids", async () => {
    for (const id of ["P53_HUMAN", "TP53", "P04637-2", "kinase", "12345", "AAAA"]) {
      await using w = await answering({})
      expect((await w.fetch("sifts", id)).outcomes[0]).toMatchObject({ failure: { code: "invalid_id" } })
      expect(w.server.requests).toHaveLength(0)
    }
  })
})

describe("search", () => {
  const chain = (pdb_id: string, chain_id: string, resolution: number | null, coverage: number) => ({
    pdb_id,
    chain_id,
    experimental_method: resolution === null ? "Solution NMR" : "X-ray diffraction",
    tax_id: 9606,
    resolution,
    preferred_assembly_id: 1,
    unp_start: 94,
    unp_end: 312,
    coverage,
    start: 1,
    end: 219,
  })
  const BEST = `${MAPPINGS}best_structures/P04637`
  const best = json({
    P04637: [chain("1tup", "A", 2.2, 0.557), chain("1tup", "B", 2.2, 0.557), chain("2k8f", "B", null, 0.1)],
  })

  test("of an accession, in any letter case, gives its chains in the service's order, page by page", async () => {
    await using w = await answering({ [BEST]: best })
    const first = (await w.search("sifts", "p04637", { limit: 2 })).result
    expect(first).toMatchObject({
      kind: "hits",
      total: 3,
      next: "2",
      hits: [
        {
          id: "1tup",
          title: "1tup chain A",
          summary: "X-ray diffraction 2.2 Å · residues 94-312 · 56% of the protein",
        },
        { id: "1tup", title: "1tup chain B" },
      ],
    })
    const last = (await w.search("sifts", "uniprot:P04637", { limit: 2, cursor: "2" })).result
    expect(last).toMatchObject({
      total: 3,
      hits: [{ id: "2k8f", summary: "Solution NMR · residues 94-312 · 10% of the protein" }],
    })
    expect(last).not.toHaveProperty("next")
    expect(w.server.requests[0]?.path).toBe(BEST)
  })

  test("of an accession without structures says so; an outage is a failure, never no structures", async () => {
    for (const reply of [none, json({})]) {
      await using w = await answering({ [BEST]: reply })
      expect((await w.search("sifts", "P04637")).result).toMatchObject({
        hits: [],
        total: 0,
        notes: ["no PDB structure is mapped to P04637"],
      })
    }
    for (const reply of [{ status: 503 }, { status: 429 }, json({ P38398: [] }), "<html>", ""]) {
      await using w = await answering({ [BEST]: reply })
      expect((await w.search("sifts", "P04637")).result.kind).toBe("failure")
    }
  })

  test("of an accession says that an organism is not applied", async () => {
    await using w = await answering({ [BEST]: best })
    const { result } = await w.search("sifts", "P04637", { organism: "9606" })
    expect(result.kind === "hits" && result.notes).toContain("organism is not applied: an accession is of one already")
  })

  test("of words finds proteins with a structure in UniProt, and the organism is a filter there", async () => {
    const results = [
      { entryType: "UniProtKB reviewed (Swiss-Prot)", primaryAccession: "P04637", uniProtkbId: "P53_HUMAN" },
    ]
    await using w = await answering({}, { headers: { "x-total-results": "7" }, body: JSON.stringify({ results }) })
    const { result } = await w.search("sifts", "p53 OR brca1", { organism: "9606" })
    expect(result).toMatchObject({ total: 7, hits: [{ id: "P04637" }] })
    expect(result.kind === "hits" && result.notes[0]).toStartWith("searched in UniProt")
    expect(w.server.requests[0]?.host).toBe("rest.uniprot.org")
    expect(new URL(`https://x${w.server.requests[0]?.path}`).searchParams.get("query")).toBe(
      "(p53 OR brca1) AND organism_id:9606 AND database:pdb",
    )
  })

  test("of a PDB id finds the proteins in that entry", async () => {
    await using w = await answering({}, json({ results: [] }))
    await w.search("sifts", "1TUP")
    expect(new URL(`https://x${w.server.requests[0]?.path}`).searchParams.get("query")).toBe(
      "(xref:pdb-1tup) AND database:pdb",
    )
  })

  test("a cursor of the other search is refused without a request", async () => {
    await using w = await answering({ [BEST]: best })
    for (const [query, cursor] of [
      ["P04637", "1mkycb2xwxbourq4aadkwgqnmsatx0ynsz8d"],
      ["p53", "20"],
    ] as const)
      expect((await w.search("sifts", query, { cursor })).result).toMatchObject({ failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(0)
  })
})

describe("files", () => {
  test("each format is where it is served", async () => {
    const residues = gzipSync("<entry/>")
    for (const [format, address, body] of [
      ["xml.gz", "ftp.ebi.ac.uk/pub/databases/msd/sifts/xml/1hda.xml.gz", residues],
      ["cif", "www.ebi.ac.uk/pdbe/entry-files/download/1hda_updated.cif", "data_1HDA\n"],
      ["json", "www.ebi.ac.uk/pdbe/api/mappings/1hda", JSON.stringify(ENTRY)],
      ["isoforms", "www.ebi.ac.uk/pdbe/api/mappings/all_isoforms/1hda", JSON.stringify(ENTRY)],
      ["segments", "www.ebi.ac.uk/pdbe/api/mappings/uniprot_segments/1hda", JSON.stringify(ENTRY)],
      ["rfam", "www.ebi.ac.uk/pdbe/api/nucleic_mappings/1hda", JSON.stringify(ENTRY)],
    ] as const) {
      await using w = await world(() => ({ body }), { connectors: [sifts] })
      expect((await w.file("sifts", format, "1HDA")).outcomes[0]?.kind).toBe("file")
      expect(w.server.requests.map(({ host, path }) => host + path)).toEqual([address])
    }
  })

  test("an empty answer is a miss, whatever its status", async () => {
    for (const reply of [none, json({}), { status: 404, headers: { "content-type": "text/html" }, body: "<html>" }]) {
      await using w = await answering({}, reply)
      expect((await w.file("sifts", "ensembl", "1hda")).outcomes[0]?.kind).toBe("miss")
    }
  })

  test("a protein has its JSON only, and that is said without a request", async () => {
    await using w = await answering({}, json(PROTEIN))
    for (const format of ["xml.gz", "cif", "segments", "rfam"])
      expect((await w.file("sifts", format, "P04637")).outcomes[0]).toMatchObject({
        failure: { code: "unsupported_format" },
      })
    expect(w.server.requests).toHaveLength(0)
    expect((await w.file("sifts", "json", "P04637")).outcomes[0]?.kind).toBe("file")
  })
})
