import { describe, expect, test } from "bun:test"
import expressionAtlas from "../../../src/science/connectors/expression/expression-atlas.ts"
import { normalizeId } from "../../../src/science/ids.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const experiment = (experimentAccession: string, experimentDescription: string, more = {}) => ({
  experimentAccession,
  experimentDescription,
  species: "Homo sapiens",
  kingdom: "animals",
  loadDate: "01-01-2014",
  lastUpdate: "01-01-2014",
  rawExperimentType: "RNASEQ_MRNA_BASELINE",
  technologyType: ["RNA-Seq mRNA"],
  numberOfAssays: 48,
  experimentalFactors: ["organism part"],
  experimentProjects: [],
  experimentType: "Baseline",
  ...more,
})
const differential = (accession: string, description: string, more = {}) =>
  experiment(accession, description, {
    rawExperimentType: "RNASEQ_MRNA_DIFFERENTIAL",
    experimentType: "Differential",
    numberOfContrasts: 2,
    experimentalFactors: ["genotype"],
    ...more,
  })
const MICROARRAY = {
  rawExperimentType: "MICROARRAY_1COLOUR_MRNA_DIFFERENTIAL",
  technologyType: ["1-colour mRNA", "Affymetrix U133"],
}

const EXPERIMENTS = [
  experiment("E-MTAB-513", "Illumina Body Map: brain and fifteen other tissues"),
  differential("E-MTAB-9", "Brain of a knock-out", { species: "Mus musculus", lastUpdate: "31-01-2015" }),
  differential("E-GEOD-10", "Prostate tumour against normal", { lastUpdate: "02-12-2019" }),
  differential("E-GEOD-11", "Rat liver on a diet", {
    species: "Rattus norvegicus",
    lastUpdate: "03-02-2021",
    ...MICROARRAY,
    arrayDesigns: ["A-AFFY-43"],
    arrayDesignNames: ["Rat 230"],
  }),
  differential("E-GEOD-12", "Tumour on two arrays", {
    lastUpdate: "28-01-2020",
    ...MICROARRAY,
    arrayDesigns: ["A-AFFY-33", "A-AFFY-34"],
  }),
  experiment("E-MTAB-2039", "Leaves and roots", { species: "Oryza sativa Japonica Group", kingdom: "plants" }),
  differential("E-MTAB-20", "Knock-in by batch", { lastUpdate: "01-01-2010", experimentalFactors: ["sex"] }),
  differential("E-MTAB-21", "Mice", { lastUpdate: "01-01-2022", experimentalFactors: ["batch"] }),
  experiment("E-PROT-3", "Kidney proteins", {
    rawExperimentType: "PROTEOMICS_BASELINE",
    technologyType: ["Proteomics"],
    experimentDescription: null,
  }),
]

const resource = (accession: string, end: string) => ({
  url: `experiments-content/${accession}/${end}`,
  group: "",
  type: "icon-tsv",
  description: "All of it",
})
const RESOURCES: Record<string, unknown[]> = {
  "E-MTAB-513": [
    resource("E-MTAB-513", "resources/ExperimentDownloadSupplier.RnaSeqBaseline/tpms.tsv"),
    resource("E-MTAB-513", "resources/ExperimentDesignFile.Baseline/experiment-design"),
    resource("E-MTAB-513", "static/E-MTAB-513-atlasExperimentSummary.Rdata"),
    resource("E-MTAB-513", "static/E-MTAB-513-heatmap.pdf"),
  ],
  "E-GEOD-10": ["analytics", "raw-counts"].map((end) =>
    resource("E-GEOD-10", `resources/DifferentialSecondaryDataFiles.RnaSeq/${end}`),
  ),
  "E-GEOD-11": [resource("E-GEOD-11", "resources/DifferentialSecondaryDataFiles.Microarray/analytics")],
  "E-GEOD-12": [resource("E-GEOD-12", "resources/DifferentialSecondaryDataFiles.Microarray/analytics")],
  "E-PROT-3": [resource("E-PROT-3", "resources/ExperimentDownloadSupplier.Proteomics/tsv")],
  "E-MTAB-9": [],
}
const TABLE = "# Expression Atlas version: 0.1.4\nGene ID\tGene Name\tbrain\nENSG00000141510\tTP53\t7\n"
const PAGE_404: Reply = {
  status: 404,
  headers: { "content-type": "text/html" },
  body: "<!DOCTYPE html><title>404</title>",
}

