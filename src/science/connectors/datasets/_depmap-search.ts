import { offsetOf, type Http, type SearchOptions, type SearchPage } from "../../connector.ts"
import { catalogue, fileId, renamed } from "./_depmap-catalogue.ts"

const NO_VALUES =
  "only names of releases and files are searched: genes (KRAS) and cell lines (A375) are inside CRISPRGeneEffect.csv and Model.csv"

/** Every word must stand in the name of the release or of the file. */
export async function search(query: string, { limit, cursor }: SearchOptions, http: Http): Promise<SearchPage> {
  const from = offsetOf(cursor)
  const words = query
    .toLowerCase()
    .split(/[\s/,;]+/)
    .filter((word) => word !== "")
  const all = await catalogue(http)
  const found = all.filter(({ release, filename }) => {
    const name = `${release} ${filename}`.toLowerCase()
    return words.every((word) => name.includes(word))
  })
  const next = from + limit
  const hints = words.flatMap((word) => renamed(word) ?? []).map((hint) => `an old name: ${hint}`)
  return {
    hits: found.slice(from, next).map((each) => ({
      id: fileId(each),
      title: each.filename,
      summary: `${each.release} · ${each.release_date}`,
      ...(each.url === undefined ? { marks: ["no direct link"] } : {}),
    })),
    total: found.length,
    ...(next < found.length ? { next: String(next) } : {}),
    notes: [...hints, ...(found.length === 0 ? [NO_VALUES] : [])],
  }
}
