import { defineConnector, Failure, Miss, pick, url, z } from "../../connector.ts"
import type { Http, Json, SearchOptions, SearchPage } from "../../connector.ts"
import { batch, bioThingsFailure, listOf, plainWords, queryPage } from "../_biothings.ts"
import { carriersOf, idsOfAll } from "../_several.ts"

const API = "https://mygene.info/v3"

/** A GeneID of NCBI, or the gene's id in Ensembl, Ensembl Genomes or a model organism's own database where NCBI has none. */
const ID =
  /^(?:\d{1,10}|ENS[A-Z]{0,6}G\d{11}|FBgn\d{7}|WBGene\d{8}|Y[A-P][LR]\d{3}[WC](?:-[A-Z])?|[A-Z][A-Za-z0-9]{0,11}_?\d{0,2}[Gg]\d{5,8}[A-Za-z0-9]{0,3})$/

/** What is read of a gene. Ids come as text, those of replaced genes as numbers. */
const Gene = z.lazy(() =>
  z.object({
    _id: z.string(),
    entrezgene: z.coerce.string().optional(),
    ensembl: listOf(z.object({ gene: z.string().optional() })),
    retired: listOf(z.coerce.string()),
  }),
)

/** The long lists (of TP53: 1.8 MB of GeneRIFs, 50 kB of accessions) and the frozen ones are left to the format `json`. */
const RECORD = (
  "symbol,name,summary,alias,other_names,type_of_gene,taxid,entrezgene,retired,map_location,genomic_pos,genomic_pos_hg19,exons," +
  "ensembl,refseq,uniprot,HGNC,MIM,AllianceGenome,MGI,RGD,ZFIN,FLYBASE,WormBase,SGD,TAIR,Xenbase,miRBase,pdb,pfam,interpro,ec," +
  "go,pathway,agr,pantherdb,clingen,pharmgkb,pharos,chembl,umls,unii,wikipedia"
).replaceAll(" ", "")

const GONE = new Miss("no such gene; the number of a gene that NCBI discontinued is answered so too")

export default defineConnector({
  id: "mygene",
  name: "MyGene.info",
  domain: "genomics",
  description: "genes of all species, annotations of 25 sources",
  homepage: "https://mygene.info",
  license: "Each source's own terms; some are named in the record as _license",
  cite: "MyGene.info and the source used; Xin et al. Genome Biol. 17:91 (2016). doi:10.1186/s13059-016-0953-9",
  ids: { curie: "mygene", pattern: ID, examples: ["7157", "ENSG00000141510"], normalize },
  probe: { query: "TP53", missing: "4294967290" },
  // No limit is published; its own client waits a second between batches.
  hosts: { "mygene.info": { perSecond: 3, concurrent: 2 } },
  url: "https://www.ncbi.nlm.nih.gov/gene/{id}",
  page: (id) => (/^\d+$/.test(id) ? undefined : url`https://mygene.info/v3/gene/${id}`),
  organismFilter: true,
  missing: ({ status, html }) => (status === 404 && !html ? GONE : false),
  failure: bioThingsFailure,

  identify: (record) => idsOfAll(record, idsOf),
  relation: (asked, own, record) => {
    if (Array.isArray(record)) return undefined
    return pick(Gene, record).retired.includes(asked)
      ? `NCBI replaced GeneID ${asked} by ${own}`
      : `${asked} is GeneID ${own}`
  },
  remarks: (record) => [
    ...(Array.isArray(record)
      ? [`${record.length} genes have this id: ${record.map((gene) => pick(Gene, gene)._id).join(", ")}`]
      : []),
    "without GeneRIFs, accessions, array probes: the format json has all",
  ],

  search,
  fetch: async (id, http) => {
    const found = await http.json(url`https://mygene.info/v3/gene/${id}`, { query: { fields: RECORD } })
    return carriersOf(id, found ?? GONE, idsOf)
  },
  fetchMany: { atOnce: 100, fetch: genesOf },
  files: {
    json: {
      kind: "json",
      locate: (id) => url`https://mygene.info/v3/gene/${id}`,
      many: async (ids, http) => {
        const genes = [...(await batch(http, `${API}/gene`, ids, { fields: "entrezgene" }, GONE))]
        const missing = new Map(genes.flatMap(([id, gene]) => (gene instanceof Miss ? [[id, gene]] : [])))
        const there = ids.filter((id) => !missing.has(id))
        return there.length === 0
          ? { missing }
          : { location: { url: `${API}/gene`, form: { ids: there.join(",") } }, missing }
      },
    },
  },
})

