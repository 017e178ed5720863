import { readdir } from "node:fs/promises"
import { describe, expect, test } from "bun:test"
import gnomad from "../../../src/science/connectors/variants/gnomad.ts"
import { normalizeId } from "../../../src/science/ids.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const serve = (answer: (request: Seen) => Reply | undefined) => world(answer, { connectors: [gnomad] })

const frequencies = (ac: number, an: number, filters: string[] = []) => ({
  ac,
  an,
  homozygote_count: 0,
  hemizygote_count: 0,
  filters,
  faf95: { popmax: null, popmax_population: null },
  populations: [{ id: "afr", ac, an: 41580, homozygote_count: 0, hemizygote_count: 0 }],
})
const HBB = {
  variant_id: "11-5227002-T-A",
  reference_genome: "GRCh38",
  rsids: ["rs334"],
  caid: "CA124746",
  exome: frequencies(2335, 1458356),
  genome: frequencies(4, 152302),
  joint: frequencies(2339, 1610658),
}
const HBB_37 = {
  ...HBB,
  variant_id: "11-5248232-T-A",
  reference_genome: "GRCh37",
  exome: frequencies(1, 2),
  joint: null,
}
/** An exome count that did not pass beside a genome count that did. */
const DOUBTFUL = {
  variant_id: "7-140753125-T-C",
  reference_genome: "GRCh38",
  rsids: null,
  caid: null,
  exome: frequencies(0, 486554, ["AC0"]),
  genome: frequencies(4, 152302),
}
const TP53 = {
  reference_genome: "GRCh38",
  gene_id: "ENSG00000141510",
  symbol: "TP53",
  gnomad_constraint: { pli: 0.9979, oe_lof_upper: 0.449, flags: [] },
}

const data = (value: Record<string, unknown>, ...messages: string[]) =>
  JSON.stringify({ ...(messages.length > 0 ? { errors: messages.map((message) => ({ message })) } : {}), data: value })
const errors = (...messages: string[]) => JSON.stringify({ errors: messages.map((message) => ({ message })) })
const asked = ({ body }: Seen): { query: string; variables: Record<string, unknown> } => JSON.parse(body)
const questions = (w: { server: { requests: Seen[] } }) => w.server.requests.map(asked)

