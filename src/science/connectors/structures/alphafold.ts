import {
  asArray,
  defineConnector,
  Miss,
  pick,
  url,
  z,
  type FileFormat,
  type Http,
  type Json,
  type SearchOptions,
  type SearchPage,
} from "../../connector.ts"
import { ACCESSION, searchHits, UNIPROT_HOSTS } from "../_uniprot.ts"

/** A UniProt accession, with its isoform where that is not the canonical one, or a predicted complex. */
const ID = new RegExp(`^(?:${ACCESSION}(?:-[0-9]{1,3})?|AF-[0-9]{16})$`)

export default defineConnector({
  id: "alphafold",
  name: "AlphaFold DB",
  domain: "structures",
  description: "predicted protein structures, confidence",
  homepage: "https://alphafold.ebi.ac.uk",
  license: "CC BY 4.0",
  cite: "Jumper et al. Nature 596:583-589 (2021). doi:10.1038/s41586-021-03819-2; Varadi et al. Nucleic Acids Res. 52:D368-D375 (2024). doi:10.1093/nar/gkad1011",
  ids: { curie: "AFDB", pattern: ID, examples: ["P04637", "P05067-2", "AF-P69905-F1"], normalize },
  probe: { query: "hemoglobin", missing: "Q00000" },
  // No limit is published; clients keep under ten a second.
  hosts: { "alphafold.ebi.ac.uk": { perSecond: 5, concurrent: 4 }, ...UNIPROT_HOSTS },
  url: "https://alphafold.ebi.ac.uk/entry/{id}",
  organismFilter: true,
  identify: (record) => pick(z.array(Model), asArray(record)).flatMap(idsOf),
  remarks: (record) => pick(z.array(Model), asArray(record)).slice(0, 1).map(confidence),
  search,
  fetch: async (id, http) => {
    const models = await modelsOf(id, http)
    // Of a complex the API gives an element for each chain, in no fixed order: together they are the record.
    return models instanceof Miss || models.length > 1 ? models : models[0]
  },
  files: {
    cif: { kind: "mmcif", locate: at("cifUrl") },
    bcif: { kind: "bcif", locate: at("bcifUrl") },
    pdb: { kind: "pdb", locate: at("pdbUrl") },
    pae: { kind: "json", locate: at("paeDocUrl") },
    "pae-image": { kind: "png", locate: at("paeImageUrl") },
    plddt: { kind: "json", locate: at("plddtDocUrl") },
    msa: { kind: "a3m", locate: at("msaUrl") },
    am: { kind: "csv", locate: at("amAnnotationsUrl") },
    "am-hg19": { kind: "csv", locate: at("amAnnotationsHg19Url") },
    "am-hg38": { kind: "csv", locate: at("amAnnotationsHg38Url") },
    // The answer of the API as it is: beside the asked model it holds those of the other isoforms.
    json: {
      kind: "json",
      locate: async (id, http) => {
        const models = await modelsOf(id, http)
        return models instanceof Miss ? models : predictionUrl(stemOf(id))
      },
    },
  },
})

/** The fields that every answer has had; the versions of the API differ in the others. */
const Model = z.lazy(() =>
  z.object({
    uniprotAccession: z.string(),
    modelEntityId: z.string().optional(),
    isComplex: z.boolean().optional(),
    latestVersion: z.number().optional(),
    globalMetricValue: z.number().optional(),
  }),
)

type Model = z.infer<typeof Model>

const COMPLEX = /^AF-[0-9]{16}$/

/** From entry ids, file names, addresses and prefixes. A model version that is named is not kept: only the latest is served. */
function normalize(typed: string): string {
  const id = typed
    .replace(/^https?:\/\/(?:www\.)?alphafold\.(?:ebi\.ac\.uk|com)\/(?:entry|files|api\/prediction)\/(?:msa\/)?/i, "")
    .replace(/^(?:alphafold(?:db)?|uniprot(?:kb)?):/i, "")
    .replace(/^>?(?:sp|tr)\|([^|\s]+)(?:\|.*)?$/i, "$1")
    .toUpperCase()
  const [, found] =
    /^(AF-[0-9]{16})(?:[-_.].*)?$/.exec(id) ??
    /^AF-([A-Z0-9]+(?:-[0-9]+)?)-F1(?:[-_.].*)?$/.exec(id) ??
    /^AF_AF([A-Z0-9]+)F1$/.exec(id) ?? // RCSB's name for it
    []
  return found ?? id
}

const stemOf = (id: string) => (COMPLEX.test(id) ? id : id.replace(/-.*$/, ""))

function idsOf({ uniprotAccession, modelEntityId, isComplex }: Model): string[] {
  const entry = modelEntityId === undefined ? [] : [modelEntityId]
  return isComplex === true || COMPLEX.test(modelEntityId ?? "") ? entry : [uniprotAccession, ...entry]
}

function confidence({ latestVersion, globalMetricValue }: Model): string {
  const facts = [
    ...(latestVersion === undefined ? [] : [`model version ${latestVersion}`]),
    ...(globalMetricValue === undefined ? [] : [`mean pLDDT ${globalMetricValue} of 100`]),
  ]
  return `a prediction, not an experiment${facts.length === 0 ? "" : `: ${facts.join(", ")}`}`
}

/** The API has no text search: UniProt's is asked for the entries that refer to a model here. */
async function search(query: string, options: SearchOptions, http: Http): Promise<SearchPage> {
  const id = normalize(query)
  const text = ID.test(id) && !COMPLEX.test(id) ? `accession:${stemOf(id)}` : query
  const page = await searchHits(http, text, options, { clauses: ["database:alphafolddb"] })
  const note = "searched in UniProt, among its entries with a model here; the confidence is in the record"
  return { ...page, notes: [note, ...page.notes] }
}

const predictionUrl = (id: string) => url`https://alphafold.ebi.ac.uk/api/prediction/${id}`

/**
 * The models whose accession is the asked one. The API answers an accession with the models of all its isoforms, in any order, so that the
 * first is often another's; and of some isoforms it tells only when they are asked for themselves.
 */
async function modelsOf(id: string, http: Http): Promise<Json[] | Miss> {
  const stem = stemOf(id)
  const all = await predictions(stem, http)
  const own = ofId(all, id)
  if (own.length > 0) return own
  const alone = stem === id ? [] : ofId(await predictions(id, http), id)
  if (alone.length > 0) return alone
  const there = [...new Set(pick(z.array(Model), all).map((model) => idsOf(model)[0]))]
  return new Miss(
    there.length > 0
      ? `there are models of ${there.join(", ")} only: fetch one of those`
      : "no model of it; its UniProt entry tells whether the accession is still in use",
  )
}

async function predictions(id: string, http: Http): Promise<Json[]> {
  return asArray(await http.json(predictionUrl(id), { miss: ({ status, html }) => status === 404 && !html }))
}

const ofId = (models: Json[], id: string) => models.filter((model) => idsOf(pick(Model, model))[0] === id)

/** Where the record itself says that a file is: the version is part of the name, and old ones are taken away. */
function at(field: string): FileFormat["locate"] {
  return async (id, http) => {
    const models = await modelsOf(id, http)
    if (models instanceof Miss) return models
    const address = pick(z.object({ [field]: z.string().nullish() }), models[0])[field]
    if (address) return address
    return new Miss(
      field.startsWith("amAnnotations")
        ? "AlphaMissense was run on the canonical sequences of human proteins only"
        : "the record of this model names no such file; fetch another format",
    )
  }
}
