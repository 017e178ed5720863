import { readFile } from "node:fs/promises"
import { describe, expect, test } from "bun:test"
import ensembl from "../../../src/science/connectors/genomics/ensembl.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const ours = { connectors: [ensembl] }
const serve = (answer: (request: Seen) => Reply | undefined) => world(answer, ours)

/** Answers by the path without its query; what is not listed is the service's own answer to an unknown address. */
const paths =
  (answers: Record<string, Reply>) =>
  ({ path }: Seen): Reply =>
    answers[decodeURIComponent(path.split("?")[0] ?? "")] ?? {
      status: 404,
      body: '{"error":"page not found. Please check your uri and refer to our documentation https://rest.ensembl.org/"}',
    }

const refusal = (error: string): Reply => ({ status: 400, body: JSON.stringify({ error }) })
const asked = ({ method, path }: Seen) => `${method} ${decodeURIComponent(path)}`

const brca2 = {
  strand: 1,
  db_type: "core",
  assembly_name: "GRCh38",
  source: "ensembl_havana",
  description: "BRCA2 DNA repair associated [Source:HGNC Symbol;Acc:HGNC:1101]",
  biotype: "protein_coding",
  canonical_transcript: "ENST00000380152.8",
  logic_name: "ensembl_havana_gene_homo_sapiens",
  end: 32400268,
  start: 32315086,
  object_type: "Gene",
  seq_region_name: "13",
  display_name: "BRCA2",
  species: "homo_sapiens",
  id: "ENSG00000139618",
  version: 19,
}

const tp53 = {
  ...brca2,
  id: "ENSG00000141510",
  version: 21,
  display_name: "TP53",
  description: "tumor protein p53 [Source:HGNC Symbol;Acc:HGNC:11998]",
  seq_region_name: "17",
  start: 7661779,
  end: 7687546,
  strand: -1,
  Transcript: [{ id: "ENST00000269305", object_type: "Transcript", is_canonical: 1, Parent: "ENSG00000141510" }],
}

const protein = {
  id: "ENSP00000269305",
  object_type: "Translation",
  Parent: "ENST00000269305",
  version: 4,
  length: 393,
  start: 7669609,
  end: 7676594,
  species: "homo_sapiens",
  db_type: "core",
}

const rs429358 = {
  name: "rs429358",
  MAF: null,
  minor_allele: null,
  var_class: "SNP",
  synonyms: ["107741.0016", "rs630496", "rs61228756", "VCV000441269"],
  most_severe_consequence: "missense_variant",
  clinical_significance: ["pathogenic", "risk factor"],
  mappings: [
    {
      location: "19:44908684-44908684",
      allele_string: "T/C",
      assembly_name: "GRCh38",
      seq_region_name: "19",
      strand: 1,
    },
  ],
  populations: [{ population: "TOPMed", allele: "T", frequency: 0.844403033 }],
}

const vep =
  '[{"id":"17:7675088:C:T","input":"17 7675088 17:7675088:C:T C T . . .","allele_string":"C/T","assembly_name":"GRCh38","seq_region_name":"17",' +
  '"start":7675088,"end":7675088,"strand":1,"most_severe_consequence":"missense_variant","colocated_variants":[{"id":"rs28934578","frequencies":{"T":{"gnomade":4.104e-06}}}]}]'

