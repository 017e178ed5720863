import { describe, expect, test } from "bun:test"
import hpa from "../../../src/science/connectors/proteins/hpa.ts"
import { printRecord } from "../../../src/science/print.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const json = (body: unknown, status = 200): Reply => ({ status, body: JSON.stringify(body) })
const page404: Reply = {
  status: 404,
  headers: { "content-type": "text/html" },
  body: "<!DOCTYPE html><title>Page not found</title>",
}
const TP53 = {
  Gene: "TP53",
  "Gene synonym": ["LFS1", "p53"],
  Ensembl: "ENSG00000141510",
  "Gene description": "Tumor protein p53",
  Uniprot: ["P04637"],
  "RNA tissue specific nTPM": null,
  "RNA single nuclei brain specific nCPM": { astrocyte: "44.6" },
  Interactions: 998,
}
const SEARCH = "/api/search_download.php"

/** As HPA does it: the columns that it knows, under names with their unit, and nothing of those that it does not. */
function table({ path }: Seen, unknown: string[] = []): Reply {
  const columns = new URL(`https://x${path}`).searchParams.get("columns")?.split(",") ?? []
  const tissues = columns
    .filter((column) => column.startsWith("t_RNA_") && !unknown.includes(column))
    .map((column) => [`Tissue RNA - ${column.slice(6).replaceAll("_", " ")} [nTPM]`, "34.40"])
  return json([{ Ensembl: "ENSG00000141510", ...Object.fromEntries(tissues) }])
}
/** The entry, and the rows of every search. */
const answering = (entry: Reply, rows?: Reply) =>
  world(
    (request) => {
      if (!request.path.startsWith(SEARCH)) return entry
      return rows ?? table(request)
    },
    { connectors: [hpa], retry: { attempts: 2, baseMs: 1 } },
  )

