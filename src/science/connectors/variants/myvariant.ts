import { defineConnector, Failure, Miss, pick, url, z } from "../../connector.ts"
import type { Http, Json } from "../../connector.ts"
import { batch, bioThingsFailure, listOf } from "../_biothings.ts"
import { carriersOf, idsOfAll } from "../_several.ts"
import { ASSEMBLIES, type Assembly } from "./_hgvs.ts"
import { ID, isPlace, normalize, read } from "./_myvariant-id.ts"
import { search } from "./_myvariant-search.ts"

const API = "https://myvariant.info/v1"

/** What tells whose record it is. Only the start and end in one assembly say which one a document is of. */
const Variant = z.lazy(() =>
  z.object({
    _id: z.string(),
    hg19: z.unknown().optional(),
    hg38: z.unknown().optional(),
    dbsnp: listOf(z.object({ rsid: listOf(z.string()) })),
    clinvar: listOf(z.object({ rcv: listOf(z.object({ accession: z.string().optional() })) })),
    uniprot: listOf(z.object({ humsavar: listOf(z.object({ ftid: z.string().optional() })) })),
    cadd: z.unknown().optional(),
    cosmic: z.unknown().optional(),
  }),
)

const NONE = new Miss("no such variant on hg19 or hg38; an rs number may have been merged into another: dbSNP tells")

export default defineConnector({
  id: "myvariant",
  name: "MyVariant.info",
  domain: "variants",
  description: "annotations of human variants from 20 sources",
  homepage: "https://myvariant.info",
  license: "Each source's own terms, named in the record as _license; CADD and COSMIC are not free for commercial use",
  cite: "MyVariant.info and the source used; Xin et al. Genome Biol. 17:91 (2016). doi:10.1186/s13059-016-0953-9",
  ids: {
    curie: "myvariant",
    pattern: ID,
    examples: ["rs113488022", "hg38:chr7:g.140753336A>T", "chr7:g.140453136A>T"],
    normalize,
  },
  probe: { query: "BRAF", missing: "rs9999999999" },
  // No limit is published.
  hosts: { "myvariant.info": { perSecond: 3, concurrent: 2 } },
  url: "https://myvariant.info/v1/variant/{id}",
  page: (id) => {
    const { assembly = "hg38", name } = read(id)
    return url`https://myvariant.info/v1/variant/${name}?assembly=${assembly}`
  },
  failure: bioThingsFailure,

  identify: (record) => idsOfAll(record, idsOf),
  relation: (asked, own, record) =>
    Array.isArray(record) || read(asked).name === own ? undefined : `${asked} is ${own}`,
  remarks,

  search,
  fetch: variantOf,
  fetchMany: { atOnce: 100, fetch: variantsOf },
  files: {
    json: {
      kind: "json",
      locate: async (id, http) => {
        const found = await variantOf(id, http)
        if (found instanceof Miss) return found
        const assemblies = [...new Set([found].flat().flatMap(assembliesOf))]
        const { assembly = assemblies[0], name } = read(id)
        if (assembly === undefined || (assemblies.length > 1 && isPlace(name)))
          throw new Failure(
            "invalid_id",
            `${id} is a variant on both assemblies; ask for hg38:${name} or hg19:${name}.`,
          )
        return url`https://myvariant.info/v1/variant/${name}?assembly=${assembly}`
      },
    },
  },
})

function assembliesOf(document: Json): Assembly[] {
  const variant = pick(Variant, document)
  return ASSEMBLIES.filter((assembly) => variant[assembly] !== undefined)
}

function idsOf(document: Json): string[] {
  const { _id, dbsnp, clinvar, uniprot } = pick(Variant, document)
  const others = [
    ...dbsnp.flatMap(({ rsid }) => rsid),
    ...clinvar.flatMap(({ rcv }) => rcv.map(({ accession }) => accession?.replace(/\.\d+$/, ""))),
    ...uniprot.flatMap(({ humsavar }) => humsavar.map(({ ftid }) => ftid)),
  ]
  const names = [_id, ...others.filter((id) => id !== undefined)]
  const on = (assemblies: readonly Assembly[], name: string) => assemblies.map((assembly) => `${assembly}:${name}`)
  const told = assembliesOf(document)
  // What does not say where it is may be what was asked for, but not be called so.
  const spellings = (name: string) => (told.length > 0 ? [...on(told, name), name] : [name, ...on(ASSEMBLIES, name)])
  return [...new Set(names.flatMap(spellings))]
}

function remarks(record: Json): string[] {
  const all = [record].flat().map((document) => ({ ...pick(Variant, document), on: assembliesOf(document) }))
  const names = all.map(({ _id, on }) => `${on.map((assembly) => `${assembly}:`).join("")}${_id}`).join(", ")
  const isOne = all.every(({ _id }) => _id === all[0]?._id)
  const restricted = (["cadd", "cosmic"] as const).filter((source) => all.some((each) => each[source] !== undefined))
  return [
    ...(all.length > 1 ? [`${all.length} variants have this id${isOne ? ", two places" : ""}: ${names}`] : []),
    ...(all.every(({ on }) => on.join() === "hg38") ? ["CADD, COSMIC, CIViC, CGI, ExAC are on hg19 only"] : []),
    ...(restricted.length > 0 ? [`not free for commercial use: ${restricted.join(", ").toUpperCase()}`] : []),
  ]
}

/** What there is on each assembly, as far as it was asked. */
type Found = Partial<Record<Assembly, Json>>

function decide(id: string, found: Found): Json | Miss {
  const { assembly, name } = read(id)
  const { hg19, hg38 } = found
  if (assembly !== undefined) {
    const other = ASSEMBLIES.find((each) => each !== assembly) ?? "hg19"
    if (found[assembly] !== undefined || found[other] === undefined) return found[assembly] ?? NONE
    return new Miss(`no such variant on ${assembly}, but on ${other}: fetch ${other}:${name}`)
  }
  return isPlace(name) && hg19 !== undefined && hg38 !== undefined ? [hg19, hg38].flat() : (hg38 ?? hg19 ?? NONE)
}

/** Of a place the other assembly is asked too, so that none is taken for the one that was meant; of all else only where one has none. */
async function variantOf(id: string, http: Http): Promise<Json | Miss> {
  const { assembly = "hg38", name } = read(id)
  const found: Found = {}
  const isUnclear = isPlace(id)
  for (const each of [assembly, ...ASSEMBLIES.filter((other) => other !== assembly)]) {
    if (Object.values(found).some((document) => document !== undefined) && !isUnclear) break
    const answer = await http.json(url`https://myvariant.info/v1/variant/${name}`, { query: { assembly: each } })
    found[each] = carriersOf(`${each}:${name}`, answer, idsOf)
  }
  return decide(id, found)
}

async function variantsOf(ids: string[], http: Http): Promise<Map<string, Json | Miss>> {
  const names = [...new Set(ids.map((id) => read(id).name))]
  const on = async (assembly: Assembly) => {
    const found = await batch(http, `${API}/variant`, names, { assembly }, NONE)
    return (name: string) => {
      const answer = found.get(name)
      return answer instanceof Miss ? undefined : carriersOf(`${assembly}:${name}`, answer, idsOf)
    }
  }
  const [hg19, hg38] = await Promise.all([on("hg19"), on("hg38")])
  const foundOf = (id: string) => ({ hg19: hg19(read(id).name), hg38: hg38(read(id).name) })
  return new Map(ids.map((id) => [id, decide(id, foundOf(id))]))
}
