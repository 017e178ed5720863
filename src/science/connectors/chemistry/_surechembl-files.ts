import { Miss, pick, url, z, type FileFormat, type Http, type Location } from "../../connector.ts"
import {
  Compound,
  compoundOf,
  dataOf,
  documentOf,
  isPatent,
  numberOf,
  patentOf,
  SURECHEMBL,
} from "./_surechembl-records.ts"
import { documentsFor } from "./_surechembl-hits.ts"

export const files: Record<string, FileFormat> = {
  pdf: { kind: "pdf", locate: pdf },
  // The compounds that were found in a patent: one CSV, zipped.
  chemistry: { kind: "zip", locate: chemistry },
  family: { kind: "json", locate: (id) => (isPatent(id) ? documentOf(id, "family/members") : PATENTS_ONLY) },
  png: { kind: "png", locate: png },
  json: {
    kind: "json",
    locate: (id) => (isPatent(id) ? documentOf(id, "contents") : SURECHEMBL + url`/chemical/id/${numberOf(id)}`),
  },
}

const PATENTS_ONLY = new Miss("this format is one of patents only")

const Document = z.lazy(() =>
  z.object({
    contents: z.object({ patentDocument: z.object({ hasPDF: z.boolean().nullish(), pdfUrl: z.string().nullish() }) }),
  }),
)

async function pdf(id: string, http: Http): Promise<Location | Miss | undefined> {
  if (!isPatent(id)) return PATENTS_ONLY
  const record = await patentOf(id, http)
  if (record === undefined) return undefined
  const { hasPDF, pdfUrl } = pick(Document, dataOf(record)).contents.patentDocument
  if (pdfUrl) return pdfUrl
  return hasPDF
    ? `https://www.surechembl.org/assets/pdf/${id}`
    : new Miss("SureChEMBL has no PDF of it; its text is in the record")
}

/** An unknown patent gets a table without rows too, so that it is there is asked first. */
async function chemistry(id: string, http: Http): Promise<Location | Miss | undefined> {
  if (!isPatent(id)) return PATENTS_ONLY
  const { documents } = await documentsFor("/search/content", { query: `pn:${id}`, page: 1, itemsPerPage: 1 }, http)
  if (!documents.some(({ docId }) => docId === id)) return undefined
  return {
    url: `${SURECHEMBL}/export/document-chemistry?${new URLSearchParams({ docID: id, output_type: "csv" })}`,
    form: {},
  }
}

/** Drawn from the structure that is sent. */
async function png(id: string, http: Http): Promise<Location | Miss | undefined> {
  if (isPatent(id)) return new Miss("this format is one of compounds only")
  const record = await compoundOf(id, http)
  if (record === undefined) return undefined
  const { smiles } = pick(Compound, record)
  if (!smiles) return new Miss("it has no structure")
  return SURECHEMBL + url`/service/chemical/image?structure=${smiles}&width=300&height=300`
}
