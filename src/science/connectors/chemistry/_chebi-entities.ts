import { Failure, keep, Miss, orFailure, pick, url, z, type AnswerHead, type Http, type Json } from "../../connector.ts"

/** ChEBI 2.0 (www.ebi.ac.uk/chebi/backend/api/docs/); what came before it, SOAP, is gone since October 2025. */
export const CHEBI = "https://www.ebi.ac.uk/chebi/backend/api/public"

/** What is read of an entity. */
export const Compound = z.lazy(() =>
  z.object({
    id: z.number(),
    chebi_accession: z.string(),
    name: z.string().nullish(),
    ascii_name: z.string().nullish(),
    definition: z.string().nullish(),
    stars: z.number().nullish(),
    is_released: z.boolean().nullish(),
    secondary_ids: z.array(z.string()).nullish(),
    chemical_data: z
      .object({ formula: z.string().nullish(), mass: z.union([z.string(), z.number()]).nullish() })
      .nullish(),
    default_structure: z.object({ id: z.number().nullish() }).nullish(),
  }),
)

export type Compound = z.infer<typeof Compound>

export const numberOf = (id: string) => id.replace(/^CHEBI:/, "")

/** Under 404 with a line of JSON; a page there is a proxy's. */
const gone = ({ status, html }: AnswerHead) => status === 404 && !html

/** A merged accession is answered with the entity that it is now, under 200. */
export async function compoundOf(id: string, http: Http): Promise<Json | Miss> {
  return (await http.json(CHEBI + url`/compound/${numberOf(id)}/`, { miss: gone })) ?? (await whyGone(id, http))
}

const Terms = z.lazy(() =>
  z.object({
    page: z.object({ totalElements: z.number() }),
    _embedded: z
      .object({
        terms: z.array(
          z.object({ obo_id: z.string(), is_obsolete: z.boolean(), term_replaced_by: z.string().nullish() }),
        ),
      })
      .optional(),
  }),
)

const NO_TERM = { page: { totalElements: 0 } }

/** The entity as a term of the ontology, at the Ontology Lookup Service. */
export const termOf = (id: string) => url`https://www.ebi.ac.uk/ols4/api/ontologies/chebi/terms?obo_id=${id}`

/** Only the ontology's own service tells of entities that were given up. */
async function whyGone(id: string, http: Http): Promise<Miss> {
  const answer = await orFailure(async () => pick(Terms, (await http.json(termOf(id), { miss: gone })) ?? NO_TERM))
  if (answer instanceof Failure) return new Miss("ChEBI has no such entity; whether it had one could not be asked")
  const term = answer._embedded?.terms.find(({ obo_id }) => obo_id === id)
  if (!term?.is_obsolete) return new Miss()
  const heir = term.term_replaced_by?.replace(/^.*CHEBI[_:]/, "CHEBI:")
  return new Miss(`it is obsolete${heir ? `, replaced by ${heir}: fetch that` : ", and nothing took its place"}`)
}

const Batch = z.lazy(() =>
  z.record(
    z.string(),
    z.object({ exists: z.boolean(), standardized_chebi_id: z.string().nullish(), data: z.unknown() }),
  ),
)

/** Keyed by the ids that were asked for; `exists: false` where there is none. */
export async function compoundsOf(ids: string[], http: Http): Promise<Map<string, Json | Miss>> {
  const answer = await http.json(`${CHEBI}/compounds/`, { query: { chebi_ids: ids.join() }, miss: () => false })
  const entries = Object.entries(keep(Batch, answer))
  return new Map(
    ids.flatMap((id): [string, Json][] => {
      const entry = entries.find(([asked, { standardized_chebi_id: own }]) => asked === id || own === id)?.[1]
      return entry?.exists ? [[id, entry.data]] : []
    }),
  )
}