describe("a record", () => {
  test("of a gene is looked up with its transcripts and comes as Ensembl gave it", async () => {
    await using w = await serve(paths({ "/lookup/id/ENSG00000141510": JSON.stringify(tp53) }))
    const { outcomes } = await w.fetch("ensembl", "ensg00000141510")
    expect(outcomes).toMatchObject([
      {
        kind: "record",
        id: "ENSG00000141510",
        record: tp53,
        remarks: [],
        url: "https://www.ensembl.org/id/ENSG00000141510",
      },
    ])
    expect(w.server.requests.map(asked)).toEqual([
      "GET /lookup/id/ENSG00000141510?expand=1&content-type=application/json",
    ])
    expect(w.server.requests[0]?.host).toBe("rest.ensembl.org")
  })

  test("of a protein is looked up without parts, which would be refused", async () => {
    await using w = await serve(paths({ "/lookup/id/ENSP00000269305": JSON.stringify(protein) }))
    const { outcomes } = await w.fetch("ensembl", "ENSP00000269305")
    expect(outcomes).toMatchObject([{ kind: "record", record: protein }])
    expect(w.server.requests.map(asked)).toEqual(["GET /lookup/id/ENSP00000269305?content-type=application/json"])
  })

  test("of an earlier version is the current one, and that is said", async () => {
    await using w = await serve(paths({ "/lookup/id/ENSG00000141510": JSON.stringify(tp53) }))
    const { outcomes } = await w.fetch("ensembl", "ENSG00000141510.18")
    expect(outcomes).toMatchObject([
      { kind: "record", id: "ENSG00000141510.18", resolvedId: "ENSG00000141510", record: { version: 21 } },
    ])
    expect(outcomes[0]).toHaveProperty("remarks", [
      "ENSG00000141510.18 is an older version; this is ENSG00000141510.21",
    ])
  })

  test("of a version that is yet to come is a miss that names the current one", async () => {
    await using w = await serve(paths({ "/lookup/id/ENSG00000141510": JSON.stringify(tp53) }))
    const { outcomes } = await w.fetch("ensembl", "ENSG00000141510.22")
    expect(outcomes).toEqual([
      {
        kind: "miss",
        db: "ensembl",
        id: "ENSG00000141510.22",
        reason: "there is no such version; the current one is ENSG00000141510.21",
      },
    ])
  })

  test("of another id than the asked one is a miss", async () => {
    await using w = await serve(paths({ "/lookup/id/ENSG00000141510": JSON.stringify(brca2) }))
    const { outcomes } = await w.fetch("ensembl", "ENSG00000141510")
    expect(outcomes).toMatchObject([{ kind: "miss", reason: expect.stringContaining("ENSG00000139618") }])
  })

  test("whose shape has changed is a bad response that names the field", async () => {
    await using w = await serve(paths({ "/lookup/id/ENSG00000141510": JSON.stringify({ ...tp53, version: "21" }) }))
    const { outcomes } = await w.fetch("ensembl", "ENSG00000141510")
    expect(outcomes).toMatchObject([
      { kind: "failure", failure: { code: "bad_response", message: expect.stringContaining("version") } },
    ])
  })

  test("is found by ids of other authorities in any letter case", async () => {
    await using w = await serve(({ path }) =>
      JSON.stringify({ id: /id\/([^?]+)/.exec(path)?.[1], object_type: "Gene", species: "any", db_type: "core" }),
    )
    const ids = ["at3g52430.1", "FBGN0000490", "yal001c", "lrg_321T1", "wbgene00000001"]
    for (const id of ids) await w.fetch("ensembl", id)
    expect(w.server.requests.map(asked)).toEqual([
      "GET /lookup/id/AT3G52430.1?expand=1&content-type=application/json",
      "GET /lookup/id/FBgn0000490?expand=1&content-type=application/json",
      "GET /lookup/id/YAL001C?expand=1&content-type=application/json",
      "GET /lookup/id/LRG_321t1?expand=1&content-type=application/json",
      "GET /lookup/id/WBGene00000001?expand=1&content-type=application/json",
    ])
  })

  test("is found by a page's address", async () => {
    await using w = await serve(paths({ "/lookup/id/ENSG00000141510": JSON.stringify(tp53) }))
    const page = "https://www.ensembl.org/Homo_sapiens/Gene/Summary?db=core;g=ENSG00000141510;r=17:7661779-7687546"
    expect((await w.fetch("ensembl", page)).outcomes).toMatchObject([{ kind: "record", id: "ENSG00000141510" }])
  })

  test("of a gene tree comes without sequences", async () => {
    const tree = { id: "ENSGT00390000003602", type: "gene tree", rooted: 1, tree: {} }
    await using w = await serve(paths({ "/genetree/id/ENSGT00390000003602": JSON.stringify(tree) }))
    expect((await w.fetch("ensembl", "ENSGT00390000003602")).outcomes).toMatchObject([{ kind: "record", record: tree }])
    expect(w.server.requests.map(asked)).toEqual([
      "GET /genetree/id/ENSGT00390000003602?sequence=none&content-type=application/json",
    ])
  })

  test("is not asked for by ids of other databases", async () => {
    await using w = await serve(() => "{}")
    for (const id of ["P04637", "NM_000546", "TP53", "4HHB", "2244", "CHEBI:15377", "ENSR00000099113", "../lookup"])
      expect((await w.fetch("ensembl", id)).outcomes).toMatchObject([
        { kind: "failure", failure: { code: "invalid_id" } },
      ])
    expect(w.server.requests).toEqual([])
  })
})

