import { asArray, clip, defineConnector, Failure, Miss, offsetOf, oneLine, pick, url, z } from "../../connector.ts"
import type { AnswerHead, FileFormat, Hit, Http, Json } from "../../connector.ts"
import { asSyntax } from "./_arxiv-query.ts"

/** One request every three seconds and one connection, over all of arXiv's legacy interfaces together (info.arxiv.org/help/api/tou). */
const ARXIV_PACE = { perSecond: 1 / 3, concurrent: 1, pool: "arxiv.org" }

export default defineConnector({
  id: "arxiv",
  name: "arXiv",
  domain: "literature",
  description: "preprints in physics, maths, computing, biology",
  homepage: "https://arxiv.org",
  license:
    "Metadata CC0 1.0; each e-print under its author's licence (most: arXiv's own, which allows no redistribution)",
  cite: "arXiv:<id> [<primary category>], DOI 10.48550/arXiv.<id>; thank you to arXiv for use of its open access interoperability",
  ids: {
    curie: "arxiv",
    pattern: /^(?:\d{4}\.\d{4,5}|[a-z-]+\/\d{7})(?:v[1-9]\d*)?$/,
    examples: ["1706.03762", "1706.03762v5", "hep-th/9901001"],
    normalize,
  },
  probe: { query: "attention is all you need", missing: "1201.56789" },
  hosts: {
    "export.arxiv.org": ARXIV_PACE,
    "arxiv.org": ARXIV_PACE,
    "oaipmh.arxiv.org": ARXIV_PACE,
    "api.datacite.org": { perSecond: 5, concurrent: 2 },
    // doi.org sends a request for a citation on to DataCite, under one of these names.
    "doi.org": { perSecond: 5, concurrent: 2 },
    "data.crosscite.org": { perSecond: 5, concurrent: 2 },
    "data.datacite.org": { perSecond: 5, concurrent: 2 },
  },
  url: "https://arxiv.org/abs/{id}",

  // The query interface answers an unknown id with an empty feed.
  missing: ({ status, head, operation }) => operation === "file" && (status === 404 || UNKNOWN_TO_OAI.test(head)),
  failure: complaint,
  identify: (entry) => [idOf(entry), paperOf(idOf(entry))],
  relation: (asked, own) => `the newest version of ${asked} is ${own}`,
  remarks: (entry) => {
    const comment = commentOf(entry)
    return isWithdrawn(comment) ? [`Withdrawn; its comment says: ${clip(comment, 200)}`] : []
  },

  async search(query, { limit, cursor }, http) {
    const start = offsetOf(cursor, REACHABLE_HITS)
    const sent = asSyntax(query)
    const wanted = Math.min(limit, REACHABLE_HITS - start)
    const { entries, total } = await ask(http, { search_query: sent, start, max_results: wanted })
    const end = start + entries.length
    return {
      hits: entries.map(hitOf),
      total,
      ...(entries.length > 0 && end < Math.min(total, REACHABLE_HITS) ? { next: String(end) } : {}),
      ...(sent === query ? {} : { notes: [`searched as ${sent}`] }),
    }
  },
  fetch: async (id, http) => (await entriesOf([id], http)).get(id),
  fetchMany: { atOnce: 100, fetch: entriesOf },

  files: {
    pdf: { kind: "pdf", locate: (id) => page("pdf", id) },
    // TeX and figures; of a paper that was submitted as a PDF there is no other source (unverified what is answered then).
    source: { kind: "gzip", extension: "tar.gz", locate: (id) => page("src", id) },
    // By LaTeXML, for most papers since December 2023.
    html: { kind: "html", locate: (id) => page("html", id) },
    abs: { kind: "html", locate: (id) => page("abs", id) },
    bibtex: { kind: "bibtex", locate: (id) => page("bibtex", id) },
    ris: cited("ris", "application/x-research-info-systems"),
    "csl-json": cited("csl-json", "application/vnd.citationstyles.csl+json"),
    // DataCite's record, which has the licence and the dates of all versions.
    datacite: {
      kind: "json",
      locate: (id) => url`https://api.datacite.org/dois/10.48550/arXiv.${paperOf(id)}?include=media,client`,
    },
    // With the licence and the history of versions.
    oai: { kind: "xml", locate: harvested },
  },
})

