import { describe, expect, test } from "bun:test"
import singleCellAtlas from "../../../src/science/connectors/expression/single-cell-atlas.ts"
import { normalizeId } from "../../../src/science/ids.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const PANCREAS = {
  experimentAccession: "E-MTAB-5061",
  experimentDescription:
    "Single-cell RNA-seq analysis of human pancreas from healthy individuals and type 2 diabetes patients",
  species: "Homo sapiens",
  kingdom: "animals",
  loadDate: "26-05-2018",
  lastUpdate: "26-05-2018",
  rawExperimentType: "SINGLE_CELL_RNASEQ_MRNA_BASELINE",
  technologyType: ["smart-seq2"],
  numberOfAssays: 2942,
  experimentalFactors: ["single cell identifier", "disease"],
  experimentProjects: ["Human Cell Atlas - Data Portal", "Human Cell Atlas"],
  experimentType: "Baseline",
}
const EXPERIMENTS = [
  PANCREAS,
  {
    ...PANCREAS,
    experimentAccession: "E-GEOD-84133",
    experimentDescription: "Pancreatic islets",
    technologyType: ["10xv2"],
    lastUpdate: "02-11-2020",
    numberOfAssays: 8569,
  },
  {
    ...PANCREAS,
    experimentAccession: "E-CURD-5",
    experimentDescription: "Root cells",
    species: "Arabidopsis thaliana",
    kingdom: "plants",
    technologyType: ["10xv2"],
    experimentProjects: [],
  },
  {
    ...PANCREAS,
    experimentAccession: "E-MTAB-7303",
    experimentDescription: "Pancreas of mice",
    species: "Mus musculus",
    rawExperimentType: "SINGLE_NUCLEUS_RNASEQ_MRNA_BASELINE",
    lastUpdate: "31-01-2019",
  },
]
const ERROR_PAGE: Reply = {
  status: 500,
  headers: { "content-type": "text/html" },
  body: "<!DOCTYPE html><title>error</title>",
}
const ZIP = "PK\x03\x04 PK\x05\x06\0\0"

function atlas({ host, path }: Seen): Reply {
  if (path === "/gxa/sc/json/experiments") return JSON.stringify({ experiments: EXPERIMENTS })
  if (path.startsWith("/gxa/sc/json/search?")) return '{"results":[],"reason":"Gene unknown"}'
  const [, accession = "", archive] =
    /^\/gxa\/sc\/experiment\/([^/]+)\/download(\/zip)?\?fileType=[\w-]+&accessKey=$/.exec(path) ?? []
  if (EXPERIMENTS.some(({ experimentAccession }) => experimentAccession === accession))
    return { body: archive ? ZIP : "sel.K\tK\tERR1630013\nTRUE\t8\t1\n" }
  if (host === "ftp.ebi.ac.uk" && path.endsWith("/E-MTAB-5061/E-MTAB-5061.project.h5ad"))
    return { body: Buffer.from("\x89HDF\r\n\x1a\n\0", "latin1") }
  return host === "ftp.ebi.ac.uk"
    ? { status: 404, headers: { "content-type": "text/html" }, body: "<html>404</html>" }
    : ERROR_PAGE
}

const open = (answer: (request: Seen) => Reply | undefined = atlas) => world(answer, { connectors: [singleCellAtlas] })
type World = Awaited<ReturnType<typeof open>>
const DB = "single-cell-atlas"
const one = async (w: World, id: string) => (await w.fetch(DB, id)).outcomes[0]
const file = async (w: World, format: string, id: string) => (await w.file(DB, format, id)).outcomes[0]
const paths = (w: World) => w.server.requests.map(({ path }) => path)

async function search(w: World, query: string, more: Parameters<World["search"]>[2] = {}) {
  const { result } = await w.search(DB, query, more)
  if (result.kind !== "hits") throw new Error(result.failure.message)
  return result
}
const ids = async (query: string, more: Parameters<World["search"]>[2] = {}) => {
  await using w = await open()
  return (await search(w, query, more)).hits.map(({ id }) => id)
}