describe("a variant", () => {
  test("is the record of its rs number, with its populations", async () => {
    await using w = await serve(paths({ "/variation/human/rs429358": JSON.stringify(rs429358) }))
    const { outcomes } = await w.fetch("ensembl", "RS429358")
    expect(outcomes).toMatchObject([{ kind: "record", id: "rs429358", remarks: [] }])
    expect(w.server.requests.map(asked)).toEqual(["GET /variation/human/rs429358?pops=1&content-type=application/json"])
  })

  test("that was merged is answered under both numbers", async () => {
    await using w = await serve(paths({ "/variation/human/rs630496": JSON.stringify(rs429358) }))
    expect((await w.fetch("ensembl", "rs630496")).outcomes).toMatchObject([
      { kind: "record", id: "rs630496", resolvedId: "rs429358", remarks: ["rs630496 was merged into rs429358"] },
    ])
  })

  test("that answers for another number which is none of its synonyms is a miss", async () => {
    await using w = await serve(paths({ "/variation/human/rs7412": JSON.stringify(rs429358) }))
    expect((await w.fetch("ensembl", "rs7412")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test("that Ensembl doubts is said to be so", async () => {
    const doubted = { ...rs429358, failed: "Variant maps to more than one location" }
    await using w = await serve(paths({ "/variation/human/rs429358": JSON.stringify(doubted) }))
    expect((await w.fetch("ensembl", "rs429358")).outcomes).toMatchObject([
      { remarks: ["Ensembl doubts this variant: Variant maps to more than one location"] },
    ])
  })

  test("that is unknown is a miss", async () => {
    await using w = await serve(() => refusal("rs999999999999 not found for human"))
    expect((await w.fetch("ensembl", "rs999999999999")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test("given by position and alleles is what VEP predicts, and its assembly is named", async () => {
    await using w = await serve(paths({ "/vep/homo_sapiens/region": vep }))
    const { outcomes } = await w.fetch("ensembl", "chr17:7675088:c:t")
    expect(outcomes).toMatchObject([
      { kind: "record", id: "17:7675088:C:T", remarks: ["the position was read as one of GRCh38"] },
    ])
    expect(w.server.requests.map(({ method, body }) => [method, body])).toEqual([
      ["POST", '{"variants":["17 7675088 17:7675088:C:T C T . . ."]}'],
    ])
  })
})

describe("a miss", () => {
  test("is a 400 whose text says that the id was not found", async () => {
    for (const error of ["ID 'ENSG00000000000' not found", "No object found for ID ENSG00000000000"]) {
      await using w = await serve(() => refusal(error))
      expect((await w.fetch("ensembl", "ENSG00000000000")).outcomes).toEqual([
        { kind: "miss", db: "ensembl", id: "ENSG00000000000" },
      ])
    }
  })

  test("says what became of a retired id", async () => {
    const history = {
      id: "ENSG00000215271",
      version: "8",
      release: "109",
      is_current: "",
      latest: "ENSG00000215271.8",
      possible_replacement: [{ stable_id: "ENSG00000290292", score: 0.99 }],
    }
    await using w = await serve(
      paths({
        "/lookup/id/ENSG00000215271": refusal("ID 'ENSG00000215271' not found"),
        "/archive/id/ENSG00000215271": JSON.stringify(history),
      }),
    )
    expect((await w.fetch("ensembl", "ENSG00000215271.7")).outcomes).toMatchObject([
      { kind: "miss", reason: "retired after release 109; replaced by ENSG00000290292: fetch that" },
    ])
  })

  test("stands although its history cannot be had", async () => {
    await using w = await serve(({ path }) =>
      path.startsWith("/lookup") ? refusal("ID 'ENSG00000000000' not found") : { status: 503 },
    )
    expect((await w.fetch("ensembl", "ENSG00000000000")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test("is not what another 400 or an unknown address means", async () => {
    const refusals: [Reply, string][] = [
      [refusal("Can not find internal name for species 'x'"), "invalid_id"],
      [refusal("Expand option only available for Genes and Transcripts"), "invalid_id"],
      [refusal("page not found. Please check your uri and refer to our documentation"), "invalid_id"],
      [{ status: 404, body: "ID 'ENSG00000141510' not found" }, "bad_response"],
      [{ status: 403, body: "IP blacklisted" }, "unavailable"],
      [{ status: 200, body: '{"error":"ID \'ENSG00000141510\' not found"}' }, "bad_response"],
    ]
    for (const [reply, code] of refusals) {
      await using w = await serve(() => reply)
      expect((await w.fetch("ensembl", "ENSG00000141510")).outcomes).toMatchObject([
        { kind: "failure", failure: { code } },
      ])
    }
  })
})

describe("an outage", () => {
  const page = { "content-type": "text/html" }
  const outages: [string, Reply, string][] = [
    [
      "a 503 page",
      { status: 503, headers: page, body: "<html><h1>503 Service Unavailable</h1></html>" },
      "unavailable",
    ],
    ["a 502 without a body", { status: 502 }, "unavailable"],
    [
      "a page that mentions what was not found",
      { status: 400, headers: page, body: '<html>{"error":"ID \'X1\' not found"}' },
      "bad_response",
    ],
    [
      "too many requests",
      { status: 429, headers: { "retry-after": "40.5" }, body: "Too many requests" },
      "rate_limited",
    ],
    ["an HTML page for JSON", { headers: page, body: "<!DOCTYPE html><html></html>" }, "bad_response"],
    ["a cut-off body", '{"id":"ENSG00000141510","species":"homo', "bad_response"],
    ["a fault of its own behind a 400", refusal("something bad has happened"), "unavailable"],
  ]
  for (const [what, reply, code] of outages) {
    test(`of a search is a failure, never "no hits": ${what}`, async () => {
      for (const query of ["TP53", "TP53 BRCA2", "HGNC:11998", "ENSG00000141510", "rs429358", "17:7661779-7687546"]) {
        await using w = await serve(() => reply)
        expect((await w.search("ensembl", query)).result).toMatchObject({ kind: "failure", failure: { code } })
      }
    })

    test(`of a fetch is a failure, never a miss: ${what}`, async () => {
      for (const ids of [
        ["ENSG00000141510"],
        ["rs429358"],
        ["ENSG00000141510", "ENSP00000269305", "rs429358"],
        ["ENSG00000141510", "ENSG00000139618"],
      ]) {
        await using w = await serve(() => reply)
        for (const outcome of (await w.fetch("ensembl", ...ids)).outcomes)
          expect(outcome).toMatchObject({ kind: "failure", failure: { code } })
      }
    })

    test(`of a file is a failure that leaves nothing behind: ${what}`, async () => {
      await using w = await serve(() => reply)
      for (const format of ["fasta", "json", "homology"]) {
        const { outcomes } = await w.file("ensembl", format, "ENSG00000141510")
        expect(outcomes).toMatchObject([{ kind: "failure", failure: { code } }])
      }
      await expect(readFile(`${w.directory}/.openscience/fetch/manifest.jsonl`)).rejects.toThrow()
    })
  }

  test("that passes is not seen", async () => {
    let requests = 0
    await using w = await serve(() => (++requests === 1 ? refusal("something bad has happened") : JSON.stringify(tp53)))
    expect((await w.fetch("ensembl", "ENSG00000141510")).outcomes).toMatchObject([{ kind: "record" }])
  })
})

describe("several ids", () => {
  test("come in one request for what has parts and one for what has none, matched by id", async () => {
    await using w = await serve(({ path, body }) => {
      if (path !== "/lookup/id") return undefined
      const { ids, expand } = JSON.parse(body)
      return JSON.stringify(
        expand ? { ENSG00000139618: brca2, ENSG00000000000: null, [ids[0]]: tp53 } : { ENSP00000269305: protein },
      )
    })
    const { outcomes } = await w.fetch(
      "ensembl",
      "ENSG00000141510.18",
      "ENSP00000269305",
      "ENSG00000000000",
      "ENSG00000139618",
    )
    expect(outcomes).toMatchObject([
      { kind: "record", id: "ENSG00000141510.18", resolvedId: "ENSG00000141510" },
      { kind: "record", id: "ENSP00000269305", record: protein },
      { kind: "miss", id: "ENSG00000000000" },
      { kind: "record", id: "ENSG00000139618", record: brca2 },
    ])
    expect(w.server.requests.map(({ body }) => body).sort()).toEqual([
      '{"ids":["ENSG00000141510","ENSG00000000000","ENSG00000139618"],"expand":1}',
      '{"ids":["ENSP00000269305"]}',
    ])
  })

  test("may be variants among genes", async () => {
    await using w = await serve(({ path }) =>
      path === "/lookup/id" ? JSON.stringify({ ENSG00000139618: brca2 }) : JSON.stringify(rs429358),
    )
    expect((await w.fetch("ensembl", "rs630496", "ENSG00000139618")).outcomes).toMatchObject([
      { kind: "record", id: "rs630496", resolvedId: "rs429358" },
      { kind: "record", id: "ENSG00000139618" },
    ])
  })

  test("are asked for in lots of twenty", async () => {
    await using w = await serve(({ body }) =>
      JSON.stringify(Object.fromEntries(JSON.parse(body).ids.map((id: string) => [id, null]))),
    )
    await w.fetch("ensembl", ...Array.from({ length: 45 }, (_, i) => `ENSG${String(i).padStart(11, "0")}`))
    expect(w.server.requests.map(({ body }) => JSON.parse(body).ids.length).sort()).toEqual([20, 20, 5].sort())
  })
})

describe("a search", () => {
  test("for a symbol gives the gene, human unless an organism is named, and says so", async () => {
    await using w = await serve(paths({ "/lookup/symbol/homo_sapiens/BRCA2": JSON.stringify(brca2) }))
    expect((await w.search("ensembl", "BRCA2")).result).toMatchObject({
      kind: "hits",
      total: 1,
      hits: [
        {
          id: "ENSG00000139618",
          title: "BRCA2",
          summary: "BRCA2 DNA repair associated; protein_coding; 13:32315086-32400268 (+); GRCh38; homo_sapiens",
        },
      ],
      notes: ["searched in human; name another species as organism"],
    })
    expect(w.server.requests.map(asked)).toEqual(["GET /lookup/symbol/homo_sapiens/BRCA2"])
  })

  test("takes the organism as a name, an alias or a taxon", async () => {
    const path: Record<string, string> = {
      "Mus musculus": "mus_musculus",
      "Mus musculus (Mouse)": "mus_musculus",
      mouse: "mouse",
      human: "human",
      homo_sapiens: "homo_sapiens",
      "10090": "mus_musculus",
      "559292": "saccharomyces_cerevisiae",
    }
    for (const [organism, species] of Object.entries(path)) {
      await using w = await serve(() => JSON.stringify(brca2))
      const { result } = await w.search("ensembl", "Trp53", { organism })
      expect(w.server.requests.map(asked)).toEqual([`GET /lookup/symbol/${species}/Trp53`])
      expect(result).toMatchObject({ kind: "hits", notes: [] })
    }
  })

  test("asks what a rarer taxon is called", async () => {
    await using w = await serve(
      paths({
        "/taxonomy/id/9615": '{"id":"9615","scientific_name":"Canis lupus familiaris","name":"Canis lupus familiaris"}',
        "/lookup/symbol/canis_lupus_familiaris/TP53": JSON.stringify(tp53),
      }),
    )
    expect((await w.search("ensembl", "TP53", { organism: "9615" })).result).toMatchObject({ kind: "hits", total: 1 })
  })

  test("in an unknown species is refused in Ensembl's words", async () => {
    await using w = await serve(() => refusal("Can not find internal name for species 'unicorn'"))
    const { result } = await w.search("ensembl", "TP53", { organism: "unicorn" })
    expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
    expect(result.kind === "failure" && result.failure.message).toContain("species 'unicorn'")
  })

  test("for what is no gene's own name goes on to synonyms, whose hits get names", async () => {
    await using w = await serve(
      paths({
        "/lookup/symbol/homo_sapiens/p53": refusal("No valid lookup found for symbol p53"),
        "/xrefs/symbol/homo_sapiens/p53":
          '[{"type":"gene","id":"ENSG00000141510"},{"type":"gene","id":"LRG_321"},{"type":"gene","id":"ENSG00000141510"}]',
        "/lookup/id": JSON.stringify({ ENSG00000141510: tp53, LRG_321: null }),
      }),
    )
    expect((await w.search("ensembl", "p53")).result).toMatchObject({
      total: 2,
      hits: [
        {
          id: "ENSG00000141510",
          title: "TP53",
          summary: expect.stringMatching(/^gene; tumor protein p53; protein_coding; 17:7661779-7687546 \(-\)/),
        },
        { id: "LRG_321", title: "gene" },
      ],
      notes: [expect.any(String), "found by a synonym or by another database's name"],
    })
    expect(w.server.requests.at(-1)?.body).toBe('{"ids":["ENSG00000141510","LRG_321"]}')
  })

  test("for another database's accession asks the cross-references at once", async () => {
    await using w = await serve(
      paths({
        "/xrefs/symbol/homo_sapiens/NM_000546": '[{"type":"transcript","id":"ENST00000269305"}]',
        "/lookup/id": "{}",
      }),
    )
    expect((await w.search("ensembl", "NM_000546")).result).toMatchObject({ hits: [{ id: "ENST00000269305" }] })
    expect(w.server.requests[0]?.path).toStartWith("/xrefs/symbol/")
  })

  test("for an unknown symbol has no hits", async () => {
    await using w = await serve(
      paths({
        "/lookup/symbol/homo_sapiens/BR": refusal("No valid lookup found for symbol BR"),
        "/xrefs/symbol/homo_sapiens/BR": "[]",
      }),
    )
    expect((await w.search("ensembl", "BR")).result).toMatchObject({
      kind: "hits",
      total: 0,
      hits: [],
      notes: [expect.any(String), "names, symbols and ids are matched whole: Ensembl has no text search"],
    })
  })

  test("whose second question fails says what it could not look through", async () => {
    await using w = await serve(({ path }) =>
      path.startsWith("/lookup") ? refusal("No valid lookup found for symbol BR") : { status: 503 },
    )
    expect((await w.search("ensembl", "BR")).result).toMatchObject({
      hits: [],
      notes: ["genes that have it as a synonym could not be had", expect.any(String), expect.any(String)],
    })
  })

  test("for several symbols is one request, and those left out are named", async () => {
    await using w = await serve(
      paths({ "/lookup/symbol/human": JSON.stringify({ BRCA2: { ...brca2, species: "human" } }) }),
    )
    expect((await w.search("ensembl", "BRCA2, BR", { organism: "human" })).result).toMatchObject({
      total: 1,
      hits: [{ id: "ENSG00000139618", title: "BRCA2" }],
      notes: ["no gene has the name BR"],
    })
    expect(w.server.requests.map(({ method, body }) => [method, body])).toEqual([
      ["POST", '{"symbols":["BRCA2","BR"]}'],
    ])
  })

  test("for a region gives the genes that overlap it, page by page", async () => {
    const genes = Array.from({ length: 5 }, (_, i) => ({
      id: `ENSG0000000000${i}`,
      external_name: i === 0 ? null : `GENE${i}`,
      description: null,
      biotype: "lncRNA",
      feature_type: "gene",
      seq_region_name: "17",
      start: 7661779 + i,
      end: 7661879 + i,
      strand: -1,
      assembly_name: "GRCh38",
    }))
    await using w = await serve(paths({ "/overlap/region/homo_sapiens/17:7661779-7687538": JSON.stringify(genes) }))
    const { result } = await w.search("ensembl", "chr17:7,661,779-7,687,538", { limit: 2, cursor: "2" })
    expect(result).toMatchObject({
      total: 5,
      next: "4",
      hits: [
        { id: "ENSG00000000002", title: "GENE2", summary: "lncRNA; 17:7661781-7661881 (-); GRCh38" },
        { id: "ENSG00000000003", title: "GENE3" },
      ],
    })
    expect(w.server.requests.map(asked)).toEqual([
      "GET /overlap/region/homo_sapiens/17:7661779-7687538?feature=gene&content-type=application/json",
    ])
    const last = (await w.search("ensembl", "17:7661779..7687538", { limit: 2, cursor: "4" })).result
    expect(last).toMatchObject({ total: 5, hits: [{ id: "ENSG00000000004" }] })
    expect(last).not.toHaveProperty("next")
    const whole = (await w.search("ensembl", "17:7661779-7687538", { limit: 5 })).result
    expect(whole).toMatchObject({ total: 5 })
    expect(whole).not.toHaveProperty("next")
  })

  test("for a place on the mitochondrial genome spells it as Ensembl does", async () => {
    await using w = await serve(() => "[]")
    await w.search("ensembl", "chrM:8993")
    expect(w.server.requests.map(asked)).toEqual([
      "GET /overlap/region/homo_sapiens/MT:8993-8993?feature=gene&content-type=application/json",
    ])
  })

  test("for a region that is too long is refused in Ensembl's words", async () => {
    await using w = await serve(() => refusal("50000001 is greater than the maximum allowed length of 5000000."))
    const { result } = await w.search("ensembl", "1:1-50000001")
    expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
    expect(result.kind === "failure" && result.failure.message).toContain("maximum allowed length")
  })

  test("for ids looks them up, in the asked order", async () => {
    await using w = await serve(
      paths({
        "/lookup/id": JSON.stringify({ ENSG00000141510: tp53, ENSP00000269305: protein, ENSG00000000000: null }),
        "/variation/human/rs630496": JSON.stringify(rs429358),
      }),
    )
    const { result } = await w.search("ensembl", "ENSP00000269305 ensembl:ENSG00000141510.18 ENSG00000000000 rs630496")
    expect(result).toMatchObject({
      total: 3,
      hits: [
        { id: "ENSP00000269305", title: "Translation of ENST00000269305" },
        { id: "ENSG00000141510", title: "TP53" },
        {
          id: "rs429358",
          marks: ["merged"],
          summary: expect.stringContaining("rs630496 was merged into it; missense_variant; SNP"),
        },
      ],
    })
  })

  test("for a gene in another species gives its orthologues there", async () => {
    const mouse = {
      ...tp53,
      id: "ENSMUSG00000059552",
      display_name: "Trp53",
      species: "mus_musculus",
      assembly_name: "GRCm39",
    }
    await using w = await serve(
      paths({
        "/homology/id/homo_sapiens/ENSG00000141510": JSON.stringify({
          data: [
            {
              id: "ENSG00000141510",
              homologies: [
                {
                  type: "ortholog_one2one",
                  id: "ENSMUSG00000059552",
                  taxonomy_level: "Euarchontoglires",
                  method_link_type: "ENSEMBL_ORTHOLOGUES",
                  protein_id: "ENSMUSP00000104298",
                  species: "mus_musculus",
                },
              ],
            },
          ],
        }),
        "/lookup/id": JSON.stringify({ ENSMUSG00000059552: mouse }),
      }),
    )
    expect((await w.search("ensembl", "ENSG00000141510", { organism: "mouse" })).result).toMatchObject({
      total: 1,
      hits: [{ id: "ENSMUSG00000059552", title: "Trp53", summary: expect.stringMatching(/^ortholog_one2one; /) }],
      notes: ["orthologues of ENSG00000141510 (homo_sapiens) in mus_musculus"],
    })
    expect(asked(w.server.requests[0] ?? expect.unreachable())).toBe(
      "GET /homology/id/homo_sapiens/ENSG00000141510?type=orthologues&target_species=mus_musculus&format=condensed&content-type=application/json",
    )
  })

  test("for an id in its own species is that id, and for a protein the organism is said not to count", async () => {
    await using w = await serve(
      paths({ "/lookup/id": JSON.stringify({ ENSG00000141510: tp53, ENSP00000269305: protein }) }),
    )
    expect((await w.search("ensembl", "ENSG00000141510", { organism: "human" })).result).toMatchObject({
      hits: [{ id: "ENSG00000141510" }],
    })
    expect((await w.search("ensembl", "ENSP00000269305", { organism: "mouse" })).result).toMatchObject({
      hits: [{ id: "ENSP00000269305" }],
      notes: ["organism is not applied: an id belongs to one species"],
    })
  })

  test("for RS1 in capitals is for the gene, for rs1 the variant", async () => {
    await using w = await serve(() => JSON.stringify(tp53))
    await w.search("ensembl", "RS1")
    await w.search("ensembl", "rs1")
    expect(w.server.requests.map(asked)).toEqual([
      "GET /lookup/symbol/homo_sapiens/RS1",
      "GET /variation/human/rs1?pops=1&content-type=application/json",
    ])
  })

  test("with a cursor of another database is refused without a request", async () => {
    await using w = await serve(() => "[]")
    expect((await w.search("ensembl", "TP53", { cursor: "AoJw" })).result).toMatchObject({
      kind: "failure",
      failure: { code: "invalid_query" },
    })
    expect(w.server.requests).toEqual([])
  })

  test("puts what was typed into the address as one piece", async () => {
    await using w = await serve(() => "[]")
    await w.search("ensembl", "../x?y=1&z:w")
    expect(w.server.requests[0]?.path).toStartWith("/xrefs/symbol/homo_sapiens/..%2Fx%3Fy%3D1%26z%3Aw?")
  })
})

describe("a file", () => {
  const addresses: [string, string, string][] = [
    ["fasta", "ENST00000617537", "/sequence/id/ENST00000617537?type=cdna&content-type=text/x-fasta"],
    ["fasta", "ENSP00000269305", "/sequence/id/ENSP00000269305?type=protein&content-type=text/x-fasta"],
    ["fasta", "ENSE00001271861", "/sequence/id/ENSE00001271861?type=genomic&content-type=text/x-fasta"],
    [
      "fasta",
      "ENSG00000141510",
      "/sequence/id/ENSG00000141510?type=cdna&multiple_sequences=1&content-type=text/x-fasta",
    ],
    ["cdna", "ENST00000617537", "/sequence/id/ENST00000617537?type=cdna&content-type=text/x-fasta"],
    ["cds", "ENST00000617537", "/sequence/id/ENST00000617537?type=cds&content-type=text/x-fasta"],
    ["cds", "ENSG00000141510", "/sequence/id/ENSG00000141510?type=cds&multiple_sequences=1&content-type=text/x-fasta"],
    [
      "protein",
      "ENST00000269305",
      "/sequence/id/ENST00000269305?type=protein&multiple_sequences=1&content-type=text/x-fasta",
    ],
    ["protein", "ENSP00000269305", "/sequence/id/ENSP00000269305?type=protein&content-type=text/x-fasta"],
    ["genomic", "ENSG00000141510", "/sequence/id/ENSG00000141510?type=genomic&content-type=text/x-fasta"],
    ["json", "ENSG00000141510", "/lookup/id/ENSG00000141510?expand=1&content-type=application/json"],
    ["json", "ENSP00000269305", "/lookup/id/ENSP00000269305?content-type=application/json"],
    ["json", "rs429358", "/variation/human/rs429358?pops=1&content-type=application/json"],
    [
      "gff3",
      "ENSG00000141510",
      "/overlap/id/ENSG00000141510?feature=gene&feature=transcript&feature=exon&feature=cds&content-type=text/x-gff3",
    ],
    ["gff3", "ENSP00000269305", "/overlap/translation/ENSP00000269305?content-type=text/x-gff3"],
    ["bed", "ENSG00000141510", "/overlap/id/ENSG00000141510?feature=transcript&content-type=text/x-bed"],
    ["xrefs", "ENSG00000157764", "/xrefs/id/ENSG00000157764?all_levels=1&content-type=application/json"],
    [
      "homology",
      "ENSG00000141510",
      "/homology/id/homo_sapiens/ENSG00000141510?format=condensed&content-type=application/json",
    ],
    ["nh", "ENST00000269305", "/genetree/member/id/homo_sapiens/ENST00000269305?content-type=text/x-nh"],
    ["nh", "ENSGT00390000003602", "/genetree/id/ENSGT00390000003602?content-type=text/x-nh"],
    [
      "phyloxml",
      "ENSG00000141510",
      "/genetree/member/id/homo_sapiens/ENSG00000141510?content-type=text/x-phyloxml+xml",
    ],
    ["orthoxml", "ENSGT00390000003602", "/genetree/id/ENSGT00390000003602?content-type=text/x-orthoxml+xml"],
    ["json", "ENSGT00390000003602", "/genetree/id/ENSGT00390000003602?content-type=application/json"],
    ["vep", "rs429358", "/vep/human/id/rs429358?content-type=application/json"],
    ["seqxml", "ENST00000617537", "/sequence/id/ENST00000617537?type=cdna&content-type=text/x-seqxml+xml"],
    [
      "seqxml",
      "ENSG00000141510",
      "/sequence/id/ENSG00000141510?type=cdna&multiple_sequences=1&content-type=text/x-seqxml+xml",
    ],
    ["cdna-json", "ENST00000617537", "/sequence/id/ENST00000617537?type=cdna"],
    ["cds-json", "ENST00000617537", "/sequence/id/ENST00000617537?type=cds"],
    ["protein-json", "ENSG00000141510", "/sequence/id/ENSG00000141510?type=protein&multiple_sequences=1"],
    ["genomic-json", "ENST00000617537", "/sequence/id/ENST00000617537?type=genomic"],
  ]
  const body = (format: string) =>
    ({
      json: '{"id":"x"}',
      xrefs: '[{"dbname":"HGNC"}]',
      homology: '{"data":[{"id":"x","homologies":[]}]}',
      gff3: "##gff-version 3\n17\thavana\tgene\t1\t2\t.\t-\t.\tID=gene:x\n",
      bed: "chr17\t1\t2\tx\n",
      nh: "(a:1,b:2);\n",
      phyloxml: "<phyloxml></phyloxml>",
      orthoxml: "<orthoXML></orthoXML>",
      seqxml: "<seqXML></seqXML>",
      vep,
      "cdna-json": '{"id":"x"}',
      "cds-json": '{"id":"x"}',
      "protein-json": '[{"id":"x"}]',
      "genomic-json": '{"id":"x"}',
    })[format] ?? ">ENST00000617537.5\nACTG\n"

  for (const [format, id, address] of addresses)
    test(`of format ${format} is for ${id} at ${address}`, async () => {
      await using w = await serve(() => body(format))
      const { outcomes } = await w.file("ensembl", format, id)
      expect(outcomes).toMatchObject([{ kind: "file", id, format }])
      expect(w.server.requests.map(asked)).toEqual([`GET ${address}`])
      if (format.endsWith("-json")) expect(w.server.requests[0]?.headers["content-type"]).toBe("application/json")
    })

  test("of a comparison asks first which species an id belongs to", async () => {
    await using w = await serve(({ path }) =>
      path.startsWith("/lookup") ? JSON.stringify({ ...tp53, species: "mus_musculus" }) : body("homology"),
    )
    await w.file("ensembl", "homology", "ENSMUSG00000059552")
    expect(w.server.requests.map(asked)).toEqual([
      "GET /lookup/id/ENSMUSG00000059552?content-type=application/json",
      "GET /homology/id/mus_musculus/ENSMUSG00000059552?format=condensed&content-type=application/json",
    ])
  })

  test("holds what the service sent and says how many sequences that are", async () => {
    const text = ">ENST00000617537.5\nACTGAGCCAGGG\n>ENST00000617538.1\nACTG\n"
    await using w = await serve(() => text)
    const { outcomes } = await w.file("ensembl", "cdna", "ENSG00000155542")
    const [outcome] = outcomes
    expect(outcome).toMatchObject({ kind: "file", saved: { entries: { count: 2, word: "sequences" } } })
    if (outcome?.kind !== "file") expect.unreachable()
    expect(await readFile(`${w.directory}/${outcome.saved.path}`, "utf8")).toBe(text)
  })

  test("of the current version is asked for without it, of another version is a miss that names the current one", async () => {
    await using w = await serve(({ path }) =>
      path.startsWith("/lookup") ? JSON.stringify({ ...tp53, id: "ENST00000269305", version: 9 }) : body("fasta"),
    )
    expect((await w.file("ensembl", "cds", "ENST00000269305.9")).outcomes).toMatchObject([{ kind: "file" }])
    expect(w.server.requests.at(-1)?.path).toStartWith("/sequence/id/ENST00000269305?")
    expect((await w.file("ensembl", "cds", "ENST00000269305.8")).outcomes).toMatchObject([
      { kind: "miss", reason: "only the current version has files: ask for ENST00000269305.9" },
    ])
  })

  test("that an id of this kind cannot have is a miss, without a request", async () => {
    await using w = await serve(() => body("fasta"))
    for (const [format, id, kinds] of [
      ["cdna", "ENSP00000269305", "no file of this format is made for proteins, only for genes and transcripts"],
      ["homology", "ENST00000269305", "no file of this format is made for transcripts, only for genes"],
      [
        "fasta",
        "rs429358",
        "no file of this format is made for variants, only for genes and transcripts and proteins and exons",
      ],
    ] as const)
      expect((await w.file("ensembl", format, id)).outcomes).toMatchObject([{ kind: "miss", reason: kinds }])
    expect(w.server.requests).toEqual([])
  })

  test("is a miss where the id is unknown, where it codes for nothing, and where a list is empty", async () => {
    const none: [string, Reply][] = [
      ["fasta", refusal("ID 'ENSG00000000000' not found")],
      [
        "protein",
        refusal("No sequences returned, please check the type specified is compatible with the object requested"),
      ],
      ["nh", refusal("No GeneTree found for gene ID ENSG00000000000")],
      ["xrefs", "[]"],
      ["homology", '{"data":[]}'],
    ]
    for (const [format, reply] of none) {
      await using w = await serve(() => reply)
      expect((await w.file("ensembl", format, "ENSG00000000000")).outcomes).toMatchObject([{ kind: "miss" }])
    }
  })

  test("is never an error that came in place of text", async () => {
    for (const reply of [
      refusal('Requesting a gene and type not equal to "genomic" can result in multiple sequences.'),
      { body: '{"error":"something bad has happened"}' },
      { body: "---\nerror: something bad has happened\n" },
    ]) {
      await using w = await serve(() => reply)
      expect((await w.file("ensembl", "fasta", "ENSG00000141510")).outcomes).toMatchObject([{ kind: "failure" }])
      await expect(readFile(`${w.directory}/.openscience/fetch/ensembl/ENSG00000141510.fasta`)).rejects.toThrow()
    }
  })
})
