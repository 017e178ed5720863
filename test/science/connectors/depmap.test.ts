import { readdir, readFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, test } from "bun:test"
import depmap from "../../../src/science/connectors/datasets/depmap.ts"
import { looksLikeOne, normalizeId } from "../../../src/science/ids.ts"
import type { Reply, Seen } from "../../support/loopback.ts"
import { world } from "../../support/world.ts"

const serve = (answer: (request: Seen) => Reply | undefined) => world(answer, { connectors: [depmap] })

const HEADER = "release,release_date,filename,url,md5_hash"
const SIGNED =
  "https://storage.googleapis.com/depmap-external-downloads/x.txt.gz?GoogleAccessId=a&Expires=1&Signature=b"
/** As the list comes: not in order, with releases of several data sets, quoted names, links of every kind and of none. */
const LIST = [
  HEADER,
  "DepMap Public 24Q4,2024-12-16,Model.csv,https://ndownloader.figshare.com/files/51065297,aaa",
  "DepMap Public 24Q4,2024-12-16,CRISPRGeneEffect.csv,https://figshare.com/ndownloader/files/51064667,bbb",
  "DepMap Public 24Q4,2024-12-16,README.txt,https://ndownloader.figshare.com/files/51065300,ccc",
  "DepMap Public 26Q1,2026-04-01,Model.csv,,ddd",
  "DepMap Public 26Q1,2026-04-01,OmicsSomaticMutations.csv,,eee",
  '"CCLE 2019, methylation",2018-10-22,"CCLE_RRBS ""TSS"".txt.gz",' + SIGNED + ",fff",
  "Odd 20Q1,2020-01-02,odd.csv,not an address,hhh",
  "Proteomics,2020-01-01,protein_quant.csv,https://gygi.hms.harvard.edu/publications/ccle.html,",
  "Twins 20Q1,2020-02-01,twin.csv,https://ndownloader.figshare.com/files/1,g1",
  "Twins 20Q1,2020-02-01,twin.csv,https://ndownloader.figshare.com/files/2,g2",
].join("\r\n")
const csv = (body: string): Reply => ({ headers: { "content-type": "text/csv" }, body })

const WALL: Reply = {
  headers: { "content-type": "text/html" },
  body: "<!DOCTYPE html><html><head><title>DepMap — Verification</title><script src='https://challenges.cloudflare.com/turnstile/v0/api.js'></script></head></html>",
}
const ARTICLE = {
  id: 27993248,
  title: "DepMap 24Q4 Public",
  doi: "10.25452/figshare.plus.27993248.v1",
  license: { name: "CC BY 4.0" },
}

const places = (request: Seen): Reply | undefined => {
  if (request.host === "depmap.org") return csv(LIST)
  if (request.host === "api.figshare.com") return JSON.stringify(ARTICLE)
  return undefined
}
const asked = (w: { server: { requests: Seen[] } }) => w.server.requests.map(({ host, path }) => host + path)
const CATALOGUE = "depmap.org/portal/api/no-captcha/download/files"

