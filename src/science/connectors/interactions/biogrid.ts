import { defineConnector, Failure, keep, Miss, pick, url, z, offsetOf } from "../../connector.ts"
import type { AnswerHead, FileFormat, Hit, Http } from "../../connector.ts"
import { modelOrganism } from "../_model-organisms.ts"
import { parametersOf } from "./_biogrid-query.ts"

const INTERACTIONS = "https://webservice.thebiogrid.org/interactions/"

export default defineConnector({
  id: "biogrid",
  name: "BioGRID",
  domain: "interactions",
  description: "physical and genetic interactions",
  homepage: "https://thebiogrid.org",
  license: "MIT",
  cite: "Oughtred et al., Protein Sci. 30:187 (2021), doi:10.1002/pro.3978; cite each interaction's paper",
  // Genes have numbers too, and NCBI's genes others: only an interaction's is an id here.
  ids: { curie: "biogrid.interaction", pattern: /^[1-9]\d{0,8}$/, examples: ["439969"], normalize },
  probe: { query: "PMID:20489023", missing: "999999999" },
  // No limit is documented.
  hosts: { "webservice.thebiogrid.org": { perSecond: 1, concurrent: 1 } },
  // "This key must be included in all queries" (wiki.thebiogrid.org/doku.php/biogridrest).
  key: {
    env: "BIOGRID_ACCESS_KEY",
    in: "query",
    name: "accesskey",
    host: "webservice.thebiogrid.org",
    required: true,
    signup: "https://webservice.thebiogrid.org",
  },
  url: "https://thebiogrid.org/interaction/{id}",
  organismFilter: true,
  missing,
  failure,
  identify: (record) => [String(pick(Row, record).BIOGRID_INTERACTION_ID)],

  async search(query, { limit, cursor, organism }, http) {
    const start = offsetOf(cursor)
    const { parameters, notes } = parametersOf(query, organism)
    const answer = await http.json(INTERACTIONS, {
      query: { ...parameters, start, max: limit, format: "json" },
      inspect: errorIn,
    })
    const rows = Object.values(pick(z.union([NOTHING, z.record(z.string(), Row)]), answer))
    // The rows come without their number, which is another call.
    const total = await http.part("total", () => countOf(parameters, http))
    const next = start + limit
    return {
      hits: rows.map(hitOf),
      ...(total === undefined ? {} : { total }),
      ...((total === undefined ? rows.length >= limit : next < total) ? { next: String(next) } : {}),
      notes,
    }
  },

  async fetch(id, http) {
    const answer = await http.json(INTERACTIONS + url`${id}`, { query: { format: "json" }, inspect: errorIn })
    if (answer === undefined) return undefined
    const rows = keep(z.union([NOTHING, z.record(z.string(), z.unknown())]), answer)
    // Keyed by id: whatever else may be in it is not what was asked for.
    return (Array.isArray(rows) ? undefined : rows[id]) ?? new Miss(NO_INTERACTION)
  },

  files: {
    tab2: table("tab2"),
    json: { kind: "json", locate: (id) => fileUrl(id, "json") },
    extendedTab2: table("extendedTab2"),
    jsonExtended: { kind: "json", locate: (id) => fileUrl(id, "jsonExtended") },
    tab1: table("tab1"),
  },
})

const NO_INTERACTION = "no interaction has this number; a gene's number is one to search for"

/** Hits come as an object, none as an empty list. */
const NOTHING = z.lazy(() => z.array(z.never()))

const Row = z.lazy(() =>
  z.object({
    BIOGRID_INTERACTION_ID: z.number(),
    OFFICIAL_SYMBOL_A: z.string(),
    OFFICIAL_SYMBOL_B: z.string(),
    EXPERIMENTAL_SYSTEM: z.string(),
    EXPERIMENTAL_SYSTEM_TYPE: z.string(),
    PUBMED_AUTHOR: z.string().optional(),
    PUBMED_ID: z.union([z.number(), z.string()]).optional(),
    ORGANISM_A: z.union([z.number(), z.string()]),
    ORGANISM_B: z.union([z.number(), z.string()]),
    THROUGHPUT: z.string().optional(),
  }),
)

function normalize(typed: string): string {
  return typed.replace(/^biogrid:/i, "").replace(/^(\d+)\/[^/]*$/, "$1")
}

async function countOf(parameters: Record<string, string>, http: Http): Promise<number> {
  const text = await http.text(INTERACTIONS, { query: { ...parameters, format: "count" }, inspect: errorIn })
  if (text === undefined || !/^\s*\d+\s*$/.test(text))
    throw new Failure("bad_response", "BioGRID's count of the hits is no number.")
  return Number(text)
}

function hitOf(row: z.infer<typeof Row>): Hit {
  const organisms = [...new Set([row.ORGANISM_A, row.ORGANISM_B].map(String))]
  const facts = [
    `${row.EXPERIMENTAL_SYSTEM} (${row.EXPERIMENTAL_SYSTEM_TYPE})`,
    organisms.map((taxon) => modelOrganism(taxon)?.name ?? `taxon ${taxon}`).join(", "),
    row.PUBMED_AUTHOR,
    row.PUBMED_ID === undefined ? undefined : `PMID ${row.PUBMED_ID}`,
    row.THROUGHPUT,
  ]
  return {
    id: String(row.BIOGRID_INTERACTION_ID),
    title: `${row.OFFICIAL_SYMBOL_A} - ${row.OFFICIAL_SYMBOL_B}`,
    summary: facts.filter((fact) => fact !== undefined && fact !== "-").join(" · "),
  }
}

/** Errors are an object of their own, by reports of clients under status 200 too. */
const ERROR = /"STATUS"\s*:\s*"ERROR"/i

function failureOf(head: string): Failure {
  const said = [...(/"MESSAGES"\s*:\s*\[([^\]]*)/i.exec(head)?.[1] ?? "").matchAll(/"((?:[^"\\]|\\.)*)"/g)]
  const words = said.map(([, message]) => message).join("; ") || "no reason given"
  return /access ?key/i.test(words)
    ? new Failure("key_required", `BioGRID does not accept the key in BIOGRID_ACCESS_KEY: ${words}`)
    : new Failure("bad_response", `BioGRID answered with an error: ${words}`, { retryable: false })
}

const errorIn = (body: string) => (ERROR.test(body.slice(0, 2000)) ? failureOf(body.slice(0, 2000)) : undefined)

function failure({ status, head, html }: AnswerHead): Failure | undefined {
  if (ERROR.test(head)) return failureOf(head)
  return !html && (status === 401 || status === 403)
    ? new Failure("key_required", `BioGRID does not accept the key in BIOGRID_ACCESS_KEY (${status}).`)
    : undefined
}

/** In a file: nothing, a header alone, an empty list or object. */
function missing({ status, head, html, operation }: AnswerHead): boolean | Miss {
  if (ERROR.test(head)) return false
  const none = status === 404 ? !html : operation === "file" && status === 200 && EMPTY.test(head)
  return none && new Miss(NO_INTERACTION)
}

const EMPTY = /^\s*(?:#[^\n]*\s*|\[\s*\]\s*|\{\s*\}\s*)?$/

const fileUrl = (id: string, format: string) => INTERACTIONS + url`${id}?format=${format}`

function table(format: string): FileFormat {
  return { kind: "tsv", locate: (id) => `${fileUrl(id, format)}&includeHeader=true` }
}
