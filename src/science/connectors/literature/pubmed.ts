import { asArray, defineConnector, Failure, Miss, pick, url, z } from "../../connector.ts"
import type { FileFormat, Hit, Http, Json, Location } from "../../connector.ts"
import { efetch, esearch, esummary, eutils, eutilsFailure, eutilsHosts, eutilsKey } from "../_eutils.ts"
import { eutilsMissing, members } from "../_eutils.ts"
import { deposited, fullText } from "./_pmc.ts"
import { ANY_ID, candidates, normalize, typeOf } from "./_pubmed-ids.ts"

export default defineConnector({
  id: "pubmed",
  name: "PubMed",
  domain: "literature",
  description: "Biomedical citations and abstracts; PMC full texts",
  homepage: "https://pubmed.ncbi.nlm.nih.gov",
  license: "Citations: public domain (US government); abstracts and full texts: their publishers' copyright or licence",
  cite: "Courtesy of the U.S. National Library of Medicine; Sayers EW et al., Database resources of the NCBI, Nucleic Acids Res (yearly)",
  ids: {
    curie: "pubmed",
    pattern: ANY_ID,
    examples: ["10508479", "PMC5122160", "10.1038/ng.590"],
    normalize,
  },
  hosts: {
    ...eutilsHosts,
    "pmc.ncbi.nlm.nih.gov": { perSecond: 3, concurrent: 2 },
    "www.ncbi.nlm.nih.gov": { perSecond: 3, concurrent: 2 },
    // The citation exporter wants no two requests at once.
    "api.ncbi.nlm.nih.gov": { perSecond: 3, concurrent: 1 },
    "pmc-oa-opendata.s3.amazonaws.com": { perSecond: 10, concurrent: 4 },
  },
  key: eutilsKey,
  url: "https://pubmed.ncbi.nlm.nih.gov/{id}/",

  missing: (answer) => {
    if (eutilsMissing(answer)) return true
    if (answer.operation !== "file") return false
    return answer.status === 404 || (answer.status === 200 && NO_ARTICLE.test(answer.head))
  },
  failure: eutilsFailure,
  identify: (article) => [pmidOf(article), ...otherIdsOf(article)],
  relation: (asked, pmid) => `${asked} is PMID ${pmid}`,
  remarks,

  async search(query, { limit, cursor }, http) {
    // Untagged words are joined by AND and widened by MeSH; what PubMed made of them is in the notes.
    const { ids, ...page } = await esearch(http, {
      db: "pubmed",
      term: query,
      sort: "relevance",
      limit,
      cursor,
      ceiling: REACHABLE_HITS,
    })
    const summaries = await http.part("titles", () => esummary(http, "pubmed", ids))
    return { ...page, hits: ids.map((pmid) => hitOf(pmid, summaries?.get(pmid))) }
  },
  fetch: async (id, http) => (await articlesOf([id], http)).get(id),
  fetchMany: { atOnce: 200, fetch: articlesOf },

  files: {
    xml: citation("xml", (pmids) => eutils("efetch", { db: "pubmed", retmode: "xml" }, pmids)),
    abstract: citation("text", (pmids) => eutils("efetch", { ...TEXT_OF_PUBMED, rettype: "abstract" }, pmids)),
    nbib: citation("nbib", (pmids) => eutils("efetch", { ...TEXT_OF_PUBMED, rettype: "medline" }, pmids)),
    summary: citation("json", (pmids) => eutils("esummary", { db: "pubmed", retmode: "json" }, pmids)),
    ris: citation("ris", (pmids) => exported("ris", pmids)),
    "csl-json": citation("csl-json", (pmids) => exported("csl", pmids)),
    // In the styles of AMA, APA, MLA and NLM.
    citation: citation("json", (pmids) => exported("citation", pmids)),
    // Title and abstract with the genes, diseases, chemicals and variants that PubTator found in them.
    bioc: citation(
      "json",
      (pmids) =>
        url`https://www.ncbi.nlm.nih.gov/research/pubtator3-api/publications/export/biocjson?pmids=${pmids.join(",")}`,
    ),
    jats: { kind: "xml", locate: fullText },
    pdf: { kind: "pdf", locate: (id, http) => deposited(id, "pdf_url", http) },
    txt: { kind: "text", locate: (id, http) => deposited(id, "text_url", http) },
    "pmc-xml": { kind: "xml", locate: (id, http) => deposited(id, "xml_url", http) },
    // Licence, versions and whether it was retracted.
    "pmc-json": { kind: "json", locate: (id, http) => deposited(id, undefined, http) },
  },
})