describe("a search", () => {
  test("scans the one list, newest release first, for names that hold every word", async () => {
    await using w = await serve(places)
    const { result } = await w.search("depmap", "model CSV")
    expect(result).toMatchObject({
      kind: "hits",
      total: 2,
      notes: [],
      hits: [
        {
          id: "26Q1/Model.csv",
          title: "Model.csv",
          summary: "DepMap Public 26Q1 · 2026-04-01",
          marks: ["no direct link"],
        },
        { id: "24Q4/Model.csv", summary: "DepMap Public 24Q4 · 2024-12-16" },
      ],
    })
    expect(asked(w)).toEqual([CATALOGUE])
  })

  test("of a release and a name is of that release only", async () => {
    await using w = await serve(places)
    for (const query of ["24Q4 CRISPRGeneEffect", "24q4/crisprgeneeffect.csv"])
      expect((await w.search("depmap", query)).result).toMatchObject({
        total: 1,
        hits: [{ id: "24Q4/CRISPRGeneEffect.csv" }],
      })
  })

  test("goes page by page and ends", async () => {
    await using w = await serve(places)
    const first = await w.search("depmap", "24Q4", { limit: 2 })
    expect(first.result).toMatchObject({ total: 3, next: "2" })
    const last = await w.search("depmap", "24Q4", { limit: 2, cursor: "2" })
    expect(last.result).toMatchObject({ total: 3, hits: [{ title: "README.txt" }] })
    expect(last.result).not.toHaveProperty("next")
  })

  test("asks for the list once, and keeps it", async () => {
    await using w = await serve(places)
    await w.search("depmap", "Model.csv")
    await w.search("depmap", "CRISPR")
    await w.fetch("depmap", "26Q1/Model.csv")
    expect(asked(w)).toEqual([CATALOGUE])
  })

  test("for a gene or a cell line finds nothing and says where these are", async () => {
    await using w = await serve(places)
    for (const query of ["KRAS", "A375"])
      expect((await w.search("depmap", query)).result).toMatchObject({
        total: 0,
        hits: [],
        notes: [expect.stringContaining("inside CRISPRGeneEffect.csv and Model.csv")],
      })
  })

  test("for a name of an earlier release tells the present one", async () => {
    await using w = await serve(places)
    expect((await w.search("depmap", "Achilles_gene_effect.csv")).result).toMatchObject({
      notes: ["an old name: since 22Q4 it is CRISPRGeneEffect.csv", expect.any(String)],
    })
  })
})

describe("the list", () => {
  test("that is a human check is a failure that says so, never no hits and never a miss", async () => {
    await using w = await serve(() => WALL)
    for (const outcome of [
      (await w.search("depmap", "Model.csv")).result,
      (await w.fetch("depmap", "24Q4/Model.csv")).outcomes[0],
      (await w.file("depmap", "csv", "24Q4/Model.csv")).outcomes[0],
    ]) {
      expect(outcome).toMatchObject({ kind: "failure", failure: { code: "unavailable", retryable: false } })
      expect(JSON.stringify(outcome)).toContain("human check")
    }
    expect(w.server.requests).toHaveLength(3)
    expect(await readdir(w.directory)).toEqual([])
  })

  test("that lost a column, is empty, or is cut off is a failure that names what is wrong", async () => {
    for (const [body, why] of [
      ["release,release_date,filename\r\nDepMap Public 24Q4,2024-12-16,Model.csv", "md5_hash"],
      [HEADER, "empty or cut off"],
      [`${HEADER}\r\nDepMap Public 24Q4,2024-12-16,Mod`, "empty or cut off"],
      ['{"table":[],"data":[]}', "no CSV"],
    ] as const) {
      await using w = await serve(() => csv(body))
      const { result } = await w.search("depmap", "Model.csv")
      expect(result).toMatchObject({ kind: "failure", failure: { code: "bad_response" } })
      expect(JSON.stringify(result)).toContain(why)
    }
  })

  test("may lack the column of links, which it had to give up once", async () => {
    const body = LIST.split("\r\n")
      .slice(0, 2)
      .map((line) => line.split(",").filter((_, i) => i !== 3))
      .join("\r\n")
    await using w = await serve(() => csv(body))
    expect((await w.fetch("depmap", "24Q4/Model.csv")).outcomes).toMatchObject([
      { kind: "record", record: { filename: "Model.csv", md5_hash: "aaa" } },
    ])
  })
})