function atlas({ host, path }: Seen): Reply {
  if (path === "/gxa/json/experiments") return JSON.stringify({ experiments: EXPERIMENTS })
  const [, accession = ""] = /^\/gxa\/json\/experiments\/([^/]+)\/resources\/DATA$/.exec(path) ?? []
  if (accession)
    return RESOURCES[accession]
      ? JSON.stringify(RESOURCES[accession])
      : { status: 400, body: '{"error":"no such experiment"}' }
  if (path === "/gxa/json/experiments/E-MTAB-513") return '{"experiment":{"accession":"E-MTAB-513"},"columnHeaders":[]}'
  if (path.endsWith(".pdf")) return { headers: { "content-type": "application/pdf" }, body: "%PDF-1.4\n%%EOF\n" }
  if (path.includes("E-GEOD-12") && path.includes("analytics")) return { body: "PK\x03\x04 PK\x05\x06\0\0" }
  if (path.startsWith("/gxa/experiments-content/") || host === "ftp.ebi.ac.uk")
    return { headers: { "content-type": "text/plain" }, body: TABLE }
  return PAGE_404
}

const open = (answer: (request: Seen) => Reply | undefined = atlas) => world(answer, { connectors: [expressionAtlas] })
type World = Awaited<ReturnType<typeof open>>
const DB = "expression-atlas"
const one = async (w: World, id: string) => (await w.fetch(DB, id)).outcomes[0]
const file = async (w: World, format: string, id: string) => (await w.file(DB, format, id)).outcomes[0]

async function search(w: World, query: string, more: Parameters<World["search"]>[2] = {}) {
  const { result } = await w.search(DB, query, more)
  if (result.kind !== "hits") throw new Error(result.failure.message)
  return result
}
const ids = async (query: string, more: Parameters<World["search"]>[2] = {}) => {
  await using w = await open((request) =>
    request.path.startsWith("/ebisearch/") ? '{"hitCount":0,"entries":[],"facets":[]}' : atlas(request),
  )
  return (await search(w, query, more)).hits.map(({ id }) => id)
}
const paths = (w: World) => w.server.requests.map(({ path }) => path)

describe("record", () => {
  test("an experiment is its entry of the list, with the files that there are", async () => {
    await using w = await open()
    expect(await one(w, "E-MTAB-513")).toMatchObject({
      kind: "record",
      record: { experiment: EXPERIMENTS[0], resources: RESOURCES["E-MTAB-513"] },
      incomplete: [],
    })
    expect(paths(w)).toEqual(["/gxa/json/experiments", "/gxa/json/experiments/E-MTAB-513/resources/DATA"])
  })

  test("an accession is taken in small letters, as GEO's, and from the page's address", () => {
    for (const typed of [
      "e-geod-26284",
      "GSE26284",
      "https://www.ebi.ac.uk/gxa/experiments/E-GEOD-26284/Results?ref=aebrowse",
      "gxa.expt:E-GEOD-26284",
    ])
      expect(normalizeId(expressionAtlas, typed)).toBe("E-GEOD-26284")
  })

  test("what is not in the list is a miss that says where else to look", async () => {
    await using w = await open()
    expect(await one(w, "E-MTAB-5061")).toMatchObject({
      kind: "miss",
      reason: expect.stringContaining("single-cell-atlas"),
    })
    expect(paths(w)).toEqual(["/gxa/json/experiments"])
  })

  test("a list that fails or is empty is a failure of every experiment, never a miss", async () => {
    for (const reply of [
      { status: 500 },
      { status: 400, body: '{"error":"x"}' },
      '{"experiments":[]}',
      "{}",
    ] satisfies Reply[]) {
      await using w = await open(() => reply)
      expect((await one(w, "E-MTAB-513"))?.kind).toBe("failure")
      expect((await w.search(DB, "brain")).result.kind).toBe("failure")
      expect((await file(w, "tpms", "E-MTAB-513"))?.kind).toBe("failure")
    }
  })

  test("files that cannot be listed are named as missing, and are not an empty list", async () => {
    await using w = await open((request) => (request.path.endsWith("/DATA") ? { status: 500 } : atlas(request)))
    const outcome = await one(w, "E-MTAB-513")
    expect(outcome).toMatchObject({ kind: "record", incomplete: ["resources of E-MTAB-513"] })
    expect(outcome).not.toHaveProperty("record.resources")
  })

  test("several experiments cost the list once", async () => {
    await using w = await open()
    const { outcomes } = await w.fetch(DB, "E-MTAB-513", "E-MTAB-1", "E-GEOD-10")
    expect(outcomes.map(({ kind }) => kind)).toEqual(["record", "miss", "record"])
    expect(outcomes[2]).toMatchObject({
      record: { experiment: { experimentAccession: "E-GEOD-10" }, resources: RESOURCES["E-GEOD-10"] },
    })
    expect(paths(w).filter((path) => path === "/gxa/json/experiments")).toHaveLength(1)
  })
})

