import { describe, expect, test } from "bun:test"
import { printRecord } from "../../../src/science/print.ts"
import connector from "../../../src/science/connectors/structures/pdbe.ts"
import type { Reply } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const json = (body: unknown, status = 200): Reply => ({ status, body: JSON.stringify(body) })
const none = json({}, 404)
const page: Reply = { headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><html>Down</html>" }
const page404: Reply = {
  status: 404,
  headers: { "content-type": "text/html; charset=UTF-8" },
  body: `<!DOCTYPE html>\n<html lang="en"><head><title>Page not found</title></head>${"<p>x</p>".repeat(3000)}</html>`,
}

const summary = {
  title: "A NOVEL ALLOSTERIC MECHANISM IN HAEMOGLOBIN",
  release_date: "19940531",
  experimental_method: ["X-ray diffraction"],
  deposition_site: null,
}
const molecules = [{ entity_id: 1, molecule_name: ["Hemoglobin subunit alpha"], weight: 15077.171 }, { entity_id: 4 }]
const experiment = [{ resolution: 2.2, r_factor: 0.199 }]
const publications = [{ pubmed_id: "8230221", doi: "10.1006/jmbi.1993.1531" }]
const modified = [{ chem_comp_id: "MSE", residue_number: 70 }]
const quality = { geometry_quality: 55.9, data_quality: 81.09, overall_quality: 63.83, experiment_data_available: true }

const call = (kind: string) => `/pdbe/api/pdb/entry/${kind}/1hda`
const QUALITY = "/pdbe/api/v2/validation/summary_quality_scores/entry"

const answers: Record<string, Reply> = {
  [call("summary")]: json({ "1hda": [summary] }),
  [call("molecules")]: json({ "1hda": molecules }),
  [call("experiment")]: json({ "1hda": experiment }),
  [call("publications")]: json({ "1hda": publications }),
  [call("modified_AA_or_NA")]: json({ "1hda": modified }),
  [QUALITY]: json({ "1hda": quality }),
}

const answering = (replies: Record<string, Reply>, otherwise: Reply = none) =>
  world(({ path }) => replies[path] ?? otherwise, { connectors: [connector] })

describe("fetch", () => {
  test("a record is the summary with molecules, experiment, publications, modified residues and quality scores", async () => {
    for (const typed of ["1hda", "1HDA", "PDB:1hda", "pdb_00001hda", "pdb1hda.ent", "10.2210/pdb1hda/pdb"]) {
      await using w = await answering(answers)
      const { outcomes } = await w.fetch("pdbe", typed)
      expect(outcomes[0]).toEqual({
        kind: "record",
        db: "pdbe",
        id: "1hda",
        record: {
          pdb_id: "1hda",
          summary,
          molecules,
          experiment,
          publications,
          modified_AA_or_NA: modified,
          quality,
        },
        url: "https://www.ebi.ac.uk/pdbe/entry/pdb/1hda",
        remarks: [],
        incomplete: [],
      })
      const scores = w.server.requests.find(({ path }) => path === QUALITY)
      expect(scores).toMatchObject({ method: "POST", body: '"1hda"' })
    }
  })

  test("numbers keep their digits", async () => {
    const body = '{"1hda":[{"resolution":2.20,"r_factor":0.190}]}'
    await using w = await answering({ ...answers, [call("experiment")]: body })
    const { outcomes } = await w.fetch("pdbe", "1hda")
    expect(outcomes[0]?.kind === "record" && printRecord(outcomes[0].record)).toContain(
      '"experiment":[{"resolution":2.20,"r_factor":0.190}]',
    )
  })

  test("a part that is 404, with {} or a message, is one that the entry does not have", async () => {
    const nothing = json({ message: "Requested endpoint does not contains any data" }, 404)
    await using w = await answering({ ...answers, [call("modified_AA_or_NA")]: none, [QUALITY]: nothing })
    const { outcomes } = await w.fetch("pdbe", "1hda")
    expect(outcomes[0]).toMatchObject({ kind: "record", incomplete: [] })
    expect(outcomes[0]?.kind === "record" && outcomes[0].record).toEqual({
      pdb_id: "1hda",
      summary,
      molecules,
      experiment,
      publications,
    })
  })

  test("a part that fails is named, whatever it failed by, and the rest comes", async () => {
    for (const reply of [{ status: 503 }, page404, page, "", json({ "2hda": [] }), json({ "1hda": "x" })]) {
      await using w = await answering({ ...answers, [call("publications")]: reply })
      const { outcomes } = await w.fetch("pdbe", "1hda")
      expect(outcomes[0]).toMatchObject({ kind: "record", incomplete: ["publications"], record: { molecules } })
      expect(outcomes[0]?.kind === "record" && outcomes[0].record).not.toHaveProperty("publications")
    }
  })

  test("an unknown entry is a miss, whether 404 or an empty object, and no part is asked for", async () => {
    for (const reply of [none, json({})]) {
      await using w = await answering({}, reply)
      const { outcomes } = await w.fetch("pdbe", "9zzz")
      expect(outcomes[0]).toEqual({ kind: "miss", db: "pdbe", id: "9zzz" })
      expect(w.server.requests.map(({ path }) => path)).toEqual([
        "/pdbe/api/pdb/entry/summary/9zzz",
        "/pdbe/api/pdb/entry/status/9zzz",
      ])
    }
  })

  test("an obsolete entry and one on hold are misses that say so", async () => {
    const status = (code: string, by: string[]) => json({ "1hda": [{ status_code: code, superceded_by: by }] })
    for (const [reply, reason] of [
      [status("OBS", ["2hhb", "4hhb"]), "1hda is obsolete, replaced by 2hhb and 4hhb: fetch that"],
      [status("OBS", []), "1hda is obsolete, without a replacement"],
      [status("HPUB", []), "1hda is not released (HPUB)"],
    ] as const) {
      await using w = await answering({ [call("status")]: reply })
      const { outcomes } = await w.fetch("pdbe", "1hda")
      expect(outcomes[0]).toMatchObject({ kind: "miss", reason })
    }
  })

  test("a released entry without a summary is a failure", async () => {
    await using w = await answering({ [call("status")]: json({ "1hda": [{ status_code: "REL" }] }) })
    const { outcomes } = await w.fetch("pdbe", "1hda")
    expect(outcomes[0]).toMatchObject({ kind: "failure", failure: { code: "bad_response" } })
  })

  test("another entry than the asked one is a miss", async () => {
    await using w = await answering({ [call("summary")]: json({ "2hda": [summary] }) })
    const { outcomes } = await w.fetch("pdbe", "1hda")
    expect(outcomes[0]).toMatchObject({
      kind: "miss",
      reason: "it answered with 2hda instead, which is another record",
    })
  })

  test("an outage, a page, also under 404, a cut-off or a changed summary is a failure, never a miss", async () => {
    const cases: [Reply, string][] = [
      [{ status: 503 }, "unavailable"],
      [{ status: 429 }, "rate_limited"],
      [page, "bad_response"],
      [page404, "bad_response"],
      ['{"1hda":[{"title":"A NOV', "bad_response"],
      ["", "bad_response"],
      [json(summary), "bad_response"],
    ]
    for (const [reply, code] of cases) {
      await using w = await answering({}, reply)
      const { outcomes } = await w.fetch("pdbe", "1hda")
      expect(outcomes[0]).toMatchObject({ kind: "failure", failure: { code } })
    }
  })

  test("an id that is none is refused before anything is sent", async () => {
    await using w = await answering({})
    for (const typed of ["6lu7_A", "EMD-1234", "hemoglobin"]) {
      const { outcomes } = await w.fetch("pdbe", typed)
      expect(outcomes[0]).toMatchObject({ kind: "failure", failure: { code: "invalid_id" } })
    }
    expect(w.server.requests).toHaveLength(0)
  })

  test("the record of a UniProt accession is what 3D-Beacons knows of its structures and models", async () => {
    const protein = {
      uniprot_entry: { ac: "P38634", id: "SIC1_YEAST", sequence_length: 284 },
      structures: [{ summary: { model_identifier: "6g86", provider: "PDBe", resolution: 1.74 } }],
    }
    const other = { uniprot_entry: { ac: "P05067" }, structures: [] }
    await using w = await answering({
      "/pdbe/pdbe-kb/3dbeacons/api/v2/uniprot/summary": json([other, protein]),
    })
    const { outcomes } = await w.fetch("pdbe", "p38634")
    expect(outcomes[0]).toMatchObject({ kind: "record", id: "P38634", record: protein })
    expect(JSON.parse(w.server.requests[0]?.body ?? "")).toEqual({ accessions: ["P38634"] })
  })

  test("an accession of which 3D-Beacons says nothing, or only of another, is a miss; an outage is none", async () => {
    for (const [reply, kind] of [
      [json([]), "miss"],
      [none, "miss"],
      [json([{ uniprot_entry: { ac: "P05067" }, structures: [] }]), "miss"],
      [{ status: 503 }, "failure"],
      [json({ detail: "moved" }), "failure"],
    ] as const) {
      await using w = await answering({}, reply)
      const { outcomes } = await w.fetch("pdbe", "P38634")
      expect(outcomes[0]).toMatchObject({ kind })
    }
  })
})

const doc = (more: object) => ({ title: "Hemoglobin", experimental_method: ["X-ray diffraction"], ...more })

const grouped = {
  responseHeader: { status: 0 },
  grouped: {
    pdb_id: {
      matches: 61,
      ngroups: 25,
      groups: [
        {
          groupValue: "1hda",
          doclist: {
            numFound: 2,
            docs: [
              doc({
                resolution: 2.2,
                entry_organism_scientific_name: ["Bos taurus", "Bos taurus"],
                release_year: 1994,
                status: "REL",
              }),
            ],
          },
        },
        {
          groupValue: "9abc",
          doclist: {
            numFound: 1,
            docs: [{ title: "On hold", organism_scientific_name: "Homo sapiens", status: "HPUB" }],
          },
        },
      ],
    },
  },
}

const searching = (reply: Reply) => world(() => reply, { connectors: [connector] })

const asked = (path = "") => new URL(`https://x${path}`).searchParams

describe("search", () => {
  test("hits, total and paging count entries, of which each document is one entity", async () => {
    await using w = await searching(json(grouped))
    const { result } = await w.search("pdbe", "hemoglobin", { limit: 2, cursor: "4" })
    expect(result).toMatchObject({
      kind: "hits",
      total: 25,
      next: "6",
      hits: [
        { id: "1hda", title: "Hemoglobin", summary: "X-ray diffraction 2.2 Å · Bos taurus · released 1994" },
        { id: "9abc", title: "On hold", summary: "Homo sapiens", marks: ["not released: HPUB"] },
      ],
    })
    expect(w.server.requests[0]).toMatchObject({ method: "GET", host: "www.ebi.ac.uk" })
    expect(Object.fromEntries(asked(w.server.requests[0]?.path))).toMatchObject({
      q: "text:(hemoglobin)",
      start: "4",
      rows: "2",
      group: "true",
      "group.field": "pdb_id",
      "group.ngroups": "true",
      wt: "json",
    })
  })

  test("the last page has no next one", async () => {
    await using w = await searching(json(grouped))
    const { result } = await w.search("pdbe", "hemoglobin", { limit: 2, cursor: "23" })
    expect(result).not.toHaveProperty("next")
  })

  test.each([
    ["thymidine kinase", "text:(thymidine AND kinase)"],
    ["serine/threonine kinase:", "text:(serine\\/threonine AND kinase\\:)"],
    ["kinase: activity", "text:(kinase\\: AND activity)"],
    ["SARS-CoV-2 (Mpro)", "text:(SARS\\-CoV\\-2 AND \\(Mpro\\))"],
    ['CROHN\'S "main protease" a*', 'text:(CROHN\'S AND "main protease" AND a\\*)'],
    ['unclosed "phrase', 'text:(unclosed AND \\"phrase)'],
    ["1CBS", "pdb_id:1cbs OR text:(1CBS)"],
  ])("plain words must all be there, escaped: %s", async (query, q) => {
    await using w = await searching(json(grouped))
    await w.search("pdbe", query)
    expect(asked(w.server.requests[0]?.path).get("q")).toBe(q)
  })

  test.each([
    'title:"spike glycoprotein" AND resolution:[0 TO 2.0]',
    "uniprot_accession:P04637",
    "spike OR (membrane NOT viral)",
    "*:*",
    "-number_of_RNA_chains:[1 TO *]",
  ])("a query in Solr's own language is passed through: %s", async (query) => {
    await using w = await searching(json(grouped))
    await w.search("pdbe", query)
    expect(asked(w.server.requests[0]?.path).get("q")).toBe(query)
  })

  test("an organism is a taxon id or a scientific name", async () => {
    for (const [organism, fq] of [
      ["9606", "tax_id:9606"],
      ["homo sapiens", 'organism_scientific_name:"Homo sapiens"'],
      ['E" OR *:*', 'organism_scientific_name:"E\\" OR *:*"'],
    ] as const) {
      await using w = await searching(json(grouped))
      await w.search("pdbe", "kinase", { organism })
      expect(asked(w.server.requests[0]?.path).getAll("fq")).toEqual([fq])
    }
  })

  test("no hits are no hits, with a word on what an organism is here", async () => {
    const empty = json({ grouped: { pdb_id: { matches: 0, ngroups: 0, groups: [] } } })
    await using w = await searching(empty)
    expect((await w.search("pdbe", "zzqqxx")).result).toMatchObject({ kind: "hits", hits: [], total: 0, notes: [] })
    expect((await w.search("pdbe", "kinase", { organism: "human" })).result).toMatchObject({
      hits: [],
      notes: ["an organism is its exact scientific name or its taxon id here"],
    })
  })

  test("a query that Solr refuses is the query's fault, in Solr's words", async () => {
    const refusal = {
      responseHeader: { status: 400, params: { q: "nope_nope:x" } },
      error: { msg: 'undefined field "nope_nope"', code: 400 },
    }
    await using w = await searching(json(refusal, 400))
    const { result } = await w.search("pdbe", "nope_nope:x")
    expect(result).toMatchObject({
      kind: "failure",
      failure: {
        code: "invalid_query",
        message: 'PDBe does not accept this query: undefined field "nope_nope"',
      },
    })
  })

  test("a foreign cursor is refused before anything is sent", async () => {
    await using w = await searching(json(grouped))
    const { result } = await w.search("pdbe", "kinase", { cursor: "AoE=" })
    expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(0)
  })

  test("an outage, a page, a cut-off or an ungrouped answer is a failure, never no hits", async () => {
    const cases: [Reply, string][] = [
      [{ status: 503 }, "unavailable"],
      [{ status: 429 }, "rate_limited"],
      [page, "bad_response"],
      [page404, "bad_response"],
      [none, "bad_response"],
      [JSON.stringify(grouped).slice(0, 200), "bad_response"],
      [json({ response: { numFound: 0, docs: [] } }), "bad_response"],
    ]
    for (const [reply, code] of cases) {
      await using w = await searching(reply)
      const { result } = await w.search("pdbe", "kinase")
      expect(result).toMatchObject({ kind: "failure", failure: { code } })
    }
  })
})

describe("files", () => {
  const cif = "data_1HDA\n#\nATOM 1 N N\n"
  const gzip = { body: Bun.gzipSync("data_1HDA\n") }
  const bcif = { body: new Uint8Array([0x83, 0xa7, ...Buffer.from("encoder"), 0xa1, 0x78]) }

  test.each([
    ["cif", "/pdbe/entry-files/download/1hda.cif", cif],
    ["updated-cif", "/pdbe/entry-files/download/1hda_updated.cif", cif],
    ["cif.gz", "/pdbe/entry-files/download/1hda.cif.gz", gzip],
    ["updated-cif.gz", "/pdbe/entry-files/download/1hda_updated.cif.gz", gzip],
    ["bcif", "/pdbe/entry-files/download/1hda.bcif", bcif],
    ["pdb", "/pdbe/entry-files/download/pdb1hda.ent", "ATOM      1  N\nEND\n"],
    ["fasta", "/pdbe/entry/pdb/1hda/fasta", ">pdb|1hda|A C\nVLSAADKGNV\n"],
    ["validation", "/pdbe/entry-files/download/1hda_validation.xml", "<a><b/></a>"],
  ] as const)("%s is at %s", async (format, path, reply) => {
    await using w = await answering({ [path]: reply }, page404)
    const { outcomes } = await w.file("pdbe", format, "1HDA")
    expect(outcomes[0]).toMatchObject({ kind: "file", url: `https://www.ebi.ac.uk${path}` })
  })

  test("an unknown file, 404 with a page, is a miss and leaves nothing behind", async () => {
    await using w = await answering({}, page404)
    const { outcomes } = await w.file("pdbe", "updated-cif", "9zzz")
    expect(outcomes[0]).toEqual({ kind: "miss", db: "pdbe", id: "9zzz" })
  })

  test("an outage, a page under 200 or a cut-off file is a failure, never a miss and never a file", async () => {
    const cut: Reply = (_, response) => {
      response.writeHead(200, { "content-length": "5000" })
      response.write("data_1HDA\n")
      setTimeout(() => response.destroy(), 20)
    }
    for (const [reply, code] of [
      [{ status: 503 }, "unavailable"],
      [{ status: 429 }, "rate_limited"],
      [page, "bad_response"],
      [cut, "unavailable"],
    ] as const) {
      await using w = await answering({}, reply)
      const { outcomes } = await w.file("pdbe", "cif", "1hda")
      expect(outcomes[0]).toMatchObject({ kind: "failure", failure: { code } })
    }
  })

  test("an accession has no files of its own", async () => {
    await using w = await answering({})
    for (const format of ["cif", "fasta"]) {
      const { outcomes } = await w.file("pdbe", format, "P38634")
      expect(outcomes[0]).toMatchObject({ kind: "failure", failure: { code: "unsupported_format" } })
    }
    expect(w.server.requests).toHaveLength(0)
  })
})
