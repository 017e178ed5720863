import {
  offsetOf,
  Failure,
  Miss,
  pick,
  z,
  type Hit,
  type Http,
  type SearchOptions,
  type SearchPage,
} from "../../connector.ts"
import { CHEBI, Compound, compoundOf } from "./_chebi-entities.ts"
import { isInchiKey } from "./_notation.ts"
import { readStructureQuery, type StructureQuery } from "./_structure-query.ts"

/** Names, synonyms, formulas, CAS numbers, InChIKeys in full text; structures by SMILES. Both answer in the same form. */
export async function search(query: string, { limit, cursor }: SearchOptions, http: Http): Promise<SearchPage> {
  const offset = offsetOf(cursor)
  // It counts in pages.
  if (offset % limit !== 0)
    throw new Failure("invalid_query", `ask for the next page with the same limit, of which ${offset} is a multiple`)
  const accession = /^chebi[\s:_]*0*([1-9]\d*)$/i.exec(query)?.[1]
  if (accession !== undefined) return await byAccession(`CHEBI:${accession}`, http)
  const structure = readStructureQuery(query)
  const { path, notes, ...asked } = structure ? byStructure(structure) : { path: "/es_search/", query: { term: query } }
  const answer = await http.json(CHEBI + path, { query: { ...asked.query, page: offset / limit + 1, size: limit } })
  const { total, results } = pick(Found, answer)
  const hits = results.map(({ _source }) => hitOf(_source))
  // Full text: beside the one that has the key come others that resemble it.
  if (isInchiKey(query)) {
    const exact = hits.filter((_, i) => results[i]?._source.inchikey === query)
    return { hits: exact, total: exact.length, notes: [] }
  }
  const end = offset + limit
  return {
    hits,
    total,
    ...(end < Math.min(total, MOST) ? { next: String(end) } : {}),
    notes: notes ?? [],
  }
}

/** Elasticsearch's window. */
const MOST = 10_000

const Row = z.lazy(() =>
  z.object({
    chebi_accession: z.string(),
    name: z.string().nullish(),
    ascii_name: z.string().nullish(),
    definition: z.string().nullish(),
    stars: z.number().nullish(),
    formula: z.string().nullish(),
    mass: z.union([z.string(), z.number()]).nullish(),
    inchikey: z.string().nullish(),
  }),
)

const Found = z.lazy(() => z.object({ total: z.number(), results: z.array(z.object({ _source: Row })) }))

async function byAccession(id: string, http: Http): Promise<SearchPage> {
  const record = await compoundOf(id, http)
  if (record instanceof Miss) return { hits: [], total: 0, notes: record.reason ? [record.reason] : [] }
  const { chemical_data, ...compound } = pick(Compound, record)
  const moved = compound.chebi_accession === id ? [] : [`${id} was merged into ${compound.chebi_accession}`]
  return { hits: [hitOf({ ...compound, ...chemical_data })], total: 1, notes: moved }
}

function byStructure({ how, smiles, percent = 80 }: StructureQuery) {
  const path = "/structure_search/"
  if (how === "similarity" && (percent < 40 || percent > 100))
    throw new Failure("invalid_query", "ChEBI takes a similarity of 40 to 100 percent.")
  const type = how === "exact" ? "connectivity" : how
  const bound = how === "similarity" ? { similarity: percent / 100 } : {}
  const query = { smiles, search_type: type, three_star_only: false, ...bound }
  const notes = {
    exact: ["whatever is connected so, stereochemistry aside"],
    similarity: [`at least ${percent}% similar; "similarity 60: …" asks for another bound`],
    substructure: [],
  }
  return { path, query, notes: notes[how] }
}

function hitOf({ chebi_accession: id, name, ascii_name, definition, stars, formula, mass }: z.infer<typeof Row>): Hit {
  const facts = [formula, mass && `${mass} g/mol`, stars && `${stars} of 3 stars`, definition]
  return { id, title: ascii_name ?? name ?? id, summary: facts.filter(Boolean).join(" · ") }
}