describe("record", () => {
  test("an experiment is its entry of the list, and what counts as an assay is said", async () => {
    await using w = await open()
    expect(await one(w, "E-MTAB-5061")).toMatchObject({
      kind: "record",
      record: PANCREAS,
      remarks: ["numberOfAssays counts cells"],
    })
    expect(paths(w)).toEqual(["/gxa/sc/json/experiments"])
  })

  test("an accession is taken in small letters, as GEO's, and from the page's address", () => {
    for (const typed of [
      "e-geod-81547",
      "GSE81547",
      "https://www.ebi.ac.uk/gxa/sc/experiments/E-GEOD-81547/results/tsne?k=8",
    ])
      expect(normalizeId(singleCellAtlas, typed)).toBe("E-GEOD-81547")
  })

  test("a bulk experiment is a miss that says where it may be", async () => {
    await using w = await open()
    expect(await one(w, "E-MTAB-5214")).toMatchObject({
      kind: "miss",
      reason: expect.stringContaining("expression-atlas"),
    })
  })

  test("a list that fails or is empty is a failure of every experiment, never a miss", async () => {
    for (const reply of [
      ERROR_PAGE,
      { status: 400, body: '{"error":"x"}' },
      '{"experiments":[]}',
      JSON.stringify(PANCREAS),
    ] satisfies Reply[]) {
      await using w = await open(() => reply)
      expect((await one(w, "E-MTAB-5061"))?.kind).toBe("failure")
      expect((await w.search(DB, "pancreas")).result.kind).toBe("failure")
      expect((await file(w, "clusters", "E-MTAB-5061"))?.kind).toBe("failure")
    }
  })

  test("any number of experiments is one request, each found by its accession", async () => {
    await using w = await open()
    const { outcomes } = await w.fetch(DB, "E-CURD-5", "E-MTAB-1", "E-MTAB-5061")
    expect(outcomes).toMatchObject([
      { record: { experimentAccession: "E-CURD-5" } },
      { kind: "miss" },
      { record: { experimentAccession: "E-MTAB-5061" } },
    ])
    expect(paths(w)).toHaveLength(1)
  })
})

describe("search", () => {
  test("words are joined, and found in species, technology and project too", async () => {
    expect(await ids("pancreatic 10x human")).toEqual(["E-GEOD-84133"])
    expect(await ids("arabidopsis root")).toEqual(["E-CURD-5"])
    expect(await ids('"human cell atlas" smart-seq2 diabetes')).toEqual(["E-MTAB-5061"])
    expect(await ids("single nucleus pancreas")).toEqual(["E-MTAB-7303"])
  })

  test("a hit has species, cells, technology and factors; the newest stands first", async () => {
    await using w = await open()
    const { hits, total } = await search(w, "pancrea")
    expect(total).toBe(3)
    expect(hits.map(({ id }) => id)).toEqual(["E-GEOD-84133", "E-MTAB-7303", "E-MTAB-5061"])
    expect(hits[0]).toEqual({
      id: "E-GEOD-84133",
      title: "Pancreatic islets",
      summary: "Homo sapiens · 8569 cells · 10xv2 · single cell identifier, disease",
    })
  })

  test("an organism limits the hits and the total", async () => {
    await using w = await open()
    expect(await search(w, "pancrea", { organism: "mouse" })).toMatchObject({ total: 1, hits: [{ id: "E-MTAB-7303" }] })
  })

  test("a word that no description has is asked for as a gene, and an experiment is given once", async () => {
    const element = (experimentAccession: string) => ({
      element: { experimentAccession, experimentDescription: "x" },
      facets: [],
    })
    await using w = await open((request) =>
      request.path.startsWith("/gxa/sc/json/search?")
        ? JSON.stringify({
            matchingGeneId: "(ENSG00000254647)",
            results: ["E-MTAB-5061", "E-GEOD-84133", "E-MTAB-5061", "E-MTAB-7303"].map(element),
            checkboxFacetGroups: [],
          })
        : atlas(request),
    )
    expect(await search(w, "INS", { limit: 2 })).toMatchObject({
      total: 3,
      next: "2",
      hits: [{ id: "E-MTAB-5061" }, { id: "E-GEOD-84133" }],
      notes: [expect.stringContaining("gene INS")],
    })
    expect(await search(w, "INS", { limit: 2, cursor: "2" })).toMatchObject({ total: 3, hits: [{ id: "E-MTAB-7303" }] })
    expect(await search(w, "INS", { organism: "10090" })).toMatchObject({ total: 1, hits: [{ id: "E-MTAB-7303" }] })
    expect(paths(w)).toContain("/gxa/sc/json/search?q=INS")
  })

  test("an unknown gene finds nothing, in the service's words", async () => {
    await using w = await open()
    expect(await search(w, "nosuchgene")).toMatchObject({ total: 0, hits: [], notes: ["as a gene: Gene unknown"] })
  })

  test("several words and accessions are never asked for as a gene", async () => {
    await using w = await open()
    expect(await search(w, "liver zonation")).toMatchObject({ total: 0 })
    expect(await search(w, "E-MTAB-5214")).toMatchObject({
      total: 0,
      notes: [expect.stringContaining("expression-atlas")],
    })
    expect(new Set(paths(w))).toEqual(new Set(["/gxa/sc/json/experiments"]))
  })
})

