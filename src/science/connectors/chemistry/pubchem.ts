import {
  defineConnector,
  Failure,
  Miss,
  offsetOf,
  orFailure,
  pick,
  url,
  z,
  type AnswerHead,
  type Hit,
  type Http,
  type Json,
  type Together,
} from "../../connector.ts"
import { COMPOUND, compounds, notFound, PROPERTIES, propertiesOf, REST } from "./_pubchem-compounds.ts"
import { find, MAX_RECORDS } from "./_pubchem-search.ts"

const VIEW = "https://pubchem.ncbi.nlm.nih.gov/rest/pug_view"

type EntityType = "CID" | "SID" | "AID"

const TYPES: Record<EntityType, { rest: string; view: string; page: string; called: string }> = {
  CID: { rest: "compound/cid", view: "compound", page: "compound", called: "compounds" },
  SID: { rest: "substance/sid", view: "substance", page: "substance", called: "substances" },
  AID: { rest: "assay/aid", view: "assay", page: "bioassay", called: "assays" },
}

export default defineConnector({
  id: "pubchem",
  name: "PubChem",
  domain: "chemistry",
  description: "compounds, substances, bioassays",
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
  probe: { query: "aspirin", missing: "999999999" },
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
    const start = offsetOf(cursor)
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

const OWN_ID = z.lazy(() =>
  z.object({
    PC_Compounds: z.array(COMPOUND).optional(),
    Record: z.object({ RecordType: z.string(), RecordNumber: z.number() }).optional(),
  }),
)
