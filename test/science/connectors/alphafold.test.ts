import { readdir } from "node:fs/promises"
import { describe, expect, test } from "bun:test"
import alphafold from "../../../src/science/connectors/structures/alphafold.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const FILES = "https://alphafold.ebi.ac.uk/files"

/** One element of the API's array; AlphaMissense only where the service has it. */
function model(accession: string, missense = false) {
  const stem = `AF-${accession}-F1`
  return {
    modelEntityId: stem,
    entryId: stem,
    uniprotAccession: accession,
    uniprotId: "A4_HUMAN",
    uniprotDescription: "Amyloid-beta precursor protein",
    organismScientificName: "Homo sapiens",
    globalMetricValue: 67.38,
    latestVersion: 6,
    isComplex: false,
    cifUrl: `${FILES}/${stem}-model_v6.cif`,
    bcifUrl: `${FILES}/${stem}-model_v6.bcif`,
    pdbUrl: `${FILES}/${stem}-model_v6.pdb`,
    paeImageUrl: `${FILES}/${stem}-predicted_aligned_error_v6.png`,
    paeDocUrl: `${FILES}/${stem}-predicted_aligned_error_v6.json`,
    plddtDocUrl: `${FILES}/${stem}-confidence_v6.json`,
    msaUrl: `${FILES}/msa/${stem}-msa_v6.a3m`,
    ...(missense && {
      amAnnotationsUrl: `${FILES}/${stem}-aa-substitutions.csv`,
      amAnnotationsHg19Url: `${FILES}/${stem}-hg19.csv`,
      amAnnotationsHg38Url: `${FILES}/${stem}-hg38.csv`,
    }),
  }
}

/** As recorded: the canonical model is not the first. */
const APP = [model("P05067-10"), model("P05067-2"), model("P05067", true), model("P05067-8")]

const COMPLEX = "AF-0000000066503175"
const chain = (chainId: string) => ({
  ...model("Q6GZX4"),
  modelEntityId: COMPLEX,
  isComplex: true,
  chainId,
  cifUrl: `${FILES}/${COMPLEX}-model_v1.cif`,
})

const notFound: Reply = { status: 404, body: '{"error":"no prediction"}' }
const binary = { "content-type": "application/octet-stream" }

const PNG = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), Buffer.from("IEND\xaeB`\x82", "latin1")])
const BODIES: [RegExp, string | Buffer][] = [
  [/\.cif$/, "data_AF-P05067-F1\nATOM 1 N\n"],
  [/\.bcif$/, Buffer.from("\x83\xa7version\xa60.3.0", "latin1")],
  [/\.pdb$/, "HEADER    PREDICTION\nATOM      1  N   MET A   1\nEND\n"],
  [/\.png$/, PNG],
  [/\.json$/, "[]"],
  [/\.a3m$/, ">query\nMLPG\n"],
  [/\.csv$/, "protein_variant,am_pathogenicity\nM1A,0.3\n"],
]

function service({ path }: Seen): Reply {
  if (path === "/api/prediction/P05067") return { body: JSON.stringify(APP) }
  if (path === `/api/prediction/${COMPLEX}`) return { body: JSON.stringify([chain("B"), chain("A")]) }
  const body = path.startsWith("/files/") ? BODIES.find(([ending]) => ending.test(path))?.[1] : undefined
  return body === undefined ? notFound : { headers: binary, body }
}

const open = (answer: (request: Seen) => Reply | undefined) => world(answer, { connectors: [alphafold] })
const paths = (w: Awaited<ReturnType<typeof open>>) => w.server.requests.map(({ host, path }) => host + path)

