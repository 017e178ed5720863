import { offsetOf, Failure, type Hit, type Http, type SearchOptions, type SearchPage } from "../../connector.ts"
import { ACCESSION, searchHits } from "../_uniprot.ts"
import { affinitiesOf, isPdb, MOST_NM, nothing, potency, rowsOf, similarTo, type Row } from "./_bindingdb-rows.ts"
import { readStructureQuery } from "./_structure-query.ts"

/** Enough for most questions, and megabytes less than all. */
const FIRST_NM = 100

/** As the service writes it: an accession or a PDB id, and the weakest affinity that is wanted, in nM. */
const TARGET = new RegExp(`^(${ACCESSION}|(?=.*[A-Z])[1-9][A-Z0-9]{3})(?:-\\d{1,3})?(?:\\s*;\\s*(\\d{1,9}))?$`, "i")

/** An accession, a PDB id or a SMILES is asked for here; names only UniProt knows, among whose entries are those with affinities here. */
export async function search(query: string, options: SearchOptions, http: Http): Promise<SearchPage> {
  // `1C1C` could be a SMILES as well.
  const [, target, cutoff] = TARGET.exec(query) ?? []
  const structure = readStructureQuery(query)
  if (structure === undefined && target === undefined) {
    const page = await searchHits(http, query, options, { clauses: ["database:bindingdb"] })
    return { ...page, notes: [IN_UNIPROT, ...page.notes] }
  }
  const { limit, cursor, organism } = options
  const start = offsetOf(cursor)
  const { hits, notes } = target
    ? await ofTarget(target.toUpperCase(), cutoff ? Number(cutoff) : undefined, http)
    : await ofCompound(structure, http)
  const end = start + limit
  return {
    hits: hits.slice(start, end),
    total: hits.length,
    ...(end < hits.length ? { next: String(end) } : {}),
    notes: [
      ...(organism === undefined ? [] : ["organism was not applied: it filters searches by name only"]),
      ...notes,
    ],
  }
}

const IN_UNIPROT =
  "searched in UniProt, among its entries with affinities here; fetch one, or search its accession for the most potent"

async function ofTarget(id: string, cutoff: number | undefined, http: Http): Promise<{ hits: Hit[]; notes: string[] }> {
  const ask = async (nM: number) => rowsOf((await affinitiesOf(id, nM, http)) ?? "")
  const first = await ask(cutoff ?? FIRST_NM)
  const widened = first.length === 0 && cutoff === undefined
  const rows = widened ? await ask(MOST_NM) : first
  const nM = widened ? MOST_NM : (cutoff ?? FIRST_NM)
  return {
    hits: rows.toSorted((a, b) => potency(a) - potency(b)).map((row) => rowHit(id, row)),
    notes: [
      `affinities of at most ${nM} nM, the most potent first; "${id};${nM === FIRST_NM ? 1000 : FIRST_NM}" asks for another bound, fetch ${id} gives all up to ${MOST_NM} nM`,
      ...(isPdb(id) ? [`${id} was read as a PDB id`] : []),
      "rows of other targets come along: each names the one that it was measured on",
    ],
  }
}

/** How similar the compounds must be is said by the parameter cutoff, which one tester found to be ignored. */
async function ofCompound(
  asked: ReturnType<typeof readStructureQuery>,
  http: Http,
): Promise<{ hits: Hit[]; notes: string[] }> {
  if (asked === undefined || asked.how === "substructure")
    throw new Failure(
      "invalid_query",
      "BindingDB does not search for substructures here; ask chembl, or write similarity: SMILES.",
    )
  const { smiles, percent = asked.how === "exact" ? 100 : 85 } = asked
  if (percent < 1 || percent > 100) throw new Failure("invalid_query", "a similarity is 1 to 100 percent.")
  const rows = rowsOf((await http.json(similarTo(smiles, percent / 100), { miss: nothing })) ?? "")
  return {
    hits: rows.toSorted((a, b) => potency(a) - potency(b)).map((row) => rowHit(`BDBM${row.monomer}`, row)),
    notes: [
      `compounds at least ${percent}% similar (Tanimoto), the most potent first; compare the SMILES, since the service may not apply the bound`,
      "a ligand's number (BDBM…) cannot be fetched here: search the target's accession",
    ],
  }
}

function rowHit(id: string, { target, species, monomer, name, smiles, type, affinity, similarity, source }: Row): Hit {
  const value = Number(affinity) === 0 ? `${type} not reported` : `${type} ${affinity} nM`
  const facts = [
    id === `BDBM${monomer}` ? undefined : `BDBM${monomer}`,
    name,
    species,
    smiles,
    similarity && `Tanimoto ${similarity}`,
    source,
  ]
  return { id, title: `${value}, ${target}`, summary: facts.filter(Boolean).join(" · ") }
}
