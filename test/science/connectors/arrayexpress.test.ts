import { describe, expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import path from "node:path"
import arrayexpress from "../../../src/science/connectors/expression/arrayexpress.ts"
import { looksLikeOne, normalizeId, splitIds } from "../../../src/science/ids.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const mageTab = (name: string, type: string) => ({
  path: name,
  size: 1,
  attributes: [{ name: "Type", value: type }],
  type: "file",
})

/** Files and subsections stand alone or in a list of their own, as in the archive. */
const study = (accno: string, files: unknown[] = []) => ({
  accno,
  attributes: [{ name: "Title", value: "AGS cells in 2D and in 3D" }],
  section: {
    accno: `s-${accno}`,
    type: "Study",
    attributes: [
      { name: "Organism", value: "Homo sapiens" },
      { name: "Organism", value: "Mus musculus" },
    ],
    subsections: [
      [{ type: "Protocols", attributes: [{ name: "Name", value: "P-MTAB-27772" }] }],
      {
        type: "Assays and Data",
        subsections: [
          { type: "Raw Data", files: [[{ path: "raw/2D 1.txt", size: 6671500, type: "file" }]] },
          { type: "MAGE-TAB Files", files: [files] },
        ],
      },
    ],
  },
  type: "submission",
})

const STUDIES = [
  study("E-MTAB-1234", [mageTab("E-MTAB-1234.idf.txt", "IDF File"), mageTab("E-MTAB-1234.sdrf.txt", "SDRF File")]),
  study("E-GEOD-16059"),
  study("E-MEXP-7", [{ path: "E-MEXP-7.sdrf.txt", size: 1, type: "file" }]),
  study("E-MTAB-5", [mageTab("E-MTAB-5.hyb.sdrf.txt", "SDRF File"), mageTab("E-MTAB-5.seq.sdrf.txt", "SDRF File")]),
]
const NOT_FOUND: Reply = { status: 404, body: '{"errorMessage":"Study not found"}' }
const PAGE_404: Reply = {
  status: 404,
  headers: { "content-type": "text/html" },
  body: "<!DOCTYPE html><title>Not found</title>",
}
const MIRROR = "https://ftp.ebi.ac.uk/pub/databases/biostudies/E-MTAB-/234/E-MTAB-1234"

/** The archive: only the study's own address says 404, and files are led to the mirror. */
function archive({ host, path: sent }: Seen): Reply {
  const [, accession = "", rest = ""] = /^\/biostudies\/api\/v1\/studies\/([^/?]+)(.*)$/.exec(sent) ?? []
  const found = STUDIES.find(({ accno }) => accno === accession)
  if (accession && rest === "") return found ? JSON.stringify(found) : NOT_FOUND
  if (rest === "/info")
    return JSON.stringify(
      found
        ? {
            files: accession === "E-MTAB-5" ? 1200 : accession === "E-GEOD-16059" ? 0 : 8,
            httpLink: MIRROR,
            isPublic: true,
          }
        : {},
    )
  if (rest.startsWith("/files"))
    return JSON.stringify(
      found ? { items: [{ path: "a" }], pagination: { total: 1 } } : { items: [], pagination: { total: 0 } },
    )
  const [, file] = /^\/biostudies\/files\/E-(?:MTAB-1234|MEXP-7)\/(.+)$/.exec(sent) ?? []
  if (file && /sdrf|idf|raw/.test(file) && !/%[89A-F]/.test(file))
    return { status: 302, headers: { location: `${MIRROR}/Files/${file}` } }
  if (host === "ftp.ebi.ac.uk")
    return {
      headers: { "content-type": "text/plain" },
      body: sent.endsWith(".xml")
        ? "<submission></submission>"
        : "Source Name\tCharacteristics[organism]\nAGS\tHomo sapiens\n",
    }
  return PAGE_404
}

const open = (answer: (request: Seen) => Reply | undefined = archive) => world(answer, { connectors: [arrayexpress] })
type World = Awaited<ReturnType<typeof open>>

const one = async (w: World, id: string) => (await w.fetch("arrayexpress", id)).outcomes[0]
const file = async (w: World, format: string, id: string) => (await w.file("arrayexpress", format, id)).outcomes[0]

const hit = (accession: string, more = {}) => ({
  accession,
  type: "study",
  title: "DNA methylation",
  author: "A B",
  links: 2,
  files: 26,
  release_date: "2014-08-12",
  views: 58,
  isPublic: true,
  content: `${accession} DNA methylation in blood ...`,
  ...more,
})
const found = (hits: unknown[], totalHits: number, more = {}): Reply =>
  JSON.stringify({
    page: 1,
    pageSize: 3,
    totalHits,
    isTotalHitsExact: true,
    expandedEfoTerms: [],
    expandedSynonyms: [],
    facets: null,
    hits,
    nextCursor: null,
    ...more,
  })

