import { defineConnector, Failure, Miss, pick, url, z, type FileFormat, type Http, type Location } from "../../connector.ts"
import { current, fetchMany, fetchOne, kindOf, missing, normalize, PATTERN, speciesOf, type Kind } from "./_ensembl.ts"
import { search } from "./_ensembl-search.ts"

/** What an answer carries: a feature or tree has an id, a variant a name and synonyms; VEP answers a list. */
const Carried = z.object({
  id: z.string().optional(),
  version: z.number().optional(),
  name: z.string().optional(),
  synonyms: z.array(z.string()).optional(),
  failed: z.string().nullish(),
})

/** Docs: rest.ensembl.org; texts and limits are in the source, github.com/Ensembl/ensembl-rest. */
export default defineConnector({
  id: "ensembl",
  name: "Ensembl",
  domain: "genomics",
  description: "genes",
  homepage: "https://www.ensembl.org",
  license: "No restriction by Ensembl on access or use; some imported data carry their own terms",
  cite: "Yates et al. 2015, Bioinformatics 31:143, doi:10.1093/bioinformatics/btu613; Ensembl (EMBL-EBI), with its release",
  ids: {
    curie: "ensembl",
    pattern: PATTERN,
    examples: ["ENSG00000141510", "ENST00000269305.9", "ENSP00000269305", "LRG_321", "rs429358", "17:7675088:C:T"],
    normalize,
  },
  // 55,000 requests an hour are 15 a second; 10 leave room for others behind the same address.
  hosts: { "rest.ensembl.org": { perSecond: 10, concurrent: 5 } },
  url: "https://www.ensembl.org/id/{id}",
  organismFilter: true,
  // Cross-references and homologies that there are none of come as an empty list.
  missing: (answer) =>
    missing(answer) || (answer.operation === "file" && /^\s*(?:\[\s*\]|\{\s*"data"\s*:\s*\[\s*\]\s*\})\s*$/.test(answer.head)),
  // A 400 also stands for faults of its own, e.g. a lost database connection (lib/EnsEMBL/REST/Controller/ReturnError.pm).
  failure: ({ status, head }) =>
    status === 400 && /something bad has happened|MySQL|DBI/.test(head)
      ? new Failure("unavailable", "Ensembl failed inside over this request; try again in a minute.")
      : undefined,
  identify: (record) => {
    if (Array.isArray(record)) return pick(z.array(z.object({ id: z.string() })), record).map(({ id }) => id)
    const { id, version = 0, name, synonyms = [] } = pick(Carried, record)
    const versions = Array.from({ length: version }, (_, i) => `${id}.${version - i}`)
    return [id ?? [], versions, name ?? [], synonyms].flat()
  },
  relation: (asked, own) =>
    own.startsWith("rs")
      ? `${asked} was merged into ${own}`
      : `a version was asked for (${asked}); this is the current one, its number stands in "version"`,
  remarks: (record) => {
    if (Array.isArray(record)) return ["the position was read as one of GRCh38"]
    const { failed } = pick(Carried, record)
    return failed ? [`Ensembl doubts this variant: ${failed}`] : []
  },
  search,
  fetch: fetchOne,
  // Ensembl takes 1,000, but an expanded gene is 100 kB to over 1 MB.
  fetchMany: { atOnce: 20, fetch: fetchMany },
  files: {
    // Never a gene's genomic stretch, which may be megabases: of a gene the cDNA of each transcript.
    fasta: sequence({ gene: "cdna", transcript: "cdna", protein: "protein", exon: "genomic" }),
    cdna: sequence({ gene: "cdna", transcript: "cdna" }),
    cds: sequence({ gene: "cds", transcript: "cds" }),
    protein: sequence({ gene: "protein", transcript: "protein", protein: "protein" }),
    genomic: sequence({ gene: "genomic", transcript: "genomic", exon: "genomic" }),
    json: { kind: "json", locate: (id, http) => located(["gene", "transcript"], id, http, (own) => url`https://rest.ensembl.org/lookup/id/${own}?expand=1&content-type=application/json`) },
    // Everything annotated at the place of the feature, other genes too; of a protein its domains.
    gff3: {
      kind: "gff3",
      locate: (id, http) =>
        located(["gene", "transcript", "exon", "protein"], id, http, (own) =>
          kindOf(id) === "protein"
            ? url`https://rest.ensembl.org/overlap/translation/${own}?content-type=text/x-gff3`
            : url`https://rest.ensembl.org/overlap/id/${own}?feature=gene&feature=transcript&feature=exon&feature=cds&content-type=text/x-gff3`,
        ),
    },
    bed: {
      kind: "bed",
      locate: (id, http) =>
        located(["gene", "transcript", "exon"], id, http, (own) => url`https://rest.ensembl.org/overlap/id/${own}?feature=transcript&content-type=text/x-bed`),
    },
    // With all_levels those of a gene's transcripts and proteins too, where UniProt and RefSeq are.
    xrefs: {
      kind: "json",
      locate: (id, http) =>
        located(["gene", "transcript", "protein"], id, http, (own) => url`https://rest.ensembl.org/xrefs/id/${own}?all_levels=1&content-type=application/json`),
    },
    homology: {
      kind: "json",
      locate: (id, http) =>
        located(["gene"], id, http, (own, species) => url`https://rest.ensembl.org/homology/id/${species}/${own}?format=condensed&content-type=application/json`),
    },
    nh: { kind: "newick", locate: (id, http) => located(["gene"], id, http, …) },
  },
})
