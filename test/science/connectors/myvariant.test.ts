import { readdir } from "node:fs/promises"
import { describe, expect, test } from "bun:test"
import myvariant from "../../../src/science/connectors/variants/myvariant.ts"
import { normalizeVariant } from "../../../src/science/connectors/variants/_hgvs.ts"
import { normalizeId } from "../../../src/science/ids.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const serve = (answer: (request: Seen) => Reply | undefined) => world(answer, { connectors: [myvariant] })

const V600E_HG38 = {
  _id: "chr7:g.140753336A>T",
  _version: 2,
  chrom: "7",
  clinvar: { _license: "http://bit.ly/2SQdcI0", rcv: [{ accession: "RCV000014992" }, { accession: "RCV000014993" }] },
  dbsnp: { _license: "http://bit.ly/2AqoLOc", rsid: "rs113488022" },
  hg38: { start: 140753336, end: 140753336 },
  uniprot: { humsavar: { ftid: "VAR_018629" } },
  vcf: { alt: "T", position: "140753336", ref: "A" },
}
const V600E_HG19 = {
  _id: "chr7:g.140453136A>T",
  cadd: { _license: "http://bit.ly/2TIuab9", phred: 32 },
  cosmic: { _license: "http://bit.ly/2VMkY7R", cosmic_id: "COSM476" },
  dbsnp: { rsid: "rs113488022" },
  hg19: { start: 140453136, end: 140453136 },
}
/** One id, two places: in GRID1 on hg19, in PTEN on hg38. */
const GRID1 = {
  _id: "chr10:g.87933119A>C",
  hg19: { start: 87933119, end: 87933119 },
  snpeff: { ann: { genename: "GRID1" } },
}
const PTEN = {
  _id: "chr10:g.87933119A>C",
  hg38: { start: 87933119, end: 87933119 },
  clinvar: { gene: { symbol: "PTEN" }, rcv: { accession: "RCV000167543" } },
}
const allele = (_id: string) => ({ _id, dbsnp: { rsid: "rs13328684" }, hg38: { start: 74746906, end: 74746906 } })
const ALLELES = ["A>C", "A>G", "A>T"].map((change) => allele(`chr1:g.74746906${change}`))

const NOT_FOUND: Reply = { status: 404, body: '{"code":404,"success":false,"error":"Not Found."}' }
const NONE = "no such variant on hg19 or hg38; an rs number may have been merged into another: dbSNP tells"

const asked = ({ path }: Seen) => decodeURIComponent(path)
const paths = (w: { server: { requests: Seen[] } }) => w.server.requests.map(asked)
const query = ({ path }: Seen) => Object.fromEntries(new URL(`https://x${path}`).searchParams)
const form = ({ body }: Seen) => Object.fromEntries(new URLSearchParams(body))
/** Answers `/v1/variant/NAME?assembly=…` by `assembly:NAME`. */
const variants = (answers: Record<string, unknown>) => (request: Seen) => {
  const [, name = "", assembly = ""] = /^\/v1\/variant\/(.+)\?assembly=(.+)$/.exec(asked(request)) ?? []
  const answer = answers[`${assembly}:${name}`]
  return answer === undefined ? NOT_FOUND : JSON.stringify(answer)
}
const found = (hits: object[], total = hits.length) =>
  JSON.stringify({ took: 5, total, max_score: hits.length > 0 ? 10.8 : null, hits })

