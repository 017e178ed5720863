import { defineConnector, Failure, pick, z } from "../../connector.ts"
import { fetchMany, fetchOne, missing, normalize, PATTERN } from "./_ensembl.ts"
import { files } from "./_ensembl-files.ts"
import { search } from "./_ensembl-search.ts"

/** What tells whose record it is: a feature and a gene tree have an id, a variant has a name and synonyms, VEP answers a list. */
const Carried = z.lazy(() =>
  z.object({
    id: z.string().optional(),
    version: z.number().optional(),
    name: z.string().optional(),
    synonyms: z.array(z.string()).optional(),
    failed: z.string().nullish(),
  }),
)

/** The service describes itself at rest.ensembl.org; what it refuses and how is in its source, github.com/Ensembl/ensembl-rest. */
export default defineConnector({
  id: "ensembl",
  name: "Ensembl",
  domain: "genomics",
  description: "genes, transcripts, sequences of genomes",
  homepage: "https://www.ensembl.org",
  license: "No restriction on access or use by Ensembl; some imported data carry their own terms",
  cite: "Yates et al., Bioinformatics 31:143 (2015), doi:10.1093/bioinformatics/btu613, and the Ensembl release (EMBL-EBI)",
  ids: {
    curie: "ensembl",
    pattern: PATTERN,
    examples: ["ENSG00000141510", "ENST00000269305.9", "AT3G52430", "LRG_321", "rs429358", "17:7675088:C:T"],
    normalize,
  },
  probe: { query: "BRCA2", missing: "ENSG00000000000" },
  // 55,000 requests an hour and address are 15 a second (wiki, "Rate Limits"); a third is left to others behind the same address.
  hosts: { "rest.ensembl.org": { perSecond: 10, concurrent: 5 } },
  url: "https://www.ensembl.org/id/{id}",
  organismFilter: true,
  // No cross-references, no homologues: an empty list, which is no file.
  missing: (answer) =>
    missing(answer) ||
    (answer.operation === "file" && /^\s*(?:\[\s*\]|\{\s*"data"\s*:\s*\[\s*\]\s*\})\s*$/.test(answer.head)),
  // Its own faults are a 400 too: a database connection that was lost, an exception without a text (Controller/ReturnError.pm).
  failure: ({ status, head }) =>
    status === 400 && /something bad has happened|MySQL|\bDBI\b/.test(head)
      ? new Failure("unavailable", "Ensembl failed on its side (400); try again in a minute.")
      : undefined,

  identify: (record) => {
    if (Array.isArray(record)) return pick(z.array(z.object({ id: z.string() })), record).map(({ id }) => id)
    const { id, version = 0, name, synonyms = [] } = pick(Carried, record)
    const versions = Array.from({ length: version }, (_, i) => `${id}.${version - i}`)
    return [id ?? [], versions, name ?? [], synonyms].flat()
  },
  relation: (asked, own, record) => {
    if (own.startsWith("rs")) return `${asked} was merged into ${own}`
    if (Array.isArray(record)) return undefined
    const { version } = pick(Carried, record)
    return asked.endsWith(`.${version}`) ? undefined : `${asked} is an older version; this is ${own}.${version}`
  },
  remarks: (record) => {
    if (Array.isArray(record)) return ["the position was read as one of GRCh38"]
    const { failed } = pick(Carried, record)
    return failed ? [`Ensembl doubts this variant: ${failed}`] : []
  },

  search,
  fetch: fetchOne,
  // A POST may hold 1,000 ids, but a gene with its transcripts is 100 KB to over 1 MB.
  fetchMany: { atOnce: 20, fetch: fetchMany },

  files,
})