async function search(w: World, query: string, more: Parameters<World["search"]>[2] = {}) {
  const { result } = await w.search("arrayexpress", query, more)
  if (result.kind !== "hits") throw new Error(result.failure.message)
  return result
}
const parameters = ({ path: sent }: Seen) => new URL(sent, "https://www.ebi.ac.uk").searchParams

async function sent(query: string, more: Parameters<World["search"]>[2] = {}) {
  await using w = await open(() => found([], 0))
  await search(w, query, more)
  return w.server.requests.map((request) => parameters(request).get("query"))[0]
}

describe("ids", () => {
  test("an accession is sent in capitals, whatever was typed, since the service tells letter case apart", async () => {
    for (const typed of [
      "e-mtab-1234",
      "EMTAB-1234",
      "E-MTAB1234",
      "E_MTAB_1234",
      "https://www.ebi.ac.uk/biostudies/studies/E-MTAB-1234",
      "https://www.ebi.ac.uk/arrayexpress/experiments/E-MTAB-1234/",
    ])
      expect(normalizeId(arrayexpress, typed)).toBe("E-MTAB-1234")
    await using w = await open()
    expect(await one(w, "e-mtab-1234")).toMatchObject({ kind: "record", id: "E-MTAB-1234" })
    expect(w.server.requests.map((request) => request.path)).toEqual(["/biostudies/api/v1/studies/E-MTAB-1234"])
  })

  test("a GEO series is asked for as the copy that ArrayExpress may have of it", async () => {
    await using w = await open()
    expect(await one(w, "GSE16059")).toMatchObject({
      kind: "record",
      id: "E-GEOD-16059",
      remarks: ["a copy of GSE16059 in GEO, as it was when it was imported"],
    })
  })

  test("a file is named by its path, in the letter case that it has, and never by one that leads out of the study", () => {
    expect(normalizeId(arrayexpress, "e-mtab-1234/raw/2D 1.txt")).toBe("E-MTAB-1234/raw/2D 1.txt")
    expect(looksLikeOne(arrayexpress, "E-MTAB-1234/Größe.txt")).toBe(true)
    for (const hostile of [
      "E-MTAB-1234/../E-MTAB-5/x",
      "E-MTAB-1234/..",
      "E-MTAB-1234/a/./b",
      "E-MTAB-1234/a\\b",
      "E-MTAB-1234/%2e%2e/x",
      "E-MTAB-1234/",
    ])
      expect(`${hostile} ${arrayexpress.ids.pattern.test(hostile)}`).toBe(`${hostile} false`)
    expect(splitIds(arrayexpress, "E-MTAB-1234, GSE16059")).toEqual(["E-MTAB-1234", "GSE16059"])
  })
})

describe("record", () => {
  test("a study is given as it is, attributes that repeat and lists in lists included", async () => {
    await using w = await open()
    expect(await one(w, "E-MTAB-1234")).toMatchObject({ kind: "record", record: STUDIES[0], incomplete: [] })
  })

  test("an unknown study is a miss that says that it may not be released yet", async () => {
    await using w = await open()
    expect(await one(w, "E-MTAB-99999999")).toMatchObject({
      kind: "miss",
      reason: expect.stringContaining("may still be private"),
    })
  })

  test("a refusal and an outage are failures, not misses", async () => {
    for (const status of [403, 500, 502]) {
      await using w = await open(() => ({ status, body: '{"errorMessage":"no"}' }))
      expect(await one(w, "E-MTAB-1234")).toMatchObject({ kind: "failure", failure: { code: "unavailable" } })
    }
  })

  test("another study than the asked one is a miss", async () => {
    await using w = await open(() => JSON.stringify(study("E-MTAB-4321")))
    expect(await one(w, "E-MTAB-1234")).toMatchObject({ kind: "miss", reason: expect.stringContaining("E-MTAB-4321") })
  })

  test("the name of a file is no record, and leads to the format", async () => {
    await using w = await open()
    expect(await one(w, "E-MTAB-1234/x.txt")).toMatchObject({
      kind: "miss",
      reason: expect.stringContaining("the format file"),
    })
    expect(w.server.requests).toHaveLength(0)
  })
})

