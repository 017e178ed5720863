import { Failure, pick, url, z, type Http, type Json } from "../../connector.ts"
import { isFormula, isInchi, isInchiKey, isSmiles } from "./_notation.ts"
import { notFound, REST } from "./_pubchem-compounds.ts"

/** Without it a substructure search answers with a million CIDs, 16 MB. */
export const MAX_RECORDS = 1000

export interface Found {
  cids: number[]
  /** There may be more than were asked for. */
  capped?: boolean
  /** How the query was understood. */
  note?: string
}

type Finder = (value: string, http: Http) => Promise<Found>

const structure =
  (operation: string): Finder =>
  (value, http) =>
    list(`${operation}/${/^\d+$/.test(value) ? "cid" : "smiles"}`, value, http, { MaxRecords: MAX_RECORDS })

/** What a query can be, each sent to its own namespace. `smiles:CCO`, `formula:C9H8O4` or `substructure:c1ccccc1` says which it is. */
const FINDERS = {
  cid: async (value) => ({ cids: [Number(value.replace(/^cid\s*/i, ""))] }),
  inchikey: (value, http) => list("inchikey", value, http),
  inchi: (value, http) => list("inchi", value, http),
  smiles: (value, http) => list("smiles", value, http),
  formula: (value, http) => list("fastformula", value, http, { MaxRecords: MAX_RECORDS }),
  substructure: structure("fastsubstructure"),
  superstructure: structure("fastsuperstructure"),
  similarity: structure("fastsimilarity_2d"),
  name: byName,
  // A CAS number is a synonym like any other.
  cas: byName,
} satisfies Record<string, Finder>

const SHAPES: [keyof typeof FINDERS, (query: string) => boolean][] = [
  ["cid", (query) => /^(?:cid\s*)?[1-9]\d{0,14}$/i.test(query)],
  ["inchikey", isInchiKey],
  ["inchi", isInchi],
  ["formula", isFormula],
  ["smiles", isSmiles],
]

export async function find(query: string, http: Http): Promise<Found> {
  const [, word = "", value = ""] = /^([a-z]+)\s*[:=]\s*(\S.*)$/i.exec(query) ?? []
  const said = word.toLowerCase()
  if (isFinder(said) && !isInchi(query)) return await FINDERS[said](value, http)
  const shape = SHAPES.find(([, fits]) => fits(query))?.[0] ?? "name"
  const found = await FINDERS[shape](query, http)
  // `CHK1` and the like could be a formula, and are a name.
  return shape === "formula" && found.cids.length === 0 ? await byName(query, http) : found
}

function isFinder(word: string): word is keyof typeof FINDERS {
  return Object.hasOwn(FINDERS, word)
}

async function byName(name: string, http: Http): Promise<Found> {
  const exact = await list("name", name, http)
  if (exact.cids.length > 0) return exact
  const found = await list("name", name, http, { name_type: "word" })
  return { ...found, note: "no compound has exactly this name, so its words were looked for" }
}

/** What a path cannot carry goes in the body (pubchem.ncbi.nlm.nih.gov/docs/pug-rest, "URL-based API"): SMILES, InChI, names with a slash. */
async function list(
  path: string,
  value: string,
  http: Http,
  query: { MaxRecords?: number; name_type?: string } = {},
): Promise<Found> {
  const namespace = path.split("/").at(-1) ?? path
  const inBody = /^(?:smiles|inchi)$/.test(namespace) || /[/\\#?%+]/.test(value)
  const answer = inBody
    ? await http.json(`${REST}/compound/${path}/cids/JSON`, { query, form: { [namespace]: value }, miss: notFound })
    : await http.json(`${REST}/compound/${path}/` + url`${value}/cids/JSON`, { query, miss: notFound })
  const done = answer === undefined ? undefined : await finished(answer, http)
  if (done === undefined) return { cids: [] }
  // A structure that PubChem does not have is CID 0.
  const cids = [...new Set(pick(CIDS, done).IdentifierList.CID)].filter((cid) => cid > 0)
  return { cids, capped: query.MaxRecords !== undefined && cids.length >= query.MaxRecords }
}

/** Any list may be promised instead of given. Its key is asked for until the list is there, as a failed attempt is tried again. */
async function finished(answer: Json, http: Http): Promise<Json | undefined> {
  const promised = WAITING.safeParse(answer)
  if (!promised.success) return answer
  const { ListKey: key } = promised.data.Waiting
  return await http.json(REST + url`/compound/listkey/${key}/cids/JSON`, {
    miss: notFound,
    inspect: (body) =>
      /^\s*\{\s*"Waiting"/.test(body)
        ? new Failure("unavailable", "PubChem has not finished this search; try again in a minute, or narrow it.", {
            retryAfterMs: 2000,
          })
        : undefined,
  })
}

const CIDS = z.lazy(() => z.object({ IdentifierList: z.object({ CID: z.array(z.number()) }) }))

const WAITING = z.lazy(() => z.object({ Waiting: z.object({ ListKey: z.coerce.string() }) }))