describe("a record", () => {
  test("of a named assembly is asked for there, as the service gave it", async () => {
    await using w = await serve(variants({ "hg38:chr7:g.140753336A>T": V600E_HG38 }))
    const { outcomes } = await w.fetch("myvariant", "hg38:chr7:g.140753336A>T")
    expect(outcomes).toMatchObject([
      {
        kind: "record",
        id: "hg38:chr7:g.140753336A>T",
        record: V600E_HG38,
        url: "https://myvariant.info/v1/variant/chr7%3Ag.140753336A%3ET?assembly=hg38",
        remarks: ["CADD, COSMIC, CIViC, CGI, ExAC are on hg19 only"],
      },
    ])
    expect(outcomes[0]).not.toHaveProperty("resolvedId")
    expect(paths(w)).toEqual(["/v1/variant/chr7:g.140753336A>T?assembly=hg38"])
  })

  test("without an assembly is looked for on both, and the heading says on which it is", async () => {
    await using w = await serve(variants({ "hg19:chr7:g.140453136A>T": V600E_HG19 }))
    const { outcomes } = await w.fetch("myvariant", "chr7:g.140453136A>T")
    expect(outcomes).toMatchObject([
      {
        kind: "record",
        resolvedId: "hg19:chr7:g.140453136A>T",
        remarks: ["chr7:g.140453136A>T is hg19:chr7:g.140453136A>T", "not free for commercial use: CADD, COSMIC"],
      },
    ])
    expect(paths(w)).toEqual([
      "/v1/variant/chr7:g.140453136A>T?assembly=hg38",
      "/v1/variant/chr7:g.140453136A>T?assembly=hg19",
    ])
  })

  test("whose id is a place on each assembly is both, and neither is taken for the one that was meant", async () => {
    await using w = await serve(variants({ "hg19:chr10:g.87933119A>C": GRID1, "hg38:chr10:g.87933119A>C": PTEN }))
    const { outcomes } = await w.fetch("myvariant", "chr10:g.87933119A>C")
    expect(outcomes).toMatchObject([{ kind: "record", record: [GRID1, PTEN] }])
    expect(outcomes[0]).toHaveProperty("remarks", [
      "2 variants have this id, two places: hg19:chr10:g.87933119A>C, hg38:chr10:g.87933119A>C",
    ])
    const one = await w.fetch("myvariant", "hg38:chr10:g.87933119A>C")
    expect(one.outcomes).toMatchObject([{ kind: "record", record: PTEN }])
  })

  test("that cannot be had on one of the assemblies is a failure, not the other one", async () => {
    await using w = await serve((request) =>
      asked(request).endsWith("hg19") ? { status: 503 } : variants({ "hg38:chr10:g.87933119A>C": PTEN })(request),
    )
    const { outcomes } = await w.fetch("myvariant", "chr10:g.87933119A>C")
    expect(outcomes).toMatchObject([{ kind: "failure", failure: { code: "unavailable" } }])
  })

  test("that is on the other assembly only is a miss that says so", async () => {
    await using w = await serve(variants({ "hg19:chr7:g.140453136A>T": V600E_HG19 }))
    const { outcomes } = await w.fetch("myvariant", "hg38:chr7:g.140453136A>T")
    expect(outcomes).toMatchObject([
      { kind: "miss", reason: "no such variant on hg38, but on hg19: fetch hg19:chr7:g.140453136A>T" },
    ])
  })

  test("that is on neither is a miss", async () => {
    await using w = await serve(variants({}))
    const { outcomes } = await w.fetch("myvariant", "chr7:g.140453134A>T")
    expect(outcomes).toEqual([{ kind: "miss", db: "myvariant", id: "chr7:g.140453134A>T", reason: NONE }])
  })

  test("of an assembly is not one of the other that came in its place", async () => {
    await using w = await serve(() => JSON.stringify(GRID1))
    const { outcomes } = await w.fetch("myvariant", "hg38:chr10:g.87933119A>C")
    expect(outcomes).toMatchObject([{ kind: "miss" }])
  })

  test("of an rs number with several alleles is all of them, and the heading says how many", async () => {
    await using w = await serve(variants({ "hg38:rs13328684": ALLELES }))
    const { outcomes } = await w.fetch("myvariant", "RS13328684")
    expect(outcomes).toMatchObject([{ kind: "record", id: "rs13328684", record: ALLELES }])
    expect(outcomes[0]).toHaveProperty(
      "remarks.0",
      "3 variants have this id: hg38:chr1:g.74746906A>C, hg38:chr1:g.74746906A>G, hg38:chr1:g.74746906A>T",
    )
    expect(paths(w)).toEqual(["/v1/variant/rs13328684?assembly=hg38"])
  })

  test("of an rs number is the variant that carries it, with its place in the heading", async () => {
    await using w = await serve(variants({ "hg38:rs113488022": V600E_HG38 }))
    const { outcomes } = await w.fetch("myvariant", "dbsnp:rs113488022")
    expect(outcomes).toMatchObject([{ kind: "record", resolvedId: "hg38:chr7:g.140753336A>T" }])
    expect(outcomes[0]).toHaveProperty("remarks.0", "rs113488022 is hg38:chr7:g.140753336A>T")
  })

  test("of an rs number that only hg19 has is found there", async () => {
    await using w = await serve(variants({ "hg19:rs113488022": V600E_HG19 }))
    const { outcomes } = await w.fetch("myvariant", "rs113488022")
    expect(outcomes).toMatchObject([{ kind: "record", resolvedId: "hg19:chr7:g.140453136A>T" }])
  })

  test("of another rs number is a miss, and so is a merged one, with the advice to ask dbSNP", async () => {
    await using other = await serve(variants({ "hg38:rs7412": V600E_HG38 }))
    expect((await other.fetch("myvariant", "rs7412")).outcomes).toMatchObject([{ kind: "miss" }])
    await using merged = await serve(variants({}))
    expect((await merged.fetch("myvariant", "rs77121243")).outcomes).toMatchObject([{ kind: "miss", reason: NONE }])
  })

  test("by a ClinVar or a UniProt id is the variant that carries it", async () => {
    await using w = await serve(variants({ "hg38:RCV000014993": V600E_HG38, "hg38:VAR_018629": V600E_HG38 }))
    expect((await w.fetch("myvariant", "rcv000014993.12")).outcomes).toMatchObject([{ kind: "record" }])
    expect((await w.fetch("myvariant", "VAR_018629")).outcomes).toMatchObject([{ kind: "record" }])
  })
})

