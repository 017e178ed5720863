import { defineConnector, Failure, Miss, pick, url, z, offsetOf } from "../../connector.ts"
import type { Http, Json, Location, SearchOptions, SearchPage } from "../../connector.ts"
import type { Question } from "../_graphql.ts"
import { entityOf, ID, normalize, type Entity } from "./_opentargets-ids.ts"
import {
  ask,
  idsOf,
  missingOf,
  openTargetsFailure,
  questionOf,
  questionOfMany,
  recordOf,
  recordsOf,
} from "./_opentargets-records.ts"

export default defineConnector({
  id: "opentargets",
  name: "Open Targets",
  domain: "clinical",
  description: "drug targets, diseases, drugs, their evidence; GWAS",
  homepage: "https://platform.opentargets.org",
  license: "CC0 1.0; sources within keep their own terms",
  cite: "Open Targets Platform (platform.opentargets.org) with its release, and its latest paper: Buniello et al. Nucleic Acids Res. 53:D1467 (2025). doi:10.1093/nar/gkae1128",
  ids: {
    curie: "opentargets",
    pattern: ID,
    examples: ["CHEMBL25", "ENSG00000141510", "MONDO_0004980", "19_44908822_C_T", "GCST004131"],
    normalize,
  },
  probe: { query: "BRAF", missing: "ENSG00000000000" },
  // No limit is published; the makers' own MCP server keeps to three a second.
  hosts: { "api.platform.opentargets.org": { perSecond: 3, concurrent: 2 } },
  url: "https://platform.opentargets.org/target/{id}",
  page: (id) => `https://platform.opentargets.org/${PAGES[entityOf(id)]}/${id}`,
  missing: ({ status, head, operation }) =>
    operation === "file" && status === 200 && /^\s*\{\s*"data"\s*:\s*\{\s*"\w+"\s*:\s*null\s*\}/.test(head),
  failure: openTargetsFailure,

  identify: idsOf,
  remarks,

  search,
  fetch: recordOf,
  fetchMany: { atOnce: 20, fetch: recordsOf },
  files: {
    json: {
      kind: "json",
      locate: (id) => addressOf(questionOf(id)),
      many: async (ids, http) => {
        const missing = await missingOf(ids, http)
        const there = ids.filter((id) => !missing.has(id))
        return there.length === 0 ? { missing } : { location: addressOf(questionOfMany(there)), missing }
      },
    },
    associations: { kind: "json", locate: associations },
  },
})

const PAGES: Record<Entity, string> = {
  target: "target",
  disease: "disease",
  drug: "drug",
  variant: "variant",
  study: "study",
  credibleSet: "credible-set",
}

const Rows = z.lazy(() => z.object({ count: z.number(), rows: z.array(z.unknown()) }).nullish())

const Lists = z.lazy(() =>
  z.object({
    associatedDiseases: Rows,
    associatedTargets: Rows,
    phenotypes: Rows,
    adverseEvents: Rows,
    interactions: Rows,
    credibleSets: Rows,
    locus: Rows,
    drugWarnings: z.array(z.object({ warningType: z.string() })).nullish(),
  }),
)

/** A list of which only the first are here says so: the count stands in the record, but not that the rows are cut. */
function remarks(record: Json): string[] {
  const { drugWarnings, ...lists } = pick(Lists, record)
  const cut = Object.entries(lists).flatMap(([name, list]) =>
    list && list.rows.length < list.count ? [`${list.rows.length} of ${list.count} ${name}`] : [],
  )
  const warned = [...new Set((drugWarnings ?? []).map(({ warningType }) => warningType))]
  const more = lists.associatedDiseases || lists.associatedTargets ? " (format associations has all)" : ""
  return [
    ...(cut.length > 0 ? [`holds ${cut.join(", ")}${more}`] : []),
    ...(warned.length > 0 ? [`has drug warnings: ${warned.join(", ")}`] : []),
  ]
}

/** A question may also stand in the address (conf/routes of opentargets/platform-api). */
function addressOf({ query, variables }: Question): string {
  return url`https://api.platform.opentargets.org/api/v4/graphql?query=${query}&variables=${JSON.stringify(variables)}`
}

/** The most that a page may hold (the schema's text). */
const PAGE = 3000

async function associations(id: string, http: Http): Promise<Location | Miss | undefined> {
  const entity = entityOf(id)
  if (entity !== "target" && entity !== "disease")
    return new Miss("associations are those of a target or a disease; fetch another format")
  const [list, other] =
    entity === "target"
      ? ["associatedDiseases", "disease{id name}"]
      : ["associatedTargets", "target{id approvedSymbol approvedName}"]
  const answer = (await ask(http, questionOf(id, `id ${list}{count}`)))[entity]
  if (answer === null) return undefined
  const { count } = pick(z.object({ [list ?? ""]: z.object({ count: z.number() }) }), answer)[list ?? ""] ?? {
    count: 0,
  }
  if (count > PAGE)
    throw new Failure(
      "too_large",
      `${id} has ${count} associations, and a file holds ${PAGE} at most; the bulk downloads have all: platform.opentargets.org/downloads.`,
    )
  const rows = `rows{score ${other} datatypeScores{id score} datasourceScores{id score}}`
  return addressOf(questionOf(id, `id ${list}(page:{index:0,size:${PAGE}}){count ${rows}}`))
}

const Found = z.lazy(() =>
  z.object({
    search: z.object({
      total: z.number(),
      hits: z.array(
        z.object({
          id: z.string(),
          entity: z.string(),
          name: z.string().optional(),
          description: z.string().nullish(),
        }),
      ),
    }),
  }),
)

const QUERY =
  "query($q:String!,$e:[String!],$i:Int!,$s:Int!){search(queryString:$q,entityNames:$e,page:{index:$i,size:$s})" +
  "{total hits{id entity name description}}}"

/** Studies are left out unless they are asked for: of BRCA1 most of 1,552 hits are QTL studies. */
const USUAL = ["target", "disease", "drug", "variant"]

async function search(query: string, { limit, cursor }: SearchOptions, http: Http): Promise<SearchPage> {
  const offset = pageStart(cursor, limit)
  const [token, entity] = /(?:^|\s)entity[:=](target|disease|drug|variant|study)(?=\s|$)/i.exec(query) ?? []
  const words = (token === undefined ? query : query.replace(token, " ")).trim()
  if (words === "") throw new Failure("invalid_query", "this names an entity only; say what to look for.")
  const id = normalize(words)
  const q = ID.test(id) ? id : words
  const entities =
    entity === undefined
      ? entityOf(q) === "study" && ID.test(q)
        ? [...USUAL, "study"]
        : USUAL
      : [entity.toLowerCase()]
  const data = await ask(http, { query: QUERY, variables: { q, e: entities, i: offset / limit, s: limit } })
  const { total, hits } = pick(Found, data).search
  const next = offset + hits.length
  const isLast = hits.length < limit || next >= total || next + limit > REACHABLE_HITS
  return {
    hits: hits.map(({ id, entity, name, description }) => ({
      id,
      title: name ?? id,
      summary: [entity, description].filter((text) => text).join(" · "),
    })),
    total,
    ...(isLast ? {} : { next: String(next) }),
    notes: entities.includes("study") ? [] : [`of ${entities.join(", ")}; add entity:study to the query for studies`],
  }
}

/** Deeper was not tried; Elasticsearch's window usually ends there. */
const REACHABLE_HITS = 10_000

/** The service counts pages, so a cursor only goes on where its pages begin. */
function pageStart(cursor: string | undefined, limit: number): number {
  const offset = offsetOf(cursor, 10_000)
  if (offset % limit === 0) return offset
  throw new Failure("invalid_query", "this cursor was given for another limit; keep the limit while paging.")
}