describe("a record", () => {
  test("is the element of the asked accession, unchanged, wherever it stands in the array", async () => {
    await using w = await open(service)
    const { outcomes } = await w.fetch("alphafold", "P05067")
    expect(outcomes).toEqual([
      {
        kind: "record",
        db: "alphafold",
        id: "P05067",
        record: JSON.parse(JSON.stringify(APP[2])),
        url: "https://alphafold.ebi.ac.uk/entry/P05067",
        remarks: ["a prediction, not an experiment: model version 6, mean pLDDT 67.38 of 100"],
        incomplete: [],
      },
    ])
    expect(paths(w)).toEqual(["alphafold.ebi.ac.uk/api/prediction/P05067"])
  })

  test("says that it is a prediction even when the confidence is not given", async () => {
    await using w = await open(() => ({ body: '[{"uniprotAccession":"P05067"}]' }))
    expect((await w.fetch("alphafold", "P05067")).outcomes).toMatchObject([
      { kind: "record", remarks: ["a prediction, not an experiment"] },
    ])
  })

  test("of an isoform is the isoform's element", async () => {
    await using w = await open(service)
    expect((await w.fetch("alphafold", "P05067-2")).outcomes).toMatchObject([
      { kind: "record", id: "P05067-2", record: { uniprotAccession: "P05067-2" } },
    ])
  })

  test("of an isoform that the list leaves out is asked for by its own id; a list without it is a miss that names the others", async () => {
    await using w = await open((request) => {
      if (request.path.endsWith("/P05067-3")) return { body: JSON.stringify([...APP, model("P05067-3")]) }
      return request.path.endsWith("/P05067-4") ? { body: JSON.stringify(APP) } : service(request)
    })
    expect((await w.fetch("alphafold", "P05067-3")).outcomes).toMatchObject([
      { kind: "record", record: { uniprotAccession: "P05067-3" } },
    ])
    for (const absent of ["P05067-4", "P05067-5"])
      expect((await w.fetch("alphafold", absent)).outcomes).toMatchObject([
        {
          kind: "miss",
          reason: "there are models of P05067-10, P05067-2, P05067, P05067-8 only: fetch one of those",
        },
      ])
  })

  test("of a complex is all its chains, in whatever order they come", async () => {
    await using w = await open(service)
    expect((await w.fetch("alphafold", `${COMPLEX}-v1`)).outcomes).toMatchObject([
      { kind: "record", id: COMPLEX, record: [{ chainId: "B" }, { chainId: "A" }] },
    ])
  })

  test("of a complex is not taken for that of its protein", async () => {
    await using w = await open(() => ({ body: JSON.stringify([chain("A"), chain("B")]) }))
    expect((await w.fetch("alphafold", "Q6GZX4")).outcomes).toMatchObject([{ kind: "miss" }])
  })

  const spellings = [
    "p05067",
    "AF-P05067-F1",
    "AF-P05067-F1-model_v4.pdb",
    "AFDB:P05067",
    "AFDB:AF-P05067-F1",
    "uniprot:P05067",
    "AF_AFP05067F1",
    "sp|P05067|A4_HUMAN",
    "https://alphafold.ebi.ac.uk/entry/P05067",
    "https://alphafold.ebi.ac.uk/entry/AF-P05067-F1",
    "https://alphafold.com/entry/P05067",
    `${FILES}/AF-P05067-F1-model_v6.cif`,
  ]
  test.each(spellings)("is asked for as P05067 when %s is typed", async (typed) => {
    await using w = await open(service)
    expect((await w.fetch("alphafold", typed)).outcomes).toMatchObject([{ kind: "record", id: "P05067" }])
    expect(paths(w)).toEqual(["alphafold.ebi.ac.uk/api/prediction/P05067"])
  })

  test.each(["A4_HUMAN", "APP", "AF-P05067-F2"])("is not asked for by %s", async (typed) => {
    await using w = await open(service)
    expect((await w.fetch("alphafold", typed)).outcomes).toMatchObject([{ failure: { code: "invalid_id" } }])
    expect(paths(w)).toEqual([])
  })

  const none: [string, Reply][] = [
    ["a 404", notFound],
    ["an empty array", { body: "[]" }],
  ]
  test.each(none)("that is not there is a miss: %s", async (_, reply) => {
    await using w = await open(() => reply)
    expect((await w.fetch("alphafold", "Q01628")).outcomes).toMatchObject([
      { kind: "miss", reason: expect.stringContaining("UniProt") },
    ])
    expect((await w.file("alphafold", "cif", "Q01628")).outcomes).toMatchObject([{ kind: "miss" }])
  })
})

