import {
  Failure,
  pick,
  z,
  type Hit,
  type Http,
  type Json,
  type SearchOptions,
  type SearchPage,
} from "../../connector.ts"
import { listOf, plainWords, queryPage } from "../_biothings.ts"
import { ASSEMBLIES, type Assembly } from "./_hgvs.ts"
import { ID, normalize, read } from "./_myvariant-id.ts"

const MYVARIANT = { name: "MyVariant.info", api: "https://myvariant.info/v1" }

const Found = z.lazy(() =>
  z.object({
    _id: z.string(),
    dbsnp: listOf(z.object({ rsid: listOf(z.string()), gene: listOf(z.object({ symbol: listOf(z.string()) })) })),
    clinvar: listOf(z.object({ rcv: listOf(z.object({ clinical_significance: listOf(z.string()) })) })),
    dbnsfp: listOf(z.object({ genename: listOf(z.string()), hgvsp: listOf(z.string()) })),
    snpeff: listOf(z.object({ ann: listOf(z.object({ genename: listOf(z.string()), effect: listOf(z.string()) })) })),
  }),
)

const HIT_FIELDS =
  "dbsnp.rsid,dbsnp.gene.symbol,clinvar.rcv.clinical_significance,dbnsfp.genename,dbnsfp.hgvsp,snpeff.ann.genename,snpeff.ann.effect"

export async function search(query: string, options: SearchOptions, http: Http): Promise<SearchPage> {
  const { assembly, q } = expression(query)
  const fields = HIT_FIELDS
  const page = await queryPage(http, MYVARIANT, { q, assembly, fields }, options)
  const other = assembly === "hg38" ? "hg19" : "hg38"
  const notes = [`on ${assembly}${q === query ? "" : `, as ${q}`}; add assembly:${other} to the query for the other`]
  return { ...page, hits: page.hits.map((hit) => hitOf(hit, assembly)), notes }
}

function hitOf(hit: Json, assembly: Assembly): Hit {
  const { _id, dbsnp, clinvar, dbnsfp, snpeff } = pick(Found, hit)
  const annotations = snpeff.flatMap(({ ann }) => ann)
  const genes = [
    ...dbnsfp.flatMap(({ genename }) => genename),
    ...annotations.flatMap(({ genename }) => genename),
    ...dbsnp.flatMap(({ gene }) => gene.flatMap(({ symbol }) => symbol)),
  ]
  const few = (values: string[]) => [...new Set(values)].slice(0, 4).join(", ")
  const facts = [
    few(dbnsfp.flatMap(({ hgvsp }) => hgvsp)),
    few(dbsnp.flatMap(({ rsid }) => rsid)),
    few(clinvar.flatMap(({ rcv }) => rcv.flatMap(({ clinical_significance }) => clinical_significance))),
    few(annotations.flatMap(({ effect }) => effect)),
  ]
  return {
    id: `${assembly}:${_id}`,
    title: few(genes) || "no gene",
    summary: facts.filter((fact) => fact !== "").join(" · "),
  }
}

/** What people type, and the field that it is in. */
const FIELDS: [RegExp, string][] = [
  [/^rs\d+$/i, "dbsnp.rsid:$&"],
  [/^RCV\d{9}$/i, "clinvar.rcv.accession:$&"],
  [/^VCV0*(\d+)(?:\.\d+)?$/i, "clinvar.variant_id:$1"],
  [/^CA\d+$/i, "clingen.caid:$&"],
  [/^COSM\d+$/i, "cosmic.cosmic_id:$&"],
  [/^(chr\S+:g\.\S+)$/, '_id:"$1"'],
  // BRAF V600E; both the one-letter and the three-letter form are there.
  [
    /^([A-Z][A-Z0-9-]+)[\s:]+(?:p\.)?((?:[A-Z]|[A-Z][a-z]{2})\d+(?:[A-Z*]|[A-Z][a-z]{2}))$/,
    'dbnsfp.genename:$1 AND dbnsfp.hgvsp:"p.$2"',
  ],
]

/** Sources that no document of hg38 has (recorded). */
const HG19_ONLY = /(?<![.\w])(?:cadd|cosmic|civic|cgi|exac)(?=[.:\s)]|$)/

/** The assembly may be told in the query: `assembly:hg19 BRAF V600E`, or as a prefix of an id. */
function expression(query: string): { assembly: Assembly; q: string } {
  const told = /(?:^|\s)assembly[:=](hg19|hg38)(?=\s|$)/i.exec(query)
  const rest = (told ? query.replace(told[0], " ") : query).trim()
  if (rest === "") throw new Failure("invalid_query", "this names an assembly only; say what to look for on it.")
  const { assembly, name } = read(normalize(rest))
  const text = ID.test(name) ? name : rest
  const [pattern, field] = FIELDS.find(([each]) => each.test(text)) ?? []
  const q =
    pattern && field ? text.replace(pattern, field) : (intervalIn(text) ?? plainWords(text)?.join(" AND ") ?? text)
  const wanted = ASSEMBLIES.find((each) => each === told?.[1]?.toLowerCase())
  return { assembly: wanted ?? assembly ?? (HG19_ONLY.test(q) ? "hg19" : "hg38"), q }
}

/** `chr7:140,453,100-140,453,200`: the service takes it for an interval only so, wherever in a query it stands. */
function intervalIn(text: string): string | undefined {
  const interval = /chr(?:\d{1,2}|X|Y|MT):[\d,]+(?:-[\d,]+)?/i
  if (!interval.test(text)) return undefined
  return text.replace(interval, (place) => place.replaceAll(",", "").replace(/^chr/i, "chr"))
}
