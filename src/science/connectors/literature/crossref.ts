import { defineConnector, Miss, pick, url, z, offsetOf } from "../../connector.ts"
import type { AnswerHead, FileFormat, Http, Json, SearchOptions, SearchPage } from "../../connector.ts"
import { CROSSREF_HOSTS, transformUrl, workUrl } from "./_crossref-urls.ts"
import { hitOf, IN_BRIEF, remarksOf, Work } from "./_crossref-work.ts"
import { DOI, readDoi } from "./_doi.ts"
import { parametersOf } from "./_parameters.ts"

export default defineConnector({
  id: "crossref",
  name: "Crossref",
  domain: "literature",
  description: "metadata of DOIs",
  homepage: "https://www.crossref.org",
  license: "Metadata: facts, free to use; abstracts: their publishers' copyright",
  cite: "Hendricks G et al. Crossref: The sustainable source of community-owned scholarly metadata. Quant. Sci. Stud. 1:414-427 (2020). doi:10.1162/qss_a_00022",
  ids: {
    curie: "doi",
    pattern: DOI,
    examples: ["10.1038/ng.590", "10.1016/0022-2836(81)90087-5"],
    normalize: (typed) => readDoi(typed) ?? typed,
  },
  probe: { query: "nanometre thermometry", missing: "10.5555/no.such.doi.of.ours" },
  hosts: CROSSREF_HOSTS,
  url: "https://doi.org/{id}",

  missing,
  identify: (record) => {
    const { DOI: doi, aliases } = workOf(record)
    return [doi, ...aliases]
  },
  remarks: (record) => remarksOf(workOf(record)),

  search: async (query, options, http) => {
    const doi = readDoi(query)
    return doi === undefined ? await find(query, options, http) : await byDoi(doi, http)
  },
  // Each alone: in a list works come without the envelope that a single one has, so that a selection would not fit both.
  fetch: async (id, http) => (await http.json(workUrl(id))) ?? (await whyNot(id, http)),

  files: {
    bibtex: transformed("bibtex", "application/x-bibtex"),
    ris: transformed("ris", "application/x-research-info-systems"),
    "csl-json": transformed("csl-json", "application/vnd.citationstyles.csl+json"),
    citation: negotiated("text", "text/x-bibliography; style=apa; locale=en-US"),
    json: { kind: "json", locate: workUrl },
    "unixsd-xml": transformed("xml", "application/vnd.crossref.unixsd+xml"),
    "unixref-xml": negotiated("xml", "application/vnd.crossref.unixref+xml"),
    rdf: negotiated("rdf", "application/rdf+xml"),
    ttl: negotiated("turtle", "text/turtle"),
  },
})

const Envelope = z.lazy(() => z.object({ message: Work }))

const workOf = (record: Json): Work => pick(Envelope, record).message

/** Plain text, whatever its content type says. A 404 in JSON is an error, such as an expired cursor. */
function missing({ status, head, operation }: AnswerHead): boolean | Miss {
  if (status !== 404 || !/^Resource not found\.\s*$/.test(head)) return false
  return operation === "file"
    ? new Miss("Crossref did not register this DOI; fetch it without a format to see who did")
    : true
}

/** DOIs of DataCite, mEDRA, JaLC and others look the same; Crossref knows whose they are. */
async function whyNot(doi: string, http: Http): Promise<Miss> {
  const answer = await http.part("registration agency", () => http.json(`${workUrl(doi)}/agency`))
  if (answer === undefined) return new Miss()
  const { id, label } = pick(Agency, answer).message.agency
  return id === "crossref" ? new Miss() : new Miss(`${label ?? id} registered this DOI, not Crossref`)
}

const Agency = z.lazy(() =>
  z.object({ message: z.object({ agency: z.object({ id: z.string(), label: z.string().optional() }) }) }),
)

async function byDoi(doi: string, http: Http): Promise<SearchPage> {
  const work = await http.json(workUrl(doi), { miss: (answer) => missing(answer) !== false })
  return work === undefined
    ? { hits: [], total: 0, notes: ["Crossref did not register this DOI; fetch it to see who did"] }
    : { hits: [hitOf(workOf(work))], total: 1 }
}

/** Pages by offset end here. */
const REACHABLE_HITS = 10_000

const Page = z.lazy(() => z.object({ message: z.object({ "total-results": z.number(), items: z.array(Work) }) }))

async function find(query: string, { limit, cursor }: SearchOptions, http: Http): Promise<SearchPage> {
  const offset = offsetOf(cursor, REACHABLE_HITS)
  const asked = parametersOf(query, "query", PARAMETERS)
  const rows = Math.min(limit, REACHABLE_HITS - offset)
  const answer = await http.json("https://api.crossref.org/works", {
    query: { ...asked, rows, offset: offset || undefined, select: IN_BRIEF },
  })
  const { "total-results": total, items } = pick(Page, answer).message
  const end = offset + items.length
  const words = Object.entries(asked).some(([name, value]) => name.startsWith("query") && /\S\s+\S/.test(value))
  return {
    hits: items.map(hitOf),
    total,
    ...(items.length > 0 && end < Math.min(total, REACHABLE_HITS) ? { next: String(end) } : {}),
    notes: [
      ...(words ? ["the total counts works with any of the words; those with most of them come first"] : []),
      ...(end >= REACHABLE_HITS && end < total ? ["Crossref's pages end at 10,000: narrow the query"] : []),
    ],
  }
}

/** Beside words, e.g. `CRISPR&filter=type:journal-article,from-pub-date:2024`, `query.author=carl boettiger`. Words have no syntax. */
const PARAMETERS = /query(?:\.[a-z-]+)?|filter|sort|order/

/** Each form by the route on which it was seen: the path names it, or the header does. */
function transformed(kind: FileFormat["kind"], mediaType: string): FileFormat {
  return { kind, locate: (id) => transformUrl(id, mediaType) }
}

function negotiated(kind: FileFormat["kind"], accept: string): FileFormat {
  return {
    kind,
    locate: (id) => ({ url: url`https://api.crossref.org/v1/works/${id}/transform`, headers: { accept } }),
  }
}
