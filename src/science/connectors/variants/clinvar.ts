import { defineConnector, Failure, Miss, pick } from "../../connector.ts"
import type { Json } from "../../connector.ts"
import {
  esearch,
  esummary,
  eutils,
  eutilsFailure,
  eutilsHosts,
  eutilsKey,
  eutilsMissing,
  fileOf,
  jointFileOf,
} from "../_eutils.ts"
import { ANY_ID, normalize, typeOf, variantsOf } from "./_clinvar-ids.ts"
import { hitOf, idsOf, relationOf, SUMMARY } from "./_clinvar-summary.ts"

export default defineConnector({
  id: "clinvar",
  name: "ClinVar",
  domain: "variants",
  description: "human variants and disease: interpretations",
  homepage: "https://www.ncbi.nlm.nih.gov/clinvar",
  license:
    "Public domain (US government); not for direct diagnostic use or medical decisions without review by a genetics professional",
  cite: "ClinVar, NCBI, with accession.version and date of access; Landrum MJ et al., ClinVar, Nucleic Acids Res 48:D835 (2020)",
  ids: {
    curie: "clinvar",
    pattern: ANY_ID,
    examples: ["VCV000012345", "12345", "RCV000013138", "SCV000033385"],
    normalize,
  },
  probe: { query: "BRCA1", missing: "999999999" },
  hosts: eutilsHosts,
  key: eutilsKey,
  url: "https://www.ncbi.nlm.nih.gov/clinvar/variation/{id}/",

  // A set without a record is "none" in a file.
  missing: (answer) => eutilsMissing(answer) || (answer.operation === "file" && EMPTY_SET.test(answer.head)),
  failure: (answer) => eutilsFailure(answer) ?? retired(answer.head),
  identify: idsOf,
  relation: relationOf,
  remarks: () => [CAUTION],

  async search(query, { limit, cursor }, http) {
    const { ids, notes, ...page } = await esearch(http, {
      db: "clinvar",
      term: query,
      sort: "relevance",
      limit,
      cursor,
    })
    const summaries = await http.part("titles", () => esummary(http, "clinvar", ids))
    const hits = ids.map((id) => hitOf(id, summaries?.get(id)))
    const broad = /\[cli?n[^\]]*sig|clinsig_/i.test(query)
    return { ...page, hits, notes: [...notes, ...(broad ? [BROAD] : []), CAUTION] }
  },
  fetch: async (id, http) => (await variantsOf([id], http)).get(id),
  fetchMany: { atOnce: 200, fetch: variantsOf },

  files: {
    // The whole record: every submission with its evidence.
    "vcv-xml": jointFileOf("xml", variantsOf, (variants) => vcv(variants.map(accessionOf))),
    // By condition: of the asked RCV alone, else of all that the variant has.
    "rcv-xml": fileOf("xml", variantsOf, (variant, _, id) =>
      typeOf(id) === "RCV" ? rcv([id]) : rcv(pick(SUMMARY, variant).supporting_submissions.rcv),
    ),
    json: jointFileOf("json", variantsOf, (variants) =>
      eutils("esummary", { db: "clinvar", retmode: "json" }, unique(variants.map((each) => pick(SUMMARY, each).uid))),
    ),
  },
})

const CAUTION = "not for diagnosis or treatment without review by a genetics professional (ClinVar)"

/** Any one submission's word counts for `[clinsig]`, whatever the aggregate says; "pathogenic" finds "likely pathogenic" too. */
const BROAD = "a significance in the query matches single submissions: read each hit's own classification"

const EMPTY_SET = /^\s*(?:<\?xml[^>]*>\s*)?<(ClinVarResult-Set|ClinVarSet|ReleaseSet)(?:\s[^>]*)?(?:\/>|>\s*<\/\1>)/

/** A retired rettype is answered with an explanation in place of a record, under status 200 (metapub/metapub#83). */
function retired(head: string): Failure | undefined {
  const said = /<ClinVarResult-Set>\s*<Info>([^<]{0,160})/.exec(head)?.[1]
  return said === undefined ? undefined : new Failure("bad_response", `ClinVar gave no record but a notice: ${said}`)
}

const unique = (texts: string[]) => [...new Set(texts)]

const accessionOf = (variant: Json) => pick(SUMMARY, variant).accession

/**
 * By accession: a plain number without the parameter `is_variationid` is read as another sort of id, and another variant answers (12000
 * gives VariationID 12397; ropensci/rentrez#155).
 */
function vcv(accessions: string[]) {
  return eutils("efetch", { db: "clinvar", rettype: "vcv" }, unique(accessions))
}

function rcv(accessions: string[]) {
  if (accessions.length === 0) return new Miss("this variant has no RCV")
  return eutils("efetch", { db: "clinvar", rettype: "clinvarset" }, accessions)
}
