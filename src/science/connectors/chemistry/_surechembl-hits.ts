import { pick, z, type Hit, type Http } from "../../connector.ts"
import { dataOf, SURECHEMBL, type Compound } from "./_surechembl-records.ts"

/** Values that are missing are the word "null". */
const text = z.lazy(() =>
  z.unknown().transform((value) => (typeof value === "string" && value !== "null" && value !== "" ? value : undefined)),
)

const ABSENT = z.lazy(() => z.literal(["null", ""]).transform(() => undefined))

const Metadata = z.lazy(() =>
  z.object({
    pd: text,
    titles: z.union([z.array(z.object({ lang: text, titles: z.array(z.string()).nullish() })), ABSENT]).nullish(),
  }),
)

const Documents = z.lazy(() =>
  z.object({
    results: z.object({
      total_hits: z.coerce.number(),
      documents: z.array(
        z.object({ docId: z.string(), pa: z.unknown(), metadata: z.union([Metadata, ABSENT]).nullish() }),
      ),
    }),
  }),
)

type DocumentRow = z.infer<typeof Documents>["results"]["documents"][number]

/** Such searches are posted, with everything in the address and no body. */
export async function documentsFor(path: string, query: Record<string, string | number>, http: Http) {
  const { results } = pick(
    Documents,
    dataOf(await http.json(SURECHEMBL + path, { query, text: "", miss: () => false })),
  )
  return { documents: results.documents, total: results.total_hits }
}

export function documentHit({ docId, pa, metadata }: DocumentRow): Hit {
  const titles = metadata?.titles ?? []
  const title = (titles.find(({ lang }) => lang?.toLowerCase() === "en") ?? titles[0])?.titles?.[0]
  const applicants = [pa].flat().filter((each) => typeof each === "string" && each !== "null" && each !== "")
  const date = metadata?.pd?.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3")
  return { id: docId, title: title ?? docId, summary: [date, ...applicants].filter(Boolean).join(" · ") }
}

export function compoundHit({
  chemical_id,
  name,
  smiles,
  mol_formula,
  mol_weight,
  global_frequency,
  similarity,
}: Compound): Hit {
  const id = `SCHEMBL${chemical_id}`
  const facts = [
    similarity && `similarity ${similarity}`,
    mol_formula,
    mol_weight && `${mol_weight} g/mol`,
    global_frequency && `in ${global_frequency} patents`,
    smiles,
  ]
  return { id, title: name || smiles || id, summary: facts.filter(Boolean).join(" · ") }
}