describe("search", () => {
  test("words are joined by AND, since a blank is OR to the service", async () => {
    expect(await sent("chronic fatigue")).toBe("chronic AND fatigue")
    expect(await sent('organism:"Mus musculus" cardiac "single cell"')).toBe(
      'organism:"Mus musculus" AND cardiac AND "single cell"',
    )
    expect(await sent('"heart ( left ) side" x')).toBe('"heart ( left ) side" AND x')
    expect(await sent("cardiac OR lymphatic")).toBe("cardiac OR lymphatic")
    expect(await sent("(cardiac OR heart) mouse")).toBe("( cardiac OR heart ) AND mouse")
    expect(await sent("release_date:[2026-01-01 TO 2026-12-31] rat")).toBe(
      "release_date:[2026-01-01 TO 2026-12-31] AND rat",
    )
  })

  test("a NOT has something to take away from", async () => {
    expect(await sent("NOT accession:E-GEOD*")).toBe("*:* NOT accession:E-GEOD*")
    expect(await sent("melanoma NOT mouse")).toBe("melanoma NOT mouse")
    expect(await sent("*")).toBe("*:*")
    expect(await sent("*:* NOT accession:E-GEOD*")).toBe("*:* NOT accession:E-GEOD*")
  })

  test("what the grammar reserves is escaped in words, hyphens within them left", async () => {
    expect(await sent("RNA-seq -old IL-2/IL-15 what? a:b")).toBe(
      "RNA-seq AND \\-old AND IL-2\\/IL-15 AND what\\? AND a\\:b",
    )
  })

  test("parentheses that do not match are refused", async () => {
    await using w = await open()
    for (const query of ["(a", "a)", ")a("])
      expect((await w.search("arrayexpress", query)).result).toMatchObject({ failure: { code: "invalid_query" } })
    expect(w.server.requests).toHaveLength(0)
  })

  test("an accession finds itself, and a GEO series its copy", async () => {
    expect(await sent("e-mtab-1234")).toBe("accession:E-MTAB-1234")
    expect(await sent("GSE16908")).toBe("accession:E-GEOD-16908")
  })

  test("an organism limits the whole query, by its Latin name", async () => {
    expect(await sent("heart OR liver", { organism: "mouse" })).toBe('(heart OR liver) AND organism:"Mus musculus"')
    expect(await sent("heart", { organism: "9606" })).toBe('(heart) AND organism:"Homo sapiens"')
    expect(await sent("heart", { organism: "Bombyx mori" })).toBe('(heart) AND organism:"Bombyx mori"')
  })

  test("a taxon whose name is not known here is refused, not dropped", async () => {
    await using w = await open()
    expect((await w.search("arrayexpress", "heart", { organism: "7091" })).result).toMatchObject({
      failure: { code: "invalid_query", message: expect.stringContaining("Latin name") },
    })
    expect(w.server.requests).toHaveLength(0)
  })

  test("a hit has its date, its number of files, and its text without accession and title once more", async () => {
    await using w = await open(() =>
      found([hit("E-GEOD-59489"), hit("E-MTAB-2", { title: null, content: null, files: 0 })], 2),
    )
    expect((await search(w, "blood")).hits).toEqual([
      { id: "E-GEOD-59489", title: "DNA methylation", summary: "released 2014-08-12 · 26 files · in blood ..." },
      { id: "E-MTAB-2", title: "E-MTAB-2", summary: "released 2014-08-12 · 0 files" },
    ])
  })

  test("a total that is an estimate is said to be one, and pages go on while they are full", async () => {
    await using w = await open(() => found([hit("E-MTAB-1"), hit("E-MTAB-2")], 2, { isTotalHitsExact: false }))
    expect(await search(w, "x", { limit: 2 })).toMatchObject({
      total: 2,
      next: "2",
      notes: [expect.stringContaining("estimate")],
    })
  })

  test("an exact total ends the pages, and says nothing", async () => {
    await using w = await open(() => found([hit("E-MTAB-1"), hit("E-MTAB-2")], 2))
    const page = await search(w, "x", { limit: 2 })
    expect(page.notes).toEqual([])
    expect(page).not.toHaveProperty("next")
  })

  test("the words that the service added are named", async () => {
    await using w = await open(() =>
      found([], 0, { expandedEfoTerms: ["exhaustion", "tired"], expandedSynonyms: ["tired"] }),
    )
    expect((await search(w, "fatigue")).notes).toEqual(["also searched for: tired, exhaustion"])
  })

  test("a cursor leads to just the next hits, also when the limit changes", async () => {
    const all = Array.from({ length: 40 }, (_, i) => hit(`E-MTAB-${i}`))
    await using w = await open((request) => {
      const page = Number(parameters(request).get("page"))
      const size = Number(parameters(request).get("pageSize"))
      return found(all.slice((page - 1) * size, page * size), all.length)
    })
    const ids = async (limit: number, cursor?: string) =>
      (await search(w, "x", { limit, ...(cursor ? { cursor } : {}) })).hits.map(({ id }) => Number(id.slice(7)))
    expect(await ids(10)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(await ids(10, "10")).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
    expect(await ids(7, "15")).toEqual([15, 16, 17, 18, 19, 20, 21])
    expect(await ids(10, "35")).toEqual([35, 36, 37, 38, 39])
  })
})

describe("files", () => {
  test("the sample table is the file that the study calls so, followed to the mirror", async () => {
    await using w = await open()
    const outcome = await file(w, "sdrf", "E-MTAB-1234")
    expect(outcome).toMatchObject({
      kind: "file",
      url: `${MIRROR}/Files/E-MTAB-1234.sdrf.txt`,
      saved: { entries: { count: 2 } },
    })
    const text = outcome?.kind === "file" ? await readFile(path.join(w.directory, outcome.saved.path), "utf8") : ""
    expect(text).toStartWith("Source Name\t")
    expect(await file(w, "idf", "E-MTAB-1234")).toMatchObject({
      kind: "file",
      url: `${MIRROR}/Files/E-MTAB-1234.idf.txt`,
    })
  })

  test("a sample table that nobody called one is known by its name", async () => {
    await using w = await open()
    expect(await file(w, "sdrf", "E-MEXP-7")).toMatchObject({ kind: "file" })
  })

  test("a study with two sample tables, or with none, says so", async () => {
    await using w = await open()
    expect(await file(w, "sdrf", "E-MTAB-5")).toMatchObject({
      kind: "miss",
      reason:
        "it has 2 of them: fetch E-MTAB-5/E-MTAB-5.hyb.sdrf.txt, E-MTAB-5/E-MTAB-5.seq.sdrf.txt, with the format file",
    })
    expect(await file(w, "sdrf", "E-GEOD-16059")).toMatchObject({ kind: "miss", reason: "this study has no SDRF file" })
  })

  test("any file is had by its path, and a study alone tells which there are", async () => {
    await using w = await open()
    expect(await file(w, "file", "E-MTAB-1234/raw/2D 1.txt")).toMatchObject({ kind: "file" })
    expect(w.server.requests[0]?.path).toBe("/biostudies/files/E-MTAB-1234/raw/2D%201.txt")
    expect(await file(w, "file", "E-MTAB-1234")).toMatchObject({
      kind: "miss",
      reason: expect.stringContaining("E-MTAB-1234/raw/2D 1.txt, E-MTAB-1234/E-MTAB-1234.idf.txt"),
    })
    expect(await file(w, "file", "E-MTAB-1234/none.txt")).toMatchObject({ kind: "miss" })
  })

  test("a name beyond ASCII is taken from the mirror, which alone finds it", async () => {
    await using w = await open()
    expect(await file(w, "file", "E-MTAB-1234/raw/Größe.txt")).toMatchObject({ kind: "file" })
    expect(w.server.requests.at(-1)).toMatchObject({
      host: "ftp.ebi.ac.uk",
      path: "/pub/databases/biostudies/E-MTAB-/234/E-MTAB-1234/Files/raw/Gr%C3%B6%C3%9Fe.txt",
    })
  })

  test("of a study that is not there no format is an empty file", async () => {
    await using w = await open()
    for (const format of ["sdrf", "idf", "file", "filelist", "json", "pagetab", "xml"])
      expect(`${format} ${(await file(w, format, "E-MTAB-99"))?.kind}`).toBe(`${format} miss`)
  })

  test("the list of files is asked for as large as the service takes it, and refused where it would be cut", async () => {
    await using w = await open()
    expect(await file(w, "filelist", "E-MTAB-1234")).toMatchObject({ kind: "file" })
    expect(w.server.requests.at(-1)?.path).toBe("/biostudies/api/v1/studies/E-MTAB-1234/files?limit=1000")
    expect(await file(w, "filelist", "E-MTAB-5")).toMatchObject({ kind: "failure", failure: { code: "too_large" } })
    expect(await file(w, "filelist", "E-GEOD-16059")).toMatchObject({
      kind: "miss",
      reason: "this study has no files here",
    })
  })

  test("the study as table and as XML come from its folder on the mirror", async () => {
    await using w = await open()
    expect(await file(w, "pagetab", "E-MTAB-1234")).toMatchObject({ kind: "file", url: `${MIRROR}/E-MTAB-1234.tsv` })
    expect(await file(w, "xml", "E-MTAB-1234")).toMatchObject({ kind: "file", url: `${MIRROR}/E-MTAB-1234.xml` })
  })

  test("a mirror on another host is not followed", async () => {
    await using w = await open((request) =>
      request.path.endsWith("/info")
        ? JSON.stringify({ files: 1, httpLink: "https://example.org/x" })
        : archive(request),
    )
    expect(await file(w, "pagetab", "E-MTAB-1234")).toMatchObject({
      kind: "failure",
      failure: { code: "forbidden_host" },
    })
  })
})
