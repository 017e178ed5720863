import { keep, Miss, pick, url, z, type FileFormat, type Http, type Json } from "../../connector.ts"
import { entryOf, Experiment, type Atlas } from "./_atlas.ts"

export const BULK: Atlas = {
  name: "Expression Atlas",
  site: "https://www.ebi.ac.uk/gxa/",
  elsewhere: "single-cell-atlas or arrayexpress may have it",
}

/** How the addresses of files end; what comes before differs with the kind of experiment, and the service lists which there are. */
const ENDINGS = {
  tpms: "/tpms.tsv",
  analytics: "/analytics",
  design: "/experiment-design",
  counts: "/raw-counts",
  fpkms: "/fpkms.tsv",
  proteins: "Proteomics/tsv",
  "log-fold-changes": "/log-fold-changes",
  "normalized-expressions": "/normalized-expressions",
  results: "/query-results",
  rdata: "-atlasExperimentSummary.Rdata",
  heatmap: "-heatmap.pdf",
}

type Listed = keyof typeof ENDINGS

/** Of an experiment on several array designs these are a zip with a table for each, under the same address. */
const PER_ARRAY = ["analytics", "log-fold-changes", "normalized-expressions", "results"] as const
type PerArray = (typeof PER_ARRAY)[number]

const Resource = z.lazy(() => z.object({ url: z.string() }))

/** The files of an experiment, as the service lists them: address, type and a description of each. */
export async function resourcesOf(id: string, http: Http): Promise<Json[]> {
  return keep(
    z.array(z.unknown()),
    await http.json(`${url`https://www.ebi.ac.uk/gxa/json/experiments/${id}`}/resources/DATA`),
  )
}

export function listed(format: Listed, kind: FileFormat["kind"], more: { extension?: string } = {}): FileFormat {
  return { kind, ...more, locate: (id, http) => located(id, format, false, http) }
}

export function zipped(format: PerArray): FileFormat {
  return { kind: "zip", locate: (id, http) => located(id, format, true, http) }
}

async function located(id: string, format: Listed, zip: boolean, http: Http): Promise<string | Miss> {
  const entry = await entryOf(id, BULK, http)
  if (entry instanceof Miss) return entry
  const { arrayDesigns, rawExperimentType } = pick(Experiment, entry)
  const files = pick(z.array(Resource), await resourcesOf(id, http)).map((file) => new URL(file.url, BULK.site).href)
  const own = fileOf(files, format)
  if (own === undefined) {
    const there = Object.keys(ENDINGS).filter((each) => isListed(each) && fileOf(files, each) !== undefined)
    const what = rawExperimentType?.replaceAll("_", " ").toLowerCase() ?? "kind of"
    return new Miss(`this ${what} experiment has ${there.length > 0 ? there.join(", ") : "no files"} instead`)
  }
  const several = PER_ARRAY.some((each) => each === format) && (arrayDesigns?.length ?? 0) > 1
  if (several && !zip)
    return new Miss(`it has ${arrayDesigns?.length} array designs, whose tables are one zip: fetch ${format}-zip`)
  return zip && !several ? new Miss(`it has one table: fetch ${format}`) : own
}

const isListed = (format: string): format is Listed => format in ENDINGS

const fileOf = (files: string[], format: Listed) =>
  files.find((file) => file.replace(/\?.*$/, "").endsWith(ENDINGS[format]))

/** A file whose address needs only the accession; of an experiment that is not here the site's answer to it would be an error. */
export function direct(kind: FileFormat["kind"], address: (id: string) => string): FileFormat {
  return {
    kind,
    locate: async (id, http) => {
      const entry = await entryOf(id, BULK, http)
      return entry instanceof Miss ? entry : address(id)
    },
  }
}
