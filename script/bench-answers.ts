/** Answers of the size that the real services give, for measuring. */

/** A UniProt-shaped record of about 45 KB, just under what is shown inline. */
export const P53 = JSON.stringify({
  entryType: "UniProtKB reviewed (Swiss-Prot)",
  primaryAccession: "P04637",
  secondaryAccessions: [],
  uniProtkbId: "P53_HUMAN",
  features: Array.from({ length: 230 }, (_, i) => ({
    type: "Natural variant",
    location: { start: { value: i, modifier: "EXACT" }, end: { value: i, modifier: "EXACT" } },
    description: "in a sporadic cancer; somatic mutation",
    featureId: `VAR_${String(i).padStart(6, "0")}`,
  })),
})

/** A PubMed-shaped article of about 3 KB. */
export const article = (pmid: string): string =>
  `<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">${pmid}</PMID><Article PubModel="Print"><Journal><Title>Journal</Title><JournalIssue><PubDate><Year>2020</Year></PubDate></JournalIssue></Journal><ArticleTitle>Title ${pmid}</ArticleTitle><Abstract><AbstractText>${"Words of an abstract. ".repeat(100)}</AbstractText></Abstract></Article></MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="pubmed">${pmid}</ArticleId></ArticleIdList></PubmedData></PubmedArticle>`
