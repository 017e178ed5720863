import { defineConnector, Failure, Miss, pick } from "../../connector.ts"
import type { AnswerHead, Json } from "../../connector.ts"
import {
  enclosed,
  esearch,
  esummary,
  eutils,
  eutilsFailure,
  eutilsHosts,
  eutilsKey,
  eutilsMissing,
  jointFileOf,
} from "../_eutils.ts"
import { inFolder, matrix, viewer } from "./_geo-files.ts"
import { ANY_ID, hitOf, idsOf, normalize, recordsOf, relationOf, remarksOf, SUMMARY } from "./_geo-records.ts"

export default defineConnector({
  id: "geo",
  name: "NCBI GEO",
  domain: "expression",
  description: "expression studies, samples, platforms",
  homepage: "https://www.ncbi.nlm.nih.gov/geo/",
  license: "Public domain (US government); submitters may claim rights in single records",
  cite: "NCBI GEO, with the accession and its submitters' paper (the field pubmedids); Barrett T et al., Nucleic Acids Res 41:D991 (2013)",
  ids: {
    curie: "geo",
    pattern: ANY_ID,
    examples: ["GSE1000", "GSM11805", "GPL96", "GDS507", "GSE3353-GPL180"],
    normalize,
  },
  probe: { query: "breast cancer", missing: "GSE99999999" },
  hosts: {
    ...eutilsHosts,
    "ftp.ncbi.nlm.nih.gov": { perSecond: 3, concurrent: 3 },
    "www.ncbi.nlm.nih.gov": { perSecond: 3, concurrent: 2 },
  },
  key: eutilsKey,
  url: "https://www.ncbi.nlm.nih.gov/geo/query/acc.cgi?acc={id}",
  organismFilter: true,

  missing: (answer) => eutilsMissing(answer) || absent(answer),
  failure: (answer) => eutilsFailure(answer) ?? challenge(answer),
  identify: idsOf,
  relation: relationOf,
  remarks: remarksOf,

  async search(query, { limit, cursor, organism }, http) {
    const typed = /\[(?:etyp|entry[ _]type)\]/i.test(query)
    const term = typed ? query : `${enclosed(query)} AND gse[ETYP]`
    const { ids, notes, ...page } = await esearch(http, { db: "gds", term, organism, limit, cursor })
    // Only summaries name the accessions, so hits without them would be of no use.
    const summaries = await esummary(http, "gds", ids)
    const hits = ids.flatMap((uid) => hitOf(summaries.get(uid)))
    const lost = ids.length - hits.length
    return {
      ...page,
      hits,
      notes: [
        ...notes,
        ...(typed ? [] : [SERIES_ONLY]),
        ...(lost > 0 ? [`${lost} of this page's hits have no summary, so left out`] : []),
      ],
    }
  },
  fetch: async (id, http) => (await recordsOf([id], http)).get(id),
  // NCBI makes no JSON of more than 10 MB, and a series of thousands of samples has hundreds of KB.
  fetchMany: { atOnce: 20, fetch: recordsOf },

  files: {
    // The record's own SOFT text, with a sample's or a platform's table.
    soft: { kind: "soft", locate: viewer },
    // With all its samples and platforms; a DataSet's own.
    family: {
      kind: "gzip",
      extension: "soft.gz",
      locate: inFolder("soft", { GSE: "{}_family.soft.gz", GPL: "{}_family.soft.gz", GDS: "{}.soft.gz" }),
    },
    // The values on one platform as a table.
    matrix: { kind: "gzip", extension: "txt.gz", locate: matrix },
    // What the submitters uploaded, in one archive; what that holds; the page that names all of it.
    raw: {
      kind: "bytes",
      extension: "tar",
      mediaType: "application/x-tar",
      locate: inFolder("suppl", { GSE: "{}_RAW.tar", GPL: "{}_RAW.tar" }),
    },
    filelist: { kind: "tsv", extension: "txt", locate: inFolder("suppl", { GSE: "filelist.txt" }) },
    suppl: { kind: "html", locate: inFolder("suppl", { GSE: "", GSM: "", GPL: "" }) },
    miniml: {
      kind: "gzip",
      extension: "xml.tgz",
      locate: inFolder("miniml", { GSE: "{}_family.xml.tgz", GPL: "{}_family.xml.tgz" }),
    },
    // A platform's probes with NCBI's annotation of them.
    annot: { kind: "gzip", extension: "annot.gz", locate: inFolder("annot", { GPL: "{}.annot.gz" }) },
    json: jointFileOf("json", recordsOf, (records) =>
      eutils("esummary", { db: "gds", retmode: "json" }, uidsOf(records)),
    ),
  },
})

const SERIES_ONLY = "series only; gsm[ETYP], gpl[ETYP] or gds[ETYP] in the query finds samples, platforms or DataSets"

const uidsOf = (records: Json[]) => [...new Set(records.map((each) => pick(SUMMARY, each).uid))]

/** A file that is not on the server; or what the viewer says, on a page under status 200, of a record that is not public. */
function absent({ status, head, html, operation }: AnswerHead): Miss | false {
  if (operation !== "file") return false
  if (status === 404) return new Miss("GEO keeps no such file of it")
  if (!html) return false
  if (/Could not find a public or private accession/.test(head)) return new Miss("GEO has no public record of it")
  if (/is currently private/.test(head)) return new Miss("it is private until its submitters release it")
  const deleted = /was deleted by the GEO staff(?: on ([^<.]{3,30}))?/.exec(head)
  return deleted !== null && new Miss(`deleted by GEO's staff${deleted[1] ? ` on ${deleted[1].trim()}` : ""}`)
}

/** Since September 2026 the viewer may show programs a challenge, under status 200 (seandavi/GEOquery#230). A folder's index is a page too. */
function challenge({ status, head, html, operation }: AnswerHead): Failure | undefined {
  if (operation !== "file" || status !== 200 || !html || /<title>Index of/i.test(head)) return undefined
  return new Failure(
    "bad_response",
    "GEO showed a page instead of the file, as it does to programs at times; family and matrix come from another server.",
    { retryable: false },
  )
}
