import {
  offsetOf,
  Failure,
  keep,
  pick,
  z,
  type Hit,
  type Http,
  type Json,
  type SearchOptions,
  type SearchPage,
} from "../../connector.ts"

/**
 * HPA's search, a table of genes by columns (www.proteinatlas.org/about/help/dataaccess). It sends all rows at once, without a total, and
 * leaves out a column that it does not know without a word.
 */
async function rowsOf(query: string, columns: string[], http: Http): Promise<Json[]> {
  const answer = await http.json("https://www.proteinatlas.org/api/search_download.php", {
    // Otherwise the answer is an archive.
    query: { search: query, format: "json", columns: columns.join(","), compress: "no" },
  })
  return keep(z.array(z.unknown()), answer)
}

/** One value or several, or none in any of the spellings that it has had. */
const Words = z.lazy(() =>
  z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .transform((value) => (Array.isArray(value) ? value : value ? [value] : [])),
)

const Row = z.lazy(() =>
  z.object({
    Gene: z.string(),
    "Gene synonym": Words,
    Ensembl: z.string(),
    "Gene description": z.string().nullish(),
    Uniprot: Words,
    Chromosome: z.string().nullish(),
  }),
)
type Row = z.infer<typeof Row>

export async function search(query: string, { limit, cursor }: SearchOptions, http: Http): Promise<SearchPage> {
  const start = offsetOf(cursor)
  const rows = (await rowsOf(query, ["g", "gs", "eg", "up", "gd", "chr"], http)).map((row) => pick(Row, row))
  const end = start + limit
  return {
    hits: inOrder(rows, query).slice(start, end).map(hitOf),
    total: rows.length,
    ...(end < rows.length ? { next: String(end) } : {}),
  }
}

/** HPA's own order is not one of relevance: the gene that is called so comes first, then one that was, then the rest as they came. */
function inOrder(rows: Row[], query: string): Row[] {
  const name = query.toLowerCase()
  const distance = ({ Gene, Ensembl, Uniprot, "Gene synonym": synonyms }: Row) => {
    if (Gene.toLowerCase() === name) return 0
    const also = [...synonyms, Ensembl, ...Uniprot]
    return also.some((each) => each.toLowerCase() === name) ? 1 : 2
  }
  return [0, 1, 2].flatMap((wanted) => rows.filter((row) => distance(row) === wanted))
}

function hitOf({ Ensembl: id, Gene, Chromosome, Uniprot, ...row }: Row): Hit {
  const synonyms = row["Gene synonym"]
  const facts = [
    synonyms.length > 0 ? `also ${synonyms.join(", ")}` : "",
    Uniprot.length > 0 ? `UniProt ${Uniprot.join(", ")}` : "",
    Chromosome ? `chromosome ${Chromosome}` : "",
  ]
  const description = row["Gene description"]
  return {
    id,
    title: description ? `${Gene}: ${description}` : Gene,
    summary: facts.filter((fact) => fact !== "").join(" · "),
  }
}

/** The columns of the consensus over tissues, as several clients ask for them; not every release has `blood_vessel`. */
const TISSUES =
  "adipose_tissue adrenal_gland amygdala appendix basal_ganglia blood_vessel bone_marrow breast cerebellum cerebral_cortex cervix choroid_plexus colon duodenum endometrium_1 epididymis esophagus fallopian_tube gallbladder heart_muscle hippocampal_formation hypothalamus kidney liver lung lymph_node midbrain ovary pancreas parathyroid_gland pituitary_gland placenta prostate rectum retina salivary_gland seminal_vesicle skeletal_muscle skin_1 small_intestine smooth_muscle spinal_cord spleen stomach_1 testis thymus thyroid_gland tongue tonsil urinary_bladder vagina".split(
    " ",
  )

const Named = z.lazy(() => z.looseObject({ Ensembl: z.string() }))

/**
 * The RNA of one gene in every tissue, under HPA's own names with their unit: the entry tells only the tissues that stand out. Undefined
 * when HPA has no such gene.
 */
export async function tissuesOf(id: string, http: Http): Promise<Record<string, Json> | undefined> {
  const rows = await rowsOf(id, ["eg", ...TISSUES.map((tissue) => `t_RNA_${tissue}`)], http)
  const own = rows.find((row) => pick(Named, row).Ensembl === id)
  if (own === undefined && rows.length > 0)
    throw new Failure("bad_response", `HPA answered a search for ${id} with other genes`)
  if (own === undefined) return undefined
  return Object.fromEntries(Object.entries(keep(Named, own)).filter(([name]) => name.startsWith(PREFIX)))
}

const PREFIX = "Tissue RNA - "

/** The tissues for which no column came, of a record that has any: renamed in a new release, or gone. */
export function withoutColumn(record: Json): string[] {
  const there = Object.keys(pick(z.looseObject({}), record))
    .filter((name) => name.startsWith(PREFIX))
    .map((name) =>
      name
        .slice(PREFIX.length)
        .replace(/ \[.*\]$/, "")
        .replaceAll(" ", "_"),
    )
  return there.length === 0 ? [] : TISSUES.filter((tissue) => !there.includes(tissue))
}
