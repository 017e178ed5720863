import { describe, expect, test } from "bun:test"
import { gzipSync } from "node:zlib"
import ucsc from "../../../src/science/connectors/genomics/ucsc.ts"
import { normalizeId } from "../../../src/science/ids.ts"
import { printRecord } from "../../../src/science/print.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const json = (body: unknown, status = 200): Reply => ({ status, body: JSON.stringify(body) })
const error = (text: string, status = 400) =>
  json({ downloadTime: "2026:07:29T08:58:36Z", error: text, statusCode: status, statusMessage: "Bad Request" }, status)
const answering = (reply: Reply) => world(() => reply, { connectors: [ucsc], retry: { attempts: 2, baseMs: 1 } })

/** As the API does it: from 0, without the end, and what it was asked for. */
function sequence({ path }: Seen): Reply {
  const asked = new URL(`https://x${path}`).searchParams
  const start = Number(asked.get("start") ?? 0)
  const end = Number(asked.get("end") ?? 40)
  const revComp = asked.get("revComp") === "1" ? { revComp: true } : {}
  const dna = "ACGTacgtAC".repeat(3000).slice(0, end - start)
  return json({
    downloadTime: "x",
    genome: asked.get("genome"),
    chrom: asked.get("chrom"),
    start,
    end,
    ...revComp,
    dna,
  })
}
const serving = () => world(sequence, { connectors: [ucsc] })
const GOLD = {
  genome: "hg38",
  trackType: "bed 3 +",
  track: "gold",
  chrom: "chrM",
  start: 0,
  end: 16569,
  gold: [{ bin: 585, chrom: "chrM", chromStart: 0, chromEnd: 16569, frag: "J01415.2" }],
  itemsReturned: 1,
}