const formats: [string, string, string][] = [
  ["cif", "AF-P05067-F1-model_v6.cif", "P05067.cif"],
  ["bcif", "AF-P05067-F1-model_v6.bcif", "P05067.bcif"],
  ["pdb", "AF-P05067-F1-model_v6.pdb", "P05067.pdb"],
  ["pae", "AF-P05067-F1-predicted_aligned_error_v6.json", "P05067.pae.json"],
  ["pae-image", "AF-P05067-F1-predicted_aligned_error_v6.png", "P05067.pae-image.png"],
  ["plddt", "AF-P05067-F1-confidence_v6.json", "P05067.plddt.json"],
  ["msa", "msa/AF-P05067-F1-msa_v6.a3m", "P05067.msa.a3m"],
  ["am", "AF-P05067-F1-aa-substitutions.csv", "P05067.am.csv"],
  ["am-hg19", "AF-P05067-F1-hg19.csv", "P05067.am-hg19.csv"],
  ["am-hg38", "AF-P05067-F1-hg38.csv", "P05067.am-hg38.csv"],
]

describe("files", () => {
  test.each(formats)("the %s is where the asked model's record says", async (format, address, name) => {
    await using w = await open(service)
    expect((await w.file("alphafold", format, "P05067")).outcomes).toMatchObject([
      { kind: "file", url: `${FILES}/${address}`, saved: { path: `.openscience/fetch/alphafold/${name}` } },
    ])
  })

  test("json is the answer of the API, and there is a test for every format that is declared", async () => {
    await using w = await open(service)
    expect((await w.file("alphafold", "json", "P05067-2")).outcomes).toMatchObject([
      { kind: "file", url: "https://alphafold.ebi.ac.uk/api/prediction/P05067" },
    ])
    expect([...formats.map(([format]) => format), "json"]).toEqual(Object.keys(alphafold.files))
  })

  test("an isoform's file is the isoform's, not the canonical model's", async () => {
    await using w = await open(service)
    expect((await w.file("alphafold", "pdb", "P05067-2")).outcomes).toMatchObject([
      { kind: "file", url: `${FILES}/AF-P05067-2-F1-model_v6.pdb` },
    ])
  })

  test("of an isoform whose query answers canonical and isoform together, it is the isoform's", async () => {
    await using w = await open((request) => {
      if (request.path.endsWith("/P05067-2")) return { body: JSON.stringify([model("P05067"), model("P05067-2")]) }
      return request.path.startsWith("/api/") ? notFound : service(request)
    })
    expect((await w.file("alphafold", "pdb", "P05067-2")).outcomes).toMatchObject([
      { kind: "file", url: `${FILES}/AF-P05067-2-F1-model_v6.pdb` },
    ])
  })

  test("AlphaMissense of an isoform is a miss that says why", async () => {
    await using w = await open(service)
    for (const format of ["am", "am-hg19", "am-hg38"])
      expect((await w.file("alphafold", format, "P05067-2")).outcomes).toMatchObject([
        { kind: "miss", reason: "AlphaMissense was run on the canonical sequences of human proteins only" },
      ])
  })

  test("an address that the record leaves empty is a miss", async () => {
    await using w = await open(() => ({ body: JSON.stringify([{ ...model("P05067"), bcifUrl: "", msaUrl: null }]) }))
    for (const format of ["bcif", "msa"])
      expect((await w.file("alphafold", format, "P05067")).outcomes).toMatchObject([
        { kind: "miss", reason: "the record of this model names no such file; fetch another format" },
      ])
  })

  test("of an isoform without a model there is none, and the neighbour's is not taken", async () => {
    await using w = await open(service)
    expect((await w.file("alphafold", "pdb", "P05067-5")).outcomes).toMatchObject([{ kind: "miss" }])
    expect(await readdir(w.directory)).toEqual([])
  })

  test("a complex has one file for all its chains", async () => {
    await using w = await open(service)
    expect((await w.file("alphafold", "cif", COMPLEX)).outcomes).toMatchObject([
      { kind: "file", url: `${FILES}/${COMPLEX}-model_v1.cif` },
    ])
  })

  test("an address on another host is not followed", async () => {
    await using w = await open(() => ({
      body: JSON.stringify([{ ...model("P05067"), cifUrl: "https://example.org/AF-P05067-F1-model_v6.cif" }]),
    }))
    expect((await w.file("alphafold", "cif", "P05067")).outcomes).toMatchObject([
      { failure: { code: "forbidden_host" } },
    ])
  })
})

