import {
  defineConnector,
  Failure,
  keep,
  Miss,
  pick,
  url,
  z,
  type AnswerHead,
  type Hit,
  type Http,
  type Json,
  type Together,
} from "../../connector.ts"
import { isFormula, isInchi, isInchiKey, isSmiles } from "./_notation.ts"

const REST = "https://pubchem.ncbi.nlm.nih.gov/rest/pug"
const VIEW = "https://pubchem.ncbi.nlm.nih.gov/rest/pug_view"

/** By the names of 2025: `IsomericSMILES` is `SMILES` now, `CanonicalSMILES` is `ConnectivitySMILES`. */
const PROPERTIES = [
  "Title,MolecularFormula,MolecularWeight,SMILES,ConnectivitySMILES,InChI,InChIKey,IUPACName,XLogP,ExactMass,MonoisotopicMass,TPSA",
  "Complexity,Charge,HBondDonorCount,HBondAcceptorCount,RotatableBondCount,HeavyAtomCount,IsotopeAtomCount,AtomStereoCount",
  "DefinedAtomStereoCount,UndefinedAtomStereoCount,BondStereoCount,DefinedBondStereoCount,UndefinedBondStereoCount,CovalentUnitCount",
].join()

type EntityType = "CID" | "SID" | "AID"

const TYPES: Record<EntityType, { rest: string; view: string; page: string; called: string }> = {
  CID: { rest: "compound/cid", view: "compound", page: "compound", called: "compounds" },
  SID: { rest: "substance/sid", view: "substance", page: "substance", called: "substances" },
  AID: { rest: "assay/aid", view: "assay", page: "bioassay", called: "assays" },
}

/** Without it a substructure search answers with a million CIDs, 16 MB. */
const MAX_RECORDS = 1000

