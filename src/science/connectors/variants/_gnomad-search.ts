import {
  Failure,
  Miss,
  pick,
  z,
  type Hit,
  type Http,
  type SearchOptions,
  type SearchPage,
  offsetOf,
} from "../../connector.ts"
import { ask } from "./_gnomad-api.ts"
import { ID, normalize, read, type Named } from "./_gnomad-ids.ts"
import { recordOf, variantsNamed } from "./_gnomad-records.ts"

/** The API finds genes by the beginning of a symbol, variants by their ids, and what lies in a region; no words. */
export async function search(query: string, options: SearchOptions, http: Http): Promise<SearchPage> {
  const id = normalize(query)
  const region = regionIn(query)
  if (region) return await inRegion(region, options, http)
  if (options.cursor !== undefined) throw NO_CURSOR
  if (/^(?:VCV0*)?\d+(?:\.\d+)?$/i.test(id)) return await named(id.replace(/^VCV0*|\.\d+$/gi, ""), read(id), http)
  if (!ID.test(id)) return await genes(query, http)
  const { kind, name, genome } = read(id)
  if (kind === "rs" || kind === "caid" || kind === "variant") return await named(name, read(id), http)
  if (kind === "gene") return await genes(name, http)
  const found = await recordOf(id, http)
  if (found instanceof Miss) return { hits: [], total: 0, notes: found.reason === undefined ? [] : [found.reason] }
  return {
    hits: [{ id, title: name, summary: `${kind === "transcript" ? kind : `${kind} variant`}, ${genome}` }],
    total: 1,
  }
}

const NO_CURSOR = new Failure(
  "invalid_query",
  "this is not a cursor of gnomAD; take the one that the page before gave.",
)

async function named(query: string, { dataset, genome }: Named, http: Http): Promise<SearchPage> {
  const prefix = dataset === "gnomad_r4" ? "" : `${dataset}:`
  const ids = await variantsNamed(query, dataset, http)
  const hits = ids.map((id) => ({ id: prefix + id, title: id, summary: `${dataset}, ${genome}` }))
  return { hits, total: hits.length }
}

const Genes = z.lazy(() =>
  z.object({
    gene_search: z.array(
      z.object({ ensembl_id: z.string(), ensembl_version: z.string(), symbol: z.string().nullish() }),
    ),
  }),
)

/** No more come than that, and no next page. */
const GENES_AT_MOST = 5

async function genes(query: string, http: Http): Promise<SearchPage> {
  if (!/^[A-Za-z0-9][\w.-]*$/.test(query))
    throw new Failure(
      "invalid_query",
      "gnomAD has no search for words or HGVS: give the beginning of a gene symbol, 17-7675088-C-T, rs334, CA251, a ClinVar number, or 17-7661779-7687538.",
    )
  const document = "query($q:String!){gene_search(query:$q,reference_genome:GRCh38){ensembl_id ensembl_version symbol}}"
  const { data } = await ask(http, { query: document, variables: { q: query } }, "search")
  const found = pick(Genes, data).gene_search
  const isNamed = ({ symbol }: { symbol?: string | null | undefined }) =>
    symbol?.toLowerCase() === query.trim().toLowerCase()
  const hits = [...found.filter(isNamed), ...found.filter((gene) => !isNamed(gene))].map((gene): Hit => ({
    id: gene.ensembl_id,
    title: gene.symbol ?? gene.ensembl_id,
    summary: `gene, GRCh38, ${gene.ensembl_id}.${gene.ensembl_version}`,
  }))
  const notes = hits.length < GENES_AT_MOST ? [] : ["the first 5 whose symbol begins so: type more of it for others"]
  return { hits, ...(hits.length < GENES_AT_MOST ? { total: hits.length } : {}), notes }
}

const Counts = z.lazy(() =>
  z.object({ ac: z.number().nullish(), an: z.number().nullish(), filters: z.array(z.string()).nullish() }),
)

const Region = z.lazy(() =>
  z.object({
    region: z.object({
      genes: z.array(z.object({ gene_id: z.string(), symbol: z.string() })),
      variants: z.array(
        z.object({
          variant_id: z.string(),
          exome: Counts.nullish(),
          genome: Counts.nullish(),
          transcript_consequence: z
            .object({
              gene_symbol: z.string().nullish(),
              major_consequence: z.string().nullish(),
              hgvsc: z.string().nullish(),
              hgvsp: z.string().nullish(),
            })
            .nullish(),
        }),
      ),
    }),
  }),
)

interface Place extends Named {
  chrom: string
  start: number
  stop: number
}

function regionIn(query: string): Place | undefined {
  const [, prefix = "", chrom, start = "", stop = ""] =
    /^(?:(\w+):)??(?:chr)?(\d{1,2}|X|Y|M)[:-]([\d,]+)-([\d,]+)$/i.exec(query.trim()) ?? []
  if (chrom === undefined) return undefined
  const id = normalize(`${prefix && `${prefix}:`}1-1-A-C`)
  if (!ID.test(id)) return undefined
  const digits = (text: string) => Number(text.replaceAll(",", ""))
  return { ...read(id), chrom: chrom.toUpperCase(), start: digits(start), stop: digits(stop) }
}

/** The whole region comes at once; the cursor is a place in it. */
async function inRegion(place: Place, { limit, cursor }: SearchOptions, http: Http): Promise<SearchPage> {
  const from = offsetOf(cursor)
  const { dataset, genome, chrom, start, stop } = place
  const counts = "{ac an filters}"
  const query =
    `query($c:String!,$a:Int!,$b:Int!){region(chrom:$c,start:$a,stop:$b,reference_genome:${genome}){genes{gene_id symbol} ` +
    `variants(dataset:${dataset}){variant_id exome${counts} genome${counts} ` +
    "transcript_consequence{gene_symbol major_consequence hgvsc hgvsp}}}}"
  const { data } = await ask(http, { query, variables: { c: chrom, a: start, b: stop } }, "search")
  const { region } = pick(Region, data)
  const prefix = dataset === "gnomad_r4" ? "" : `${dataset}:`
  const all: Hit[] = [
    ...region.genes.map((gene) => ({ id: prefix + gene.gene_id, title: gene.symbol, summary: "gene" })),
    ...region.variants.map(({ variant_id, exome, genome, transcript_consequence: effect }) => ({
      id: prefix + variant_id,
      title: [effect?.gene_symbol, effect?.hgvsp ?? effect?.hgvsc].filter((text) => text).join(" ") || variant_id,
      summary: [effect?.major_consequence, countsOf("exome", exome), countsOf("genome", genome)]
        .filter((text) => text)
        .join(" · "),
    })),
  ]
  const next = from + limit
  const notes = [`${dataset}, ${genome}: ${region.genes.length} genes, then ${region.variants.length} variants`]
  return { hits: all.slice(from, next), total: all.length, ...(next < all.length ? { next: String(next) } : {}), notes }
}

/** `exome 4/152302`, with the filters that it did not pass: such a count is not to be relied on. */
export function countsOf(name: string, counts: z.infer<typeof Counts> | null | undefined): string | undefined {
  if (!counts) return undefined
  const filters = counts.filters ?? []
  return `${name} ${counts.ac ?? "?"}/${counts.an ?? "?"}${filters.length > 0 ? ` (${filters.join(", ")})` : ""}`
}
