import { describe, expect, test } from "bun:test"
import { normalizeId } from "../../../src/science/ids.ts"
import wikipathways from "../../../src/science/connectors/pathways/wikipathways.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const INFO = "raw.githubusercontent.com/wikipathways/wikipathways-database/main/pathways/WP554/WP554-info.json"
const ASSETS = "www.wikipathways.org/wikipathways-assets/pathways/WP554/WP554"
const TEXTS = "www.wikipathways.org/json/findPathwaysByText.json"
const XREFS = "www.wikipathways.org/json/findPathwaysByXref.json"

const info = {
  wpid: "WP554",
  organisms: ["Homo sapiens"],
  description: `The core of this pathway was elucidated over a century ago${" and more".repeat(60)}.`,
  "ontology-ids": ["PW:0000003", "DOID:10763"],
  "last-edited": "2025-07-10",
  title: "ACE inhibitor pathway",
  authors: ["C.F.Thorn"],
  revision: "r139872",
}
const datanodes =
  'Label\tType\tIdentifier\tComment\tEnsembl\nREN\tGeneProduct\tncbigene:5972\t""\tensembl:ENSG00000143839\nCa²⁺\tMetabolite\t\t""\t\n'
const bibliography =
  'ID\tDatabase\tCitation\n15134803\tPubmed\t"The regulation of <a href=""http://x"" class=""external"">PubMed</a>\tand more."\n'

const row = (id: string, name: string, more: Record<string, string> = {}) => ({
  id,
  url: `https://www.wikipathways.org/instance/${id}`,
  name,
  species: "Homo sapiens",
  revision: "2025-07-10",
  description: "",
  datanodes: "",
  annotations: "",
  citedIn: "",
  ...more,
})
const listing = (...rows: unknown[]) => JSON.stringify({ pathwayInfo: rows })

const PAGE = {
  status: 404,
  headers: { "content-type": "text/html" },
  body: "<!DOCTYPE html><title>Page not found</title>",
}
const NO_LINE = { status: 404, headers: { "content-type": "text/plain" }, body: "404: Not Found" }

/** The site and the repository, each with its own answer for what is not there. */
const serving = (answers: Record<string, Reply>) =>
  world(({ host, path }: Seen) => answers[`${host}${path}`] ?? (host === "www.wikipathways.org" ? PAGE : NO_LINE), {
    connectors: [wikipathways],
  })

type Served = Awaited<ReturnType<typeof serving>>

async function hits(w: Served, query: string, more: Parameters<Served["search"]>[2] = {}) {
  const { result } = await w.search("wikipathways", query, more)
  if (result.kind !== "hits") throw new Error(`no hits: ${result.failure.message}`)
  return result
}

const whole = {
  [INFO]: JSON.stringify(info),
  [`${ASSETS}-datanodes.tsv`]: datanodes,
  [`${ASSETS}-bibliography.tsv`]: bibliography,
}

test("an id loses its revision, zeros, prefixes and page, and is upper case", () => {
  for (const typed of [
    "wp554",
    "WP554_r139872",
    "WP554_101234",
    "WP0554",
    "Pathway:WP554",
    "WikiPathways:WP554",
    "https://www.wikipathways.org/pathways/WP554.html",
    "https://www.wikipathways.org/instance/WP554",
    "https://www.wikipathways.org/index.php/Pathway:WP554",
  ])
    expect(normalizeId(wikipathways, typed)).toBe("WP554")
})