/** Past this the interface answers with an error (user manual, 3.1.1.2). */
const REACHABLE_HITS = 30_000

const UNKNOWN_TO_OAI = /<error code="(?:idDoesNotExist|noRecordsMatch)"/

/** A refusal: an Atom feed whose one entry is the error, under status 400 or (before November 2025) 200, or an error of the OAI interface. */
function complaint({ head, operation }: Pick<AnswerHead, "head" | "operation">): Failure | undefined {
  const error = /<id>\s*https?:\/\/arxiv\.org\/api\/errors#?([^<]*)<\/id>(?:[^]*?<summary[^>]*>([^<]*)<)?/.exec(head)
  const [, code, reason] = error ?? /<error code="([^"]*)"[^>]*>([^<]*)</.exec(head) ?? []
  if (code === undefined) return undefined
  return new Failure(
    operation === "search" ? "invalid_query" : "invalid_id",
    `arXiv does not accept this: ${clip(oneLine(reason || code), 160)}`,
  )
}

/** The version that is asked for must come back; without one, the newest does. */
async function entriesOf(ids: string[], http: Http): Promise<Map<string, Json | Miss>> {
  const answers = new Map<string, Json | Miss>()
  for (const lot of withoutTwins(ids)) {
    const { entries } = await ask(http, { id_list: lot.join(","), start: 0, max_results: 100 })
    for (const id of lot)
      answers.set(id, entries.find((entry) => paperOf(idOf(entry)) === paperOf(id)) ?? new Miss(whyNot(id)))
  }
  return answers
}

/** Two versions of one paper are asked for apart: of two entries it could not be told which is the newest. */
function withoutTwins(ids: string[]): string[][] {
  const lots: string[][] = []
  for (const id of ids) {
    const lot = lots.find((each) => !each.some((other) => paperOf(other) === paperOf(id)))
    if (lot) lot.push(id)
    else lots.push([id])
  }
  return lots
}

function whyNot(id: string): string | undefined {
  // The scheme changed with January 2015; arXiv answers an id that cannot be like one that is not.
  if (/^(?:0[7-9]|1[0-4])\d\d\.\d{5}/.test(id)) return "ids of before 2015 have four digits after the point"
  return paperOf(id) === id ? undefined : `there is no such paper, or no such version: try ${paperOf(id)}`
}

interface Query {
  search_query?: string
  id_list?: string
  start: number
  max_results: number
}

async function ask(http: Http, { search_query = "", id_list = "", start, max_results }: Query) {
  const answer = await http.xml("https://export.arxiv.org/api/query", {
    query: { search_query, id_list, sortBy: "relevance", sortOrder: "descending", start, max_results },
    inspect: (body) => {
      const refusal = complaint({ head: body, operation: search_query === "" ? "record" : "search" })
      if (refusal || search_query === "" || /<entry\b/.test(body)) return refusal
      // Empty pages in the middle of a result are a fault that passes (lukasschwab/arxiv.py#129).
      const total = Number(/<opensearch:totalResults[^>]*>\s*(\d+)/.exec(body)?.[1] ?? 0)
      if (total <= start) return undefined
      return new Failure("bad_response", "arXiv sent an empty page of hits that there are; try again in a minute.")
    },
  })
  const { entry, "opensearch:totalResults": total } = pick(FEED, answer).feed
  return { entries: entry, total }
}

/** The older backend puts namespaces on such elements. */
const TEXT = z.lazy(() =>
  z.union([z.string(), z.object({ "#text": z.string() }).transform((element) => element["#text"])]),
)

const FEED = z.lazy(() =>
  z.object({
    feed: z.object({
      "opensearch:totalResults": TEXT.pipe(z.string().regex(/^\d+$/).transform(Number)),
      entry: z.preprocess(asArray, z.array(z.unknown())),
    }),
  }),
)

