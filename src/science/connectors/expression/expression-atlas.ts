import { defineConnector, Miss, pick, url, z, type Http, type Json } from "../../connector.ts"
import { ACCESSION, entriesOf, normalize } from "./_atlas.ts"
import { BULK, direct, listed, resourcesOf, zipped } from "./_expression-atlas-files.ts"
import { search } from "./_expression-atlas-search.ts"

/** The service's paths are in its source, github.com/ebi-gene-expression-group/atlas-web-bulk and atlas-web-core. */
export default defineConnector({
  id: "expression-atlas",
  name: "Expression Atlas",
  domain: "expression",
  description: "re-analysed bulk expression experiments",
  homepage: "https://www.ebi.ac.uk/gxa",
  license: "CC BY 4.0",
  cite: "George et al. Expression Atlas update: insights from sequencing data at both bulk and single cell level. Nucleic Acids Res. 52:D107-D114 (2024). doi:10.1093/nar/gkad1021; with the accession",
  ids: { curie: "gxa.expt", pattern: ACCESSION, examples: ["E-MTAB-513", "E-GTEX-8", "E-GEOD-26284"], normalize },
  probe: { query: "breast cancer", missing: "E-MTAB-99999999" },
  // No limit is published; the list of experiments is heavy, and kept.
  hosts: {
    "www.ebi.ac.uk": { perSecond: 5, concurrent: 4 },
    "ftp.ebi.ac.uk": { perSecond: 5, concurrent: 4 },
  },
  url: "https://www.ebi.ac.uk/gxa/experiments/{id}",
  organismFilter: true,
  identify: (record) => [pick(Shown, record).experiment.experimentAccession],
  search,
  fetch: async (id, http) => (await experimentsOf([id], http)).get(id),
  fetchMany: { atOnce: 20, fetch: experimentsOf },
  files: {
    tpms: listed("tpms", "tsv"),
    analytics: listed("analytics", "tsv"),
    design: listed("design", "tsv"),
    counts: listed("counts", "tsv"),
    fpkms: listed("fpkms", "tsv"),
    proteins: listed("proteins", "tsv"),
    "log-fold-changes": listed("log-fold-changes", "tsv"),
    "normalized-expressions": listed("normalized-expressions", "tsv"),
    results: listed("results", "tsv"),
    "analytics-zip": zipped("analytics"),
    "log-fold-changes-zip": zipped("log-fold-changes"),
    "normalized-expressions-zip": zipped("normalized-expressions"),
    "results-zip": zipped("results"),
    rdata: listed("rdata", "bytes", { extension: "Rdata" }),
    heatmap: listed("heatmap", "pdf"),
    // What the page draws its heat map from: assay groups or contrasts, and the genes that stand out.
    json: direct("json", (id) => url`https://www.ebi.ac.uk/gxa/json/experiments/${id}`),
    // Samples and their factors with ontology terms, a value a line.
    sdrf: direct("tsv", (id) => `${MIRROR}/${url`${id}/${id}`}.condensed-sdrf.tsv`),
  },
})

const MIRROR = "https://ftp.ebi.ac.uk/pub/databases/microarray/data/atlas/experiments"

const Shown = z.lazy(() => z.object({ experiment: z.object({ experimentAccession: z.string() }) }))

/** The entry of the list, and which files there are of it. */
async function experimentsOf(ids: string[], http: Http): Promise<Map<string, Json | Miss>> {
  const entries = await entriesOf(ids, BULK, http)
  const records = [...entries].map(async ([id, entry]): Promise<[string, Json | Miss]> => {
    if (entry instanceof Miss) return [id, entry]
    const resources = await http.part(`resources of ${id}`, () => resourcesOf(id, http))
    return [id, { experiment: entry, ...(resources && { resources }) }]
  })
  return new Map(await Promise.all(records))
}