describe("record", () => {
  test("is HPA's own JSON with its RNA in every tissue, however the id is written", async () => {
    for (const typed of [
      "ENSG00000141510",
      "ensg00000141510",
      "ENSG00000141510.18",
      "hpa:ENSG00000141510",
      "ENSG00000141510-TP53",
      "https://www.proteinatlas.org/ENSG00000141510-TP53/tissue",
      "https://identifiers.org/hpa:ENSG00000141510",
    ]) {
      await using w = await answering(json(TP53))
      const { outcomes } = await w.fetch("hpa", typed)
      expect(outcomes[0]).toMatchObject({
        kind: "record",
        id: "ENSG00000141510",
        record: { ...TP53, "Tissue RNA - liver [nTPM]": "34.40", "Tissue RNA - skin 1 [nTPM]": "34.40" },
        url: "https://www.proteinatlas.org/ENSG00000141510",
        remarks: [],
        incomplete: [],
      })
      expect(w.server.requests.map(({ path }) => path.split("?")[0])).toEqual(["/ENSG00000141510.json", SEARCH])
    }
  })

  test("numbers keep their digits and a null stays one", async () => {
    await using w = await answering(
      '{"Gene":"TP53","Ensembl":"ENSG00000141510","x":1.50,"RNA tissue specific nTPM":null}',
    )
    const { outcomes } = await w.fetch("hpa", "ENSG00000141510")
    expect(outcomes[0]?.kind === "record" && printRecord(outcomes[0].record)).toContain('"x":1.50')
    expect(outcomes[0]?.kind === "record" && outcomes[0].record).toHaveProperty("RNA tissue specific nTPM", null)
  })

  test("a tissue whose column HPA left out in silence is named", async () => {
    const unknown = ["t_RNA_blood_vessel", "t_RNA_skin_1"]
    await using w = await world((seen) => (seen.path.startsWith(SEARCH) ? table(seen, unknown) : json(TP53)), {
      connectors: [hpa],
    })
    const { outcomes } = await w.fetch("hpa", "ENSG00000141510")
    expect(outcomes[0]).toMatchObject({
      remarks: ["HPA gave no column for these tissues: blood_vessel, skin_1"],
      incomplete: [],
    })
  })

  test("tissues that could not be had are said to be missing, never shown as without expression", async () => {
    for (const rows of [{ status: 503 }, json([]), json([{ Ensembl: "ENSG00000000001" }]), json({}), page404]) {
      await using w = await answering(json(TP53), rows)
      const { outcomes } = await w.fetch("hpa", "ENSG00000141510")
      expect(outcomes[0]).toMatchObject({ kind: "record", incomplete: ["RNA of all tissues"], remarks: [] })
      expect(outcomes[0]?.kind === "record" && outcomes[0].record).toEqual(TP53)
    }
  })

  test("of another gene than the asked one is a miss", async () => {
    await using w = await answering(json({ ...TP53, Ensembl: "ENSG00000157764" }))
    expect((await w.fetch("hpa", "ENSG00000141510")).outcomes[0]).toMatchObject({
      kind: "miss",
      reason: "it answered with ENSG00000157764 instead, which is another record",
    })
  })

  test("an unknown gene is a miss only when the search does not know it either", async () => {
    await using miss = await answering(page404, json([]))
    expect((await miss.fetch("hpa", "ENSG00000999999")).outcomes[0]).toMatchObject({ kind: "miss" })
    for (const rows of [page404, { status: 503 }, undefined]) {
      await using w = await answering(page404, rows)
      expect((await w.fetch("hpa", "ENSG00000141510")).outcomes[0]?.kind).toBe("failure")
    }
  })

  test("a network error is a failure, never the miss that it once was", async () => {
    await using w = await world(() => (_, response) => void response.destroy(), {
      connectors: [hpa],
      retry: { attempts: 2, baseMs: 1 },
    })
    expect((await w.fetch("hpa", "ENSG00000141510")).outcomes[0]).toMatchObject({ failure: { code: "unavailable" } })
  })

  test("a front page under 200 and a changed answer are failures", async () => {
    for (const reply of ["<!DOCTYPE html><html>The Human Protein Atlas</html>", json({ gene: "TP53" }), json([])]) {
      await using w = await answering(reply)
      expect((await w.fetch("hpa", "ENSG00000141510")).outcomes[0]).toMatchObject({ failure: { code: "bad_response" } })
    }
  })

  test("a symbol, an accession and an antibody are no ids: they are searched for", async () => {
    for (const id of ["TP53", "P04637", "HPA051244", "ENSG0000014151", "ENST00000269305"]) {
      await using w = await answering(json(TP53))
      expect((await w.fetch("hpa", id)).outcomes[0]).toMatchObject({ failure: { code: "invalid_id" } })
      expect(w.server.requests).toHaveLength(0)
    }
  })
})