const ENTRY = z.lazy(() =>
  z.object({
    title: TEXT,
    published: z.string(),
    author: z.preprocess(asArray, z.array(z.object({ name: TEXT }))),
    "arxiv:primary_category": z.object({ "@term": z.string() }).optional(),
    "arxiv:journal_ref": TEXT.default(""),
  }),
)

function hitOf(entry: Json): Hit {
  const { title, published, author, ...more } = pick(ENTRY, entry)
  const [first, ...others] = author.map(({ name }) => name)
  const facts = [
    first === undefined ? "" : `${first}${others.length > 0 ? " et al." : ""}`,
    published.slice(0, "2017-06-12".length),
    more["arxiv:primary_category"]?.["@term"] ?? "",
    oneLine(more["arxiv:journal_ref"]),
  ]
  return {
    id: idOf(entry),
    title: oneLine(title),
    summary: facts.filter((fact) => fact !== "").join(" · "),
    ...(isWithdrawn(commentOf(entry)) ? { marks: ["withdrawn"] } : {}),
  }
}

const idOf = (entry: Json) =>
  pick(z.object({ id: TEXT }), entry).id.replace(/^\s*https?:\/\/arxiv\.org\/abs\/|\s+$/g, "")

/** Without its version. */
const paperOf = (id: string) => id.replace(/v\d+$/, "")

const commentOf = (entry: Json) =>
  oneLine(pick(z.object({ "arxiv:comment": TEXT.default("") }), entry)["arxiv:comment"])

/** arXiv has no field for it: a withdrawn paper is a last version without a text, and says so in its comment. */
const isWithdrawn = (comment: string) => /\bwithdrawn\b/i.test(comment)

/** What people write: addresses of any of arXiv's pages, DOIs, a class at the end, old archives with a subject, a lost zero. */
function normalize(typed: string): string {
  const bare = typed
    .replace(/^(?:https?:\/\/)?(?:[a-z]+\.)?arxiv\.org\/(?:abs|pdf|html|src|e-print|format|bibtex)\//i, "")
    .replace(/^(?:doi:\s*)?(?:https?:\/\/)?(?:(?:dx\.)?doi\.org\/)?10\.48550\/arxiv\./i, "")
    .replace(/^(?:oai:)?arxiv(?:\.org)?[:\s]\s*/i, "")
    .replace(/\s*\[[\w.-]+\]$|[?#].*$/, "")
    .replace(/(?:\.pdf|\/)$/i, "")
  const [, month = "", number = "", version = ""] = /^(\d{4})\.(\d{4,5})(v\d+)?$/i.exec(bare) ?? []
  // Five digits since January 2015.
  if (month !== "") return `${month}.${month >= "1501" ? number.padStart(5, "0") : number}${version.toLowerCase()}`
  const old = /^([a-z-]+)(?:\.[a-z-]+)?\/(\d{7}(?:v\d+)?)$/i.exec(bare)
  return old ? `${old[1]}/${old[2]}`.toLowerCase() : typed
}

/** The slash of an old id is part of the path. */
function page(kind: string, id: string): string {
  const [archive = "", number] = id.split("/")
  return number === undefined
    ? url`https://arxiv.org/${kind}/${id}`
    : url`https://arxiv.org/${kind}/${archive}/${number}`
}

/** arXiv's DOIs are DataCite's and name a paper with all its versions. */
function cited(kind: FileFormat["kind"], accept: string): FileFormat {
  return {
    kind,
    locate: (id) => ({ url: url`https://doi.org/10.48550/arXiv.${paperOf(id)}`, headers: { accept } }),
  }
}

/** The OAI interface has no versions either. */
function harvested(id: string): string {
  return url`https://oaipmh.arxiv.org/oai?verb=GetRecord&identifier=oai:arXiv.org:${paperOf(id)}&metadataPrefix=arXivRaw`
}
