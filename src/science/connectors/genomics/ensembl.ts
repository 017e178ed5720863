import { defineConnector, Failure, Miss, pick, url, z, type FileFormat, type Http } from "../../connector.ts"
import { current, fetchMany, fetchOne, kindOf, missing, normalize, PATTERN, speciesOf, type Kind } from "./_ensembl.ts"
import { search } from "./_ensembl-search.ts"

/** What tells whose record it is: a feature and a gene tree have an id, a variant has a name and synonyms, VEP answers a list. */
const Carried = z.object({
  id: z.string().optional(),
  version: z.number().optional(),
  name: z.string().optional(),
  synonyms: z.array(z.string()).optional(),
  failed: z.string().nullish(),
})

/** The service describes itself at rest.ensembl.org; what it refuses and how is in its source, github.com/Ensembl/ensembl-rest. */
export default defineConnector({
  id: "ensembl",
  name: "Ensembl",
  domain: "genomics",
  description: "genes",
  homepage: "https://www.ensembl.org",
  license: "No restriction on access or use by Ensembl; some imported data carry their own terms",
  cite: "Yates et al., Bioinformatics 31:143 (2015), doi:10.1093/bioinformatics/btu613, and the Ensembl release (EMBL-EBI)",
  ids: {
    curie: "ensembl",
    pattern: PATTERN,
    examples: ["ENSG00000141510", "ENST00000269305.9", "AT3G52430", "LRG_321", "rs429358", "17:7675088:C:T"],
    normalize,
  },
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
  relation: (asked, own) =>
    own.startsWith("rs")
      ? `${asked} was merged into ${own}`
      : `${asked} names a version; this is the current one, whose number is the field version`,
  remarks: (record) => {
    if (Array.isArray(record)) return ["the position was read as one of GRCh38"]
    const { failed } = pick(Carried, record)
    return failed ? [`Ensembl doubts this variant: ${failed}`] : []
  },

  search,
  fetch: fetchOne,
  // A POST may hold 1,000 ids, but a gene with its transcripts is 100 KB to over 1 MB.
  fetchMany: { atOnce: 20, fetch: fetchMany },

  files: {
    // Of a gene the cDNA of each transcript: its genomic stretch may be megabases and is had for the asking.
    fasta: file("fasta", {
      gene: sequences("cdna"),
      transcript: sequence("cdna"),
      protein: sequence("protein"),
      exon: sequence("genomic"),
    }),
    cdna: file("fasta", { gene: sequences("cdna"), transcript: sequence("cdna") }),
    cds: file("fasta", { gene: sequences("cds"), transcript: sequence("cds") }),
    protein: file("fasta", {
      gene: sequences("protein"),
      transcript: sequences("protein"),
      protein: sequence("protein"),
    }),
    genomic: file("fasta", { gene: sequence("genomic"), transcript: sequence("genomic"), exon: sequence("genomic") }),
    json: file("json", {
      gene: (id) => url`https://rest.ensembl.org/lookup/id/${id}?expand=1&content-type=application/json`,
      transcript: (id) => url`https://rest.ensembl.org/lookup/id/${id}?expand=1&content-type=application/json`,
      protein: (id) => url`https://rest.ensembl.org/lookup/id/${id}?content-type=application/json`,
      exon: (id) => url`https://rest.ensembl.org/lookup/id/${id}?content-type=application/json`,
      variant: (id) => url`https://rest.ensembl.org/variation/human/${id}?pops=1&content-type=application/json`,
    }),
    // What is annotated at the place of the feature, other genes included; of a protein its domains.
    gff3: file("gff3", {
      gene: annotation,
      transcript: annotation,
      exon: annotation,
      protein: (id) => url`https://rest.ensembl.org/overlap/translation/${id}?content-type=text/x-gff3`,
    }),
    bed: file("bed", { gene: transcriptsAt, transcript: transcriptsAt, exon: transcriptsAt }),
    xrefs: file("json", { gene: crossReferences, transcript: crossReferences, protein: crossReferences }),
    homology: file("json", {
      gene: inSpecies(
        (species, id) =>
          url`https://rest.ensembl.org/homology/id/${species}/${id}?format=condensed&content-type=application/json`,
      ),
    }),
    nh: file("newick", {
      gene: inSpecies(treeOf),
      transcript: inSpecies(treeOf),
      protein: inSpecies(treeOf),
      tree: (id) => url`https://rest.ensembl.org/genetree/id/${id}?content-type=text/x-nh`,
    }),
  },
})

type Address = (id: string, http: Http) => string | undefined | Promise<string | undefined>

/** A format that some kinds of ids have. */
function file(kind: FileFormat["kind"], addresses: Partial<Record<Kind, Address>>): FileFormat {
  return {
    kind,
    locate: async (id, http) => {
      const address = addresses[kindOf(id)]
      if (!address)
        return new Miss(`a ${kindOf(id)} has no file of this format, but a ${Object.keys(addresses).join(" or ")} has`)
      const own = await current(id, http)
      return typeof own === "string" ? address(own, http) : own
    },
  }
}

type Sequence = "cdna" | "cds" | "protein" | "genomic"

function sequence(type: Sequence): Address {
  return (id) => url`https://rest.ensembl.org/sequence/id/${id}?type=${type}&content-type=text/x-fasta`
}

/** Where there may be several, which is a 400 unless they are asked for. */
function sequences(type: Sequence): Address {
  return (id) =>
    url`https://rest.ensembl.org/sequence/id/${id}?type=${type}&multiple_sequences=1&content-type=text/x-fasta`
}

function annotation(id: string): string {
  return url`https://rest.ensembl.org/overlap/id/${id}?feature=gene&feature=transcript&feature=exon&feature=cds&content-type=text/x-gff3`
}

function transcriptsAt(id: string): string {
  return url`https://rest.ensembl.org/overlap/id/${id}?feature=transcript&content-type=text/x-bed`
}

/** With those of a gene's transcripts and proteins, where UniProt and RefSeq are. */
function crossReferences(id: string): string {
  return url`https://rest.ensembl.org/xrefs/id/${id}?all_levels=1&content-type=application/json`
}

function treeOf(species: string, id: string): string {
  return url`https://rest.ensembl.org/genetree/member/id/${species}/${id}?content-type=text/x-nh`
}

/** Comparisons between species want to know whose the id is. */
function inSpecies(address: (species: string, id: string) => string): Address {
  return async (id, http) => {
    const species = await speciesOf(id, http)
    return species === undefined ? undefined : address(species, id)
  }
}
