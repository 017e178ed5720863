import { defineConnector, Failure, Miss } from "../../connector.ts"
import type { FileFormat, Http, Json } from "../../connector.ts"
import {
  esearch,
  esummary,
  eutils,
  eutilsFailure,
  eutilsHosts,
  eutilsKey,
  eutilsMissing,
  jointFileOf,
} from "../_eutils.ts"
import { currentOf, isPlace, recordsOf, refsnp, rsidsAt, VARIATION } from "./_dbsnp-refsnp.ts"
import { hitsOf, idsOf, remarksOf, rsidOf } from "./_dbsnp-summary.ts"

export default defineConnector({
  id: "dbsnp",
  name: "dbSNP",
  domain: "variants",
  description: "short human variants by rs number",
  homepage: "https://www.ncbi.nlm.nih.gov/snp",
  license: "Public domain (US government)",
  cite: "dbSNP, NCBI, with its build (the field upd_build); Sherry ST et al., Nucleic Acids Res 29:308 (2001)",
  ids: {
    curie: "dbsnp",
    pattern: /^rs[1-9]\d{0,11}$/,
    examples: ["rs334"],
    normalize: (id) => id.replace(/^(?:(?:dbsnp|snp)\s*:\s*)?(?:rs[\s:_-]*)?0*([1-9]\d*)$/i, "rs$1"),
  },
  probe: { query: "BRCA1", missing: "rs9999999999" },
  // Variation Services want one request a second, whoever asks (ncbi/dbsnp, lib/python/navs.py).
  hosts: { ...eutilsHosts, [VARIATION]: { perSecond: 1, concurrent: 1 } },
  key: eutilsKey,
  url: "https://www.ncbi.nlm.nih.gov/snp/{id}",

  missing: (answer) =>
    eutilsMissing(answer) || (answer.status === 404 && !answer.html && /"error"\s*:/.test(answer.head)),
  failure: eutilsFailure,
  identify: idsOf,
  relation: (asked, own) => `${asked} was merged into ${own}`,
  remarks: remarksOf,

  async search(query, { limit, cursor }, http) {
    if (isPlace(query)) {
      if (cursor !== undefined)
        throw new Failure("invalid_query", "all rs numbers at a place come on one page: ask without a cursor.")
      return { ...(await found(await rsidsAt(query, http), http)), notes: [AT_PLACE] }
    }
    const { ids, notes, ...page } = await esearch(http, { db: "snp", term: query, limit, cursor })
    const { hits } = await found(ids, http)
    return { ...page, hits, notes: [...notes, ...(hits.length < ids.length ? [MERGED_TOO] : [])] }
  },
  fetch: async (id, http) => (await recordsOf([id], http)).get(id),
  fetchMany: { atOnce: 200, fetch: recordsOf },

  files: {
    // The whole RefSNP: its place on every sequence, with HGVS; counts of each allele, ClinVar, submissions.
    refsnp: ofCurrent(refsnp),
    // Counts by population of ALFA.
    frequency: ofCurrent((number) => `${refsnp(number)}/frequency`),
    xml: jointFileOf("xml", recordsOf, (variants) =>
      eutils("efetch", { db: "snp", retmode: "xml" }, numbersOf(variants)),
    ),
    json: jointFileOf("json", recordsOf, (variants) =>
      eutils("esummary", { db: "snp", retmode: "json" }, numbersOf(variants)),
    ),
  },
})

const AT_PLACE = "all rs numbers at this place and allele (SPDI counts from 0, HGVS from 1)"

const MERGED_TOO = "total counts merged rs numbers too; each variant is shown once"

const numbersOf = (variants: Json[]) => [...new Set(variants.map((each) => rsidOf(each).slice(2)))]

async function found(numbers: string[], http: Http) {
  const summaries = await http.part("summaries", () => esummary(http, "snp", numbers))
  const hits = hitsOf(numbers, summaries)
  return { hits, total: hits.length }
}

/** A file of Variation Services, which answer a merged number only with what it was merged into. */
function ofCurrent(place: (number: string) => string): FileFormat {
  return {
    kind: "json",
    locate: async (id, http) => {
      const current = await currentOf(id.slice(2), http)
      return current instanceof Miss ? current : place(current.number)
    },
  }
}