describe("a record", () => {
  test("of a file is its line of the list", async () => {
    await using w = await serve(places)
    expect((await w.fetch("depmap", "24q4 model.csv")).outcomes).toMatchObject([
      {
        kind: "record",
        record: {
          release: "DepMap Public 24Q4",
          release_date: "2024-12-16",
          filename: "Model.csv",
          url: "https://ndownloader.figshare.com/files/51065297",
          md5_hash: "aaa",
        },
        remarks: [],
        url: "https://depmap.org/portal/data_page/?tab=allData&releasename=DepMap%20Public%2024Q4&filename=Model.csv",
      },
    ])
  })

  test("without a link says that a person must download the file", async () => {
    await using w = await serve(places)
    const { outcomes } = await w.fetch("depmap", "26Q1/Model.csv")
    expect(outcomes).toMatchObject([
      { kind: "record", remarks: ["DepMap gives no direct link to it: a person downloads it on its page"] },
    ])
  })

  test("holds no link that expires, which is as good as none", async () => {
    await using w = await serve(places)
    const { outcomes } = await w.fetch("depmap", 'CCLE 2019, methylation/CCLE_RRBS "TSS".txt.gz')
    expect(outcomes).toMatchObject([{ kind: "record", record: { release: "CCLE 2019, methylation", md5_hash: "fff" } }])
    expect(JSON.stringify(outcomes)).not.toContain("Signature")
  })

  test("of a release lists its files, with figshare's article where there is one", async () => {
    await using w = await serve(places)
    const { outcomes } = await w.fetch("depmap", "DepMap 24Q4 Public")
    expect(outcomes).toMatchObject([
      {
        kind: "record",
        id: "24Q4",
        record: {
          release: "DepMap Public 24Q4",
          release_date: "2024-12-16",
          files: [{ filename: "Model.csv" }, { filename: "CRISPRGeneEffect.csv" }, { filename: "README.txt" }],
          figshare: ARTICLE,
        },
        incomplete: [],
      },
    ])
    expect(asked(w)).toEqual([CATALOGUE, "api.figshare.com/v2/articles/27993248"])
    const newer = await w.fetch("depmap", "26Q1")
    expect(newer.outcomes).toMatchObject([
      { kind: "record", remarks: ["0 of its 2 files have a direct link"], incomplete: [] },
    ])
    expect(newer.outcomes[0]).not.toHaveProperty("record.figshare")
  })

  test("whose article cannot be had, or is another one, says that this part is missing", async () => {
    for (const reply of [{ status: 503 }, JSON.stringify({ ...ARTICLE, id: 1 })]) {
      await using w = await serve((request) => (request.host === "api.figshare.com" ? reply : places(request)))
      expect((await w.fetch("depmap", "24Q4")).outcomes).toMatchObject([
        { kind: "record", incomplete: ["figshare's article (DOI, licence, sizes)"] },
      ])
    }
  })

  test("of no release, no file, or a cell line is a miss that says what to do", async () => {
    await using w = await serve(places)
    const { outcomes } = await w.fetch("depmap", "23Q1", "24Q4/sample_info.csv", "ach-000001", "24Q4/Model.csv")
    expect(outcomes).toMatchObject([
      { kind: "miss", reason: "there is no release 23Q1; the newest are 26Q1, 24Q4" },
      { kind: "miss", reason: "24Q4 has no such file; since 22Q4 it is Model.csv: fetch 24Q4 for its list" },
      { kind: "miss", id: "ACH-000001", reason: expect.stringContaining("rows of Model.csv") },
      { kind: "record" },
    ])
    expect(asked(w)).toEqual([CATALOGUE])
  })

  test("of a name that two files share is both, and says so", async () => {
    await using w = await serve(places)
    expect((await w.fetch("depmap", "Twins 20Q1/twin.csv")).outcomes).toMatchObject([
      {
        kind: "record",
        record: [{ md5_hash: "g1" }, { md5_hash: "g2" }],
        remarks: ["2 files of this release have this name"],
      },
    ])
  })
})

