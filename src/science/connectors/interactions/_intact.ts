import {
  offsetOf,
  Failure,
  keep,
  pick,
  z,
  type Hit,
  type Http,
  type Json,
  type SearchOptions,
} from "../../connector.ts"
import { modelOrganism, taxonOf } from "../_model-organisms.ts"

export const SERVICE = "https://www.ebi.ac.uk/intact/ws"

const List = z.lazy(() => z.array(z.string().nullable()).nullish())

export const Row = z.lazy(() =>
  z.object({
    ac: z.string(),
    acA: z.string().nullish(),
    acB: z.string().nullish(),
    moleculeA: z.string().nullish(),
    moleculeB: z.string().nullish(),
    speciesA: z.string().nullish(),
    speciesB: z.string().nullish(),
    type: z.string().nullish(),
    detectionMethod: z.string().nullish(),
    firstAuthor: z.string().nullish(),
    expansionMethod: z.string().nullish(),
    intactMiscore: z.number().nullish(),
    negative: z.boolean().nullish(),
    identifiers: z.array(z.string()).nullish(),
    xrefs: z.array(z.string()).nullish(),
    xrefsA: List,
    xrefsB: List,
    publicationIdentifiers: List,
  }),
)

const Content = z.lazy(() => z.object({ data: z.object({ content: z.array(z.unknown()) }) }))
const Total = z.lazy(() => z.object({ data: z.object({ totalElements: z.number() }) }))

/** Entries are `value (database)`, and a value may hold brackets itself. */
export const valueOf = (entry: string) => entry.replace(/ \([^()]*\)$/, "")

/**
 * Each row carries its own export in six forms, 40 to 170 KB with curators' e-mail addresses in it, and colours for the site's table. The
 * forms are the formats of this connector.
 */
export function lean(row: Json): Json {
  const fields = Object.entries(keep(z.record(z.string(), z.unknown()), row))
  return Object.fromEntries(fields.filter(([name]) => !/^(?:json|xml\d\d|tab\d\d)Format$|Styled$/.test(name)))
}

interface Query {
  query: string
  /** In MIQL; else words, of which any is enough. */
  advanced: boolean
}

/**
 * One page. `findInteractions/{query}`, which more clients know, takes neither MIQL nor filters, and no query with a slash; and by default
 * interactions that were shown not to take place are left out (InteractionSearchController in the service's source).
 */
export async function pageOf({ query, advanced }: Query, page: number, pageSize: number, http: Http) {
  const answer = await http.json(`${SERVICE}/interaction/findInteractionWithFacet`, {
    form: {
      query,
      ...(advanced ? { advancedSearch: "true" } : {}),
      negativeFilter: "POSITIVE_AND_NEGATIVE",
      page: String(page),
      pageSize: String(pageSize),
    },
  })
  return { rows: keep(Content, answer).data.content, total: pick(Total, answer).data.totalElements }
}

/** Pages are numbered by their size, so the cursor is an offset, and a page's size one that divides it. */
export async function search(query: string, { limit, cursor, organism }: SearchOptions, http: Http) {
  const start = offsetOf(cursor)
  const size = sizeFor(start, Math.min(limit, LARGEST_PAGE))
  const asked = expression(query, organism)
  const { rows, total } = await pageOf(asked, start / size, size, http)
  const next = start + size
  return {
    hits: pick(z.array(Row), rows).map(hitOf),
    total,
    ...(next < total ? { next: String(next) } : {}),
    notes: [
      "counted by pairs: an interaction of more than two molecules has several with one id",
      ...(size < limit && next < total ? [`rows are large: at most ${size} a page`] : []),
      ...(asked.advanced && !FIELD.test(query)
        ? ["each word must be a name or id of a molecule, a species, a method, a type, an author or an annotation"]
        : []),
      ...(organism === undefined ? [] : ["organism: of at least one of the two molecules"]),
    ],
  }
}

const LARGEST_PAGE = 20

