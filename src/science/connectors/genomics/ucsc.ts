import { defineConnector, Failure, url } from "../../connector.ts"
import { download, chromosomesUrl, placeUrl, schemaUrl, tracksUrl } from "./_ucsc-files.ts"
import { normalize, PATTERN, placeOf } from "./_ucsc-ids.ts"
import { errorOf, fetchPlace, idsOf, missing, remarks } from "./_ucsc-place.ts"
import { search } from "./_ucsc-search.ts"

/** The API's own description: genome.ucsc.edu/goldenPath/help/api.html; its errors are read from its source (kent, src/hg/hubApi). */
export default defineConnector({
  id: "ucsc",
  name: "UCSC Genome Browser",
  domain: "genomics",
  description: "genomes and tracks",
  homepage: "https://genome.ucsc.edu",
  license: "Mostly free for any use; some tracks under their makers' terms (genome.ucsc.edu/conditions.html)",
  cite: "Kent WJ et al. The human genome browser at UCSC. Genome Res. 12:996-1006 (2002). doi:10.1101/gr.229102; with assembly and track",
  ids: {
    curie: "ucsc",
    pattern: PATTERN,
    examples: ["hg38:chrM:1-99", "hg38:chr17:7668402-7687550:knownGene", "mm39", "GCF_000005845.2"],
    normalize,
  },
  probe: { query: "BRCA1", missing: "chr99:1-100" },
  // "No more than one request a second"; the downloads are not counted.
  hosts: {
    "api.genome.ucsc.edu": { perSecond: 1, concurrent: 1 },
    "hgdownload.soe.ucsc.edu": { perSecond: 2, concurrent: 2 },
  },
  url: "https://genome.ucsc.edu/cgi-bin/hgTracks?position={id}",
  page: (id) => {
    const { genome, chrom, range } = placeOf(id)
    const position = chrom === undefined ? undefined : range ? `${chrom}:${range.first}-${range.last}` : chrom
    return genome.startsWith("GC")
      ? url`https://genome.ucsc.edu/h/${genome}` + (position ? url`?position=${position}` : "")
      : url`https://genome.ucsc.edu/cgi-bin/hgTracks?db=${genome}` + (position ? url`&position=${position}` : "")
  },
  organismFilter: true,
  missing,
  failure: ({ status, head }) =>
    status === 415
      ? new Failure("invalid_id", `UCSC does not give the items of this track: ${errorOf(head)}`)
      : undefined,

  identify: idsOf,
  relation: (asked, own) =>
    placeOf(asked).assumed
      ? `${asked} was read in hg38 (human); name another assembly before it, as in mm39:${asked}`
      : `${asked} is ${own}`,
  remarks,

  search,
  fetch: (id, http) => fetchPlace(placeOf(id), http),

  files: {
    json: { kind: "json", locate: (id) => placeUrl(placeOf(id)) },
    "2bit": download("2bit", "2bit", { ucsc: ["bigZips", ".2bit"], genark: ".2bit" }),
    "fa.gz": download("gzip", "fa.gz", { ucsc: ["bigZips", ".fa.gz"], genark: ".fa.gz" }),
    // RefSeq's genes; not every assembly has them.
    "gtf.gz": download("gzip", "gtf.gz", { ucsc: ["bigZips/genes", ".ncbiRefSeq.gtf.gz"] }),
    sizes: download("tsv", "chrom.sizes", { ucsc: ["bigZips", ".chrom.sizes"], genark: ".chrom.sizes.txt" }),
    "hub.txt": download("text", "hub.txt", { genark: "hub.txt" }),
    tracks: { kind: "json", locate: (id) => tracksUrl(placeOf(id)) },
    chromosomes: { kind: "json", locate: (id) => chromosomesUrl(placeOf(id)) },
    schema: { kind: "json", locate: (id) => schemaUrl(placeOf(id)) },
  },
})