export default defineConnector({
  id: "pubchem",
  name: "PubChem",
  domain: "chemistry",
  description: "Compounds, substances and bioassays",
  homepage: "https://pubchem.ncbi.nlm.nih.gov",
  license: "NLM sets no restriction; contributors' own terms apply (https://pubchem.ncbi.nlm.nih.gov/sources/)",
  cite: "The CID, SID or AID with the source named in the record, and Kim et al., Nucleic Acids Res. 51:D1373 (2023), doi:10.1093/nar/gkac956",
  ids: {
    curie: "pubchem.compound",
    // A bare number is a CID. PubChem's numbers have 32 bits; one beyond them is refused, and a whole batch with it (400).
    pattern: /^(?:SID|AID)?(?:[1-9]\d{0,8}|1\d{9}|20\d{8})$/,
    examples: ["2244", "SID134971235", "AID743069"],
    normalize,
  },
  // Five requests a second, 400 a minute (pubchem.ncbi.nlm.nih.gov/docs/programmatic-access). PubChem takes no key.
  hosts: { "pubchem.ncbi.nlm.nih.gov": { perSecond: 5, concurrent: 4 } },
  url: "https://pubchem.ncbi.nlm.nih.gov/compound/{id}",
  page: (id) => {
    const { type, number } = partsOf(id)
    return `https://pubchem.ncbi.nlm.nih.gov/${TYPES[type].page}/` + url`${number}`
  },
  missing: notFound,
  failure: refusal,

  identify: (record) => {
    const { PC_Compounds: compounds = [], Record: view } = pick(OWN_ID, record)
    if (!view) return compounds.map(({ id }) => String(id.id.cid))
    return [`${view.RecordType === "CID" ? "" : view.RecordType}${view.RecordNumber}`]
  },

  async search(query, { limit, cursor }, http) {
    const start = readCursor(cursor)
    const { cids, capped = false, note } = await find(query, http)
    const page = cids.slice(start, start + limit)
    const hits = page.length > 0 ? await hitsOf(page, http) : []
    const end = start + page.length
    return {
      hits,
      ...(capped ? {} : { total: cids.length - (page.length - hits.length) }),
      ...(end < cids.length ? { next: String(end) } : {}),
      notes: [...(note ? [note] : []), ...(capped ? [`the first ${MAX_RECORDS} only: there may be more`] : [])],
    }
  },

  async fetch(id, http) {
    return isCompound(id) ? (await compounds([id], http)).get(id) : await http.json(viewOf(id))
  },

  fetchMany: {
    atOnce: 100,
    async fetch(ids, http) {
      const cids = ids.filter(isCompound)
      const [found, ...views] = await Promise.all([
        orFailure(() => compounds(cids, http)),
        // PUG View takes one id a request.
        ...ids
          .filter((id) => !isCompound(id))
          .map(async (id): Promise<[string, Json]> => [id, await orFailure(() => http.json(viewOf(id)))]),
      ])
      return new Map([...(found instanceof Failure ? cids.map((id): [string, Json] => [id, found]) : found), ...views])
    },
  },

  files: {
    sdf: { kind: "sdf", locate: rest("/SDF", "CID", "SID"), many: (ids, http) => together(ids, "/SDF", http) },
    sdf3d: { kind: "sdf", locate: rest("/SDF?record_type=3d", "CID") },
    // Of a compound its properties, of an assay its data table.
    csv: {
      kind: "csv",
      locate: (id) => (id.startsWith("AID") ? rest("/CSV", "AID") : rest(`/property/${PROPERTIES}/CSV`, "CID"))(id),
      many: (ids, http) => together(ids, `/property/${PROPERTIES}/CSV`, http),
    },
    png: { kind: "png", locate: rest("/PNG?image_size=large", "CID", "SID") },
    // All that the record's page shows, up to several MB.
    pugview: { kind: "json", locate: viewOf },
    synonyms: { kind: "list", locate: rest("/synonyms/TXT", "CID", "SID") },
    assays: { kind: "json", locate: rest("/assaysummary/JSON", "CID", "SID") },
    bioactivity: { kind: "csv", locate: bioactivity },
    toxicity: { kind: "json", locate: toxicity },
    vendors: { kind: "json", locate: (id) => onlyFor(["CID"], id) ?? VIEW + url`/categories/compound/${id}/JSON` },
    json: { kind: "json", locate: rest("/JSON", "CID", "SID", "AID") },
    xml: { kind: "xml", locate: rest("/XML", "CID", "SID", "AID") },
    asnt: { kind: "asn1-text", locate: rest("/ASNT", "CID", "SID", "AID") },
    asnb: { kind: "asn1-binary", locate: rest("/ASNB", "CID", "SID", "AID") },
  },
})