describe("a record", () => {
  test("of a variant comes as the service gave it, with the counts of both sets in the heading", async () => {
    await using w = await serve(() => data({ variant: HBB }))
    const { outcomes } = await w.fetch("gnomad", "chr11:5227002 T>A")
    expect(outcomes).toMatchObject([
      {
        kind: "record",
        id: "11-5227002-T-A",
        record: HBB,
        url: "https://gnomad.broadinstitute.org/variant/11-5227002-T-A?dataset=gnomad_r4",
      },
    ])
    expect(outcomes[0]).toHaveProperty("remarks.0", "exome 2335/1458356, genome 4/152302")
    expect(outcomes[0]).toHaveProperty("remarks.1", expect.stringContaining("take one by its id"))
    expect(w.server.requests[0]).toMatchObject({
      method: "POST",
      host: "gnomad.broadinstitute.org",
      path: "/api",
      headers: { "content-type": "application/json" },
    })
    const [{ query, variables } = { query: "", variables: {} }] = questions(w)
    expect(variables).toEqual({ v0: "11-5227002-T-A" })
    expect(query).toContain("variant(variantId:$v0,dataset:gnomad_r4)")
    expect(query).toContain("joint{ac an")
    expect(query).not.toMatch(/\baf\b/)
  })

  test("says which counts did not pass the filters, and which set has none", async () => {
    await using w = await serve(({ body }) =>
      data({ variant: body.includes("140753125") ? DOUBTFUL : { ...HBB, exome: null } }),
    )
    const doubtful = await w.fetch("gnomad", "7-140753125-T-C")
    expect(doubtful.outcomes[0]).toHaveProperty(
      "remarks.0",
      "exome 0/486554 (AC0), genome 4/152302; what stands in brackets did not pass",
    )
    const half = await w.fetch("gnomad", "11-5227002-T-A")
    expect(half.outcomes[0]).toHaveProperty("remarks.0", "not in the exomes, genome 4/152302")
  })

  test("of another release is asked for there, and says whose counts these are", async () => {
    await using w = await serve(() => data({ variant: HBB_37 }))
    const { outcomes } = await w.fetch("gnomad", "gnomad_r2_1_controls/11-5248232-T-A")
    expect(outcomes).toMatchObject([{ kind: "record", id: "gnomad_r2_1_controls:11-5248232-T-A" }])
    expect(outcomes[0]).toHaveProperty("remarks.0", "of gnomad_r2_1_controls, on GRCh37")
    expect(questions(w)[0]?.query).toContain("dataset:gnomad_r2_1_controls)")
  })

  test("of one assembly is never one of the other", async () => {
    await using w = await serve(() => data({ variant: { ...HBB_37, variant_id: "11-5227002-T-A" } }))
    for (const id of ["11-5227002-T-A", "gnomad_r3:11-5227002-T-A"])
      expect((await w.fetch("gnomad", id)).outcomes).toMatchObject([{ kind: "miss" }])
  })

  test("that is not there is a miss by the service's own message, with the assembly that was asked", async () => {
    await using w = await serve(() => data({ variant: null }, "Variant not found"))
    expect((await w.fetch("gnomad", "11-5248232-T-A")).outcomes).toEqual([
      {
        kind: "miss",
        db: "gnomad",
        id: "11-5248232-T-A",
        reason:
          "not in gnomad_r4, whose positions are of GRCh38; gnomad_r2_1:11-5248232-T-A is asked on the other assembly",
      },
    ])
  })

  test("that only another subset has is a miss that says so", async () => {
    await using w = await serve(() => data({ variant: null }, "Variant not found in selected subset."))
    expect((await w.fetch("gnomad", "gnomad_r4_non_ukb:11-5227002-T-A")).outcomes).toMatchObject([
      { kind: "miss", reason: "not in gnomad_r4_non_ukb, but elsewhere in gnomAD: fetch 11-5227002-T-A" },
    ])
  })

  test("that is null without a word about it is a failure", async () => {
    await using w = await serve(() => data({ variant: null }))
    expect((await w.fetch("gnomad", "11-5227002-T-A")).outcomes).toMatchObject([
      { kind: "failure", failure: { code: "bad_response" } },
    ])
  })

  test("of a gene has its constraint, and none is said to be none", async () => {
    await using w = await serve(() => data({ gene: TP53 }))
    const { outcomes } = await w.fetch("gnomad", "ensg00000141510.18")
    expect(outcomes).toMatchObject([
      { kind: "record", record: TP53, remarks: [], url: expect.stringContaining("/gene/ENSG00000141510?") },
    ])
    expect(questions(w)[0]).toMatchObject({
      variables: { v0: "ENSG00000141510" },
      query: expect.stringContaining("gene(gene_id:$v0,reference_genome:GRCh38)"),
    })
    await using none = await serve(() => data({ gene: { ...TP53, gnomad_constraint: null } }))
    expect((await none.fetch("gnomad", "ENSG00000141510")).outcomes).toMatchObject([
      { remarks: ["gnomAD has no constraint for it"] },
    ])
  })

  test("of a transcript, a mitochondrial or a structural variant is asked for as such", async () => {
    for (const [id, call, root, record] of [
      [
        "ENST00000269305.9",
        "transcript(transcript_id:$v0,reference_genome:GRCh38)",
        "transcript",
        { transcript_id: "ENST00000269305", gene_id: "ENSG00000141510", reference_genome: "GRCh38" },
      ],
      [
        "MT-8993-T-G",
        "mitochondrial_variant(variant_id:$v0,dataset:gnomad_r4)",
        "mitochondrial_variant",
        { variant_id: "M-8993-T-G", reference_genome: "GRCh38", filters: [] },
      ],
      [
        "DEL_CHR1_1a2b",
        "structural_variant(variantId:$v0,dataset:gnomad_sv_r4)",
        "structural_variant",
        { variant_id: "DEL_CHR1_1a2b", reference_genome: "GRCh38" },
      ],
      [
        "DEL_1_1234",
        "structural_variant(variantId:$v0,dataset:gnomad_sv_r2_1)",
        "structural_variant",
        { variant_id: "DEL_1_1234", reference_genome: "GRCh37" },
      ],
    ] as const) {
      await using w = await serve(() => data({ [root]: record }))
      expect((await w.fetch("gnomad", id)).outcomes).toMatchObject([{ kind: "record", record }])
      expect(questions(w)[0]?.query).toContain(call)
    }
  })

  test("of an rs number is the variant that carries it", async () => {
    await using w = await serve(() => data({ variant: HBB }))
    const { outcomes } = await w.fetch("gnomad", "RS334")
    expect(outcomes).toMatchObject([{ kind: "record", id: "rs334", resolvedId: "11-5227002-T-A" }])
    expect(outcomes[0]).toHaveProperty("remarks.0", "rs334 is 11-5227002-T-A")
    expect(questions(w)[0]?.query).toContain("variant(rsid:$v0,")
  })

  test("of an rs number with several alleles is all of them, and the heading says how many", async () => {
    const other = { ...HBB, variant_id: "11-5227002-T-C" }
    await using w = await serve(({ body }) => {
      if (body.includes("rsid:"))
        return data({ variant: null }, "Multiple variants found, query using variant ID to select one.")
      if (body.includes("variant_search"))
        return data({ variant_search: [{ variant_id: HBB.variant_id }, { variant_id: other.variant_id }] })
      return data({ r0: HBB, r1: other })
    })
    const { outcomes } = await w.fetch("gnomad", "rs334")
    expect(outcomes).toMatchObject([
      {
        kind: "record",
        record: [HBB, other],
        remarks: ["2 variants have this id: 11-5227002-T-A, 11-5227002-T-C"],
      },
    ])
    expect(outcomes[0]).not.toHaveProperty("resolvedId")
  })

  test("of a ClinGen allele is found by the search for it", async () => {
    await using w = await serve(({ body }) =>
      body.includes("variant_search")
        ? data({ variant_search: body.includes("CA124746") ? [{ variant_id: HBB.variant_id }] : [] })
        : data({ variant: HBB }),
    )
    const { outcomes } = await w.fetch("gnomad", "CA124746", "CA1")
    expect(outcomes).toMatchObject([
      { kind: "record", resolvedId: "11-5227002-T-A" },
      { kind: "miss", reason: "not in gnomad_r4" },
    ])
  })
})

