import { asArray, defineConnector, Miss, pick, url, z } from "../../connector.ts"
import type { AnswerHead, FileFormat, Http, Json } from "../../connector.ts"
import { lean, pageOf, Row, search, SERVICE, valueOf } from "./_intact.ts"

/** An accession, or the IMEx number of an interaction. */
const ID = /^(?:EBI-\d+|IM-\d+-\d+)$/

export default defineConnector({
  id: "intact",
  name: "IntAct",
  domain: "interactions",
  description: "curated molecular interactions",
  homepage: "https://www.ebi.ac.uk/intact",
  license: "CC BY 4.0",
  cite: "Del Toro et al., Nucleic Acids Res. 50:D648 (2022), doi:10.1093/nar/gkab1006; cite each interaction's publication",
  ids: {
    curie: "intact",
    pattern: ID,
    examples: ["EBI-15982574", "IM-21274-1"],
    normalize: (typed) => typed.replace(/^https?:\/\/www\.ebi\.ac\.uk\/intact\/.*?(?=(?:EBI|IM)-)/i, "").toUpperCase(),
  },
  probe: { query: "TP53", missing: "EBI-999999999" },
  // No limit is documented; the host is shared with EMBL-EBI's other services, so the whole of it goes at this pace.
  hosts: { "www.ebi.ac.uk": { perSecond: 5, concurrent: 3 } },
  url: "https://www.ebi.ac.uk/intact/details/interaction/{id}",
  organismFilter: true,
  missing,

  identify: (record) => rowsOf(record).flatMap(idsOf),
  relation: (asked, own) => `${asked} is the IMEx number of ${own}`,
  remarks: (record) => {
    const rows = rowsOf(record)
    const [first] = rows
    return [
      ...(rows.length > 1 ? [`${rows.length} pairs of one interaction, which has more than two participants`] : []),
      ...(first?.expansionMethod ? [`${first.expansionMethod}: the pairs were inferred from a complex`] : []),
      ...(first?.negative ? ["negative: these molecules were shown NOT to interact"] : []),
    ]
  },

  search,
  async fetch(id, http) {
    const rows = await ownRows(id, http)
    return rows instanceof Miss || rows.length > 1 ? rows : rows[0]
  },

  files: {
    miTab27: exported("tsv", "miTab27", "mitab"),
    miXML30: exported("xml", "miXML30"),
    miJSON: exported("json", "miJSON"),
    miTab25: exported("tsv", "miTab25", "mitab"),
    miXML25: exported("xml", "miXML25"),
    miTab26: exported("tsv", "miTab26", "mitab"),
  },
})

const rowsOf = (record: Json) => pick(z.array(Row), asArray(record))

type Row = z.infer<typeof Row>

function idsOf({ ac, identifiers, xrefs }: Row): string[] {
  const imex = [...(identifiers ?? []), ...(xrefs ?? [])].filter((each) => / \(imex\)$/.test(each)).map(valueOf)
  return [ac, ...imex]
}

const isOf = (id: string) => (row: Json) => idsOf(pick(Row, row)).includes(id)

/**
 * The rows of one interaction: two molecules are one row, a complex several pairs. There is no call for one accession, and the search is
 * a fuzzy one over accessions of molecules and publications too, so a row counts only when the accession is its own.
 */
async function ownRows(id: string, http: Http): Promise<Json[] | Miss> {
  const exact = { query: `${id.startsWith("EBI") ? "interaction_id" : "xref"}:"${id}"`, advanced: true }
  const found = await allOf(exact, id, http)
  if (found.length > 0) return found.map(lean)
  const { rows, total } = await pageOf({ query: id, advanced: false }, 0, 10, http)
  const own = rows.filter(isOf(id))
  return own.length > 0 ? own.map(lean) : new Miss(whatElse(id, pick(z.array(Row), rows), total))
}

/** Rows of the interaction over as many pages as it has; a row is up to 170 KB. */
async function allOf(query: { query: string; advanced: boolean }, id: string, http: Http): Promise<Json[]> {
  const first = await pageOf(query, 0, 10, http)
  const own = first.rows.filter(isOf(id))
  if (own.length < 10 || first.total <= 10) return own
  const all: Json[] = []
  for (let page = 0; page * LARGE_PAGE < first.total; page++) {
    const rows = (await pageOf(query, page, LARGE_PAGE, http)).rows.filter(isOf(id))
    all.push(...rows)
    if (rows.length === 0) break
  }
  return all
}

const LARGE_PAGE = 50

/** Interactions, molecules and publications share one form of accession. */
function whatElse(id: string, rows: Row[], total: number): string | undefined {
  const among = (entries: (string | null | undefined)[] | null | undefined) =>
    (entries ?? []).some((each) => each && valueOf(each) === id)
  const search = `search for it to see its ${total} interactions`
  if (rows.some(({ publicationIdentifiers }) => among(publicationIdentifiers))) return `it is a publication: ${search}`
  const molecule = rows.some(({ acA, acB, xrefsA, xrefsB }) => among([acA, acB, ...(xrefsA ?? []), ...(xrefsB ?? [])]))
  if (molecule) return `it is a molecule, not an interaction: ${search}`
  return undefined
}

/** An export that holds no interaction: nothing, a header alone, an empty root. */
function missing({ operation, status, head, html }: AnswerHead): boolean {
  if (operation !== "file") return false
  if (status === 404) return !html
  return (
    status === 200 &&
    (head.trim() === "" ||
      /^#[^\n]*\s*$/.test(head) ||
      /^\s*\{\s*"data"\s*:\s*\[\s*\]\s*\}\s*$/.test(head) ||
      (/<entrySet\b/.test(head) && /(?:\/>|<\/entrySet>)\s*$/.test(head) && !/<entry\b/.test(head)))
  )
}

function exported(kind: FileFormat["kind"], format: string, extension?: string): FileFormat {
  return {
    kind,
    ...(extension === undefined ? {} : { extension }),
    async locate(id, http) {
      const place = (ac: string) => SERVICE + url`/graph/export/interaction/${ac}?format=${format}`
      if (id.startsWith("EBI")) return place(id)
      const rows = await ownRows(id, http)
      return rows instanceof Miss ? rows : place(pick(Row, rows[0]).ac)
    },
  }
}
