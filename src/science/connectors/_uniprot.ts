import {
  Failure,
  keep,
  pick,
  z,
  type Hit,
  type HostPace,
  type Http,
  type Json,
  type SearchOptions,
} from "../connector.ts"

/**
 * UniProtKB's search. AlphaFold DB's API looks up accessions only, so its connector searches here too.
 * Syntax and paging: www.uniprot.org/help/text-search, /help/query-fields, /help/pagination.
 */
export const KNOWLEDGEBASE = "https://rest.uniprot.org/uniprotkb"

/** No limit is published; the help pages ask for restraint, so: a few requests a second. */
export const UNIPROT_HOSTS: Record<string, HostPace> = { "rest.uniprot.org": { perSecond: 5, concurrent: 4 } }

export const ACCESSION = "(?:[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9](?:[A-Z][A-Z0-9]{2}[0-9]){1,2})"

const HIT_FIELDS = "accession,id,reviewed,protein_name,gene_names,organism_name,length"

const Text = z.lazy(() => z.object({ value: z.string() }))
const Name = z.lazy(() => z.object({ fullName: Text }))

/** What is read of an entry. UniProt leaves out every section that is empty or was not asked for. */
export const Entry = z.lazy(() =>
  z.object({
    entryType: z.string(),
    primaryAccession: z.string(),
    secondaryAccessions: z.array(z.string()).optional(),
    uniProtkbId: z.string().optional(),
    entryAudit: z.object({ sequenceVersion: z.number() }).optional(),
    proteinDescription: z
      .object({
        recommendedName: Name.optional(),
        submissionNames: z.array(Name).optional(),
        flag: z.string().optional(),
      })
      .optional(),
    genes: z
      .array(
        z.object({
          geneName: Text.optional(),
          orderedLocusNames: z.array(Text).optional(),
          orfNames: z.array(Text).optional(),
        }),
      )
      .optional(),
    organism: z.object({ scientificName: z.string().optional() }).optional(),
    sequence: z.object({ length: z.number() }).optional(),
    comments: z
      .array(
        z.object({
          commentType: z.string(),
          texts: z.array(Text).optional(),
          isoforms: z
            .array(z.object({ isoformIds: z.array(z.string()), isoformSequenceStatus: z.string().optional() }))
            .optional(),
        }),
      )
      .optional(),
    inactiveReason: z
      .object({
        inactiveReasonType: z.string(),
        mergeDemergeTo: z.array(z.string()).optional(),
        deletedReason: z.string().optional(),
      })
      .optional(),
    extraAttributes: z.object({ uniParcId: z.string().optional() }).optional(),
  }),
)

export type Entry = z.infer<typeof Entry>

const Found = z.lazy(() => z.object({ results: z.array(z.unknown()) }))

export interface Wanted {
  query: string
  /** At most 500. */
  size: number
  cursor?: string | undefined
  /** Sections of the entries; all of them when it is left out. */
  fields?: string
}

/** One page of entries as UniProt sent them. Total and next cursor stand in headers, not in the body (help/pagination). */
export async function findEntries(http: Http, { query, size, cursor, fields }: Wanted) {
  const answer = await http.answer("json", `${KNOWLEDGEBASE}/search`, {
    query: { query, format: "json", size, cursor, fields },
  })
  if (!answer) return { entries: [] }
  const total = answer.headers.get("x-total-results")
  const next = /[?&]cursor=([^&>]+)[^>]*>;\s*rel="next"/.exec(answer.headers.get("link") ?? "")?.[1]
  return {
    entries: keep(Found, answer.data).results,
    ...(total === null ? {} : { total: Number(total) }),
    ...(next === undefined ? {} : { next }),
  }
}

/** A page of hits for words or for a query in UniProt's own syntax, limited to an organism and by further clauses. */
export async function searchHits(
  http: Http,
  text: string,
  { limit, cursor, organism }: SearchOptions,
  { clauses = [], fields = [] }: { clauses?: string[]; fields?: string[] } = {},
) {
  // Cursors are base-36 numbers of some forty digits.
  if (cursor !== undefined && !/^[a-z0-9]{10,}$/i.test(cursor))
    throw new Failure("invalid_query", "this is not a cursor of UniProt; take the one that the page before gave.")
  const all = organism === undefined ? clauses : [organismClause(organism), ...clauses]
  const { entries, ...page } = await findEntries(http, {
    query: limited(expression(text), all),
    size: limit,
    cursor,
    fields: [HIT_FIELDS, ...fields].join(),
  })
  const notes =
    organism !== undefined && taxonId(organism) === undefined
      ? ["organism is matched by the words of its name (human also finds human viruses); a taxon id is exact"]
      : []
  return { hits: entries.map(hitOf), ...page, notes }
}

