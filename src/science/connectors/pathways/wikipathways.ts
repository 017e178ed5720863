import { defineConnector, Failure, Miss, pick, url } from "../../connector.ts"
import type { FileFormat, Http, Json } from "../../connector.ts"
import { Info, infoOf, search } from "./_wikipathways-search.ts"

const ID = /^WP[1-9]\d*$/

export default defineConnector({
  id: "wikipathways",
  name: "WikiPathways",
  domain: "pathways",
  description: "community-drawn pathways",
  homepage: "https://www.wikipathways.org",
  license: "CC0 1.0",
  cite: "Agrawal et al., Nucleic Acids Res. 52:D679 (2024), doi:10.1093/nar/gkad960; and the pathway's own page",
  ids: { curie: "wikipathways", pattern: ID, examples: ["WP554"], normalize },
  probe: { query: "apoptosis", missing: "WP999999" },
  // Static files on GitHub's network; no limit is documented.
  hosts: {
    "www.wikipathways.org": { perSecond: 5, concurrent: 3 },
    "raw.githubusercontent.com": { perSecond: 5, concurrent: 3 },
  },
  url: "https://www.wikipathways.org/instance/{id}",
  organismFilter: true,
  // The site answers a file that is not there with a page.
  missing: ({ operation, status }) => operation === "file" && status === 404 && NO_FILE,

  identify: (record) => [pick(Info, record).wpid],
  remarks: (record) => {
    const { revision, "last-edited": edited } = pick(Info, record)
    return revision === undefined ? [] : [`revision ${revision}${edited === undefined ? "" : ` of ${edited}`}`]
  },

  search,
  fetch: pathway,

  files: {
    gpml: { kind: "xml", extension: "gpml", locate: asset(".gpml") },
    svg: { kind: "svg", locate: asset(".svg") },
    datanodes: { kind: "tsv", locate: asset("-datanodes.tsv") },
    png: { kind: "png", locate: asset(".png") },
    bibliography: { kind: "tsv", locate: asset("-bibliography.tsv") },
    json: { kind: "json", locate: asset(".json") },
    thumb: { kind: "png", locate: (id) => url`https://www.wikipathways.org/assets/img/${id}/${id}-thumb.png` },
  },
})

const NO_FILE = new Miss("there is no such pathway, or it has no such file")

/** From page addresses and older spellings. Only the current revision is served. */
function normalize(typed: string): string {
  return typed
    .replace(/^https?:\/\/(?:www\.|classic\.|new\.)?wikipathways\.org\/(?:pathways|instance|index\.php)\//i, "")
    .replace(/^pathway:/i, "")
    .replace(/\.html$/i, "")
    .replace(/^(WP)0*(\d+)(?:_r?\d+)?$/i, "$1$2")
    .toUpperCase()
}

function asset(suffix: string): FileFormat["locate"] {
  return (id) => place(id, suffix)
}

const place = (id: string, suffix: string) =>
  `${url`https://www.wikipathways.org/wikipathways-assets/pathways/${id}/${id}`}${suffix}`

/** The description of the pathway with the site's tables of its nodes and references. */
async function pathway(id: string, http: Http): Promise<Json | Miss> {
  const info = await infoOf(id, http)
  if (info === undefined) return new Miss("retired pathways vanish from the collection: search for the name")
  const [datanodes, bibliography] = await Promise.all([
    http.part("datanodes", () => table(place(id, "-datanodes.tsv"), "Label", http)),
    http.part("bibliography", () => table(place(id, "-bibliography.tsv"), "ID", http)),
  ])
  return {
    ...info,
    ...(datanodes === undefined ? {} : { datanodes }),
    ...(bibliography === undefined ? {} : { bibliography }),
  }
}

/** A table as objects by the names of its columns, empty cells left out. */
async function table(address: string, firstColumn: string, http: Http): Promise<Record<string, string>[]> {
  const text = await http.text(address, { miss: () => false })
  const [columns = [], ...rows] = cells(text ?? "")
  if (columns[0] !== firstColumn)
    throw new Failure("bad_response", `WikiPathways' table has changed: its first column is not ${firstColumn}.`)
  return rows.map((row) =>
    Object.fromEntries(columns.flatMap((column, i): [string, string][] => (row[i] ? [[column, row[i]]] : []))),
  )
}

/** Tab-separated, a cell in quotes where it holds any ("" stands for one). */
function cells(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, cell = "", end = ""] of text.matchAll(/("(?:[^"]|"")*"(?=[\t\r\n]|$)|[^\t\r\n]*)(\t|\r?\n|$)/g)) {
    row.push(/^".*"$/s.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === "\t") continue
    if (row.some((each) => each !== "")) rows.push(row)
    row = []
  }
  return rows
}