describe("several ids", () => {
  test("take one request for each assembly, and are matched by the id that each row answers", async () => {
    await using w = await serve(({ body }) => {
      const rows = body.includes("hg19")
        ? [
            { query: "chr10:g.87933119A>C", ...GRID1 },
            { query: "rs113488022", ...V600E_HG19 },
            { query: "rs1", notfound: true },
          ]
        : [
            { query: "rs13328684", ...ALLELES[1] },
            { query: "rs113488022", ...V600E_HG38 },
            { query: "rs13328684", ...ALLELES[0] },
            { query: "chr10:g.87933119A>C", ...PTEN },
            { query: "rs1", notfound: true },
          ]
      return JSON.stringify(rows)
    })
    const ids = ["hg19:chr10:g.87933119A>C", "rs1", "rs113488022", "rs13328684", "hg19:rs13328684"]
    const { outcomes } = await w.fetch("myvariant", ...ids)
    expect(outcomes).toMatchObject([
      { kind: "record", record: GRID1 },
      { kind: "miss", reason: NONE },
      { kind: "record", record: V600E_HG38 },
      { kind: "record", record: [ALLELES[1], ALLELES[0]] },
      { kind: "miss", reason: "no such variant on hg19, but on hg38: fetch hg38:rs13328684" },
    ])
    const names = "chr10:g.87933119A>C,rs1,rs113488022,rs13328684"
    expect(w.server.requests.map(form)).toContainAllValues([
      { ids: names, assembly: "hg19" },
      { ids: names, assembly: "hg38" },
    ])
  })
})

