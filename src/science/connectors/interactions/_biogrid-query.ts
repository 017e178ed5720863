import { Failure } from "../../connector.ts"
import { modelOrganism, taxonOf } from "../_model-organisms.ts"

/** The service's own parameters that a query may set (wiki.thebiogrid.org/doku.php/biogridrest, "List of Parameters"). */
const OWN = new Set(
  (
    "geneList pubmedList evidenceList includeEvidence excludeGenes excludePubmeds searchNames searchSynonyms searchIds searchBiogridIds " +
    "additionalIdentifierTypes taxId includeInteractors includeInteractorInteractions interSpeciesExcluded selfInteractionsExcluded " +
    "throughputTag htpThreshold"
  ).split(" "),
)

interface Asked {
  parameters: Record<string, string>
  notes: string[]
}

/** Names, papers (`PMID:20489023`), or the service's own parameters (`geneList=CDC28|CLN2&searchNames=true`). */
export function parametersOf(query: string, organism: string | undefined): Asked {
  const { parameters, notes } = ownParameters(query) ?? papers(query) ?? names(query)
  if (organism !== undefined) return { parameters: { ...parameters, taxId: taxaOf(organism) }, notes }
  return { parameters, notes: parameters["taxId"] === undefined ? [...notes, "of all organisms"] : notes }
}

function ownParameters(query: string): Asked | undefined {
  if (!/^[A-Za-z]+=/.test(query)) return undefined
  const pairs = query.split("&").map((pair): [string, string] => {
    const [, name = pair, value = ""] = /^([^=]*)=(.*)$/s.exec(pair) ?? []
    if (!OWN.has(name) || value.trim() === "")
      throw new Failure("invalid_query", `BioGRID has no parameter ${JSON.stringify(pair.slice(0, 40))} to search by.`)
    return [name, value.trim()]
  })
  const parameters = Object.fromEntries(pairs)
  // Without one of these it would be the whole database.
  if (!["geneList", "pubmedList", "taxId"].some((name) => name in parameters))
    throw new Failure("invalid_query", "BioGRID needs geneList, pubmedList or taxId beside other parameters.")
  // A list of genes is compared with nothing unless one of these says with what.
  const compared = Object.keys(parameters).some((name) => /^search|^additionalId/.test(name))
  return "geneList" in parameters && !compared
    ? { parameters: { ...parameters, searchNames: "true" }, notes: ["geneList is read as official symbols"] }
    : { parameters, notes: [] }
}

function papers(query: string): Asked | undefined {
  const ids = query.split(/[\s,|;]+/).filter((id) => id !== "")
  const numbers = ids.flatMap((id) => /^(?:pmid|pubmed):?(\d+)$/i.exec(id)?.[1] ?? [])
  return numbers.length > 0 && numbers.length === ids.length
    ? { parameters: { pubmedList: numbers.join("|") }, notes: ["interactions from these papers"] }
    : undefined
}

/** One name: its interactions. Several: those between them, so that one more name never finds more. */
function names(query: string): Asked {
  const genes = [...new Set(query.split(/[\s,|;]+/).filter((name) => /[\p{L}\p{N}]/u.test(name)))]
  if (genes.length === 0) throw new Failure("invalid_query", "BioGRID needs the name or id of a gene to look for.")
  return {
    parameters: {
      geneList: genes.join("|"),
      searchNames: "true",
      searchSynonyms: "true",
      searchIds: "true",
      includeInteractors: String(genes.length === 1),
    },
    notes: [
      "genes by symbol, synonym, locus or NCBI gene id; texts are not searched",
      ...(genes.length > 1 ? ["only interactions between the named genes"] : []),
    ],
  }
}

/** The service counts strains: yeast is 559292 there, so a species is asked for with its strains. */
function taxaOf(organism: string): string {
  const taxa = modelOrganism(organism)?.taxa ?? [taxonOf(organism)].flatMap((taxon) => taxon ?? [])
  if (taxa.length > 0) return taxa.join("|")
  throw new Failure(
    "invalid_query",
    `BioGRID wants the organism as an NCBI taxon id, such as 9606; that of ${JSON.stringify(organism)} is not known here.`,
  )
}