describe("files", () => {
  test("files are asked for in the singular, one as it is and several as a zip", async () => {
    await using w = await open()
    const at = "https://www.ebi.ac.uk/gxa/sc/experiment/E-MTAB-5061"
    for (const [format, address] of [
      ["clusters", `${at}/download?fileType=cluster&accessKey=`],
      ["design", `${at}/download?fileType=experiment-design&accessKey=`],
      ["sdrf", `${at}/download?fileType=sdrf&accessKey=`],
      ["markers", `${at}/download/zip?fileType=marker-genes&accessKey=`],
      ["raw", `${at}/download/zip?fileType=quantification-raw&accessKey=`],
      ["normalised", `${at}/download/zip?fileType=normalised&accessKey=`],
      ["tpms", `${at}/download/zip?fileType=quantification-filtered&accessKey=`],
      ["metadata", `${at}/download/zip?fileType=experiment-metadata&accessKey=`],
    ] as const)
      expect(await file(w, format, "E-MTAB-5061")).toMatchObject({ kind: "file", url: address })
  })

  test("AnnData comes from the mirror, and is a miss where an experiment has none", async () => {
    await using w = await open()
    expect(await file(w, "h5ad", "E-MTAB-5061")).toMatchObject({ kind: "file", mediaType: "application/x-hdf5" })
    expect(await file(w, "h5ad", "E-CURD-5")).toMatchObject({ kind: "miss" })
  })

  test("TPMs of droplets there are none, and nothing is asked for them", async () => {
    await using w = await open()
    expect(await file(w, "tpms", "E-CURD-5")).toMatchObject({
      kind: "miss",
      reason: "of 10xv2 there are no TPMs: fetch normalised or raw",
    })
    expect(paths(w)).toEqual(["/gxa/sc/json/experiments"])
  })

  test("of an experiment that is not here no file is asked for, since the site's answer would be an error", async () => {
    await using w = await open()
    for (const format of ["clusters", "raw", "h5ad"]) expect((await file(w, format, "E-MTAB-5214"))?.kind).toBe("miss")
    expect(new Set(paths(w))).toEqual(new Set(["/gxa/sc/json/experiments"]))
  })

  test("an error page is no file, whatever its status", async () => {
    for (const status of [200, 500]) {
      await using w = await open((request) =>
        request.path.includes("/download") ? { ...ERROR_PAGE, status } : atlas(request),
      )
      for (const format of ["clusters", "markers"]) expect((await file(w, format, "E-MTAB-5061"))?.kind).toBe("failure")
    }
  })

  test("half an archive is noticed", async () => {
    await using w = await open((request) =>
      request.path.includes("/zip") ? { body: "PK\x03\x04 and then nothing" } : atlas(request),
    )
    expect(await file(w, "raw", "E-MTAB-5061")).toMatchObject({ kind: "failure", failure: { code: "bad_response" } })
  })
})
