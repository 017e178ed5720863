import { defineConnector, Failure, Miss, pick, url, z } from "../../connector.ts"
import type { FileFormat, Json } from "../../connector.ts"
import { idsOfAll } from "../_several.ts"
import { catalogue, shortName } from "./_depmap-catalogue.ts"
import { ID, MODEL, normalize, partsOf, RELEASE } from "./_depmap-ids.ts"
import { find, recordsOf } from "./_depmap-records.ts"
import { search } from "./_depmap-search.ts"

export default defineConnector({
  id: "depmap",
  name: "DepMap",
  domain: "datasets",
  description: "cancer dependency releases: CRISPR, omics, drugs",
  homepage: "https://depmap.org/portal",
  license: "CC BY 4.0 for the releases on figshare (to 24Q4); later ones and partners' data: the portal's terms",
  cite: "DepMap, Broad (year): DepMap RELEASE Public, with the DOI of its figshare article; Tsherniak et al. Cell 170:564 (2017), doi:10.1016/j.cell.2017.06.010",
  ids: { curie: "depmap", pattern: ID, examples: ["24Q4/Model.csv", "24Q4"], normalize },
  probe: { query: "CRISPR", missing: "99Q4" },
  hosts: {
    // Its page asks not to be scraped: the one list is asked for once and kept.
    "depmap.org": { perSecond: 0.5, concurrent: 1 },
    "api.figshare.com": { perSecond: 1, concurrent: 1 },
    "ndownloader.figshare.com": { perSecond: 1, concurrent: 2 },
    // Where figshare's downloads lead to, by a link of a few seconds.
    "s3-eu-west-1.amazonaws.com": { perSecond: 2, concurrent: 2 },
  },
  url: "https://depmap.org/portal/data_page/?tab=allData&releasename={id}",
  page: (id) => {
    const [release = "", filename] = partsOf(id)
    const name = RELEASE.test(release) ? `DepMap Public ${release}` : release
    const page = url`https://depmap.org/portal/data_page/?tab=allData&releasename=${name}`
    return filename === undefined ? page : page + url`&filename=${filename}`
  },
  failure: ({ status, operation, head }) => {
    if (operation !== "file") return undefined
    // A file that was not asked for in a long time is fetched from the archive first: no body until then.
    if (status === 202)
      return new Failure("unavailable", "figshare is fetching this file from its archive; try again in a minute.", {
        retryAfterMs: 60_000,
      })
    return status === 403 && /AccessDenied|expired/i.test(head)
      ? new Failure("unavailable", "the link to this file ran out before it was used; try again.")
      : undefined
  },

  identify: (record) => idsOfAll(record, idsOf),
  relation: () => undefined,
  remarks,

  search,
  fetch: async (id, http) => (await recordsOf([id], http)).get(id),
  fetchMany: { atOnce: 100, fetch: recordsOf },
  files: {
    csv: file("csv", /\.csv$/i),
    txt: file("text", /\.(?:txt|md)$/i),
    file: file("bytes", /./),
  },
})

const Known = z.lazy(() =>
  z.object({
    release: z.string(),
    filename: z.string().optional(),
    url: z.string().optional(),
    files: z.array(z.object({ url: z.string().optional() })).optional(),
  }),
)

function idsOf(record: Json): string[] {
  const { release, filename } = pick(Known, record)
  return [...new Set([shortName(release), release])].map((name) =>
    filename === undefined ? name : `${name}/${filename}`,
  )
}

const BY_HAND = "DepMap gives no direct link to it: a person downloads it on its page"

function remarks(record: Json): string[] {
  if (Array.isArray(record)) return [`${record.length} files of this release have this name`]
  const { filename, url: address, files = [] } = pick(Known, record)
  if (filename !== undefined) return address === undefined ? [BY_HAND] : []
  const linked = files.filter((each) => each.url !== undefined).length
  return linked < files.length ? [`${linked} of its ${files.length} files have a direct link`] : []
}

function file(kind: FileFormat["kind"], names: RegExp): FileFormat {
  return {
    kind,
    locate: async (id, http) => {
      const [release, filename] = partsOf(id)
      if (!MODEL.test(id) && filename === undefined)
        return new Miss(`a release is many files: name one, ${release}/Model.csv for instance`)
      if (filename !== undefined && !names.test(filename))
        return new Miss(`${filename} is another kind of file: ask for the format file`)
      const found = find(id, MODEL.test(id) ? [] : await catalogue(http))
      if (found instanceof Miss) return found
      if (new Set(found.map(({ md5_hash }) => md5_hash)).size > 1)
        return new Miss(`${found.length} different files of ${release} have this name; its page tells them apart`)
      const address = found.find((each) => each.url !== undefined)?.url
      if (address === undefined) return new Miss(`${BY_HAND}, depmap.org/portal/data_page`)
      const [, number] = /^https:\/\/(?:[\w.]+\.)?figshare\.com\/(?:.*\/)?files\/(\d+)$/.exec(address) ?? []
      return number === undefined
        ? new Miss(`it lies outside DepMap and figshare: ${address}`)
        : url`https://ndownloader.figshare.com/files/${number}`
    },
  }
}
