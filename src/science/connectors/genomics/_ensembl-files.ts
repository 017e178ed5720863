import { Miss, url, type FileFormat, type Http, type Location } from "../../connector.ts"
import { current, kindOf, speciesOf, type Kind } from "./_ensembl.ts"

type Address = (id: string, http: Http) => Location | undefined | Promise<Location | undefined>

type Addresses = Partial<Record<Kind, Address>>

type Sequence = "cdna" | "cds" | "protein" | "genomic"

/** How a sequence is written; `several` where there may be more than one, which is a 400 unless they are asked for. */
type Writing = (type: Sequence, several?: true) => Address

const asFasta: Writing = (type, several) => (id) =>
  several
    ? url`https://rest.ensembl.org/sequence/id/${id}?type=${type}&multiple_sequences=1&content-type=text/x-fasta`
    : url`https://rest.ensembl.org/sequence/id/${id}?type=${type}&content-type=text/x-fasta`

const asSeqXml: Writing = (type, several) => (id) =>
  several
    ? url`https://rest.ensembl.org/sequence/id/${id}?type=${type}&multiple_sequences=1&content-type=text/x-seqxml%2Bxml`
    : url`https://rest.ensembl.org/sequence/id/${id}?type=${type}&content-type=text/x-seqxml%2Bxml`

const asJson: Writing = (type, several) => (id) => ({
  url: several
    ? url`https://rest.ensembl.org/sequence/id/${id}?type=${type}&multiple_sequences=1`
    : url`https://rest.ensembl.org/sequence/id/${id}?type=${type}`,
  headers: { "content-type": "application/json" },
})

const cdna = (as: Writing): Addresses => ({ gene: as("cdna", true), transcript: as("cdna") })

const cds = (as: Writing): Addresses => ({ gene: as("cds", true), transcript: as("cds") })

const protein = (as: Writing): Addresses => ({
  gene: as("protein", true),
  transcript: as("protein", true),
  protein: as("protein"),
})

const genomic = (as: Writing): Addresses => ({
  gene: as("genomic"),
  transcript: as("genomic"),
  exon: as("genomic"),
})

/** Of a gene the cDNA of each transcript: its genomic stretch may be megabases and is had by its own format. */
const usual = (as: Writing): Addresses => ({ ...cdna(as), protein: as("protein"), exon: as("genomic") })

const whole: Address = (id) => url`https://rest.ensembl.org/lookup/id/${id}?expand=1&content-type=application/json`

const simple: Address = (id) => url`https://rest.ensembl.org/lookup/id/${id}?content-type=application/json`

/** What is annotated at the place of a feature, other genes included. */
const annotation: Address = (id) =>
  url`https://rest.ensembl.org/overlap/id/${id}?feature=gene&feature=transcript&feature=exon&feature=cds&content-type=text/x-gff3`

const domains: Address = (id) => url`https://rest.ensembl.org/overlap/translation/${id}?content-type=text/x-gff3`

const transcripts: Address = (id) =>
  url`https://rest.ensembl.org/overlap/id/${id}?feature=transcript&content-type=text/x-bed`

/** With those of a gene's transcripts and proteins, where UniProt and RefSeq are. */
const crossReferences: Address = (id) =>
  url`https://rest.ensembl.org/xrefs/id/${id}?all_levels=1&content-type=application/json`

/** Comparisons between species want to know whose the id is. */
const inSpecies =
  (address: (species: string, id: string) => string): Address =>
  async (id, http) => {
    const species = await speciesOf(id, http)
    return species === undefined ? undefined : address(species, id)
  }

function tree(type: "x-nh" | "x-phyloxml+xml" | "x-orthoxml+xml"): Addresses {
  const holding = inSpecies(
    (species, id) => url`https://rest.ensembl.org/genetree/member/id/${species}/${id}?content-type=text/${type}`,
  )
  return {
    gene: holding,
    transcript: holding,
    protein: holding,
    tree: (id) => url`https://rest.ensembl.org/genetree/id/${id}?content-type=text/${type}`,
  }
}

export const files: Record<string, FileFormat> = {
  fasta: file("fasta", usual(asFasta)),
  cdna: file("fasta", cdna(asFasta)),
  cds: file("fasta", cds(asFasta)),
  protein: file("fasta", protein(asFasta)),
  genomic: file("fasta", genomic(asFasta)),
  gff3: file("gff3", { gene: annotation, transcript: annotation, exon: annotation, protein: domains }),
  bed: file("bed", { gene: transcripts, transcript: transcripts, exon: transcripts }),
  json: file("json", {
    gene: whole,
    transcript: whole,
    protein: simple,
    exon: simple,
    variant: (id) => url`https://rest.ensembl.org/variation/human/${id}?pops=1&content-type=application/json`,
    tree: (id) => url`https://rest.ensembl.org/genetree/id/${id}?content-type=application/json`,
  }),
  xrefs: file("json", { gene: crossReferences, transcript: crossReferences, protein: crossReferences }),
  homology: file("json", {
    gene: inSpecies(
      (species, id) =>
        url`https://rest.ensembl.org/homology/id/${species}/${id}?format=condensed&content-type=application/json`,
    ),
  }),
  nh: file("newick", tree("x-nh")),
  phyloxml: file("xml", tree("x-phyloxml+xml")),
  orthoxml: file("xml", tree("x-orthoxml+xml")),
  vep: file("json", {
    variant: (id) => url`https://rest.ensembl.org/vep/human/id/${id}?content-type=application/json`,
  }),
  seqxml: file("xml", usual(asSeqXml)),
  "cdna-json": file("json", cdna(asJson)),
  "cds-json": file("json", cds(asJson)),
  "protein-json": file("json", protein(asJson)),
  "genomic-json": file("json", genomic(asJson)),
}

/** A format that ids of some kinds have; the address is asked for without the version, which was checked. */
function file(kind: FileFormat["kind"], addresses: Addresses): FileFormat {
  return {
    kind,
    locate: async (id, http) => {
      const address = addresses[kindOf(id)]
      if (!address) return new Miss(`no file of this format is made for ${kindOf(id)}s, only for ${kinds(addresses)}`)
      const own = await current(id, http)
      return typeof own === "string" ? address(own, http) : own
    },
  }
}

const kinds = (addresses: Addresses) =>
  Object.keys(addresses)
    .map((kind) => `${kind}s`)
    .join(" and ")
