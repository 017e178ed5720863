import {
  Failure,
  offsetOf,
  pick,
  url,
  z,
  type Hit,
  type Http,
  type Json,
  type SearchOptions,
  type SearchPage,
} from "../../connector.ts"
import {
  bare,
  fetchOne,
  get,
  isApart,
  kindOf,
  lookup,
  members,
  missing,
  normalize,
  PATTERN,
  speciesOf,
} from "./_ensembl.ts"

/** All that a question found. Hits that are `unnamed` get their names once it is known which are shown. */
interface Found {
  hits: Hit[]
  unnamed?: true
  notes?: string[]
}

/**
 * There is no text search: a question is one or several symbols or names, ids, or a region, and its answer comes whole, so pages are cut
 * here.
 */
export async function search(
  query: string,
  { limit, cursor, organism }: SearchOptions,
  http: Http,
): Promise<SearchPage> {
  const start = offsetOf(cursor)
  const { hits, unnamed, notes = [] } = await ask(query, organism, http)
  const end = start + limit
  const page = hits.slice(start, end)
  const exact = hits.length === 0 ? ["names, symbols and ids are matched whole: Ensembl has no text search"] : []
  return {
    hits: unnamed ? await named(page, http) : page,
    total: hits.length,
    ...(end < hits.length ? { next: String(end) } : {}),
    notes: [...notes, ...exact],
  }
}

async function ask(query: string, organism: string | undefined, http: Http): Promise<Found> {
  const words = [...new Set(query.split(/[\s,;]+/).filter((word) => word !== ""))]
  // RS1 in capitals is a gene, rs1 a variant.
  const ids = words.filter((word) => !/^RS\d/.test(word)).map((word) => normalize(word.replace(/^ensembl:/i, "")))
  if (ids.length === words.length && ids.every((id) => PATTERN.test(id))) return byIds(ids, organism, http)
  const species = await speciesNamed(organism, http)
  const region = regionIn(query)
  const found = region ? await inRegion(region, species, http) : await bySymbols(words, species, http)
  const chosen = organism === undefined ? ["searched in human; name another species as organism"] : []
  return { ...found, notes: [...chosen, ...(found.notes ?? [])] }
}

/** An id belongs to one species; a gene asked for in another one means its orthologues there. */
async function byIds(ids: string[], organism: string | undefined, http: Http): Promise<Found> {
  const [gene] = ids
  if (organism !== undefined && gene !== undefined && ids.length === 1 && kindOf(gene) === "gene") {
    const alias = await speciesNamed(organism, http)
    const target = SPECIES[alias] ?? alias
    const species = await speciesOf(gene, http)
    if (species !== undefined && species !== target) return orthologues(gene, species, target, http)
  }
  const features = await lookup(
    ids.filter((id) => !isApart(id)),
    http,
  )
  const hits = await Promise.all(
    ids.map(async (id) => {
      const found = isApart(id) ? await fetchOne(id, http) : features.get(bare(id))
      return found === undefined ? [] : [isApart(id) ? variantHit(id, found) : featureHit(found)]
    }),
  )
  const notes = organism === undefined ? [] : ["organism is not applied: an id belongs to one species"]
  return { hits: hits.flat(), notes }
}

const Homologies = z.lazy(() =>
  z.object({
    data: z.array(
      z.object({ homologies: z.array(z.object({ id: z.string(), type: z.string(), taxonomy_level: z.string() })) }),
    ),
  }),
)

async function orthologues(gene: string, species: string, target: string, http: Http): Promise<Found> {
  const answer = await get(url`https://rest.ensembl.org/homology/id/${species}/${bare(gene)}`, http, {
    type: "orthologues",
    target_species: target,
    format: "condensed",
  })
  const { data } = pick(Homologies, answer ?? { data: [] })
  const hits = data.flatMap(({ homologies }) => homologies).map(({ id, type }) => ({ id, title: type }))
  return { hits, unnamed: true, notes: [`orthologues of ${gene} (${species}) in ${target}`] }
}

/** `5` of a chromosome is spelt `chr5` elsewhere, `MT` `chrM`; thousands may be set apart by commas. */
function regionIn(query: string): string | undefined {
  const [, name = "", from = "", to = from] =
    /^(?:chr(?=[\dXYM]))?([\w.]+):(\d[\d,]*)(?:(?:-|\.\.)(\d[\d,]*))?(?::-?1)?$/i.exec(query.trim()) ?? []
  if (!name || (to === from && !/^(?:\d{1,2}|[XYM]|MT)$/i.test(name))) return undefined
  return `${/^M$/i.test(name) ? "MT" : name}:${from.replaceAll(",", "")}-${to.replaceAll(",", "")}`
}

async function inRegion(region: string, species: string, http: Http): Promise<Found> {
  const genes = await get(url`https://rest.ensembl.org/overlap/region/${species}/${region}`, http, { feature: "gene" })
  return { hits: pick(z.array(Feature), genes ?? []).map(featureHit), notes: [`genes that overlap ${region}`] }
}

/** A symbol is looked for among the genes' own names, then among synonyms and the names that other databases gave. */
async function bySymbols(words: string[], species: string, http: Http): Promise<Found> {
  const [name = ""] = words
  if (words.length > 1) return byManySymbols(words, species, http)
  // NM_000546 or HGNC:11998 cannot be a gene's own name.
  const foreign = /[_:]/.test(name)
  const gene = foreign
    ? undefined
    : await http.json(url`https://rest.ensembl.org/lookup/symbol/${species}/${name}`, { miss: missing })
  if (gene !== undefined) return { hits: [featureHit(gene)] }
  const others = () => get(url`https://rest.ensembl.org/xrefs/symbol/${species}/${name}`, http)
  const linked = foreign ? await others() : await http.part("genes that have it as a synonym", others)
  const found = pick(z.array(z.object({ id: z.string(), type: z.string() })), linked ?? [])
  const hits = [...new Map(found.map(({ id, type }) => [id, { id, title: type }])).values()]
  return { hits, unnamed: true, notes: hits.length > 0 ? ["found by a synonym or by another database's name"] : [] }
}