describe("sequence", () => {
  test("a browser's position, from 1 and with both ends, is asked for from 0: no letter is lost", async () => {
    await using w = await serving()
    const { outcomes } = await w.fetch("ucsc", "hg38:chr17:7668402-7687550")
    expect(w.server.requests.map(({ host, path }) => host + path)).toEqual([
      "api.genome.ucsc.edu/getData/sequence?genome=hg38&chrom=chr17&start=7668401&end=7687550",
    ])
    expect(outcomes[0]).toMatchObject({ kind: "record", id: "hg38:chr17:7668402-7687550" })
    expect(outcomes[0]).not.toHaveProperty("resolvedId")
    const record = outcomes[0]?.kind === "record" ? outcomes[0].record : undefined
    expect(record).toMatchObject({ start: 7668401, end: 7687550 })
    expect(record).toHaveProperty("dna.length", 19149)
    expect(outcomes[0]).toMatchObject({
      url: "https://genome.ucsc.edu/cgi-bin/hgTracks?db=hg38&position=chr17%3A7668402-7687550",
      remarks: [
        "letters 7668402 to 7687550, both ends included (the record's start counts from 0); lower case marks repeats",
      ],
    })
  })

  test("of a GenArk assembly has its page there", async () => {
    await using w = await serving()
    expect((await w.fetch("ucsc", "GCF_000005845.2:NC_000913.3:1-9")).outcomes[0]).toMatchObject({
      kind: "record",
      url: "https://genome.ucsc.edu/h/GCF_000005845.2?position=NC_000913.3%3A1-9",
    })
  })

  test("a single letter is a range too", async () => {
    await using w = await serving()
    const { outcomes } = await w.fetch("ucsc", "mm39:chr11:1-1")
    expect(w.server.requests[0]?.path).toBe("/getData/sequence?genome=mm39&chrom=chr11&start=0&end=1")
    expect(outcomes[0]?.kind === "record" && outcomes[0].record).toHaveProperty("dna", "A")
  })

  test("nothing is cut off: 200,000 letters are asked for and must come", async () => {
    await using short = await world(
      ({ path }) => {
        const start = Number(new URL(`https://x${path}`).searchParams.get("start"))
        return json({ genome: "hg38", chrom: "chr1", start, end: start + 50_000, dna: "A".repeat(50_000) })
      },
      { connectors: [ucsc], retry: { attempts: 1 } },
    )
    const { outcomes } = await short.fetch("ucsc", "hg38:chr1:1000001-1200000")
    expect(short.server.requests[0]?.path).toContain("start=1000000&end=1200000")
    expect(outcomes[0]).toMatchObject({ kind: "failure", failure: { code: "bad_response" } })
  })

  test("letters that do not fill their range are a failure", async () => {
    for (const more of [{ dna: "ACG" }, { dna: undefined }, { start: undefined }]) {
      await using w = await answering(json({ genome: "hg38", chrom: "chrM", start: 0, end: 4, dna: "ACGT", ...more }))
      expect((await w.fetch("ucsc", "hg38:chrM:1-4")).outcomes[0]).toMatchObject({ failure: { code: "bad_response" } })
    }
  })

  test("without an assembly hg38 is read, and that is said", async () => {
    await using w = await serving()
    const { outcomes } = await w.fetch("ucsc", "chr17:1,001-1,010")
    expect(outcomes[0]).toMatchObject({ kind: "record", id: "chr17:1001-1010", resolvedId: "hg38:chr17:1001-1010" })
    expect(outcomes[0]?.kind === "record" && outcomes[0].remarks[0]).toBe(
      "chr17:1001-1010 was read in hg38 (human); name another assembly before it, as in mm39:chr17:1001-1010",
    )
  })

  test("the other strand is asked for by a minus, and said", async () => {
    await using w = await serving()
    const { outcomes } = await w.fetch("ucsc", "hg38:chr17:1001-1010:-")
    expect(w.server.requests[0]?.path).toEndWith("&start=1000&end=1010&revComp=1")
    expect(outcomes[0]?.kind === "record" && outcomes[0].remarks[0]).toStartWith(
      "the reverse complement of letters 1001 to 1010",
    )
    // An answer that forgot it is another strand's.
    await using forward = await answering(
      json({ genome: "hg38", chrom: "chr17", start: 1000, end: 1010, dna: "ACGTacgtAC" }),
    )
    expect((await forward.fetch("ucsc", "hg38:chr17:1001-1010:-")).outcomes[0]?.kind).toBe("miss")
  })

  test("a chromosome without a range is all of it", async () => {
    await using w = await serving()
    const { outcomes } = await w.fetch("ucsc", "hg38:chrM")
    expect(w.server.requests[0]?.path).toBe("/getData/sequence?genome=hg38&chrom=chrM")
    expect(outcomes[0]).toMatchObject({ kind: "record", resolvedId: "hg38:chrM:1-40" })
  })

  test("a range that counts from 0 or runs backwards is refused without a request", async () => {
    await using w = await serving()
    for (const id of ["hg38:chrM:0-10", "hg38:chrM:20-10"])
      expect((await w.fetch("ucsc", id)).outcomes[0]).toMatchObject({ failure: { code: "invalid_id" } })
    expect(w.server.requests).toHaveLength(0)
  })

  test("what people type for a place is understood", () => {
    for (const [typed, expected] of [
      ["GRCh38:17:7,668,402-7,687,550", "hg38:chr17:7668402-7687550"],
      ["GRCh38.p14:X:1-20", "hg38:chrX:1-20"],
      ["hg19:MT", "hg19:chrM"],
      ["HG38:chrx:1-20", "hg38:chrX:1-20"],
      ["GRCm39:chr11", "mm39:chr11"],
      ["ucsc:hg38", "hg38"],
      ["gcf_000005845.2:NC_000913.3:1-100", "GCF_000005845.2:NC_000913.3:1-100"],
      [
        "https://genome.ucsc.edu/cgi-bin/hgTracks?db=hg38&position=chr17%3A7668402%2D7687550",
        "hg38:chr17:7668402-7687550",
      ],
      ["https://genome.ucsc.edu/cgi-bin/hgTracks?hgsid=1_a&db=mm39", "mm39"],
      ["https://genome.ucsc.edu/h/GCF_000005845.2", "GCF_000005845.2"],
      ["hg38:chr6_GL000250v2_alt:1-9:knownGene", "hg38:chr6_GL000250v2_alt:1-9:knownGene"],
    ]) {
      const id = normalizeId(ucsc, typed ?? "")
      expect(id).toBe(expected ?? "")
      expect(ucsc.ids.pattern.test(id)).toBe(true)
    }
  })

  test("a gene, a variant and an assembly's unknown name are no ids", async () => {
    await using w = await serving()
    for (const id of ["BRCA1", "tp53", "rs334", "chr17", "chr1:1-2:3-4", "human", "hg38:chr1:1-2:a:b", "17:1-20"])
      expect((await w.fetch("ucsc", id)).outcomes[0]).toMatchObject({ failure: { code: "invalid_id" } })
    expect(w.server.requests).toHaveLength(0)
  })

  test("what UCSC says that it cannot find is a miss in its own words", async () => {
    for (const [text, reason] of [
      [
        "can not find specified chrom=chr99 in sequence for endpoint '/getData/sequence?genome=hg38;chrom=chr99",
        "can not find specified chrom=chr99",
      ],
      [
        "failed to find specified genome=GCF_1 for endpoint '/getData/sequence'",
        "failed to find specified genome=GCF_1",
      ],
    ] as const) {
      await using w = await answering(error(text))
      expect((await w.fetch("ucsc", "hg38:chr99:1-20")).outcomes[0]).toMatchObject({ kind: "miss", reason })
    }
  })

  test("a wrong question is the id's fault, and everything else a failure", async () => {
    for (const [reply, code] of [
      [error("DNA sequence request end coordinate 99 past end of chromosome size 9 for endpoint '/x'"), "invalid_id"],
      [error("extraneous arguments found"), "invalid_id"],
      [error("Forbidden", 403), "unavailable"],
      [error("Internal Server Error", 500), "unavailable"],
      [{ status: 429, headers: { "retry-after": "30" }, body: "{}" }, "rate_limited"],
      [{ headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><html>captcha</html>" }, "bad_response"],
      [error("can not find schema definition", 500), "unavailable"],
      [json({ error: "x" }, 404), "bad_response"],
    ] as const) {
      await using w = await answering(reply)
      expect((await w.fetch("ucsc", "hg38:chrM:1-20")).outcomes[0]).toMatchObject({ failure: { code } })
    }
  })

  test("a sequence that goes by another name there is named, another place is a miss", async () => {
    await using alias = await answering(json({ genome: "hg38", chrom: "chr17", start: 0, end: 4, dna: "ACGT" }))
    expect((await alias.fetch("ucsc", "hg38:NC_000017.11:1-4")).outcomes[0]).toMatchObject({
      kind: "miss",
      reason: "UCSC calls this sequence chr17: fetch it by that name",
    })
    await using other = await answering(json({ genome: "hg19", chrom: "chr17", start: 0, end: 4, dna: "ACGT" }))
    expect((await other.fetch("ucsc", "hg38:chr17:1-4")).outcomes[0]).toMatchObject({ kind: "miss" })
  })
})

describe("track", () => {
  test("its items are asked for from 0 as well, and as many as there are", async () => {
    await using w = await answering(json({ ...GOLD, start: 0, end: 200 }))
    const { outcomes } = await w.fetch("ucsc", "hg38:chrM:1-200:gold")
    expect(w.server.requests[0]?.path).toBe(
      "/getData/track?genome=hg38&chrom=chrM&start=0&end=200&track=gold&maxItemsOutput=-1",
    )
    expect(outcomes[0]).toMatchObject({
      kind: "record",
      id: "hg38:chrM:1-200:gold",
      remarks: ["positions in the items count from 0, and their ends are not included, as in BED"],
    })
  })

  test("on a whole chromosome needs no range", async () => {
    await using w = await answering(json(GOLD))
    const { outcomes } = await w.fetch("ucsc", "hg38:chrM:gold")
    expect(outcomes[0]).toMatchObject({ kind: "record", record: GOLD, resolvedId: "hg38:chrM:1-16569:gold" })
    expect(w.server.requests[0]?.path).toBe("/getData/track?genome=hg38&chrom=chrM&track=gold&maxItemsOutput=-1")
  })

  test("that was stopped at the service's limit says that items are missing", async () => {
    const limit = { maxItemsLimit: true, dataDownloadUrl: "https://hgdownload.soe.ucsc.edu/x.bb" }
    await using w = await answering(json({ ...GOLD, ...limit }, 206))
    const { outcomes } = await w.fetch("ucsc", "hg38:chrM:gold")
    expect(outcomes[0]?.kind === "record" && outcomes[0].remarks).toContain(
      "not all items are here: take a smaller range, or https://hgdownload.soe.ucsc.edu/x.bb",
    )
  })

  test("without an item there is an empty list, and items by chromosome are items too", async () => {
    const { itemsReturned: _, ...none } = { ...GOLD, gold: [] }
    for (const record of [none, { ...GOLD, gold: { chrM: [{ start: 0, end: 1, value: 0.5 }] } }]) {
      await using w = await answering(json(record))
      expect((await w.fetch("ucsc", "hg38:chrM:gold")).outcomes[0]).toMatchObject({ kind: "record", record })
    }
  })

  test("without its items is a failure that names it, never an empty one", async () => {
    await using w = await answering(json({ ...GOLD, gold: undefined }))
    const { outcomes } = await w.fetch("ucsc", "hg38:chrM:gold")
    expect(outcomes[0]?.kind === "failure" && outcomes[0].failure.message).toContain("gold")
  })

  test("another track than the asked one is a miss, as is one that is not there; one of a sort that is not served is refused", async () => {
    await using other = await answering(json({ ...GOLD, knownGene: [] }))
    expect((await other.fetch("ucsc", "hg38:chrM:knownGene")).outcomes[0]?.kind).toBe("miss")
    await using none = await answering(error("can not find track=nosuch name for endpoint '/getData/track"))
    expect((await none.fetch("ucsc", "hg38:chrM:nosuch")).outcomes[0]).toMatchObject({
      kind: "miss",
      reason: "can not find track=nosuch name",
    })
    await using sort = await answering(error("track type 'bam' for track=x not supported at this time", 415))
    expect((await sort.fetch("ucsc", "hg38:chrM:x")).outcomes[0]).toMatchObject({ failure: { code: "invalid_id" } })
  })

  test("numbers keep their digits", async () => {
    await using w = await answering(
      '{"genome":"hg38","chrom":"chrM","start":0,"end":9,"track":"p","p":[{"value":0.50}]}',
    )
    const { outcomes } = await w.fetch("ucsc", "hg38:chrM:1-9:p")
    expect(outcomes[0]?.kind === "record" && printRecord(outcomes[0].record)).toContain('"value":0.50')
  })
})

describe("assembly", () => {
  const hg38 = { organism: "Human", scientificName: "Homo sapiens", taxId: 9606, genome: "Human", active: 1 }

  test("of UCSC's own comes out of the list of all, by its name", async () => {
    await using w = await answering(json({ downloadTime: "x", ucscGenomes: { hg19: { ...hg38, orderKey: 2 }, hg38 } }))
    const { outcomes } = await w.fetch("ucsc", "GRCh38")
    expect(outcomes[0]).toMatchObject({
      kind: "record",
      id: "hg38",
      url: "https://genome.ucsc.edu/cgi-bin/hgTracks?db=hg38",
    })
    expect(outcomes[0]?.kind === "record" && outcomes[0].record).toEqual({ ucscGenomes: { hg38 } })
    expect((await w.fetch("ucsc", "hg99")).outcomes[0]).toMatchObject({ kind: "miss" })
  })

  test("of GenArk is asked for by its accession", async () => {
    const genarkGenomes = {
      "GCF_000005845.2": { hubUrl: "GCF/000/005/845/GCF_000005845.2/hub.txt", asmName: "ASM584v2" },
    }
    await using w = await answering(json({ genarkGenomes, itemsReturned: 1 }))
    const { outcomes } = await w.fetch("ucsc", "GCF_000005845.2")
    expect(outcomes[0]).toMatchObject({ kind: "record", url: "https://genome.ucsc.edu/h/GCF_000005845.2" })
    expect(outcomes[0]?.kind === "record" && outcomes[0].record).toEqual({ genarkGenomes })
    expect(w.server.requests[0]?.path).toBe("/list/genarkGenomes?genome=GCF_000005845.2")
    expect((await w.fetch("ucsc", "GCF_000000001.1")).outcomes[0]).toMatchObject({ kind: "miss" })
  })
})

describe("search", () => {
  const found = {
    genome: "hg38",
    positionMatches: [
      { name: "trackDb", trackName: "trackDb", matches: [{ position: "brcaExTrack", posName: "BRCA Exchange" }] },
      {
        name: "hgnc",
        trackName: "hgnc",
        matches: [{ position: "chr17:43,044,295-43,125,364", posName: "BRCA1", description: null }],
      },
      {
        name: "knownGene",
        trackName: "knownGene",
        matches: [
          { position: "chr17:43044292-43170245", posName: "BRCA1 (ENST00000497488.2)", description: "DNA repair" },
          { position: "chr17:43044295-43125364", posName: "BRCA1 (ENST00000357654.9)", canonical: true },
        ],
      },
    ],
  }

  test("gives items with their places, the canonical first; what has no place is left out", async () => {
    await using w = await answering(json(found))
    const { result } = await w.search("ucsc", "BRCA1", { limit: 2 })
    expect(result).toMatchObject({
      kind: "hits",
      total: 3,
      next: "2",
      hits: [
        { id: "hg38:chr17:43044295-43125364", title: "BRCA1 (ENST00000357654.9)", summary: "knownGene" },
        { id: "hg38:chr17:43044295-43125364", title: "BRCA1", summary: "hgnc" },
      ],
    })
    expect(w.server.requests[0]?.path).toBe("/search?search=BRCA1&genome=hg38")
    const last = (await w.search("ucsc", "BRCA1", { limit: 2, cursor: "2" })).result
    expect(last).toMatchObject({ hits: [{ summary: "knownGene · DNA repair" }] })
    expect(last).not.toHaveProperty("next")
  })

  test("a hit's id is fetched without losing its first letter", async () => {
    await using w = await world((seen) => (seen.path.startsWith("/search") ? json(found) : sequence(seen)), {
      connectors: [ucsc],
    })
    const { result } = await w.search("ucsc", "BRCA1")
    await w.fetch("ucsc", (result.kind === "hits" && result.hits[1]?.id) || "")
    expect(w.server.requests[1]?.path).toContain("start=43044294&end=43125364")
  })

  test("the assembly is the organism's; that hg38 was taken without one is said", async () => {
    for (const [organism, genome] of [
      ["mouse", "mm39"],
      ["10090", "mm39"],
      ["Homo sapiens", "hg38"],
      ["danRer11", "danRer11"],
      ["GRCh37", "hg19"],
      ["GCF_000005845.2", "GCF_000005845.2"],
    ]) {
      await using w = await answering(json({ genome, positionMatches: [] }))
      const { result } = await w.search("ucsc", "Trp53", { organism: organism ?? "" })
      expect(w.server.requests[0]?.path).toBe(`/search?search=Trp53&genome=${genome}`)
      expect(result.kind === "hits" && result.notes.join()).not.toContain("hg38 (human)")
    }
    await using w = await answering(json(found))
    const { result } = await w.search("ucsc", "BRCA1")
    expect(result.kind === "hits" && result.notes[0]).toStartWith("searched in hg38 (human)")
  })

  test("an organism without a known assembly is refused, never searched in human", async () => {
    await using w = await answering(json(found))
    const { result } = await w.search("ucsc", "BRCA1", { organism: "elephant" })
    expect(result).toMatchObject({ failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(0)
  })

  test("no hits are an empty list or none at all; an outage never is", async () => {
    for (const reply of [json({ genome: "hg38", positionMatches: [] }), json({ genome: "hg38" })]) {
      await using w = await answering(reply)
      expect((await w.search("ucsc", "xyzzy")).result).toMatchObject({ kind: "hits", hits: [], total: 0 })
    }
    for (const reply of [
      { status: 429 },
      { status: 503 },
      "<html>captcha</html>",
      "[]",
      json({ positionMatches: {} }),
    ]) {
      await using w = await answering(reply)
      expect((await w.search("ucsc", "BRCA1")).result.kind).toBe("failure")
    }
    await using unknown = await answering(error("can not find 'genome=hg99'"))
    expect((await unknown.search("ucsc", "BRCA1", { organism: "hg99" })).result).toMatchObject({
      failure: { code: "invalid_query" },
    })
  })

  test("a single letter, and a cursor that is none, are refused without a request", async () => {
    await using w = await answering(json(found))
    expect((await w.search("ucsc", "B")).result).toMatchObject({ failure: { code: "invalid_query" } })
    expect((await w.search("ucsc", "BRCA1", { cursor: "x" })).result).toMatchObject({
      failure: { code: "invalid_query" },
    })
    expect((await w.search("ucsc", "genome: rat", { cursor: "10" })).result.kind).toBe("failure")
    expect(w.server.requests).toHaveLength(0)
  })

  test("assemblies are found by name, wherever the answer holds them", async () => {
    const genomes = {
      "GCF_944319715.1": { scientificName: "Heterocephalus glaber", commonName: "naked mole-rat", taxId: 10181 },
      hetGla2: { scientificName: "Heterocephalus glaber", description: "Jan. 2012 (Broad HetGla_female_1.0/hetGla2)" },
    }
    for (const answer of [genomes, { genomes }]) {
      await using w = await answering(
        json({ q: "x", ...answer, itemCount: 2, totalMatchCount: 5, maxItemsLimit: true }),
      )
      const { result } = await w.search("ucsc", "genome: naked mole rat", { limit: 2 })
      expect(result).toMatchObject({
        total: 5,
        hits: [
          { id: "GCF_944319715.1", title: "Heterocephalus glaber", summary: "naked mole-rat · taxon 10181" },
          { id: "hetGla2" },
        ],
      })
      expect(result.kind === "hits" && result.notes[0]).toContain("first ones only")
      expect(w.server.requests[0]?.path).toBe("/findGenome?q=naked%20mole%20rat&maxItemsOutput=2")
    }
    await using none = await answering(
      error("no genomes found matching search term q='xyzzy' for endpoint: /findGenome"),
    )
    expect((await none.search("ucsc", "genome: xyzzy")).result).toMatchObject({ kind: "hits", total: 0 })
  })
})

describe("files", () => {
  const packed = gzipSync("x")
  test.each([
    ["2bit", "wuhCor1", "hgdownload.soe.ucsc.edu/goldenPath/wuhCor1/bigZips/wuhCor1.2bit", "C'A\u001a"],
    ["fa.gz", "hg38", "hgdownload.soe.ucsc.edu/goldenPath/hg38/bigZips/hg38.fa.gz", packed],
    ["gtf.gz", "hg38", "hgdownload.soe.ucsc.edu/goldenPath/hg38/bigZips/genes/hg38.ncbiRefSeq.gtf.gz", packed],
    ["sizes", "hg38", "hgdownload.soe.ucsc.edu/goldenPath/hg38/bigZips/hg38.chrom.sizes", "chr1\t248956422\n"],
    ["hub.txt", "GCF_000005845.2", "hgdownload.soe.ucsc.edu/hubs/GCF/000/005/845/GCF_000005845.2/hub.txt", "hub x\n"],
    [
      "2bit",
      "GCF_000005845.2",
      "hgdownload.soe.ucsc.edu/hubs/GCF/000/005/845/GCF_000005845.2/GCF_000005845.2.2bit",
      "C'A\u001a",
    ],
    [
      "sizes",
      "GCF_000005845.2",
      "hgdownload.soe.ucsc.edu/hubs/GCF/000/005/845/GCF_000005845.2/GCF_000005845.2.chrom.sizes.txt",
      "a\t1\n",
    ],
    ["tracks", "hg38", "api.genome.ucsc.edu/list/tracks?genome=hg38&trackLeavesOnly=1", "{}"],
    ["chromosomes", "hg38", "api.genome.ucsc.edu/list/chromosomes?genome=hg38", "{}"],
    ["schema", "hg38:chrM:gold", "api.genome.ucsc.edu/list/schema?genome=hg38&track=gold", "{}"],
    ["json", "hg38:chrM:1-20", "api.genome.ucsc.edu/getData/sequence?genome=hg38&chrom=chrM&start=0&end=20", "{}"],
  ] as const)("%s of %s is where it is served", async (format, id, address, body) => {
    await using w = await world(() => ({ body }), { connectors: [ucsc] })
    expect((await w.file("ucsc", format, id)).outcomes[0]).toMatchObject({ kind: "file" })
    expect(w.server.requests.map(({ host, path }) => host + path)).toEqual([address])
  })

  test("what a file is of is said when the id is of something else, without a request", async () => {
    await using w = await answering("C'A\u001a")
    for (const [format, id] of [
      ["2bit", "hg38:chrM"],
      ["tracks", "hg38:chrM"],
      ["json", "hg38"],
      ["schema", "hg38:chrM"],
    ] as const)
      expect((await w.file("ucsc", format, id)).outcomes[0]).toMatchObject({ failure: { code: "unsupported_format" } })
    for (const [format, id] of [
      ["hub.txt", "hg38"],
      ["gtf.gz", "GCF_000005845.2"],
    ] as const)
      expect((await w.file("ucsc", format, id)).outcomes[0]?.kind).toBe("miss")
    expect(w.server.requests).toHaveLength(0)
  })

  test("a file that is not there, or of an assembly that is not, is a miss; a page is never a genome", async () => {
    for (const [format, reply, kind] of [
      ["gtf.gz", { status: 404, headers: { "content-type": "text/html" }, body: "<html>404</html>" }, "miss"],
      ["tracks", error("can not find 'genome=hg99' for endpoint '/list/tracks'"), "miss"],
      ["2bit", { headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><html></html>" }, "failure"],
      ["2bit", "ACGT", "failure"],
    ] as const) {
      await using w = await answering(reply)
      expect((await w.file("ucsc", format, "hg38")).outcomes[0]?.kind).toBe(kind)
    }
  })
})