describe("several ids", () => {
  test("of any kind come in one question; what is not there is a miss, the others stay", async () => {
    await using w = await serve(() => data({ r0: HBB, r1: null, r2: TP53 }, "Variant not found"))
    const { outcomes } = await w.fetch("gnomad", "11-5227002-T-A", "1-1-A-C", "ENSG00000141510")
    expect(outcomes).toMatchObject([
      { kind: "record", record: HBB },
      { kind: "miss", id: "1-1-A-C" },
      { kind: "record", record: TP53 },
    ])
    const [question, ...others] = questions(w)
    expect(others).toEqual([])
    expect(question?.variables).toEqual({ v0: "11-5227002-T-A", v1: "1-1-A-C", v2: "ENSG00000141510" })
    expect(question?.query).toContain("r2:gene(gene_id:$v2,")
  })

  test("of which one is null for another reason are asked for again one by one", async () => {
    await using w = await serve(({ body }) => {
      if (body.includes("r0:"))
        return data(
          { r0: null, r1: null },
          "Variant not found",
          "Multiple variants found, query using variant ID to select one.",
        )
      if (body.includes('"1-1-A-C"')) return data({ variant: null }, "Variant not found")
      if (body.includes("variant_search")) return data({ variant_search: [{ variant_id: HBB.variant_id }] })
      if (body.includes("rsid:"))
        return data({ variant: null }, "Multiple variants found, query using variant ID to select one.")
      return data({ variant: HBB })
    })
    const { outcomes } = await w.fetch("gnomad", "1-1-A-C", "rs334")
    expect(outcomes).toMatchObject([
      { kind: "miss", id: "1-1-A-C" },
      { kind: "record", id: "rs334", record: HBB },
    ])
  })
})

describe("an error", () => {
  test("that asks for patience is a rate limit, whatever its status, and never a miss", async () => {
    for (const status of [200, 400]) {
      await using w = await serve(() => ({
        status,
        body: errors("Query rate limit exceeded. Please try again in a few minutes."),
      }))
      expect((await w.fetch("gnomad", "11-5227002-T-A")).outcomes).toMatchObject([
        { kind: "failure", failure: { code: "rate_limited", retryable: true } },
      ])
      expect((await w.search("gnomad", "BRCA")).result).toMatchObject({
        kind: "failure",
        failure: { code: "rate_limited" },
      })
    }
  })

  test("of the user under 500 is the query's fault and is not tried again", async () => {
    await using w = await serve(() => ({
      status: 500,
      body: JSON.stringify({ errors: [{ message: "Invalid chromosome: '23'" }], data: null }),
    }))
    const { result } = await w.search("gnomad", "22-1-200")
    expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
    expect(JSON.stringify(result)).toContain("Invalid chromosome: '23'")
    expect(w.server.requests).toHaveLength(1)
  })

  test("of the service under 200 or 500 is an outage and is tried again", async () => {
    for (const status of [200, 500]) {
      await using w = await serve(() => ({ status, body: data({ variant: null }, "An unknown error occurred") }))
      expect((await w.fetch("gnomad", "11-5227002-T-A")).outcomes).toMatchObject([
        { kind: "failure", failure: { code: "unavailable" } },
      ])
      expect(w.server.requests.length).toBeGreaterThan(1)
    }
  })

  test("of the schema is a changed answer, shown and not tried again", async () => {
    await using w = await serve(() => ({
      status: 400,
      body: errors('Cannot query field "lof_z" on type "GnomadConstraint".'),
    }))
    const { outcomes } = await w.fetch("gnomad", "ENSG00000141510")
    expect(outcomes).toMatchObject([{ kind: "failure", failure: { code: "bad_response", retryable: false } }])
    expect(JSON.stringify(outcomes)).toContain("lof_z")
    expect(w.server.requests).toHaveLength(1)
  })
})

