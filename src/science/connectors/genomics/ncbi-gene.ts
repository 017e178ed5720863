import { defineConnector, Miss, pick } from "../../connector.ts"
import type { Json, Location } from "../../connector.ts"
import {
  elink,
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
import { bySymbol, genesOf, hitOf, remarksOf, SUMMARY, uidOf } from "./_ncbi-gene-summary.ts"

export default defineConnector({
  id: "ncbi-gene",
  name: "NCBI Gene",
  domain: "genomics",
  description: "genes of all organisms",
  homepage: "https://www.ncbi.nlm.nih.gov/gene",
  license: "Public domain (US government); GeneRIFs and third-party texts keep their makers' rights",
  cite: "NCBI Gene, National Library of Medicine; Sayers EW et al., Database resources of the NCBI, Nucleic Acids Res (yearly)",
  ids: {
    curie: "ncbigene",
    pattern: /^[1-9]\d{0,9}$/,
    examples: ["672", "22059"],
    // The number of a LOC symbol is the GeneID.
    normalize: (id) => id.replace(/^(?:(?:ncbi|entrez)[\s_-]?gene|entrez|gene[\s_-]?id|gene|LOC)\s*:?\s*(?=\d+$)/i, ""),
  },
  probe: { query: "BRCA1", missing: "4294967290" },
  hosts: eutilsHosts,
  key: eutilsKey,
  url: "https://www.ncbi.nlm.nih.gov/gene/{id}",
  organismFilter: true,

  missing: eutilsMissing,
  failure: eutilsFailure,
  identify: (gene) => [uidOf(gene)],
  relation: (asked, own) => `GeneID ${asked} was replaced by ${own}`,
  remarks: remarksOf,

  async search(query, { limit, cursor, organism }, http) {
    // Untagged words are joined by AND.
    const { ids, notes, ...page } = await esearch(http, {
      db: "gene",
      term: query,
      organism,
      sort: "relevance",
      limit,
      cursor,
    })
    const summaries = await http.part("names", () => esummary(http, "gene", ids))
    const hits = ids.map((id) => hitOf(id, summaries?.get(id)))
    const everywhere = organism === undefined && !/\[(?:porgn|orgn|organism)|txid\d/i.test(query)
    return { ...page, hits: bySymbol(query, hits), notes: [...notes, ...(everywhere ? [ALL_ORGANISMS] : [])] }
  },
  fetch: async (id, http) => (await genesOf([id], http)).get(id),
  fetchMany: { atOnce: 200, fetch: genesOf },

  files: {
    fasta: fileOf("fasta", genesOf, (gene) => stretch(gene, "fasta")),
    // Transcripts and proteins of RefSeq, as FASTA.
    rna: fileOf("fasta", genesOf, async (gene, http) => {
      const linked = await elink(http, "gene", "nuccore", "gene_nuccore_refseqrna", uidOf(gene))
      return sequences("nuccore", linked) ?? new Miss("RefSeq has no transcript of this gene")
    }),
    protein: fileOf("fasta", genesOf, async (gene, http) => {
      const linked = await elink(http, "gene", "protein", "gene_protein_refseq", uidOf(gene))
      return sequences("protein", linked) ?? new Miss("RefSeq has no protein of this gene")
    }),
    gb: fileOf("flat", genesOf, (gene) => stretch(gene, "gb")),
    xml: jointFileOf("xml", genesOf, (genes) => eutils("efetch", { db: "gene", retmode: "xml" }, uidsOf(genes))),
    // Transcripts and their exons, as a table for people.
    "gene-table": jointFileOf("text", genesOf, (genes) =>
      eutils("efetch", { db: "gene", rettype: "gene_table", retmode: "text" }, uidsOf(genes)),
    ),
    asn1: jointFileOf("asn1-text", genesOf, (genes) =>
      eutils("efetch", { db: "gene", retmode: "asn.1" }, uidsOf(genes)),
    ),
    json: jointFileOf("json", genesOf, (genes) => eutils("esummary", { db: "gene", retmode: "json" }, uidsOf(genes))),
  },
})

const ALL_ORGANISMS = "genes of every organism: a symbol is not unique among them, organism limits them"

const uidsOf = (genes: Json[]) => [...new Set(genes.map(uidOf))]

/**
 * The gene's own part of its chromosome, read along its strand. Summaries count from 0 and put the start of a gene on the minus strand after
 * its end; EFetch counts from 1. Genes that lie on X and Y alike have two places of the same sequence: the first is taken.
 */
function stretch(gene: Json, rettype: "fasta" | "gb"): Location | Miss {
  const [place] = pick(SUMMARY, gene).genomicinfo
  if (place === undefined) return new Miss("this gene has no place on an assembled genome")
  const { chraccver, chrstart, chrstop } = place
  const [first, last] = [Math.min(chrstart, chrstop) + 1, Math.max(chrstart, chrstop) + 1]
  const strand = chrstart > chrstop ? "2" : "1"
  const range = { seq_start: String(first), seq_stop: String(last), strand }
  return eutils("efetch", { db: "nuccore", rettype, retmode: "text", ...range }, [chraccver])
}

function sequences(db: string, accessions: string[]): Location | undefined {
  return accessions.length === 0 ? undefined : eutils("efetch", { db, rettype: "fasta", retmode: "text" }, accessions)
}