describe("a file", () => {
  test("is downloaded where the list says, through figshare's redirect", async () => {
    await using w = await serve((request) => {
      if (request.host === "ndownloader.figshare.com")
        return {
          status: 302,
          headers: {
            location: "https://s3-eu-west-1.amazonaws.com/pfigshare-u-files/51065297/Model.csv?X-Amz-Expires=10",
          },
        }
      if (request.host === "s3-eu-west-1.amazonaws.com") return csv("ModelID,CellLineName\nACH-000001,NIH:OVCAR-3\n")
      return places(request)
    })
    const { outcomes } = await w.file("depmap", "csv", "24Q4/Model.csv")
    const [outcome] = outcomes
    if (outcome?.kind !== "file") throw new Error("no file")
    expect(await readFile(path.join(w.directory, outcome.saved.path), "utf8")).toStartWith("ModelID,")
    expect(asked(w).slice(0, 2)).toEqual([CATALOGUE, "ndownloader.figshare.com/files/51065297"])
  })

  test("has one address at figshare, however the list spells it", async () => {
    await using w = await serve(places)
    await w.file("depmap", "csv", "24Q4/CRISPRGeneEffect.csv")
    expect(asked(w)[1]).toBe("ndownloader.figshare.com/files/51064667")
  })

  test("that figshare fetches from its archive is a failure to try again, with nothing on disk", async () => {
    await using w = await serve((request) =>
      request.host === "ndownloader.figshare.com"
        ? { status: 202, headers: { "content-type": "text/csv" } }
        : places(request),
    )
    const { outcomes } = await w.file("depmap", "csv", "24Q4/Model.csv")
    expect(outcomes).toMatchObject([{ kind: "failure", failure: { code: "unavailable", retryable: true } }])
    expect(JSON.stringify(outcomes)).toContain("archive")
    expect(await readdir(w.directory)).toEqual([])
  })

  test("whose link ran out on the way is asked for again from its start", async () => {
    let tries = 0
    await using w = await serve((request) => {
      if (request.host === "ndownloader.figshare.com")
        return { status: 302, headers: { location: `https://s3-eu-west-1.amazonaws.com/x?${++tries}` } }
      if (request.host === "s3-eu-west-1.amazonaws.com")
        return tries === 1
          ? {
              status: 403,
              headers: { "content-type": "application/xml" },
              body: "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>",
            }
          : csv("ModelID\nACH-000001\n")
      return places(request)
    })
    expect((await w.file("depmap", "csv", "24Q4/Model.csv")).outcomes).toMatchObject([{ kind: "file" }])
    expect(tries).toBe(2)
  })

  test("without a link, outside, of another kind, of a whole release or shared by two is a miss that says so", async () => {
    await using w = await serve(places)
    for (const [format, id, why] of [
      ["csv", "26Q1/Model.csv", "a person downloads it"],
      ["file", 'CCLE 2019, methylation/CCLE_RRBS "TSS".txt.gz', "a person downloads it"],
      ["csv", "Proteomics/protein_quant.csv", "it lies outside DepMap and figshare: https://gygi.hms.harvard.edu"],
      ["csv", "Odd 20Q1/odd.csv", "it lies outside DepMap and figshare: not an address"],
      ["csv", "24Q4/README.txt", "ask for the format file"],
      ["csv", "24Q4", "name one, 24Q4/Model.csv"],
      ["csv", "ACH-000001", "rows of Model.csv"],
      ["csv", "Twins 20Q1/twin.csv", "2 different files"],
      ["file", "24Q4/NoSuchFile.csv", "24Q4 has no such file"],
    ] as const)
      expect((await w.file("depmap", format, id)).outcomes).toMatchObject([
        { kind: "miss", reason: expect.stringContaining(why) },
      ])
    expect(await readdir(w.directory)).toEqual([])
    expect(asked(w).every((place) => place === CATALOGUE)).toBe(true)
  })
})

test("ids are read in the spellings that people use, and papers' ids are none", () => {
  for (const [typed, id] of [
    ["DepMap Public 24Q4", "24Q4"],
    ["24q2", "24Q2"],
    ["10.25452/figshare.plus.27993248.v1", "24Q4"],
    ["25880521", "24Q2"],
    ["DepMap Public 24Q4/Model.csv", "24Q4/Model.csv"],
    ["depmap:ach-000001", "ACH-000001"],
  ] as const)
    expect(normalizeId(depmap, typed)).toBe(id)
  for (const other of ["hep-th/9901001", "10.1038/ng.590", "10.1021/ac010694+", "24Q5", "Model.csv", "../x/Model.csv"])
    expect(looksLikeOne(depmap, other)).toBe(false)
})