describe("a record", () => {
  test("has the whole description, the nodes and the references, and says which revision it is", async () => {
    await using w = await serving(whole)
    const [outcome] = (await w.fetch("wikipathways", "WP554_r101234")).outcomes
    expect(outcome).toMatchObject({ kind: "record", remarks: ["revision r139872 of 2025-07-10"], incomplete: [] })
    expect(outcome).toHaveProperty("record", {
      ...info,
      datanodes: [
        { Label: "REN", Type: "GeneProduct", Identifier: "ncbigene:5972", Ensembl: "ensembl:ENSG00000143839" },
        { Label: "Ca²⁺", Type: "Metabolite" },
      ],
      bibliography: [
        {
          ID: "15134803",
          Database: "Pubmed",
          Citation: 'The regulation of <a href="http://x" class="external">PubMed</a>\tand more.',
        },
      ],
    })
  })

  test("without references has an empty list of them", async () => {
    await using w = await serving({ ...whole, [`${ASSETS}-bibliography.tsv`]: "ID\tDatabase\tCitation\n" })
    expect((await w.fetch("wikipathways", "WP554")).outcomes).toMatchObject([
      { record: { bibliography: [] }, incomplete: [] },
    ])
  })

  test("whose nodes could not be had says so and does not show them as none", async () => {
    for (const reply of [PAGE, { status: 503 }, "<!DOCTYPE html><title>moved</title>", "Name\tKind\nREN\tGene\n"]) {
      await using w = await serving({ ...whole, [`${ASSETS}-datanodes.tsv`]: reply })
      const [outcome] = (await w.fetch("wikipathways", "WP554")).outcomes
      expect(outcome).toMatchObject({ kind: "record", incomplete: ["datanodes"] })
      expect(outcome).not.toHaveProperty("record.datanodes")
    }
  })

  test("that is not in the repository is a miss; a page in its place is a failure", async () => {
    await using w = await serving({})
    expect((await w.fetch("wikipathways", "WP99999")).outcomes).toMatchObject([
      { kind: "miss", reason: expect.stringContaining("search for the name") },
    ])
    await using ill = await serving({ [INFO]: PAGE })
    expect((await ill.fetch("wikipathways", "WP554")).outcomes).toMatchObject([{ kind: "failure" }])
  })

  test("of another pathway is a miss", async () => {
    await using w = await serving({ ...whole, [INFO]: JSON.stringify({ ...info, wpid: "WP55" }) })
    expect((await w.fetch("wikipathways", "WP554")).outcomes).toMatchObject([{ kind: "miss" }])
  })
})

describe("a search for words", () => {
  const rows = listing(
    row("WP1000", "Renin and more", { description: "inhibitors of ACE &amp; co &lt;b&gt;", species: "Bos taurus" }),
    row("WP554", "ACE inhibitor pathway", { datanodes: "ACE, ACE2, AGT, REN" }),
    row("WP99", "Blood pressure", { datanodes: "ACE, NOS3", annotations: "inhibitor drug pathway" }),
    row("WP10", "Viral entry", { datanodes: "ACE2, TMPRSS2", species: "Homo sapiens, Mus musculus" }),
    row("WP11", "apoptosis"),
    row("WP9", "Apoptosis modulation", { datanodes: "TP53" }),
  )

  test("ranks the name itself, words in the name, in the nodes and in the rest, then by number", async () => {
    await using w = await serving({ [TEXTS]: rows })
    expect((await hits(w, "Apoptosis")).hits.map(({ id }) => id)).toEqual(["WP11", "WP9"])
    expect(await hits(w, "ACE inhibitor")).toMatchObject({
      total: 3,
      hits: [
        { id: "WP554", title: "ACE inhibitor pathway" },
        { id: "WP99" },
        { id: "WP1000", summary: expect.stringContaining("Bos taurus · inhibitors of ACE") },
      ],
    })
  })

  test("wants all words, so that one more never finds more", async () => {
    await using w = await serving({ [TEXTS]: rows })
    expect(await hits(w, "ACE NOS3")).toMatchObject({ total: 1, hits: [{ id: "WP99" }] })
    expect(await hits(w, "ACE unheardof")).toMatchObject({ total: 0, hits: [] })
  })

  test("takes a symbol for itself only: ACE is not ACE2", async () => {
    await using w = await serving({ [TEXTS]: rows })
    expect((await hits(w, "ace")).hits.map(({ id }) => id)).not.toContain("WP10")
    expect((await hits(w, "ACE2")).hits.map(({ id }) => id)).toEqual(["WP10", "WP554"])
  })

  test("keeps the words of a phrase together", async () => {
    await using w = await serving({ [TEXTS]: rows })
    expect((await hits(w, '"inhibitor drug"')).hits.map(({ id }) => id)).toEqual(["WP99"])
  })

  test("pages through all of them and refuses signs alone", async () => {
    await using w = await serving({ [TEXTS]: rows })
    const first = await hits(w, "ACE", { limit: 2 })
    expect(first).toMatchObject({ total: 3, next: "2" })
    const second = await hits(w, "ACE", { limit: 2, cursor: "2" })
    expect(second.hits).toHaveLength(1)
    expect(second).not.toHaveProperty("next")
    expect(await hits(w, "ACE", { limit: 3 })).not.toHaveProperty("next")
    expect((await w.search("wikipathways", "+ --")).result).toMatchObject({ failure: { code: "invalid_query" } })
  })

  test("is limited to an organism by number, common or scientific name, also where a pathway has several", async () => {
    await using w = await serving({ [TEXTS]: rows })
    for (const organism of ["10090", "mouse", "mus musculus"])
      expect((await hits(w, "ACE2", { organism })).hits.map(({ id }) => id)).toEqual(["WP10"])
    expect(await hits(w, "apoptosis", { organism: "9913" })).toMatchObject({ total: 0 })
  })

  test("in an organism that no pathway is of is refused, not answered with nothing", async () => {
    await using w = await serving({ [TEXTS]: rows })
    for (const organism of ["123456", "Homo"])
      expect((await w.search("wikipathways", "ACE", { organism })).result).toMatchObject({
        failure: { code: "invalid_query" },
      })
  })

  test("in a listing that is empty, broken by a quote in a title, or a page is a failure", async () => {
    for (const body of [listing(), '{"pathwayInfo":[{"id":"WP1","name":"the "new" one"}]}', "<!DOCTYPE html><p>404"]) {
      await using w = await serving({ [TEXTS]: body })
      expect((await w.search("wikipathways", "ACE")).result).toMatchObject({ failure: { code: "bad_response" } })
    }
    await using gone = await serving({})
    expect((await gone.search("wikipathways", "ACE")).result.kind).toBe("failure")
  })
})

