import {
  offsetOf,
  Failure,
  pick,
  url,
  z,
  type Hit,
  type Http,
  type SearchOptions,
  type SearchPage,
} from "../../connector.ts"
import { searchHits } from "../_uniprot.ts"

/** SIFTS has no text search: UniProt's is asked for proteins with a structure, and SIFTS itself for the structures of one protein. */
export async function search(
  query: string,
  { protein, entry }: { protein?: string; entry?: string },
  options: SearchOptions,
  http: Http,
): Promise<SearchPage> {
  if (protein !== undefined) return await structuresOf(protein, options, http)
  // www.uniprot.org/help/query-fields: xref:pdb-1aut
  const text = entry === undefined ? query : `xref:pdb-${entry}`
  const page = await searchHits(http, text, options, { clauses: ["database:pdb"] })
  const note = "searched in UniProt, among its entries with a PDB structure; search an accession for its structures"
  return { ...page, notes: [note, ...page.notes] }
}

const Best = z.lazy(() =>
  z.record(
    z.string(),
    z.array(
      z.object({
        pdb_id: z.string(),
        chain_id: z.string(),
        experimental_method: z.string().nullish(),
        // Null for NMR.
        resolution: z.number().nullish(),
        unp_start: z.number(),
        unp_end: z.number(),
        coverage: z.number().nullish(),
      }),
    ),
  ),
)

/** All chains at once, the best first: by coverage, then by resolution. */
async function structuresOf(
  protein: string,
  { limit, cursor, organism }: SearchOptions,
  http: Http,
): Promise<SearchPage> {
  const start = offsetOf(cursor)
  const answer = await http.json(url`https://www.ebi.ac.uk/pdbe/api/mappings/best_structures/${protein}`, {
    miss: ({ status, html }) => status === 404 && !html,
  })
  const chains = answer === undefined ? {} : pick(Best, answer)
  const all = chains[protein] ?? []
  if (all.length === 0 && Object.keys(chains).length > 0)
    throw new Failure("bad_response", `PDBe answered about ${Object.keys(chains).join(", ")} instead of ${protein}`)
  const end = start + limit
  return {
    hits: all.slice(start, end).map(hitOf),
    total: all.length,
    ...(end < all.length ? { next: String(end) } : {}),
    notes: [
      all.length === 0
        ? `no PDB structure is mapped to ${protein}`
        : "one line a chain, the total too: best coverage first, then best resolution",
      ...(organism === undefined ? [] : ["organism is not applied: an accession is of one already"]),
    ],
  }
}

function hitOf(chain: z.infer<typeof Best>[string][number]): Hit {
  const { pdb_id: id, experimental_method: method, resolution, unp_start: from, unp_end: to, coverage } = chain
  const facts = [
    [method, resolution ? `${resolution} Å` : ""].filter((each) => !!each).join(" "),
    `residues ${from}-${to}`,
    typeof coverage === "number" ? `${Math.round(coverage * 100)}% of the protein` : "",
  ]
  return { id, title: `${id} chain ${chain.chain_id}`, summary: facts.filter((fact) => fact !== "").join(" · ") }
}
