import { defineConnector, Failure, pick } from "../../connector.ts"
import { Article, hitOf, idsOf, remarksOf } from "./_europepmc-article.ts"
import { annotations, AT_ONCE, fullText, linked, metadata, missing, pdf, supplementary } from "./_europepmc-files.ts"
import { ANY_ID, normalize } from "./_europepmc-ids.ts"
import { articlesOf, ask, asSyntax, CURSOR, queryOf } from "./_europepmc-query.ts"

export default defineConnector({
  id: "europepmc",
  name: "Europe PMC",
  domain: "literature",
  description: "papers, preprints, full texts",
  homepage: "https://europepmc.org",
  license: "Metadata free to reuse; abstracts and full texts by each article's licence (its field license)",
  cite: "Ferguson C et al. Europe PMC in 2020. Nucleic Acids Res. 49:D1507-D1514 (2021). doi:10.1093/nar/gkaa994",
  ids: {
    curie: "europepmc",
    pattern: ANY_ID,
    examples: ["10508479", "PMC3040717", "PPR1302423", "10.1038/s41586-020-2649-2"],
    normalize,
  },
  probe: { query: "malaria", missing: "MED/99999999" },
  // EBI publishes no limit; this is below what its services share.
  hosts: { "www.ebi.ac.uk": { perSecond: 5, concurrent: 3 }, "europepmc.org": { perSecond: 2, concurrent: 2 } },
  url: "https://europepmc.org/article/{id}",

  missing,
  failure: ({ head }) => {
    const [, reason] = /<errorBean>[^]*<errMsg>([^<]*)</.exec(head) ?? []
    return reason === undefined ? undefined : new Failure("bad_response", `Europe PMC sent an error: ${reason}`)
  },
  identify: (record) => idsOf(pick(Article, record)),
  relation: (asked, own) => `${asked} is ${own}`,
  remarks: (record) => remarksOf(pick(Article, record)),

  async search(query, { limit, cursor = "*" }, http) {
    if (!CURSOR.test(cursor))
      throw new Failure("invalid_query", "This is no cursor of Europe PMC: give the one that the page before named.")
    const id = normalize(query)
    const sent = ANY_ID.test(id) ? queryOf(id) : asSyntax(query)
    const { page, articles } = await ask(http, { query: sent, resultType: "lite", pageSize: limit, cursorMark: cursor })
    const next = page.nextCursorMark
    // The last page's mark is the one that it was asked with.
    const last = next === cursor || articles.length < limit || articles.length === page.hitCount
    return {
      hits: articles.map((article) => hitOf(pick(Article, article))),
      total: page.hitCount,
      ...(last || next === undefined ? {} : { next }),
      ...(sent === query ? {} : { notes: [`searched as ${sent}`] }),
    }
  },
  fetch: async (id, http) => (await articlesOf([id], http)).get(id),
  fetchMany: { atOnce: AT_ONCE, fetch: articlesOf },

  files: {
    jats: { kind: "xml", locate: fullText },
    pdf: { kind: "pdf", locate: pdf },
    supplementary: { kind: "zip", locate: supplementary },
    references: { kind: "json", locate: (id, http) => linked(id, "references", http) },
    citations: { kind: "json", locate: (id, http) => linked(id, "citations", http) },
    // Genes, diseases, chemicals and the like that text mining found, each with its sentence.
    annotations: { kind: "json", locate: annotations },
    xml: metadata("xml", "xml"),
    dc: metadata("dc", "xml"),
    json: metadata("json", "json"),
  },
})
