import {
  offsetOf,
  Failure,
  Miss,
  pick,
  url,
  z,
  type Http,
  type SearchOptions,
  type SearchPage,
} from "../../connector.ts"
import { CHEMBL, entityOf, recordOf } from "./_chembl-entities.ts"
import { LISTS, type Resource } from "./_chembl-hits.ts"
import { ofOrganism, type Question } from "./_chembl-question.ts"
import { isInchi, isInchiKey, isSmiles } from "./_notation.ts"
import { readStructureQuery, type StructureQuery } from "./_structure-query.ts"

const MOST_RANKED = 10_000

export async function search(
  query: string,
  { limit, cursor, organism }: SearchOptions,
  http: Http,
): Promise<SearchPage> {
  // A wrong offset would be answered with the first page.
  const start = offsetOf(cursor)
  if (/^CHEMBL[1-9]\d*$/i.test(query)) return await byId(query.toUpperCase(), http)
  const asked = ofOrganism(questionOf(query, organism), organism)
  const { resource, path, query: filters, ranked, notes = [] } = asked
  const answer = await http.json(CHEMBL + path, { query: { ...filters, limit, offset: start } })
  const { page_meta: page } = pick(Page, answer)
  const hits = LISTS[resource].read(answer)
  const capped = ranked === true && page.total_count >= MOST_RANKED
  const end = /[?&]offset=(\d+)/.exec(page.next ?? "")?.[1]
  return {
    hits,
    ...(capped ? {} : { total: page.total_count }),
    ...(end && !(ranked && Number(end) >= MOST_RANKED) ? { next: end } : {}),
    notes: [...notes, ...(capped ? ["10,000 or more, of which ChEMBL gives the first 10,000"] : [])],
  }
}

/** Full text would put unrelated compounds behind the one that has this id. */
async function byId(id: string, http: Http): Promise<SearchPage> {
  const record = await recordOf(id, http)
  if (record === undefined) return { hits: [], total: 0 }
  if (record instanceof Miss) return { hits: [], total: 0, notes: record.reason ? [record.reason] : [] }
  return { hits: [LISTS[entityOf(record).resource].hit(record)], total: 1 }
}

/** `next` is a path without a host; null on the last page. */
const Page = z.lazy(() => z.object({ page_meta: z.object({ total_count: z.number(), next: z.string().nullish() }) }))

const filtered = (resource: Resource, query: Record<string, string>, ...notes: string[]): Question => ({
  resource,
  path: `/${resource}.json`,
  query,
  notes,
})

const UNIPROT = /^(?:[OPQ]\d[A-Z0-9]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z0-9]{2}\d){1,2})$/
const RESOURCE = Object.keys(LISTS).join("|")
const FILTERS = new RegExp(`^/?(${RESOURCE})(?:\\.json)?\\?(.+)$`, "is")
const TEXT = new RegExp(`^(${RESOURCE})s?:\\s*(\\S.*)$`, "is")

/** `CHEMBL25`, an InChIKey, a SMILES, `similarity 80: SMILES`, `activity?field=value&…` in ChEMBL's own syntax, `target: words`, words. */
function questionOf(query: string, organism: string | undefined): Question {
  const filters = FILTERS.exec(query)
  if (filters) return filtered(resourceOf(filters[1]), readFilters(filters[2] ?? ""), MAY_BE_IGNORED)
  if (/^\w+=[^&]/.test(query) && !isSmiles(query) && !isInchi(query)) return bareFilters(query)
  const structure = readStructureQuery(query)
  if (structure) return byStructure(structure)
  const named = TEXT.exec(query)
  if (named) return inText(resourceOf(named[1]), named[2] ?? "", organism)
  if (isInchiKey(query)) return filtered("molecule", { molecule_structures__standard_inchi_key: query })
  if (isInchi(query))
    throw new Failure("invalid_query", "ChEMBL cannot be searched by an InChI; give its InChIKey or a SMILES instead.")
  if (UNIPROT.test(query)) return filtered("target", { target_components__accession: query })
  return organism === undefined
    ? inText("molecule", query, undefined, ONLY_MOLECULES)
    : inText("target", query, organism)
}

