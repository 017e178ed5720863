import { Miss, pick, url, z, type Http, type Json } from "../../connector.ts"
import { catalogue, renamed, shortName, type CatalogueFile } from "./_depmap-catalogue.ts"
import { FIGSHARE, MODEL, partsOf, RELEASE } from "./_depmap-ids.ts"

/** Of the list, what is asked for. */
export async function recordsOf(ids: string[], http: Http): Promise<Map<string, Json | Miss>> {
  const models = ids.every((id) => MODEL.test(id))
  const all = models ? [] : await catalogue(http)
  const records = ids.map(async (id): Promise<[string, Json | Miss]> => {
    const found = find(id, all)
    if (found instanceof Miss) return [id, found]
    const [release, filename] = partsOf(id)
    if (filename !== undefined) return [id, found.length === 1 ? found[0] : found]
    const article = FIGSHARE[release]
    const figshare =
      article && (await http.part("figshare's article (DOI, licence, sizes)", () => articleOf(article, http)))
    const { release: name = release, release_date } = found[0] ?? {}
    const files = found.map(({ release: _, release_date: __, ...rest }) => rest)
    return [id, { release: name, release_date, files, ...(figshare ? { figshare } : {}) }]
  })
  return new Map(await Promise.all(records))
}

async function articleOf(article: number, http: Http): Promise<Json> {
  const found = await http.json(url`https://api.figshare.com/v2/articles/${article}`)
  pick(z.object({ id: z.literal(article) }), found)
  return found
}

export function find(id: string, all: CatalogueFile[]): CatalogueFile[] | Miss {
  if (MODEL.test(id))
    return new Miss("cell lines are rows of Model.csv, and no list of the portal has them: fetch 24Q4/Model.csv as csv")
  const [release, filename] = partsOf(id)
  const isOf = (each: CatalogueFile) => [each.release, shortName(each.release)].includes(release)
  const own = all.filter(isOf)
  if (own.length === 0) {
    const quarters = [...new Set(all.map((each) => shortName(each.release)))].filter((name) => RELEASE.test(name))
    return new Miss(`there is no release ${release}; the newest are ${quarters.slice(0, 4).join(", ")}`)
  }
  if (filename === undefined) return own
  const found = own.filter((each) => each.filename.toLowerCase() === filename.toLowerCase())
  if (found.length > 0) return found
  const hint = renamed(filename)
  return new Miss(`${release} has no such file${hint ? `; ${hint}` : ""}: fetch ${release} for its list`)
}
