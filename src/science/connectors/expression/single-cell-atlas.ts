import { defineConnector, Miss, pick, url, type FileFormat } from "../../connector.ts"
import { ACCESSION, entriesOf, entryOf, Experiment, normalize } from "./_atlas.ts"
import { search, SINGLE_CELL } from "./_single-cell-atlas-search.ts"

/** The service's paths are in its source, github.com/ebi-gene-expression-group/atlas-web-single-cell. */
export default defineConnector({
  id: "single-cell-atlas",
  name: "Single Cell Expression Atlas",
  domain: "expression",
  description: "single-cell RNA-seq experiments",
  homepage: "https://www.ebi.ac.uk/gxa/sc",
  license: "CC BY 4.0; a study may carry terms of its own",
  cite: "George et al. Expression Atlas update: insights from sequencing data at both bulk and single cell level. Nucleic Acids Res. 52:D107-D114 (2024). doi:10.1093/nar/gkad1021; with the accession",
  ids: { curie: "scxa", pattern: ACCESSION, examples: ["E-MTAB-5061", "E-HCAD-9", "E-GEOD-81547"], normalize },
  probe: { query: "pancreas", missing: "E-MTAB-99999999" },
  // No limit is published; the list of experiments is heavy, and kept.
  hosts: {
    "www.ebi.ac.uk": { perSecond: 5, concurrent: 4 },
    "ftp.ebi.ac.uk": { perSecond: 5, concurrent: 4 },
  },
  url: "https://www.ebi.ac.uk/gxa/sc/experiments/{id}",
  organismFilter: true,
  identify: (record) => [pick(Experiment, record).experimentAccession],
  remarks: (record) => {
    const { numberOfAssays } = pick(Experiment, record)
    return numberOfAssays == null ? [] : ["numberOfAssays counts cells"]
  },
  search,
  fetch: (id, http) => entryOf(id, SINGLE_CELL, http),
  fetchMany: { atOnce: 100, fetch: (ids, http) => entriesOf(ids, SINGLE_CELL, http) },
  files: {
    h5ad: file("h5ad", (id) => `${MIRROR}/${url`${id}/${id}`}.project.h5ad`),
    clusters: file("tsv", (id) => download(id, "cluster")),
    markers: file("zip", (id) => zip(id, "marker-genes")),
    // A line a cell.
    design: file("tsv", (id) => download(id, "experiment-design")),
    // Each a MatrixMarket matrix with its genes and cells. Counts need not be whole numbers.
    raw: file("zip", (id) => zip(id, "quantification-raw")),
    normalised: file("zip", (id) => zip(id, "normalised")),
    tpms: file("zip", tpms),
    metadata: file("zip", (id) => zip(id, "experiment-metadata")),
    sdrf: file("tsv", (id) => download(id, "sdrf")),
    idf: file("tsv", (id) => download(id, "idf")),
  },
})

/** Names of files there: DataFileHub of atlas-web-core. */
const MIRROR = "https://ftp.ebi.ac.uk/pub/databases/microarray/data/atlas/sc_experiments"

/** In the singular here, in the plural for pages and JSON. */
const download = (id: string, type: string) =>
  url`https://www.ebi.ac.uk/gxa/sc/experiment/${id}/download?fileType=${type}&accessKey=`

const zip = (id: string, type: string) =>
  url`https://www.ebi.ac.uk/gxa/sc/experiment/${id}/download/zip?fileType=${type}&accessKey=`

/** What is not in the list is not asked for: the site's answer to it is an error, as to an outage. */
function file(kind: FileFormat["kind"], where: (id: string, experiment: Experiment) => string | Miss): FileFormat {
  return {
    kind,
    locate: async (id, http) => {
      const entry = await entryOf(id, SINGLE_CELL, http)
      return entry instanceof Miss ? entry : where(id, pick(Experiment, entry))
    },
  }
}

/** Made of whole transcripts only, so the page offers them for these alone (ExperimentPageContentService). */
function tpms(id: string, { technologyType }: Experiment): string | Miss {
  const technologies = technologyType ?? []
  if (technologies.some((each) => /^smart/i.test(each))) return zip(id, "quantification-filtered")
  return new Miss(`of ${technologies.join(", ") || "this technology"} there are no TPMs: fetch normalised or raw`)
}
