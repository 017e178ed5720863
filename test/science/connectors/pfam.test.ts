import { describe, expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import path from "node:path"
import { gzipSync } from "node:zlib"
import pfam from "../../../src/science/connectors/proteins/pfam.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const json = (body: unknown, status = 200): Reply => ({ status, body: JSON.stringify(body) })
const FAMILY = {
  metadata: {
    accession: "PF00001",
    type: "family",
    integrated: "IPR000276",
    name: { name: "7 transmembrane receptor (rhodopsin family)", short: "7tm_1" },
    description: [{ text: "<p>GPCRs</p>", llm: false, checked: false, updated: false }],
    wikipedia: [{ title: "Rhodopsin-like_receptors", extract: "<p>x</p>", thumbnail: "/9j/2wBD" }],
    set_info: { accession: "CL0192", name: "GPCR_A" },
    entry_annotations: { hmm: 0, logo: 0, "alignment:seed": 63, "alignment:full": 289878 },
  },
}
const CLAN = {
  metadata: { accession: "CL0192", name: { name: "GPCR_A" }, description: "GPCRs", relationships: { nodes: [] } },
}
const HMM = gzipSync("HMMER3/f [3.1b2 | February 2015]\nNAME  Piwi\n//\n")
const answering = (answer: (request: Seen) => Reply | undefined) =>
  world(answer, { connectors: [pfam], retry: { attempts: 2, baseMs: 1 } })
const ENTRY = "/interpro/api/entry/pfam/PF00001/"

describe("record", () => {
  test("is the family as InterPro's API gives it, whatever way the id is written", async () => {
    for (const typed of [
      "PF00001",
      "pf00001",
      "PFAM:PF00001",
      "PF00001.27",
      "pfam00001",
      "https://www.ebi.ac.uk/interpro/entry/pfam/PF00001/",
      "https://identifiers.org/pfam:PF00001",
    ]) {
      await using w = await answering(() => json(FAMILY))
      const { outcomes } = await w.fetch("pfam", typed)
      expect(outcomes[0]).toMatchObject({ kind: "record", id: "PF00001", record: FAMILY, remarks: [] })
      expect(w.server.requests.map(({ host, path }) => host + path)).toEqual([`www.ebi.ac.uk${ENTRY}`])
    }
  })

  test("of a clan comes from the sets, with a page of its own", async () => {
    await using w = await answering(() => json(CLAN))
    const { outcomes } = await w.fetch("pfam", "cl0192")
    expect(outcomes[0]).toMatchObject({
      kind: "record",
      id: "CL0192",
      record: CLAN,
      url: "https://www.ebi.ac.uk/interpro/set/pfam/CL0192/",
    })
    expect(w.server.requests[0]?.path).toBe("/interpro/api/set/pfam/CL0192/")
  })

  test("a name, an InterPro entry and the retired Pfam-B are no ids", async () => {
    for (const id of ["7tm_1", "Kringle", "IPR000276", "PB000001", "PF0001", "PF00001.x"]) {
      await using w = await answering(() => json(FAMILY))
      expect((await w.fetch("pfam", id)).outcomes[0]).toMatchObject({ failure: { code: "invalid_id" } })
      expect(w.server.requests).toHaveLength(0)
    }
  })

  test("another family than the asked one is a miss", async () => {
    await using w = await answering(() => json(FAMILY))
    expect((await w.fetch("pfam", "PF00002")).outcomes[0]).toMatchObject({ kind: "miss" })
  })

  test("an unknown family is a miss, a deleted one a miss that says so, a hidden fault a failure", async () => {
    const deleted = {
      accession: "PF00002",
      source_database: "pfam",
      name: "Old",
      deletion_date: "2022-11-01",
      history: {},
    }
    for (const [reply, expected] of [
      [{ status: 204 }, { kind: "miss" }],
      [json({ Error: "PF00002 is not a valid Pfam accession" }, 404), { kind: "miss" }],
      [json(deleted, 410), { kind: "miss", reason: "deleted on 2022-11-01; search for its name: Old" }],
      [json({ Error: "aggregations" }, 404), { kind: "failure", failure: { code: "unavailable" } }],
    ] as const) {
      await using w = await answering(() => reply)
      expect((await w.fetch("pfam", "PF00002")).outcomes[0]).toMatchObject(expected)
    }
  })

  test("a description by a language model is said to be one", async () => {
    const description = [{ text: "x", llm: true, checked: false }]
    await using w = await answering(() => json({ metadata: { ...FAMILY.metadata, description } }))
    const { outcomes } = await w.fetch("pfam", "PF00001")
    expect(outcomes[0]).toMatchObject({
      remarks: ["its description was written by a language model and not checked by a curator"],
    })
  })
})

describe("search", () => {
  test("by words is EBI Search, kept to Pfam: a short name finds its family", async () => {
    const entries = [{ id: "PF00001", fields: { name: ["7 transmembrane receptor"], type: ["family"] } }]
    await using w = await answering(() => json({ hitCount: 1, entries }))
    expect((await w.search("pfam", "7tm_1")).result).toMatchObject({
      total: 1,
      hits: [{ id: "PF00001", summary: "family" }],
    })
    const asked = new URL(`https://x${w.server.requests[0]?.path}`).searchParams
    expect(asked.get("filter")).toBe("source_database:PFAM")
    expect(asked.get("query")).toBe("7tm_1")
  })

  test("by a protein gives each family with its places and the entry that it is part of", async () => {
    const results = [
      {
        metadata: { accession: "PF00870", name: "P53 DNA-binding domain", type: "domain", integrated: "IPR011615" },
        proteins: [{ entry_protein_locations: [{ fragments: [{ start: 100, end: 288 }] }] }],
      },
    ]
    await using w = await answering(() => json({ count: 1, next: null, results }))
    expect((await w.search("pfam", "P04637")).result).toMatchObject({
      hits: [{ id: "PF00870", summary: "domain · part of IPR011615 · at 100-288" }],
    })
    expect(w.server.requests[0]?.path).toBe("/interpro/api/entry/pfam/protein/uniprot/P04637/?page_size=10")
  })

  test("by a clan lists its families", async () => {
    await using w = await answering(() => json({ count: 0, next: null, results: [] }))
    await w.search("pfam", "cl0192")
    expect(w.server.requests[0]?.path).toBe("/interpro/api/entry/pfam/set/pfam/CL0192/?page_size=10")
  })

  test("a GO term is searched as a word: Pfam's entries carry none", async () => {
    await using w = await answering(() => json({ hitCount: 0, entries: [] }))
    await w.search("pfam", "GO:0003723")
    expect(new URL(`https://x${w.server.requests[0]?.path}`).searchParams.get("query")).toBe("GO\\:0003723")
  })

  test("an outage of EBI Search is a failure, never no hits", async () => {
    for (const reply of [{ status: 503 }, { status: 429 }, json({ message: "x" })]) {
      await using w = await answering(() => reply)
      expect((await w.search("pfam", "kinase")).result.kind).toBe("failure")
    }
  })
})

describe("files", () => {
  test("the profile and the seed alignment stay packed as the server keeps them", async () => {
    for (const [format, asked, name] of [
      ["hmm", "?annotation=hmm", "PF02171.hmm.gz"],
      ["alignment-seed", "?annotation=alignment%3Aseed&download", "PF02171.alignment-seed.sto.gz"],
    ] as const) {
      await using w = await answering(() => ({ headers: { "content-type": "application/gzip" }, body: HMM }))
      const { outcomes } = await w.file("pfam", format, "PF02171")
      const saved = outcomes[0]?.kind === "file" ? outcomes[0].saved.path : ""
      expect(path.basename(saved)).toBe(name)
      expect((await readFile(path.join(w.directory, saved))).equals(HMM)).toBe(true)
      expect(w.server.requests.map((request) => request.path)).toEqual([`/interpro/api/entry/pfam/PF02171/${asked}`])
    }
  })

  test("an alignment that not every family has is looked for in the entry first", async () => {
    await using w = await answering(({ path }) => (path === ENTRY ? json(FAMILY) : { body: HMM }))
    expect((await w.file("pfam", "alignment-full", "PF00001")).outcomes[0]?.kind).toBe("file")
    expect(w.server.requests.map((request) => request.path)).toEqual([
      ENTRY,
      `${ENTRY}?annotation=alignment%3Afull&download`,
    ])
    const { outcomes } = await w.file("pfam", "alignment-rp15", "PF00001")
    expect(outcomes[0]).toMatchObject({
      kind: "miss",
      reason: "PF00001 has no such alignment, only hmm, logo, alignment:seed, alignment:full",
    })
    expect(w.server.requests).toHaveLength(3)
  })

  test("logo and tsv are the API's own", async () => {
    await using w = await answering(({ path }) =>
      path.endsWith("logo") ? json({ max_height_obs: 4 }) : "a\tb\n1\t2\n",
    )
    expect((await w.file("pfam", "logo", "PF00001")).outcomes[0]?.kind).toBe("file")
    expect((await w.file("pfam", "tsv", "PF00001")).outcomes[0]?.kind).toBe("file")
    expect(w.server.requests.map((request) => request.path)).toEqual([
      `${ENTRY}?annotation=logo`,
      `${ENTRY}?format=tsv`,
    ])
  })

  test("a clan has its JSON only, and that is said without a request", async () => {
    await using w = await answering(() => json(CLAN))
    for (const format of ["hmm", "alignment-full", "tsv"])
      expect((await w.file("pfam", format, "CL0192")).outcomes[0]).toMatchObject({
        failure: { code: "unsupported_format" },
      })
    expect(w.server.requests).toHaveLength(0)
    expect((await w.file("pfam", "json", "CL0192")).outcomes[0]?.kind).toBe("file")
  })

  test("a 404 of a file says that it may be a fault or a file that is not there; a 204 is a miss; an error in JSON is never a file", async () => {
    await using fault = await answering(() => json({ Error: "list index out of range" }, 404))
    const { outcomes } = await fault.file("pfam", "hmm", "PF99999")
    expect(outcomes[0]).toMatchObject({ kind: "failure", failure: { code: "unavailable" } })
    expect(outcomes[0]?.kind === "failure" && outcomes[0].failure.message).toContain("its record tells")
    await using none = await answering(() => ({ status: 204 }))
    expect((await none.file("pfam", "hmm", "PF99999")).outcomes[0]?.kind).toBe("miss")
    await using error = await answering(() => json({ detail: "x" }))
    expect((await error.file("pfam", "hmm", "PF99999")).outcomes[0]?.kind).toBe("failure")
  })
})
