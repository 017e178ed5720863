import {
  defineConnector,
  Failure,
  keep,
  Miss,
  pick,
  url,
  z,
  type FileFormat,
  type Http,
  type Json,
} from "../../connector.ts"
import { search, tissuesOf, withoutColumn } from "./_hpa-rows.ts"

export default defineConnector({
  id: "hpa",
  name: "Human Protein Atlas",
  domain: "proteins",
  description: "human proteins in tissues and cells",
  homepage: "https://www.proteinatlas.org",
  // www.proteinatlas.org/about/licence
  license: "CC BY-SA 4.0; some parts under their makers' terms",
  cite: "Uhlén M et al. Tissue-based map of the human proteome. Science 347:1260419 (2015). doi:10.1126/science.1260419; Human Protein Atlas, proteinatlas.org, with its version",
  ids: {
    curie: "hpa",
    pattern: /^ENSG\d{11}$/,
    examples: ["ENSG00000141510"],
    // Ensembl's version; the symbol and section of a page's address; a file's ending.
    normalize: (typed) => typed.replace(/^(ENSG\d{11})(?:[.\-/]\S*)?$/i, "$1").toUpperCase(),
  },
  probe: { query: "TP53", missing: "ENSG00000000000" },
  // No limit is published; it asks to use the bulk files for large work.
  hosts: { "www.proteinatlas.org": { perSecond: 2, concurrent: 2 } },
  url: "https://www.proteinatlas.org/{id}",
  identify: (record) => [pick(Entry, record).Ensembl],
  remarks: (record) => {
    const lost = withoutColumn(record)
    return lost.length === 0 ? [] : [`HPA gave no column for these tissues: ${lost.join(", ")}`]
  },
  search,
  fetch: fetchEntry,
  files: {
    xml: file("xml", "xml"),
    tsv: file("tsv", "tsv"),
    json: file("json", "json"),
    // The help pages still name RDF beside TSV and XML; that this is its ending was not seen lately.
    trig: file("trig", "trig"),
  },
})

const Entry = z.lazy(() => z.looseObject({ Ensembl: z.string(), Gene: z.string() }))

const fileUrl = (id: string, format: string) => url`https://www.proteinatlas.org/${id}.${format}`

function file(format: string, kind: FileFormat["kind"]): FileFormat {
  return { kind, locate: (id) => fileUrl(id, format) }
}

/** The entry with its RNA in every tissue. An unknown gene is a page under 404, as an outage may be: then the search must know it no more. */
async function fetchEntry(id: string, http: Http): Promise<Json | Miss> {
  const record = await http.json(fileUrl(id, "json"), { miss: ({ status }) => status === 404 })
  if (record !== undefined) {
    const entry = keep(Entry, record)
    const tissues = await http.part("RNA of all tissues", async () => {
      const found = await tissuesOf(id, http)
      if (found !== undefined) return found
      throw new Failure("bad_response", `HPA's search does not know ${id}`)
    })
    return { ...entry, ...tissues }
  }
  if ((await tissuesOf(id, http)) === undefined)
    return new Miss("HPA has protein-coding genes only, by the Ensembl ids of its release; search for the gene's name")
  throw new Failure("bad_response", `HPA's search knows ${id}, but its entry was not given (404); try again later.`)
}