describe("search", () => {
  const hit = {
    entryType: "UniProtKB reviewed (Swiss-Prot)",
    primaryAccession: "P05067",
    uniProtkbId: "A4_HUMAN",
    proteinDescription: { recommendedName: { fullName: { value: "Amyloid-beta precursor protein" } } },
    genes: [{ geneName: { value: "APP" } }],
    organism: { scientificName: "Homo sapiens" },
    sequence: { length: 770 },
  }
  const query = ({ path }: Seen) => new URL(path, "https://rest.uniprot.org").searchParams.get("query")

  test("is one request to UniProt for entries that have a model here, and says so", async () => {
    const cursor = "37l4wrqb9amo8tvbcegxssucuyenbk0ypl3jrmh3ct"
    const link = `<https://rest.uniprot.org/uniprotkb/search?query=x&cursor=${cursor}&size=1>; rel="next"`
    await using w = await open(() => ({
      headers: { "x-total-results": "42", link },
      body: JSON.stringify({ results: [hit] }),
    }))
    const { result } = await w.search("alphafold", "amyloid precursor", { limit: 1, organism: "9606" })
    expect(result).toMatchObject({
      kind: "hits",
      total: 42,
      next: cursor,
      hits: [
        {
          id: "P05067",
          title: "Amyloid-beta precursor protein",
          summary: "APP · Homo sapiens · 770 aa · reviewed",
        },
      ],
      notes: [expect.stringContaining("searched in UniProt")],
    })
    expect(w.server.requests.map(({ host }) => host)).toEqual(["rest.uniprot.org"])
    expect(w.server.requests.map(query)).toEqual(["(amyloid precursor) AND organism_id:9606 AND database:alphafolddb"])
  })

  const byId: [string, string][] = [
    ["AF-P05067-F1", "(accession:P05067) AND database:alphafolddb"],
    ["p05067-2", "(accession:P05067) AND database:alphafolddb"],
    ["gene_exact:APP OR gene_exact:APLP2", "(gene_exact:APP OR gene_exact:APLP2) AND database:alphafolddb"],
  ]
  test.each(byId)("%s is sent as %s", async (typed, expected) => {
    await using w = await open(() => ({ body: '{"results":[]}' }))
    await w.search("alphafold", typed)
    expect(w.server.requests.map(query)).toEqual([expected])
  })
})

const outages: [string, Reply, string][] = [
  ["a 503", { status: 503, body: "" }, "unavailable"],
  ["a 429", { status: 429, headers: { "retry-after": "0" }, body: "" }, "rate_limited"],
  [
    "a page under 200",
    { headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><p>Maintenance" },
    "bad_response",
  ],
  ["a page under 404", { status: 404, headers: { "content-type": "text/html" }, body: "<html>gone" }, "bad_response"],
  ["an error under 200", { body: '{"error":"internal"}' }, "bad_response"],
  ["a body that is cut off", { body: '[{"uniprotAccession":"P05' }, "bad_response"],
]

describe("an outage is a failure, never a miss or an empty page:", () => {
  test.each(outages)("%s", async (_, reply, code) => {
    await using w = await open(() => reply)
    expect((await w.search("alphafold", "p53")).result).toMatchObject({ kind: "failure", failure: { code } })
    expect((await w.fetch("alphafold", "P05067")).outcomes).toMatchObject([{ kind: "failure", failure: { code } }])
    expect((await w.file("alphafold", "cif", "P05067")).outcomes).toMatchObject([
      { kind: "failure", failure: { code } },
    ])
  })

  test("a page or half a file in place of a model", async () => {
    for (const body of ["<html><body>Maintenance", "HEADER    PREDICTION\nATOM      1  N   MET"]) {
      await using w = await open((request) =>
        request.path.startsWith("/files/") ? { headers: binary, body } : service(request),
      )
      expect((await w.file("alphafold", "pdb", "P05067")).outcomes).toMatchObject([
        { failure: { code: "bad_response" } },
      ])
    }
  })

  test("an element without its accession is a changed answer, which is named", async () => {
    await using w = await open(() => ({ body: JSON.stringify([{ ...model("P05067"), uniprotAccession: undefined }]) }))
    const { outcomes } = await w.fetch("alphafold", "P05067")
    expect(outcomes[0]).toHaveProperty("failure.message", expect.stringContaining("uniprotAccession"))
  })

  test("a malformed id that the service refuses is a refusal", async () => {
    await using w = await open(() => ({ status: 422, body: '{"detail":[{"msg":"invalid qualifier"}]}' }))
    expect((await w.fetch("alphafold", "P05067")).outcomes).toMatchObject([{ failure: { code: "invalid_id" } }])
  })
})
