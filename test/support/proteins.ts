import type { Reply, Seen } from "./loopback.ts"

/** 1.1 MB of record, as large as famous proteins are. */
export const HUGE = JSON.stringify({
  entryType: "UniProtKB reviewed (Swiss-Prot)",
  primaryAccession: "P04637",
  uniProtkbId: "P53_HUMAN",
  genes: [{ geneName: { value: "TP53" } }],
  features: Array.from({ length: 9000 }, (_, i) => ({
    type: "Natural variant",
    location: { start: { value: i }, end: { value: i } },
    description: `somatic mutation number ${i}; dbSNP:rs${i}`,
  })),
})

export const SMALL = JSON.stringify({
  entryType: "UniProtKB reviewed (Swiss-Prot)",
  primaryAccession: "P01308",
  uniProtkbId: "INS_HUMAN",
  genes: [{ geneName: { value: "INS" } }],
})

/** Of a length between what the strictest host shows and what the others do: 20 KB. */
export const MIDDLE = JSON.stringify({
  entryType: "UniProtKB reviewed (Swiss-Prot)",
  primaryAccession: "P38398",
  uniProtkbId: "BRCA1_HUMAN",
  features: Array.from({ length: 100 }, (_, i) => ({ type: "Chain", description: `feature ${i} ${"x".repeat(180)}` })),
})

export const FASTA = ">sp|P01308|INS_HUMAN Insulin\nMALWMRLLPLLALLALWGPDPAAAFVNQHLCGSHLVEALYLVCGERGFFYTPKT\n"

/** UniProt, as far as the hosts' tests ask it: a search, three records, a file, and one id that it does not have. */
export function proteins({ path }: Seen): Reply | undefined {
  if (path.startsWith("/uniprotkb/search"))
    return { headers: { "x-total-results": "1204" }, body: `{"results":[${SMALL}]}` }
  if (path.startsWith("/uniprotkb/P01308.fasta")) return { headers: { "content-type": "text/plain" }, body: FASTA }
  if (path.startsWith("/uniprotkb/P01308")) return SMALL
  if (path.startsWith("/uniprotkb/P38398")) return MIDDLE
  if (path.startsWith("/uniprotkb/P04637")) return HUGE
  return undefined
}