/** Words are ANDed by UniProt itself; in them, what its syntax reserves is escaped, and signs that stand alone are dropped. */
export function expression(text: string): string {
  if (SYNTAX.some((sign) => sign.test(text))) return text
  return text.replace(/(?:^|\s)[-+&|!]+(?=\s|$)/g, "").replace(/[+!(){}[\]^"~*?:\\]|&&|\|\|/g, "\\$&")
}

const SYNTAX = [
  /(?:^|[\s(+-])[a-z][a-z0-9_]*:\S/, // gene:BRAF
  /(?:^|[\s)])(?:AND|OR|NOT)(?=[\s(])/,
  /"[^"]+"/,
  /(?:^|\s)[-+][\w("]/, // human -antigen
  /\w\*(?=[\s)]|$)/, // anti*
  /\\[+!(){}[\]^"~*?:\\&|-]/, // escaped already
]

/** The query in parentheses before AND: an OR in it would escape the clauses otherwise. */
function limited(query: string, clauses: string[]): string {
  if (clauses.length === 0) return query
  if (!isBalanced(query))
    throw new Failure("invalid_query", "the parentheses of this query do not match; close each one that is opened.")
  return [`(${query})`, ...clauses].join(" AND ")
}

function isBalanced(query: string): boolean {
  let open = 0
  for (const sign of query.replace(/\\.|"[^"]*"/g, "").match(/[()]/g) ?? []) {
    open += sign === "(" ? 1 : -1
    if (open < 0) return false
  }
  return open === 0
}

const taxonId = (organism: string) => /^(?:\w+:)?(\d+)$/.exec(organism.trim())?.[1]

function organismClause(organism: string): string {
  const taxon = taxonId(organism)
  return taxon ? `organism_id:${taxon}` : `organism_name:"${organism.trim().replace(/["\\]/g, "\\$&")}"`
}

function hitOf(record: Json): Hit {
  const entry = pick(Entry, record)
  const { primaryAccession, uniProtkbId, proteinDescription: names, organism, sequence } = entry
  const id = primaryAccession
  // The accession of a retired entry still finds it.
  if (isInactive(entry))
    return { id, title: uniProtkbId ?? id, summary: whyInactive(entry), marks: [inactiveMark(entry)] }
  const gene = entry.genes?.[0]
  const facts = [
    (gene?.geneName ?? gene?.orderedLocusNames?.[0] ?? gene?.orfNames?.[0])?.value,
    organism?.scientificName,
    sequence && `${sequence.length} aa`,
    /unreviewed/i.test(entry.entryType) ? "unreviewed" : "reviewed",
    entry.comments?.find(({ commentType }) => commentType === "FUNCTION")?.texts?.[0]?.value,
  ]
  return {
    id,
    title: (names?.recommendedName ?? names?.submissionNames?.[0])?.fullName.value ?? uniProtkbId ?? id,
    summary: facts.filter((fact) => fact !== undefined).join(" · "),
    ...(/fragment/i.test(names?.flag ?? "") ? { marks: ["fragment"] } : {}),
  }
}

export const isInactive = ({ entryType, inactiveReason }: Entry) =>
  entryType === "Inactive" || inactiveReason !== undefined

const inactiveMark = ({ inactiveReason }: Entry) => inactiveReason?.inactiveReasonType.toLowerCase() ?? "inactive"

/** Why an entry is no more, and what to do about it (help/deleted_accessions). */
export function whyInactive({ inactiveReason, extraAttributes }: Entry): string {
  const { inactiveReasonType: type, mergeDemergeTo: heirs = [], deletedReason } = inactiveReason ?? {}
  if (heirs.length > 0)
    return `${type === "MERGED" ? "merged" : "demerged"} into ${heirs.join(" and ")}: fetch ${heirs.length > 1 ? "those" : "that"}`
  if (type === "DELETED")
    return `deleted${deletedReason ? ` (${deletedReason})` : ""}; UniParc keeps its sequence${extraAttributes?.uniParcId ? ` as ${extraAttributes.uniParcId}` : ""}`
  return `no longer an active entry${type ? ` (${type.toLowerCase()})` : ""}`
}