function sizeFor(start: number, most: number): number {
  for (let size = most; size > 1; size--) if (start % size === 0) return size
  return 1
}

/** Fields of IntAct's MIQL (intact-portal-documentation, advanced-search.md). */
const FIELD =
  /(?:^|[\s(+-])(?:id[AB]?|altid[AB]|alias[AB]?|identifier|geneName[AB]?|pub(?:auth|authors|id|year)|taxid(?:A|B|Host)|species|type|detmethod|interaction_id|p?(?:biorole|type|xref|method)[AB]?|xref|annot|[ur]date|negative|complex|ftype[AB]?|stc|param|source|intact-miscore|mutation[AB]?):\S/

/** Where a word may stand, of the fields that hold text. */
const PLACES = ["identifier", "species", "type", "detmethod", "pubauthors", "pubid", "annot", "xref"]

/**
 * One word goes to the plain search, which looks everywhere. Of several words that is satisfied with any (SearchInteractionUtility in the
 * service's source), so they become MIQL, in which a word without a field finds nothing.
 */
function expression(query: string, organism: string | undefined): Query {
  const words = query.match(/"[^"]*"|[()]|[^\s()"]+/g) ?? []
  if (!FIELD.test(query) && words.length === 1 && organism === undefined)
    return { query: query.replaceAll('"', ""), advanced: false }
  const miql = FIELD.test(query) ? query : inFields(words)
  if (!isBalanced(miql))
    throw new Failure("invalid_query", "the parentheses of this query do not match; close each one that is opened.")
  return { query: organism === undefined ? miql : `(${miql}) AND ${speciesClause(organism)}`, advanced: true }
}

function inFields(words: string[]): string {
  const isOperator = (word: string) => /^(?:AND|OR|NOT)$/.test(word)
  return words
    .map((word, i) => {
      const before = words[i - 1]
      const joined = i > 0 && before !== "(" && word !== ")" && !isOperator(word) && !isOperator(before ?? "")
      const term = /^[()]$/.test(word) || isOperator(word) ? word : placed(word.replaceAll('"', ""))
      return joined ? `AND ${term}` : term
    })
    .join(" ")
}

function placed(word: string): string {
  // A wildcard does nothing between quotes.
  const term = /^\w+[*?]+$/.test(word) ? word : `"${word.replaceAll("\\", "\\\\")}"`
  return `(${PLACES.map((place) => `${place}:${term}`).join(" OR ")})`
}

function isBalanced(query: string): boolean {
  let open = 0
  for (const sign of query.replace(/"[^"]*"/g, "").match(/[()]/g) ?? []) {
    open += sign === "(" ? 1 : -1
    if (open < 0) return false
  }
  return open === 0 && !/"/.test(query.replace(/"[^"]*"/g, ""))
}

function speciesClause(organism: string): string {
  const taxa = modelOrganism(organism)?.taxa ?? [taxonOf(organism) ?? `"${organism.trim().replace(/["\\]/g, "")}"`]
  return taxa.length === 1 ? `species:${taxa[0]}` : `species:(${taxa.join(" OR ")})`
}

function hitOf(row: z.infer<typeof Row>): Hit {
  const { ac, moleculeA, moleculeB, speciesA, speciesB, type, detectionMethod, firstAuthor, intactMiscore } = row
  const species = [...new Set([speciesA, speciesB].filter(Boolean))].join(", ")
  const score = typeof intactMiscore === "number" ? `MI score ${intactMiscore}` : undefined
  const marks = [...(row.negative ? ["negative"] : []), ...(row.expansionMethod ? [row.expansionMethod] : [])]
  return {
    id: ac,
    title: [moleculeA, moleculeB].map((each) => each ?? "?").join(" - "),
    summary: [type, detectionMethod, species, firstAuthor?.trim(), score].filter(Boolean).join(" · "),
    ...(marks.length > 0 ? { marks } : {}),
  }
}