/** `CID 2244`, `pubchem.substance:134971235`, the address of a page, leading zeros. */
function normalize(typed: string): string {
  const [, word = "", number] =
    /^(?:https?:\/\/pubchem\.ncbi\.nlm\.nih\.gov\/|pubchem[.:])?(?:(cid|sid|aid|compound|substance|bioassay)[\s:/]*)?0*([1-9]\d*)\/?(?:[#?].*)?$/i.exec(
      typed,
    ) ?? []
  if (number === undefined) return typed
  return (/^s/i.test(word) ? "SID" : /^[ab]/i.test(word) ? "AID" : "") + number
}

function partsOf(id: string): { type: EntityType; number: string } {
  if (id.startsWith("SID")) return { type: "SID", number: id.slice(3) }
  if (id.startsWith("AID")) return { type: "AID", number: id.slice(3) }
  return { type: "CID", number: id }
}

function isCompound(id: string): boolean {
  return partsOf(id).type === "CID"
}

function viewOf(id: string): string {
  const { type, number } = partsOf(id)
  return `${VIEW}/data/${TYPES[type].view}/` + url`${number}/JSON`
}

function rest(tail: string, ...types: EntityType[]): (id: string) => string | Miss {
  return (id) => {
    const { type, number } = partsOf(id)
    return onlyFor(types, id) ?? `${REST}/${TYPES[type].rest}/` + url`${number}` + tail
  }
}

function onlyFor(types: EntityType[], id: string): Miss | undefined {
  if (types.includes(partsOf(id).type)) return undefined
  return new Miss(`this format is one of ${types.map((type) => TYPES[type].called).join(" and ")} only`)
}

function bioactivity(id: string): string {
  const { type, number } = partsOf(id)
  return tableOf("csv", "bioactivity", id, {
    order: ["acvalue,asc"],
    downloadfilename: `pubchem_${type.toLowerCase()}_${number}_bioactivity`,
  })
}

/** Doses that killed or harmed, as ChemIDplus collected them. */
function toxicity(id: string): string | Miss {
  return onlyFor(["CID", "SID"], id) ?? tableOf("json", "chemidplus", id)
}

/** SDQ is the undocumented service behind the tables of a record's page: it is asked as that page asks for the download of one. */
function tableOf(
  form: "csv" | "json",
  collection: string,
  id: string,
  { order, downloadfilename }: { order?: string[]; downloadfilename?: string } = {},
): string {
  const { type, number } = partsOf(id)
  const where = { ands: [{ [type.toLowerCase()]: number }] }
  const query = { download: "*", collection, where, order, start: 1, limit: 10_000_000, downloadfilename }
  return url`https://pubchem.ncbi.nlm.nih.gov/sdq/sdqagent.cgi?infmt=json&outfmt=${form}&query=${JSON.stringify(query)}`
}

/** One file of many compounds. One that is not there would be left out of it without a word, so that is asked first. */
async function together(ids: string[], tail: string, http: Http): Promise<Together> {
  const cids = ids.filter(isCompound)
  const rows = cids.length > 0 ? await propertiesOf(cids, http) : []
  const known = new Set(rows.map(({ CID }) => String(CID)))
  const there = cids.filter((id) => known.has(id))
  const missing = new Map(
    ids
      .filter((id) => !known.has(id))
      .map((id) => [id, new Miss(isCompound(id) ? undefined : "only compounds share a file: ask for it alone")]),
  )
  return there.length === 0
    ? { missing }
    : { location: { url: `${REST}/compound/cid${tail}`, form: { cid: there.join() } }, missing }
}

/** In a mixed lot a failure concerns what was asked for together. */
async function orFailure<T>(ask: () => Promise<T>): Promise<T | Failure> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

/** The service's own word in whatever format was asked for: JSON, or lines of `Code: PUGREST.NotFound`. */
function notFound({ status, head }: AnswerHead): boolean {
  return status === 404 && /PUG(?:REST|VIEW)\.NotFound/.test(head)
}

function refusal({ status, head, operation }: AnswerHead): Failure | undefined {
  const said = /Message"?: *"?([^"\n]+)/.exec(head)?.[1]?.trim()
  if (status === 400 && said !== undefined)
    return operation === "search"
      ? new Failure("invalid_query", `PubChem does not accept this query: ${said}`)
      : new Failure("invalid_id", `PubChem does not accept this id: ${said}`)
  // Bursts of it come even below the limit (github.com/mcs07/PubChemPy/issues/99).
  if (status === 503 && head.includes("PUGREST.ServerBusy"))
    return new Failure("rate_limited", "PubChem is busy and asks for fewer requests; try again in a minute.")
  return undefined
}

function readCursor(cursor = "0"): number {
  if (/^\d{1,7}$/.test(cursor)) return Number(cursor)
  throw new Failure("invalid_query", "the cursor is not one of PubChem's: search again without it")
}

interface Found {
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

async function find(query: string, http: Http): Promise<Found> {
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
  return { ...found, noted: "no compound has exactly this name, so its words were looked for" }
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

async function hitsOf(cids: number[], http: Http): Promise<Hit[]> {
  const rows = await propertiesOf(cids.map(String), http)
  return cids.flatMap((cid) => {
    const row = rows.find(({ CID }) => CID === cid)
    if (!row) return []
    const { Title, IUPACName, MolecularFormula, MolecularWeight } = row
    const title = Title ?? IUPACName ?? `CID ${cid}`
    const facts = [
      MolecularFormula,
      MolecularWeight && `${MolecularWeight} g/mol`,
      IUPACName?.toLowerCase() === title.toLowerCase() ? undefined : IUPACName,
    ]
    return [{ id: String(cid), title, summary: facts.filter(Boolean).join(" · ") }]
  })
}

/** The rows of the compounds that exist: for any other number PubChem answers with a row that holds nothing but the number. */
async function propertiesOf(cids: string[], http: Http): Promise<Row[]> {
  const answer = await http.json(
    `${REST}/compound/cid/property/Title,MolecularFormula,MolecularWeight,IUPACName/JSON`,
    { form: { cid: cids.join() }, miss: notFound },
  )
  return answer === undefined ? [] : pick(ROWS, answer).PropertyTable.Properties.filter((row) => !isGhost(row))
}

function isGhost(row: object): boolean {
  return Object.keys(row).length === 1
}

/**
 * A compound as PubChem keeps it (`PC_Compounds`: atoms, bonds, coordinates) has no name, so its properties, description and synonyms stand
 * beside it. Several compounds cost as many requests as one.
 */
async function compounds(cids: string[], http: Http): Promise<Map<string, Json>> {
  if (cids.length === 0) return new Map()
  const [only] = cids
  const ask = (operation: string) =>
    only !== undefined && cids.length === 1
      ? http.json(`${REST}/compound/cid/` + url`${only}/` + operation)
      : http.json(`${REST}/compound/cid/${operation}`, { form: { cid: cids.join() } })
  const part = (name: string, operation: string, read: (answer: Json) => CidRow[]) =>
    http.part(name, async () => {
      const answer = await ask(operation)
      return answer === undefined ? [] : read(answer)
    })

  const answer = await ask("JSON")
  if (answer === undefined) return new Map()
  const structures = keep(STRUCTURES, answer).PC_Compounds
  const [properties, description, synonyms] = await Promise.all([
    part("properties", `property/${PROPERTIES}/JSON`, (table) => keep(TABLE, table).PropertyTable.Properties),
    part("description", "description/JSON", (list) => keep(INFORMATION, list).InformationList.Information),
    part("synonyms", "synonyms/JSON", (list) => keep(INFORMATION, list).InformationList.Information),
  ])
  return new Map(
    cids.flatMap((cid): [string, Json][] => {
      const own = (rows: CidRow[]) => rows.filter(({ CID }) => String(CID) === cid)
      const structure = structures.find((each) => String(COMPOUND.safeParse(each).data?.id.id.cid) === cid)
      const row = properties && own(properties)[0]
      if (!structure || (row && isGhost(row))) return []
      const record = {
        ...(row && { properties: row }),
        ...(description && { description: own(description) }),
        ...(synonyms && { synonyms: own(synonyms).flatMap(({ Synonym = [] }) => Synonym) }),
        PC_Compounds: [structure],
      }
      return [[cid, record]]
    }),
  )
}

const CIDS = z.object({ IdentifierList: z.object({ CID: z.array(z.number()) }) })

const WAITING = z.object({ Waiting: z.object({ ListKey: z.coerce.string() }) })

const COMPOUND = z.object({ id: z.object({ id: z.object({ cid: z.number() }) }) })

const OWN_ID = z.object({
  PC_Compounds: z.array(COMPOUND).optional(),
  Record: z.object({ RecordType: z.string(), RecordNumber: z.number() }).optional(),
})

const STRUCTURES = z.object({ PC_Compounds: z.array(z.unknown()) })

const CID_ROW = z.looseObject({ CID: z.number(), Synonym: z.array(z.string()).optional() })

type CidRow = z.infer<typeof CID_ROW>

const TABLE = z.object({ PropertyTable: z.object({ Properties: z.array(CID_ROW) }) })

const INFORMATION = z.object({ InformationList: z.object({ Information: z.array(CID_ROW) }) })

const ROW = z.object({
  CID: z.number(),
  Title: z.string().optional(),
  MolecularFormula: z.string().optional(),
  MolecularWeight: z.string().optional(),
  IUPACName: z.string().optional(),
})

type Row = z.infer<typeof ROW>

const ROWS = z.object({ PropertyTable: z.object({ Properties: z.array(ROW) }) })