const MAY_BE_IGNORED =
  "ChEMBL may ignore a filter whose name it does not know: see that the total is not that of everything"
const ONLY_MOLECULES =
  'among compounds only; "target: …", "assay: …", "document: …" search those, "activity?target_chembl_id=CHEMBL203&standard_type=IC50" filters'

/** The name of a resource as the expression above let it through. */
function resourceOf(name = ""): Resource {
  return Resources.parse(name.toLowerCase())
}

const Resources = z.lazy(() => z.custom<Resource>((name) => typeof name === "string" && Object.hasOwn(LISTS, name)))

/** Fields that only one resource has tell of which it is. */
const OWN_FIELDS: [RegExp, Resource][] = [
  [/^(?:standard|pchembl|bao_endpoint|data_validity)/, "activity"],
  [/^(?:mesh|efo|max_phase_for_ind)/, "drug_indication"],
  [/^(?:mechanism|action_type|mec_id)/, "mechanism"],
  [/^warning/, "drug_warning"],
  [/^(?:target_type|target_component|organism|tax_id)/, "target"],
  [/^(?:assay_(?!chembl_id)|confidence|relationship)/, "assay"],
  [/^(?:molecule_(?!chembl_id)|max_phase|first_approval|withdrawn|black_box)/, "molecule"],
]

function bareFilters(query: string): Question {
  const filters = readFilters(query)
  const own = OWN_FIELDS.find(([field]) => Object.keys(filters).some((name) => field.test(name)))?.[1]
  if (own) return filtered(own, filters, `read as filters of ${own}`, MAY_BE_IGNORED)
  throw new Failure("invalid_query", `say what is filtered, e.g. molecule?${query} or activity?${query}.`)
}

/** ChEMBL's filters as they stand in an address. */
function readFilters(text: string): Record<string, string> {
  const pairs = [...new URLSearchParams(text)]
  const names = pairs.map(([name]) => name)
  const odd = names.find((name) => !/^\w+$/.test(name) || ["limit", "offset", "format", "only", "q"].includes(name))
  if (odd !== undefined)
    throw new Failure(
      "invalid_query",
      `${JSON.stringify(odd)} cannot be a filter here; write field=value&field__gte=value.`,
    )
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice)
    throw new Failure(
      "invalid_query",
      `the filter ${twice} stands there twice; give several values as ${twice}__in=a,b.`,
    )
  const empty = pairs.find(([, value]) => value === "")?.[0]
  if (empty)
    throw new Failure(
      "invalid_query",
      `the filter ${empty} has no value; for rows without one write ${empty}__isnull=true.`,
    )
  return Object.fromEntries(pairs)
}

function byStructure({ how, smiles, percent = 80 }: StructureQuery): Question {
  if (how === "exact") return filtered("molecule", { molecule_structures__canonical_smiles__connectivity: smiles })
  if (how === "substructure") return { resource: "molecule", path: url`/substructure/${smiles}.json` }
  if (percent < 40 || percent > 100)
    throw new Failure("invalid_query", "ChEMBL takes a similarity of 40 to 100 percent.")
  const notes = [`at least ${percent}% similar (Tanimoto); "similarity 60: …" asks for another bound`]
  return { resource: "molecule", path: url`/similarity/${smiles}/${percent}.json`, notes }
}

/** Full text has no filters, so with an organism the words are matched by a filter too. */
function inText(resource: Resource, text: string, organism: string | undefined, ...notes: string[]): Question {
  if (!LISTS[resource].text)
    throw new Failure("invalid_query", `${resource} has no text search; filter it: ${resource}?field=value.`)
  if (organism === undefined)
    return { resource, path: `/${resource}/search.json`, query: { q: text }, notes, ranked: true }
  if (resource === "assay") return filtered(resource, { description__icontains: text })
  if (resource === "cell_line") return filtered(resource, { cell_name__icontains: text })
  return /\s/.test(text)
    ? filtered(resource, { pref_name__icontains: text })
    : filtered(resource, { target_components__target_component_synonyms__component_synonym__iexact: text })
}