describe("search", () => {
  test("all words must be there, in any order and in any part of the entry", async () => {
    expect(await ids("RNA-seq brain human")).toEqual(["E-MTAB-513"])
    expect(await ids("brain AND tissues")).toEqual(["E-MTAB-513"])
    expect(await ids('"body map"')).toEqual(["E-MTAB-513"])
    expect(await ids('"map body"')).toEqual([])
    expect(await ids("baseline proteomics")).toEqual(["E-PROT-3"])
    expect(await ids("A-AFFY-33")).toEqual(["E-GEOD-12"])
  })

  test("a word is found at the beginning of one, not within: state is not prostate", async () => {
    expect(await ids("rat")).toEqual(["E-GEOD-11"])
    expect(await ids("state")).toEqual([])
    expect(await ids("tumo")).toEqual(["E-GEOD-12", "E-GEOD-10"])
  })

  test("the newest stand first, by date and not by its spelling; words in the title before others", async () => {
    expect(await ids("tumour")).toEqual(["E-GEOD-12", "E-GEOD-10"])
    expect(await ids("rna-seq genotype")).toEqual(["E-GEOD-10", "E-MTAB-9"])
    expect(await ids("batch")).toEqual(["E-MTAB-20", "E-MTAB-21"])
    expect(await ids("mouse brain")).toEqual(["E-MTAB-9"])
  })

  test("signs of a regular expression are only signs", async () => {
    for (const query of ["brain (", "a.*b", "[x", "brain\\", "c++"]) expect(Array.isArray(await ids(query))).toBe(true)
    expect(await ids("brai.")).toEqual([])
  })

  test("an organism is taken by Latin name, common name and taxon id, its varieties with it", async () => {
    expect(await ids("brain", { organism: "mouse" })).toEqual(["E-MTAB-9"])
    expect(await ids("brain", { organism: "9606" })).toEqual(["E-MTAB-513"])
    expect(await ids("leaves", { organism: "ORYZA SATIVA" })).toEqual(["E-MTAB-2039"])
  })

  test("an unknown taxon, OR and NOT, and a cursor of another are refused without a request", async () => {
    await using w = await open()
    for (const [query, more] of [
      ["brain", { organism: "7091" }],
      ["brain OR liver", {}],
      ["NOT brain", {}],
      ["brain", { cursor: "x" }],
      ["?!", {}],
      ["AND", {}],
    ] as const)
      expect((await w.search(DB, query, more)).result).toMatchObject({
        kind: "failure",
        failure: { code: "invalid_query" },
      })
    expect(w.server.requests).toHaveLength(0)
  })

  test("a hit has species, type, factors and numbers", async () => {
    await using w = await open()
    expect(await search(w, "prostate")).toMatchObject({
      total: 1,
      hits: [
        {
          id: "E-GEOD-10",
          title: "Prostate tumour against normal",
          summary: "Homo sapiens · rnaseq mrna differential · genotype · 48 assays · 2 contrasts",
        },
      ],
    })
  })

  test("pages follow one another, with the total of all", async () => {
    await using w = await open()
    const first = await search(w, "human", { limit: 3 })
    expect(first).toMatchObject({ total: 6, next: "3" })
    const last = await search(w, "human", { limit: 3, cursor: "3" })
    expect(last).not.toHaveProperty("next")
    expect(new Set([...first.hits, ...last.hits].map(({ id }) => id)).size).toBe(6)
  })

  test("what no description says, a gene, is looked for in EBI Search, and said to be", async () => {
    await using w = await open((request) =>
      request.path.startsWith("/ebisearch/")
        ? JSON.stringify({
            hitCount: 40,
            entries: [
              { id: "E-MTAB-513", source: "atlas-experiments", fields: { description: ["x"] } },
              { id: "E-MTAB-777", source: "atlas-experiments", fields: { description: ["not in the list"] } },
            ],
          })
        : atlas(request),
    )
    expect(await search(w, "TP53 x:y", { limit: 2 })).toMatchObject({
      total: 40,
      next: "2",
      hits: [
        { id: "E-MTAB-513", title: "Illumina Body Map: brain and fifteen other tissues" },
        { id: "E-MTAB-777", title: "not in the list" },
      ],
      notes: [expect.stringContaining("EBI Search")],
    })
    const sent = new URL(
      w.server.requests.find(({ path }) => path.startsWith("/ebisearch/"))?.path ?? "",
      "https://www.ebi.ac.uk",
    ).searchParams
    expect(Object.fromEntries(sent)).toEqual({
      query: "TP53 AND x\\:y",
      format: "json",
      size: "2",
      start: "0",
      fields: "description",
    })
  })

  test("with an organism, which EBI Search would drop, it is not asked", async () => {
    await using w = await open()
    expect(await search(w, "TP53", { organism: "human" })).toMatchObject({
      total: 0,
      notes: [expect.stringContaining("leave the organism out")],
    })
    expect(paths(w)).toEqual(["/gxa/json/experiments"])
  })

  test("an accession finds itself alone", async () => {
    expect(await ids("e-mtab-9")).toEqual(["E-MTAB-9"])
    expect(await ids("GSE10")).toEqual(["E-GEOD-10"])
    await using w = await open()
    expect(await search(w, "E-MTAB-5061")).toMatchObject({
      total: 0,
      notes: [expect.stringContaining("single-cell-atlas")],
    })
    expect(paths(w)).toEqual(["/gxa/json/experiments"])
  })
})

