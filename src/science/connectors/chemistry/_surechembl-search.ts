import {
  offsetOf,
  Failure,
  pick,
  url,
  z,
  type AnswerHead,
  type Hit,
  type Http,
  type SearchOptions,
  type SearchPage,
} from "../../connector.ts"
import { isInchi, isInchiKey } from "./_notation.ts"
import { compoundHit, documentHit, documentsFor } from "./_surechembl-hits.ts"
import { Compound, compoundOf, dataOf, SURECHEMBL } from "./_surechembl-records.ts"
import { readStructureQuery, type StructureQuery } from "./_structure-query.ts"
import { solr } from "./_surechembl-solr.ts"

/** Patents in full text, the patents of a compound, and compounds by name, number or structure. */
export async function search(query: string, { limit, cursor }: SearchOptions, http: Http): Promise<SearchPage> {
  const offset = offsetOf(cursor)
  // It counts in pages.
  if (offset % limit !== 0)
    throw new Failure("invalid_query", `ask for the next page with the same limit, of which ${offset} is a multiple`)
  const page = offset / limit + 1
  const paged = ({ hits, total, notes = [] }: Found): SearchPage => ({
    hits,
    total,
    ...(offset + limit < total && hits.length > 0 ? { next: String(offset + limit) } : {}),
    notes,
  })

  const structure = readStructureQuery(query)
  if (structure?.how === "exact") return paged(cut(await bySmiles(structure.smiles, http), offset, limit))
  if (structure) return paged(await byStructure(structure, { page, limit }, http))
  if (isInchiKey(query) || isInchi(query))
    throw new Failure(
      "invalid_query",
      "SureChEMBL has no look-up by InChI or InChIKey; give a SMILES, or look it up in chembl or pubchem.",
    )
  const [, word = "", rest = ""] = /^(compound|chemical|patents)\s*:\s*(\S.*)$/i.exec(query) ?? []
  const number = /^schembl[\s:_-]*0*([1-9]\d*)$/i.exec(rest || query)?.[1]
  if (/^patents$/i.test(word) && number === undefined)
    throw new Failure(
      "invalid_query",
      "write patents: SCHEMBL1353 for the patents of a compound; words alone search all patents.",
    )
  if (/^patents$/i.test(word))
    return paged(await patentsOf({ chemicalIds: number ?? "", page, itemsPerPage: limit }, http))
  if (number !== undefined) return paged(await byNumber(`SCHEMBL${number}`, http))
  if (word !== "") return paged(cut(await byName(rest, http), offset, limit))
  const found = await documentsFor("/search/content", { query: solr(query), page, itemsPerPage: limit }, http)
  return paged({ hits: found.documents.map(documentHit), total: found.total, notes: [HOW] })
}

const HOW =
  'patents that hold all the words; fields as ttl: clm: ab: asg: pn: pdyear: and AND OR NOT "…" narrow it; "compound: aspirin", a SMILES or "patents: SCHEMBL1353" ask by compound'

interface Found {
  hits: Hit[]
  total: number
  notes?: string[]
}

const cut = ({ hits, ...found }: Found, offset: number, limit: number): Found => ({
  ...found,
  hits: hits.slice(offset, offset + limit),
})

async function patentsOf(
  query: { chemicalIds: string; page: number; itemsPerPage: number },
  http: Http,
): Promise<Found> {
  const { documents, total } = await documentsFor("/search/documents_for_structures", query, http)
  return {
    hits: documents.map(documentHit),
    total,
    notes: [`patents in which SCHEMBL${query.chemicalIds} was found by machine`],
  }
}

async function byNumber(id: string, http: Http): Promise<Found> {
  const record = await compoundOf(id, http)
  if (record === undefined) return { hits: [], total: 0 }
  return {
    hits: [compoundHit(pick(Compound, record))],
    total: 1,
    notes: [`"patents: ${id}" searches the patents of it`],
  }
}

/** An unknown name is a 400. */
async function byName(name: string, http: Http): Promise<Found> {
  const miss = ({ status, head }: AnswerHead) => status === 400 && head.includes("error retrieving chemical data")
  const data = dataOf(await http.json(SURECHEMBL + url`/chemical/name/${name}`, { miss }))
  const hits = data === undefined ? [] : pick(z.array(Compound), data).map(compoundHit)
  return { hits, total: hits.length }
}

/** By what it holds; a structure may have several numbers. None, for one that is not there and for one that is no SMILES. */
async function bySmiles(smiles: string, http: Http): Promise<Found> {
  const data = dataOf(await http.json(`${SURECHEMBL}/chemical/smiles/`, { form: { smiles } }))
  const hits = Object.values(pick(z.record(z.string(), Compound), data)).map(compoundHit)
  const none = '"similarity: SMILES" and "substructure: SMILES" search for others'
  return { hits, total: hits.length, notes: hits.length > 0 ? [] : [`no compound is written just so; ${none}`] }
}

const Job = z.lazy(() => z.object({ hash: z.string() }))
const Status = z.lazy(() => z.object({ message: z.string(), resultCount: z.coerce.number().nullish() }))
const Results = z.lazy(() => z.object({ results: z.object({ structures: z.array(Compound) }) }))

/** A job, whose end is asked for as a failed attempt is tried again, and then a page of what it found. */
async function byStructure(
  { how, smiles, percent }: StructureQuery,
  { page, limit }: { page: number; limit: number },
  http: Http,
): Promise<Found> {
  if (percent !== undefined)
    throw new Failure(
      "invalid_query",
      "SureChEMBL sets the bound of a similarity search itself; write similarity: SMILES.",
    )
  const body = { StructureSearchRequest: { struct: smiles, structSearchType: how } }
  const { hash } = pick(Job, dataOf(await http.json(`${SURECHEMBL}/search/structure`, { body })))
  const status = await http.json(SURECHEMBL + url`/search/${hash}/status`, { inspect: unfinished })
  const total = pick(Status, dataOf(status)).resultCount ?? 0
  const answer =
    total === 0
      ? undefined
      : await http.json(SURECHEMBL + url`/search/${hash}/results`, { query: { page, max_results: limit } })
  const hits = answer === undefined ? [] : pick(Results, dataOf(answer)).results.structures.map(compoundHit)
  const order = how === "similarity" ? ["not sorted by similarity"] : []
  const capped = total >= 10_000 ? ["10,000 is the most that SureChEMBL finds: there may be more"] : []
  return { hits, total, notes: [...order, ...capped, '"patents: SCHEMBL…" searches the patents of one'] }
}

function unfinished(body: string): Failure | undefined {
  const message = /"message"\s*:\s*"([^"]*)"/.exec(body)?.[1]
  if (message === undefined || /^Searching finished/.test(message)) return undefined
  // Such failures pass: the same search has gone well minutes before.
  if (/error/i.test(message))
    return new Failure("unavailable", `SureChEMBL's structure search failed (${message}); try again.`, {
      retryable: false,
    })
  return new Failure(
    "unavailable",
    "SureChEMBL has not finished this structure search; try again in a minute, or narrow it.",
    {
      retryAfterMs: 3000,
    },
  )
}
