import { defineConnector, Miss, pick, url, z, type Http, type Json } from "../../connector.ts"
import { fileList, filesOf, mirrored, named, storedAt } from "./_arrayexpress-files.ts"
import { ID, normalize } from "./_arrayexpress-ids.ts"
import { search } from "./_arrayexpress-search.ts"

/** The service is BioStudies: www.ebi.ac.uk/biostudies/help. */
export default defineConnector({
  id: "arrayexpress",
  name: "ArrayExpress",
  domain: "expression",
  description: "functional genomics experiments and their samples",
  homepage: "https://www.ebi.ac.uk/biostudies/arrayexpress",
  license: "EMBL-EBI terms of use, no added restriction; a study may carry its own licence",
  cite: "Sarkans et al. From ArrayExpress to BioStudies. Nucleic Acids Res. 49:D1502-D1506 (2021). doi:10.1093/nar/gkaa1062; with the accession",
  ids: {
    curie: "arrayexpress",
    pattern: ID,
    examples: ["E-MTAB-1234", "E-GEOD-16059", "E-MTAB-1234/E-MTAB-1234.sdrf.txt"],
    normalize,
  },
  probe: { query: "breast cancer", missing: "E-MTAB-99999999" },
  // No limit is published.
  hosts: {
    "www.ebi.ac.uk": { perSecond: 5, concurrent: 4 },
    "ftp.ebi.ac.uk": { perSecond: 5, concurrent: 4 },
  },
  url: "https://www.ebi.ac.uk/biostudies/arrayexpress/studies/{id}",
  organismFilter: true,
  identify: (record) => [pick(Study, record).accno],
  remarks: (record) => {
    const [, series] = /^E-GEOD-(\d+)$/.exec(pick(Study, record).accno) ?? []
    return series === undefined ? [] : [`a copy of GSE${series} in GEO, as it was when it was imported`]
  },
  search,
  fetch: studyOf,
  files: {
    sdrf: { kind: "tsv", locate: (id, http) => mageTab(id, "sdrf", http) },
    idf: { kind: "tsv", locate: (id, http) => mageTab(id, "idf", http) },
    // Any file of a study, by the id ACCESSION/PATH.
    file: { kind: "bytes", locate: anyFile },
    filelist: { kind: "json", locate: (id, http) => fileList(accessionOf(id), http) },
    json: { kind: "json", locate: (id) => studyUrl(accessionOf(id)) },
    // The study as the submitter's table, and as XML: by the rule of the mirror's names (unverified).
    pagetab: { kind: "tsv", locate: (id, http) => mirrored(accessionOf(id), ".tsv", http) },
    xml: { kind: "xml", locate: (id, http) => mirrored(accessionOf(id), ".xml", http) },
  },
})

const Study = z.lazy(() => z.object({ accno: z.string() }))

const accessionOf = (id: string) => id.replace(/\/.*$/, "")
const studyUrl = (accession: string) => url`https://www.ebi.ac.uk/biostudies/api/v1/studies/${accession}`

const UNKNOWN = new Miss(
  "no released study: one that a paper names may still be private, and GEO's newer series were never copied",
)

async function studyOf(id: string, http: Http): Promise<Json | Miss> {
  if (id.includes("/"))
    return new Miss(`this names a file: fetch it with the format file, or ${accessionOf(id)} for the study`)
  const study = await http.json(studyUrl(id), { miss: ({ status, html }) => status === 404 && !html })
  return study ?? UNKNOWN
}

/** The study's own request comes first: the others say the same of a study without files and of none. */
async function ifThere<T>(
  id: string,
  http: Http,
  then: (accession: string, study: Json) => T | Promise<T>,
): Promise<T | Miss> {
  const study = await studyOf(accessionOf(id), http)
  return study instanceof Miss ? study : await then(accessionOf(id), study)
}

function mageTab(id: string, table: "idf" | "sdrf", http: Http) {
  return ifThere<string | Miss>(id, http, (accession, study) => {
    const own = filesOf(study).filter(
      ({ type, path }) => type === `${table.toUpperCase()} File` || path.endsWith(`.${table}.txt`),
    )
    const [one] = own
    if (one === undefined) return new Miss(`this study has no ${table.toUpperCase()} file`)
    if (own.length > 1) return new Miss(`it has ${own.length} of them: ${named(accession, own)}`)
    return storedAt(accession, one.path, http)
  })
}

function anyFile(id: string, http: Http) {
  const [, accession = "", path = ""] = /^([^/]+)\/(.+)$/.exec(id) ?? []
  if (path !== "") return storedAt(accession, path, http)
  return ifThere(id, http, (own, study) => new Miss(`say which file: ${named(own, filesOf(study))}`))
}