describe("a search for an id", () => {
  const rows = listing(
    row("WP1", "One", { ncbigene: "ncbigene:7157, ncbigene:10", uniprot: "uniprot:P04637;uniprot:K7PPA8" }),
    row("WP2", "Two", { ncbigene: "ncbigene:715", chebi: "chebi:15422" }),
    row("WP1584", "Three", { wikidata: "uniprot:P04637, wikidata:Q1", ensembl: "ensembl:ENSG00000141510" }),
  )

  test("of a gene, protein or metabolite finds the whole id only, in whichever column it stands", async () => {
    await using w = await serving({ [XREFS]: rows })
    const found = async (query: string) => (await hits(w, query)).hits.map(({ id }) => id)
    expect(await found("ncbigene:715")).toEqual(["WP2"])
    expect(await found("P04637")).toEqual(["WP1", "WP1584"])
    expect(await found("ENSG00000141510")).toEqual(["WP1584"])
    expect(await found("CHEBI:15422")).toEqual(["WP2"])
  })

  test("of a pathway asks for that one alone, not for the listing", async () => {
    await using w = await serving(whole)
    expect(await hits(w, "wp554")).toMatchObject({ total: 1, hits: [{ id: "WP554", title: "ACE inhibitor pathway" }] })
    expect(await hits(w, "WP554", { organism: "mouse" })).toMatchObject({ total: 0 })
    expect(await hits(w, "WP1")).toMatchObject({ total: 0, hits: [] })
    expect(w.server.requests.every(({ host }) => host === "raw.githubusercontent.com")).toBe(true)
  })
})

describe("a file", () => {
  test("is the site's, whatever type the site gives it", async () => {
    await using w = await serving({
      [`${ASSETS}.gpml`]: {
        headers: { "content-type": "application/octet-stream" },
        body: '<?xml version="1.0"?>\n<Pathway xmlns="http://pathvisio.org/GPML/2013a"></Pathway>',
      },
      [`${ASSETS}-bibliography.tsv`]: "ID\tDatabase\tCitation",
    })
    for (const format of ["gpml", "bibliography"])
      expect((await w.file("wikipathways", format, "WP554")).outcomes).toMatchObject([{ kind: "file" }])
  })

  test("that is not there, which is a page under 404, is a miss; a page under 200 is a failure", async () => {
    await using w = await serving({ [`${ASSETS}.gpml`]: "<!DOCTYPE html><title>WikiPathways</title>" })
    expect((await w.file("wikipathways", "svg", "WP554")).outcomes).toMatchObject([{ kind: "miss" }])
    expect((await w.file("wikipathways", "gpml", "WP554")).outcomes).toMatchObject([{ kind: "failure" }])
  })
})