describe("an id", () => {
  test("is read from VCF columns as the official client reads them", () => {
    for (const [columns, id] of [
      ["1 35366 C T", "chr1:g.35366C>T"],
      ["2 17142 G GA", "chr2:g.17142_17143insA"],
      ["1 10019 TA T", "chr1:g.10020del"],
      ["MT 8270 CACCCCCTCT C", "chrMT:g.8271_8279del"],
      ["X 107930849 GGA C", "chrX:g.107930849_107930851delinsC"],
      ["20 1234567 GTC GTCT", "chr20:g.1234569_1234570insT"],
      ["chr7:140453136 A>T", "chr7:g.140453136A>T"],
      ["GRCh38:7-140753336-a-t", "hg38:chr7:g.140753336A>T"],
    ] as const)
      expect(normalizeVariant(columns)).toBe(id)
  })

  test("of a RefSeq chromosome names its assembly", () => {
    expect(normalizeVariant("NC_000007.14:g.140753336A>T")).toBe("hg38:chr7:g.140753336A>T")
    expect(normalizeVariant("NC_000007.13:g.140453136A>T")).toBe("hg19:chr7:g.140453136A>T")
    expect(normalizeVariant("NC_000023.11:g.5A>C")).toBe("hg38:chrX:g.5A>C")
    expect(normalizeVariant("NC_012920.1:g.8993T>G")).toBe("chrMT:g.8993T>G")
    expect(normalizeVariant("NC_000007.12:g.1A>T")).toBe("NC_000007.12:g.1A>T")
  })

  test("in a deletion names no bases, as the service's ids do", () => {
    expect(normalizeId(myvariant, "7:g.55242465_55242479delGGAATTAAGAGAAGC")).toBe("chr7:g.55242465_55242479del")
    expect(normalizeId(myvariant, "https://myvariant.info/v1/variant/chr1%3Ag.35366C%3ET?assembly=hg19")).toBe(
      "chr1:g.35366C>T",
    )
  })
})

describe("a search", () => {
  const HIT = {
    _id: "chr7:g.140753336A>T",
    _score: 26.3,
    dbnsfp: { _license: "x", genename: ["BRAF", "BRAF"], hgvsp: ["p.Val640Glu", "p.Val600Glu", "p.V600E"] },
    dbsnp: { rsid: "rs113488022", gene: { symbol: "BRAF" } },
    clinvar: { rcv: [{ clinical_significance: "Pathogenic" }, { clinical_significance: "Pathogenic" }] },
    snpeff: { ann: { genename: "BRAF", effect: "missense_variant" } },
  }

  test("says on which assembly it was, in its notes and in the ids of its hits", async () => {
    await using w = await serve(() => found([HIT, { _id: "chr1:g.1A>T" }], 4979))
    const { result } = await w.search("myvariant", "dbnsfp.genename:BRAF", { limit: 2 })
    expect(result).toMatchObject({
      total: 4979,
      next: "2",
      notes: ["on hg38; add assembly:hg19 to the query for the other"],
      hits: [
        {
          id: "hg38:chr7:g.140753336A>T",
          title: "BRAF",
          summary: "p.Val640Glu, p.Val600Glu, p.V600E · rs113488022 · Pathogenic · missense_variant",
        },
        { id: "hg38:chr1:g.1A>T", title: "no gene", summary: "" },
      ],
    })
    expect(w.server.requests.map(query)).toMatchObject([{ q: "dbnsfp.genename:BRAF", assembly: "hg38", size: "2" }])
  })

  test("goes to the assembly that the query names, and to hg19 for what only hg19 has", async () => {
    for (const [typed, assembly, q] of [
      ["assembly:hg19 dbsnp.rsid:rs58991260", "hg19", "dbsnp.rsid:rs58991260"],
      ["dbsnp.rsid:rs58991260 assembly:HG38", "hg38", "dbsnp.rsid:rs58991260"],
      ["hg19:chr7:g.140453136A>T", "hg19", '_id:"chr7:g.140453136A>T"'],
      ["cadd.phred:>50", "hg19", "cadd.phred:>50"],
      ["_exists_:dbsnp AND _exists_:cosmic", "hg19", "_exists_:dbsnp AND _exists_:cosmic"],
      ["dbsnp.alleles.freq.exac:>0.1", "hg38", "dbsnp.alleles.freq.exac:>0.1"],
    ] as const) {
      await using w = await serve(() => found([]))
      expect((await w.search("myvariant", typed)).result).toMatchObject({ kind: "hits", total: 0 })
      expect(w.server.requests.map(query)).toMatchObject([{ assembly, q }])
    }
  })

  test("for an id or a protein change asks the field that it is in, and says how", async () => {
    for (const [typed, q] of [
      ["rs58991260", "dbsnp.rsid:rs58991260"],
      ["VCV000013961.4", "clinvar.variant_id:13961"],
      ["RCV000014992.3", "clinvar.rcv.accession:RCV000014992"],
      ["CA123643", "clingen.caid:CA123643"],
      ["COSM476", "cosmic.cosmic_id:COSM476"],
      ["BRAF V600E", 'dbnsfp.genename:BRAF AND dbnsfp.hgvsp:"p.V600E"'],
      ["TP53:p.Arg175His", 'dbnsfp.genename:TP53 AND dbnsfp.hgvsp:"p.Arg175His"'],
      ["Noonan syndrome 5/7", "Noonan AND syndrome AND 5\\/7"],
      ["chr1:69,000-70,000", "chr1:69000-70000"],
    ] as const) {
      await using w = await serve(() => found([HIT]))
      const { result } = await w.search("myvariant", typed)
      expect(w.server.requests.map(query)[0]?.["q"]).toBe(q)
      expect(JSON.stringify(result)).toContain(`as ${JSON.stringify(q).slice(1, -1)}`)
    }
  })

  test("that names an assembly and nothing else is refused", async () => {
    await using w = await serve(() => found([HIT]))
    expect((await w.search("myvariant", "assembly:hg19")).result).toMatchObject({
      kind: "failure",
      failure: { code: "invalid_query" },
    })
    expect(w.server.requests).toHaveLength(0)
  })

  test("goes on from its cursor", async () => {
    await using w = await serve(() => found([HIT], 31))
    const { result } = await w.search("myvariant", "dbnsfp.genename:BRAF", { cursor: "30", limit: 10 })
    expect(w.server.requests.map(query)).toMatchObject([{ from: "30", size: "10" }])
    expect(result).not.toHaveProperty("next")
  })

  test("of too wide an interval is the query's fault, in the service's words", async () => {
    const body = '{"code":400,"success":false,"error":"ValueError","details":"Interval query span exceeds the limit."}'
    await using w = await serve(() => ({ status: 400, body }))
    const { result } = await w.search("myvariant", "chr1:1-9000000")
    expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
    expect(JSON.stringify(result)).toContain("span exceeds the limit")
  })
})