/** From prefixes of NCBI's and Ensembl's ids; documents know no versions. */
function normalize(typed: string): string {
  const id = typed.replace(/^(?:ncbigene|geneid|entrez(?:gene)?|ensembl(?:\.gene)?):\s*/i, "")
  return /^ens[a-z]*g\d{11}(?:\.\d+)?$/i.test(id) ? id.replace(/\.\d+$/, "").toUpperCase() : id
}

function idsOf(document: Json): string[] {
  const { _id, entrezgene, ensembl, retired } = pick(Gene, document)
  const known = [_id, entrezgene, ...ensembl.map(({ gene }) => gene), ...retired]
  return [...new Set(known.filter((id) => id !== undefined))]
}

async function genesOf(ids: string[], http: Http): Promise<Map<string, Json | Miss>> {
  const genes = await batch(http, `${API}/gene`, ids, { fields: RECORD }, GONE)
  return new Map([...genes].map(([id, found]) => [id, carriersOf(id, found, idsOf)]))
}

const Hit = z.lazy(() =>
  z.object({
    _id: z.string(),
    symbol: listOf(z.string()),
    name: listOf(z.string()),
    taxid: z.number().optional(),
    type_of_gene: z.string().optional(),
    alias: listOf(z.string()),
  }),
)

async function search(query: string, options: SearchOptions, http: Http): Promise<SearchPage> {
  const species = options.organism === undefined ? undefined : speciesOf(options.organism)
  const q = expression(query, species)
  const fields = "symbol,name,taxid,type_of_gene,alias"
  const page = await queryPage(http, { name: "MyGene.info", api: API }, { q, species, fields }, options)
  const hits = page.hits.map((hit) => {
    const { _id, symbol, name, taxid, type_of_gene, alias } = pick(Hit, hit)
    const facts = [name[0], speciesName(taxid), type_of_gene, alias.length > 0 ? `also ${alias.join(", ")}` : undefined]
    return { id: _id, title: symbol[0] ?? _id, summary: facts.filter((fact) => fact !== undefined).join(" · ") }
  })
  const notes = species === undefined && page.next !== undefined ? ["of all species; pass organism to limit it"] : []
  return { ...page, hits, notes }
}

/**
 * One word goes as it is, so that the service looks among symbols first. Several do not: it would take them for alternative symbols
 * (web/pipeline/legacy.py, `dismax`). With an interval in it, it ignores the rest of a query (web/pipeline/build.py).
 */
function expression(query: string, species: string | undefined): string {
  const id = normalize(query)
  if (ID.test(id)) return id
  if (/chr\w+:[\d,]+-[\d,]+/i.test(query)) return interval(query, species)
  const words = plainWords(query)
  if (words === undefined) return query
  const [only = ""] = words
  if (words.length > 1) return `name:"${query.replace(/["\\]/g, "\\$&")}"^4 OR (${words.join(" AND ")})`
  return /^[^\\]+(?:\\-[^\\]+)*$/.test(only) ? only.replaceAll("\\-", "-") : `"${query.replace(/["\\]/g, "\\$&")}"`
}

function interval(query: string, species: string | undefined): string {
  if (!/^(?:hg19\.|mm9\.)?chr\w+:[\d,]+-[\d,]+$/i.test(query))
    throw new Failure("invalid_query", "MyGene.info ignores what stands beside an interval; search the interval alone.")
  if (species === undefined)
    throw new Failure("invalid_query", "an interval is one of a species; pass organism, human for instance.")
  return query.replace(/chr/i, "chr")
}

/** The species that the service knows by name (config_web.py); all others by their taxon id. */
const SPECIES: Record<string, [common: string, latin: string]> = {
  "9606": ["human", "homo sapiens"],
  "10090": ["mouse", "mus musculus"],
  "10116": ["rat", "rattus norvegicus"],
  "7227": ["fruitfly", "drosophila melanogaster"],
  "6239": ["nematode", "caenorhabditis elegans"],
  "7955": ["zebrafish", "danio rerio"],
  "3702": ["thale-cress", "arabidopsis thaliana"],
  "8364": ["frog", "xenopus tropicalis"],
  "9823": ["pig", "sus scrofa"],
}

function speciesOf(organism: string): string {
  const name = organism.trim().toLowerCase()
  const taxon = /^(?:\w+:)?(\d+)$/.exec(name)?.[1] ?? Object.keys(SPECIES).find((id) => SPECIES[id]?.includes(name))
  if (taxon !== undefined) return SPECIES[taxon]?.[0] ?? taxon
  const names = Object.values(SPECIES).map(([common]) => common)
  throw new Failure(
    "invalid_query",
    `MyGene.info knows a species by its taxon id, or as one of ${names.join(", ")}; pass one of these.`,
  )
}

const speciesName = (taxid: number | undefined) =>
  taxid === undefined ? undefined : (SPECIES[taxid]?.[0] ?? `taxon ${taxid}`)