/** Unknown symbols are left out of the answer to a POST. */
async function byManySymbols(symbols: string[], species: string, http: Http): Promise<Found> {
  const address = url`https://rest.ensembl.org/lookup/symbol/${species}`
  const genes = members(await http.json(address, { body: { symbols } }))
  const unknown = symbols.filter((symbol) => !genes.has(symbol))
  const notes = unknown.length > 0 ? [`no gene has the name ${unknown.slice(0, 20).join(", ")}`] : []
  return { hits: symbols.flatMap((symbol) => (genes.has(symbol) ? [featureHit(genes.get(symbol))] : [])), notes }
}

/** The hits with what a lookup says of them; what made them hits stands first in the summary. */
async function named(hits: Hit[], http: Http): Promise<Hit[]> {
  const ids = hits.map(({ id }) => id)
  const features = await http.part("names", () => lookup(ids, http))
  return hits.map((hit) => {
    const feature = features?.get(hit.id)
    if (feature === undefined) return hit
    const { title, summary } = featureHit(feature)
    return { id: hit.id, title, summary: joined([hit.title, summary]) }
  })
}

const Feature = z.lazy(() =>
  z.object({
    id: z.string(),
    object_type: z.string().optional(),
    display_name: z.string().optional(),
    external_name: z.string().nullish(),
    description: z.string().nullish(),
    biotype: z.string().optional(),
    species: z.string().optional(),
    assembly_name: z.string().optional(),
    seq_region_name: z.string().optional(),
    start: z.number().optional(),
    end: z.number().optional(),
    strand: z.number().optional(),
    Parent: z.string().optional(),
  }),
)

/** A gene, transcript, protein or exon, from a lookup or from an overlap (where the name is `external_name`). */
function featureHit(feature: Json): Hit {
  const of = pick(Feature, feature)
  const strand = of.strand === undefined ? "" : of.strand < 0 ? " (-)" : " (+)"
  const place = of.seq_region_name ? `${of.seq_region_name}:${of.start}-${of.end}${strand}` : undefined
  const part = of.Parent ? `${of.object_type} of ${of.Parent}` : of.object_type
  return {
    id: of.id,
    title: of.display_name ?? of.external_name ?? part ?? "without a name",
    summary: joined([of.description?.replace(/\s*\[Source:.*$/, ""), of.biotype, place, of.assembly_name, of.species]),
  }
}

const Variant = z.lazy(() =>
  z.object({
    name: z.string(),
    var_class: z.string().nullish(),
    most_severe_consequence: z.string().nullish(),
    clinical_significance: z.array(z.string()).optional(),
    mappings: z.array(z.object({ location: z.string(), allele_string: z.string(), assembly_name: z.string() })),
  }),
)

const Predicted = z.lazy(() => z.array(z.object({ most_severe_consequence: z.string(), assembly_name: z.string() })))

function variantHit(id: string, record: Json): Hit {
  if (kindOf(id) === "tree") return { id, title: "gene tree" }
  if (kindOf(id) === "allele") {
    const [first] = pick(Predicted, record)
    return { id, title: id, summary: joined([first?.most_severe_consequence, first?.assembly_name]) }
  }
  const { name, var_class, most_severe_consequence, clinical_significance = [], mappings } = pick(Variant, record)
  const [place] = mappings
  const where = place && `${place.location} ${place.allele_string} ${place.assembly_name}`
  const facts = [most_severe_consequence, var_class, where, clinical_significance.join(", ")]
  return name === id
    ? { id, title: name, summary: joined(facts) }
    : { id: name, title: name, summary: joined([`${id} was merged into it`, ...facts]), marks: ["merged"] }
}

const joined = (facts: (string | null | undefined)[]) => facts.filter((fact) => fact).join("; ")

/** Taxa whose name in Ensembl is not their scientific one, and those asked for most: a number costs a request, a name does not. */
const SPECIES: Record<string, string> = {
  "9606": "homo_sapiens",
  "10090": "mus_musculus",
  "10116": "rattus_norvegicus",
  "7955": "danio_rerio",
  "7227": "drosophila_melanogaster",
  "6239": "caenorhabditis_elegans",
  "4932": "saccharomyces_cerevisiae",
  "559292": "saccharomyces_cerevisiae",
  "3702": "arabidopsis_thaliana",
  human: "homo_sapiens",
  mouse: "mus_musculus",
  rat: "rattus_norvegicus",
  zebrafish: "danio_rerio",
}

/** What stands in the path: `Mus musculus` is `mus_musculus`; an alias such as `mouse` may stay as it is. Human where none is named. */
async function speciesNamed(organism: string | undefined, http: Http): Promise<string> {
  if (organism === undefined) return "homo_sapiens"
  const name = organism
    .replace(/\(.*\)/, "")
    .trim()
    .toLowerCase()
  if (!/^\d+$/.test(name)) return name.replace(/\s+/g, "_")
  const known = SPECIES[name]
  if (known !== undefined) return known
  const taxon = await get(url`https://rest.ensembl.org/taxonomy/id/${name}`, http, { simple: 1 })
  if (taxon === undefined) throw new Failure("invalid_query", `There is no taxon ${name} in Ensembl.`)
  return pick(z.object({ scientific_name: z.string() }), taxon)
    .scientific_name.toLowerCase()
    .replace(/\s+/g, "_")
}