describe("a search", () => {
  test("for the beginning of a symbol puts the exact one first", async () => {
    const gene = (ensembl_id: string, symbol: string) => ({ ensembl_id, ensembl_version: "5", symbol })
    await using w = await serve(() =>
      data({ gene_search: [gene("ENSG00000000002", "TP53BP1"), gene("ENSG00000141510", "TP53")] }),
    )
    expect((await w.search("gnomad", "tp53")).result).toMatchObject({
      total: 2,
      hits: [
        { id: "ENSG00000141510", title: "TP53", summary: "gene, GRCh38, ENSG00000141510.5" },
        { id: "ENSG00000000002" },
      ],
    })
    expect(questions(w)[0]?.variables).toEqual({ q: "tp53" })
  })

  test("of which five came may have more, and says so", async () => {
    const gene_search = [1, 2, 3, 4, 5].map((n) => ({
      ensembl_id: `ENSG0000000000${n}`,
      ensembl_version: "1",
      symbol: `BR${n}`,
    }))
    await using w = await serve(() => data({ gene_search }))
    const { result } = await w.search("gnomad", "BR")
    expect(result).not.toHaveProperty("total")
    expect(result).toMatchObject({ notes: ["the first 5 whose symbol begins so: type more of it for others"] })
  })

  test("for words or HGVS is refused without a request, with what can be asked", async () => {
    await using w = await serve(() => data({ gene_search: [] }))
    for (const query of ["breast cancer", "NM_004333.6:c.1799T>A", "BRAF V600E"])
      expect((await w.search("gnomad", query)).result).toMatchObject({
        kind: "failure",
        failure: { code: "invalid_query" },
      })
    expect(w.server.requests).toHaveLength(0)
  })

  test("for an rs number, a ClinGen id, a ClinVar number or a variant is one for variants, not for a gene of that name", async () => {
    for (const [typed, q] of [
      ["rs334", "rs334"],
      ["ca251", "CA251"],
      ["VCV000015333.126", "15333"],
      ["11:5227002:T:A", "11-5227002-T-A"],
    ] as const) {
      await using w = await serve(() => data({ variant_search: [{ variant_id: "11-5227002-T-A" }] }))
      expect((await w.search("gnomad", typed)).result).toMatchObject({
        total: 1,
        hits: [{ id: "11-5227002-T-A", summary: "gnomad_r4, GRCh38" }],
      })
      expect(questions(w)).toMatchObject([{ variables: { q }, query: expect.stringContaining("variant_search") }])
    }
  })

  test("for a transcript or a structural variant looks whether it is there", async () => {
    await using w = await serve(() =>
      data({ structural_variant: { variant_id: "DEL_CHR1_1a2b", reference_genome: "GRCh38" } }),
    )
    expect((await w.search("gnomad", "DEL_CHR1_1a2b")).result).toMatchObject({
      total: 1,
      hits: [{ id: "DEL_CHR1_1a2b", summary: "structural variant, GRCh38" }],
    })
    await using none = await serve(() => data({ transcript: null }, "Transcript not found"))
    expect((await none.search("gnomad", "ENST00000000001")).result).toMatchObject({
      total: 0,
      hits: [],
      notes: ["not in gnomAD (GRCh38)"],
    })
  })

  test("of a region lists genes, then variants with their counts, page by page", async () => {
    const variant = (n: number) => ({
      variant_id: `17-766177${n}-C-T`,
      exome: null,
      genome: { ac: n, an: 152302, filters: n === 2 ? ["AC0"] : [] },
      transcript_consequence: { gene_symbol: "TP53", major_consequence: "missense_variant", hgvsp: "p.Arg1His" },
    })
    const region = { genes: [{ gene_id: "ENSG00000141510", symbol: "TP53" }], variants: [1, 2, 3].map(variant) }
    await using w = await serve(() => data({ region }))
    const first = await w.search("gnomad", "chr17:7,661,770-7,661,779", { limit: 3 })
    expect(first.result).toMatchObject({
      total: 4,
      next: "3",
      notes: ["gnomad_r4, GRCh38: 1 genes, then 3 variants"],
      hits: [
        { id: "ENSG00000141510", title: "TP53" },
        { id: "17-7661771-C-T", title: "TP53 p.Arg1His", summary: "missense_variant · genome 1/152302" },
        { id: "17-7661772-C-T", summary: "missense_variant · genome 2/152302 (AC0)" },
      ],
    })
    expect(questions(w)[0]?.variables).toEqual({ c: "17", a: 7661770, b: 7661779 })
    const last = await w.search("gnomad", "gnomad_r2_1:17-7661770-7661779", { limit: 3, cursor: "3" })
    expect(last.result).toMatchObject({ hits: [{ id: "gnomad_r2_1:17-7661773-C-T" }] })
    expect(last.result).not.toHaveProperty("next")
    expect(questions(w)[1]?.query).toContain("reference_genome:GRCh37")
  })

  test("that is too wide is refused in the service's words", async () => {
    await using w = await serve(() => ({
      status: 500,
      body: JSON.stringify({ errors: [{ message: "Select a smaller region to view variants" }], data: null }),
    }))
    const { result } = await w.search("gnomad", "17-1-9000000")
    expect(result).toMatchObject({ kind: "failure", failure: { code: "invalid_query" } })
    expect(JSON.stringify(result)).toContain("Select a smaller region")
  })
})