describe("the file", () => {
  test("is of the assembly that has the variant", async () => {
    await using w = await serve(variants({ "hg19:chr7:g.140453136A>T": V600E_HG19 }))
    const { outcomes } = await w.file("myvariant", "json", "chr7:g.140453136A>T")
    expect(outcomes).toMatchObject([{ kind: "file", saved: { bytes: JSON.stringify(V600E_HG19).length } }])
    expect(paths(w).at(-1)).toBe("/v1/variant/chr7:g.140453136A>T?assembly=hg19")
  })

  test("of an id that is two places is refused until the assembly is named", async () => {
    await using w = await serve(variants({ "hg19:chr10:g.87933119A>C": GRID1, "hg38:chr10:g.87933119A>C": PTEN }))
    const { outcomes } = await w.file("myvariant", "json", "chr10:g.87933119A>C")
    expect(outcomes).toMatchObject([{ kind: "failure", failure: { code: "invalid_id" } }])
    expect(JSON.stringify(outcomes)).toContain("hg38:chr10:g.87933119A>C or hg19:chr10:g.87933119A>C")
    expect(await readdir(w.directory)).toEqual([])
    const one = await w.file("myvariant", "json", "hg19:chr10:g.87933119A>C")
    expect(one.outcomes).toMatchObject([{ kind: "file" }])
  })

  test("of an unknown variant is a miss with nothing on disk", async () => {
    await using w = await serve(variants({}))
    expect((await w.file("myvariant", "json", "rs1")).outcomes).toMatchObject([{ kind: "miss", reason: NONE }])
    expect(await readdir(w.directory)).toEqual([])
  })
})
