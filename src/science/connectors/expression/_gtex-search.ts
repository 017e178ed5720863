import { offsetOf, pick, url, type Hit, type Http, type SearchOptions, type SearchPage } from "../../connector.ts"
import { ADULT, annotation, API, Gene, normalize, rows, withoutVersion } from "./_gtex.ts"
import { searchVariants, VARIANT } from "./_gtex-variants.ts"

/**
 * The service finds a part of a symbol or id anywhere in it, in an order in which CRPP1 stands before CRP. So all that it finds is read
 * (a row is half a kilobyte) and put in order here: what is asked, what begins so, what holds it.
 */
export async function search(query: string, options: SearchOptions, http: Http): Promise<SearchPage> {
  const { limit, cursor } = options
  const from = offsetOf(cursor)
  const variant = normalize(query)
  if (VARIANT.test(variant)) return await searchVariants(variant, http)
  for (const release of ADULT) {
    const found = await rows(http, `${API}/reference/geneSearch?${url`geneId=${query}`}&${annotation(release)}`)
    if (found.length === 0) continue
    const genes = found.map((record) => pick(Gene, record)).sort((a, b) => rank(a, query) - rank(b, query))
    return {
      hits: genes.slice(from, from + limit).map(hitOf),
      total: genes.length,
      ...(from + limit < genes.length ? { next: String(from + limit) } : {}),
      notes: [`human genes of ${release.datasetId} (GENCODE ${release.gencodeVersion})`],
    }
  }
  return {
    hits: [],
    total: 0,
    notes: ["GTEx looks for one human gene symbol or Ensembl id, or a part of it, or one variant: no other words"],
  }
}

function rank({ geneSymbolUpper, gencodeId }: Gene, query: string): number {
  const wanted = query.toUpperCase()
  if ([geneSymbolUpper, gencodeId, withoutVersion(gencodeId)].includes(wanted)) return 0
  return geneSymbolUpper.startsWith(wanted) ? 1 : 2
}

function hitOf({ gencodeId, geneSymbol, description, geneType, chromosome, start, end }: Gene): Hit {
  const name = description?.replace(/\s*\[Source:[^\]]*\]\s*$/, "") ?? ""
  return {
    id: gencodeId,
    title: name === "" ? geneSymbol : `${geneSymbol}: ${name}`,
    summary: `${geneType} · ${chromosome}:${start}-${end}`,
  }
}