describe("a file", () => {
  const form = ({ body }: Seen) => Object.fromEntries(new URLSearchParams(body))

  test("of a record is the answer to the same question, sent as a form", async () => {
    const answer = data({ variant: HBB })
    await using w = await serve(() => answer)
    expect((await w.file("gnomad", "json", "11-5227002-T-A")).outcomes).toMatchObject([
      { kind: "file", saved: { bytes: answer.length } },
    ])
    expect(w.server.requests.map(form)).toMatchObject([
      { query: expect.stringContaining("variant(variantId:$v0"), variables: '{"v0":"11-5227002-T-A"}' },
    ])
  })

  test("of a gene's variants or ClinVar entries is one list, of a release where it is named", async () => {
    await using w = await serve(() => data({ gene: { gene_id: "ENSG00000141510", variants: [] } }))
    await w.file("gnomad", "variants", "gnomad_r2_1:ENSG00000141510")
    await w.file("gnomad", "clinvar", "ENSG00000141510")
    const sent = w.server.requests.map(form).map(({ query }) => query)
    expect(sent[0]).toContain("gene(gene_id:$v0,reference_genome:GRCh37){gene_id variants(dataset:gnomad_r2_1)")
    expect(sent[1]).toContain("clinvar_variants{variant_id")
    expect((await w.file("gnomad", "variants", "rs334")).outcomes).toMatchObject([
      { kind: "miss", reason: "this is listed of a gene or a transcript, by its Ensembl id" },
    ])
  })

  test("that says not found is a miss, and one that says anything else a failure, with nothing on disk", async () => {
    await using miss = await serve(() => data({ variant: null }, "Variant not found"))
    for (const id of ["1-1-A-C", "rs1"])
      expect((await miss.file("gnomad", "json", id)).outcomes).toMatchObject([{ kind: "miss" }])
    await using limit = await serve(() => errors("Query rate limit exceeded. Please try again in a few minutes."))
    expect((await limit.file("gnomad", "json", "1-1-A-C")).outcomes).toMatchObject([
      { kind: "failure", failure: { code: "rate_limited" } },
    ])
    expect(await readdir(miss.directory)).toEqual([])
    expect(await readdir(limit.directory)).toEqual([])
  })
})

test("ids are read in the spellings that people use", () => {
  for (const [typed, id] of [
    ["chr11:5,227,002 t>a", "11-5227002-T-A"],
    ["X:1000:A:AT", "X-1000-A-AT"],
    ["MT-8993-T-G", "M-8993-T-G"],
    ["gnomad_r4:11-5227002-T-A", "11-5227002-T-A"],
    ["https://gnomad.broadinstitute.org/variant/11-5227002-T-A?dataset=gnomad_r4", "11-5227002-T-A"],
    ["ENST00000269305.9", "ENST00000269305"],
  ] as const)
    expect(normalizeId(gnomad, typed)).toBe(id)
})