describe("files", () => {
  test("a file is where the list of the experiment says, whatever supplies it", async () => {
    await using w = await open()
    const site = "https://www.ebi.ac.uk/gxa/experiments-content"
    for (const [format, id, end] of [
      ["tpms", "E-MTAB-513", "resources/ExperimentDownloadSupplier.RnaSeqBaseline/tpms.tsv"],
      ["design", "E-MTAB-513", "resources/ExperimentDesignFile.Baseline/experiment-design"],
      ["rdata", "E-MTAB-513", "static/E-MTAB-513-atlasExperimentSummary.Rdata"],
      ["heatmap", "E-MTAB-513", "static/E-MTAB-513-heatmap.pdf"],
      ["counts", "E-GEOD-10", "resources/DifferentialSecondaryDataFiles.RnaSeq/raw-counts"],
      ["analytics", "E-GEOD-11", "resources/DifferentialSecondaryDataFiles.Microarray/analytics"],
      ["proteins", "E-PROT-3", "resources/ExperimentDownloadSupplier.Proteomics/tsv"],
    ] as const)
      expect(await file(w, format, id)).toMatchObject({ kind: "file", url: `${site}/${id}/${end}` })
  })

  test("a file of another kind of experiment is a miss that names those that there are", async () => {
    await using w = await open()
    expect(await file(w, "tpms", "E-GEOD-10")).toMatchObject({
      kind: "miss",
      reason: "this rnaseq mrna differential experiment has analytics, counts instead",
    })
    expect(await file(w, "tpms", "E-MTAB-9")).toMatchObject({
      kind: "miss",
      reason: expect.stringContaining("no files"),
    })
  })

  test("tables of several arrays come as a zip, and only as one", async () => {
    await using w = await open()
    expect(await file(w, "analytics", "E-GEOD-12")).toMatchObject({
      kind: "miss",
      reason: expect.stringContaining("fetch analytics-zip"),
    })
    expect(await file(w, "analytics-zip", "E-GEOD-12")).toMatchObject({ kind: "file", mediaType: "application/zip" })
    expect(await file(w, "analytics-zip", "E-GEOD-11")).toMatchObject({
      kind: "miss",
      reason: "it has one table: fetch analytics",
    })
  })

  test("of an experiment that is not here no file is asked for", async () => {
    await using w = await open()
    for (const format of ["tpms", "json", "sdrf"]) expect((await file(w, format, "E-MTAB-5061"))?.kind).toBe("miss")
    expect(new Set(paths(w))).toEqual(new Set(["/gxa/json/experiments"]))
  })

  test("a list of files that fails is a failure, not a miss", async () => {
    await using w = await open()
    expect(await file(w, "tpms", "E-MTAB-2039")).toMatchObject({ kind: "failure" })
  })

  test("a page in the place of a table is refused", async () => {
    await using w = await open((request) =>
      request.path.includes("tpms")
        ? { headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><title>busy</title>" }
        : atlas(request),
    )
    expect(await file(w, "tpms", "E-MTAB-513")).toMatchObject({ kind: "failure", failure: { code: "bad_response" } })
  })

  test("samples come from the mirror, and the page's own data as they are", async () => {
    await using w = await open()
    expect(await file(w, "sdrf", "E-MTAB-513")).toMatchObject({
      kind: "file",
      url: "https://ftp.ebi.ac.uk/pub/databases/microarray/data/atlas/experiments/E-MTAB-513/E-MTAB-513.condensed-sdrf.tsv",
    })
    expect(await file(w, "json", "E-MTAB-513")).toMatchObject({
      kind: "file",
      url: "https://www.ebi.ac.uk/gxa/json/experiments/E-MTAB-513",
    })
  })
})