describe("search", () => {
  const row = (Gene: string, Ensembl: string, synonyms: string[] | string | null, more = {}) => ({
    Gene,
    "Gene synonym": synonyms,
    Ensembl,
    Uniprot: null,
    "Gene description": `${Gene} protein`,
    Chromosome: "1",
    ...more,
  })
  const rows = [
    row("TP53BP1", "ENSG00000067369", ["p202"]),
    row("TP53", "ENSG00000141510", ["LFS1", "p53"], { Uniprot: ["P04637"], Chromosome: "17" }),
    row("P53", "ENSG00000000053", ""),
    row("AIMP2", "ENSG00000106305", null, { "Gene description": null }),
  ]

  test("asks for few columns and for JSON that is not packed", async () => {
    await using w = await answering(page404, json(rows))
    const { result } = await w.search("hpa", "TP53")
    expect(result).toMatchObject({
      kind: "hits",
      total: 4,
      hits: [
        {
          id: "ENSG00000141510",
          title: "TP53: TP53 protein",
          summary: "also LFS1, p53 · UniProt P04637 · chromosome 17",
        },
        { id: "ENSG00000067369" },
        { id: "ENSG00000000053", summary: "chromosome 1" },
        { id: "ENSG00000106305", title: "AIMP2" },
      ],
    })
    expect(w.server.requests[0]?.path).toBe(
      `${SEARCH}?search=TP53&format=json&columns=g%2Cgs%2Ceg%2Cup%2Cgd%2Cchr&compress=no`,
    )
  })

  test("puts the gene of that name first, then the one that is also called so, letter case aside", async () => {
    for (const [query, expected] of [
      ["p53", ["P53", "TP53", "TP53BP1", "AIMP2"]],
      ["P04637", ["TP53", "TP53BP1", "P53", "AIMP2"]],
      ["ensg00000106305", ["AIMP2", "TP53BP1", "TP53", "P53"]],
      ["tumor", ["TP53BP1", "TP53", "P53", "AIMP2"]],
    ] as const) {
      await using w = await answering(page404, json(rows))
      const { result } = await w.search("hpa", query)
      expect(result.kind === "hits" && result.hits.map(({ title }) => title.split(":")[0])).toEqual([...expected])
    }
  })

  test("of all rows that come at once, a page and the total are given", async () => {
    await using w = await answering(page404, json(rows))
    const first = (await w.search("hpa", "p53", { limit: 3 })).result
    expect(first).toMatchObject({ total: 4, next: "3" })
    const last = (await w.search("hpa", "p53", { limit: 3, cursor: "3" })).result
    expect(last).toMatchObject({ total: 4, hits: [{ id: "ENSG00000106305" }] })
    expect(last).not.toHaveProperty("next")
  })

  test("HPA's own fields are passed through", async () => {
    await using w = await answering(page404, json([]))
    const query = "protein_class:Kinases AND tissue_category_rna:brain;Tissue enriched"
    expect((await w.search("hpa", query)).result).toMatchObject({ kind: "hits", total: 0, hits: [] })
    expect(new URL(`https://x${w.server.requests[0]?.path}`).searchParams.get("search")).toBe(query)
  })

  test("no rows are no hits; an outage, a page or another shape never are", async () => {
    for (const reply of [{ status: 503 }, { status: 429 }, page404, "<html>", json({}), json([{ gene: "TP53" }]), ""]) {
      await using w = await answering(page404, reply)
      expect((await w.search("hpa", "TP53")).result.kind).toBe("failure")
    }
  })

  test("an organism is said not to be a filter: all genes are human", async () => {
    await using w = await answering(page404, json(rows))
    const { result } = await w.search("hpa", "TP53", { organism: "mouse" })
    expect(result.kind === "hits" && result.notes[0]).toContain("not a filter")
  })
})

describe("files", () => {
  test("xml, tsv, json and trig are the entry's own", async () => {
    for (const [format, body] of [
      ["xml", "<proteinAtlas><entry/></proteinAtlas>"],
      ["tsv", "Gene\tEnsembl\nTP53\tENSG00000141510\n"],
      ["json", JSON.stringify(TP53)],
      ["trig", "@prefix a: <b> .\n<g> { <x> a:y 'z' . }\n"],
    ] as const) {
      await using w = await answering(body)
      expect((await w.file("hpa", format, "ENSG00000141510")).outcomes[0]).toMatchObject({
        kind: "file",
        saved: { bytes: body.length },
      })
      expect(w.server.requests.map(({ path }) => path)).toEqual([`/ENSG00000141510.${format}`])
    }
  })

  test("a page is never saved as XML, and the page of a 404 is a miss", async () => {
    await using page = await answering({
      headers: { "content-type": "text/html" },
      body: "<!DOCTYPE html><html></html>",
    })
    expect((await page.file("hpa", "xml", "ENSG00000141510")).outcomes[0]).toMatchObject({
      failure: { code: "bad_response" },
    })
    await using none = await answering(page404)
    expect((await none.file("hpa", "xml", "ENSG00000141510")).outcomes[0]?.kind).toBe("miss")
  })
})
