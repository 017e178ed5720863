import { asArray, Failure, keep, Miss, pick, z, type Http, type Json } from "../../connector.ts"
import { graphql, messagesIn, type Question } from "../_graphql.ts"
import { entityOf, normalize, type Entity } from "./_opentargets-ids.ts"

export const API = "https://api.platform.opentargets.org/api/v4/graphql"

const SOME = "page:{index:0,size:25}"
const SETS = "studyLocusId confidence pValueMantissa pValueExponent beta"
const GENE = "target{id approvedSymbol}"

/**
 * What is worth having of each, by the schema of 26.03. `Drug.synonyms` and `tradeNames` became objects in 26.06: to ask for them breaks
 * one release or the other, so they are left out.
 */
const FIELDS: Record<Entity, string> = {
  target:
    "id approvedSymbol approvedName biotype functionDescriptions genomicLocation{chromosome start end strand} canonicalTranscript{id} " +
    "proteinIds{id source} dbXrefs{id source} synonyms{label source} obsoleteSymbols{label source} targetClass{id label level} " +
    "tractability{modality label value} geneticConstraint{constraintType score oe oeLower oeUpper exp obs} isEssential " +
    "pathways{pathwayId pathway topLevelTerm} subcellularLocations{location source} geneOntology{aspect evidence term{id label}} " +
    "safetyLiabilities{event eventId datasource literature effects{direction dosing} biosamples{tissueLabel cellLabel cellFormat}} " +
    `associatedDiseases(${SOME}){count rows{score disease{id name} datatypeScores{id score}}} ` +
    "drugAndClinicalCandidates{count rows{id maxClinicalStage drug{id name drugType maximumClinicalStage} diseases{disease{id name}}}} " +
    `interactions(sourceDatabase:intact,${SOME}){count rows{intA intB score targetB{id approvedSymbol}}}`,
  disease:
    "id name description isTherapeuticArea synonyms{relation terms} dbXRefs obsoleteTerms parents{id name} children{id name} " +
    `therapeuticAreas{id name} phenotypes(page:{index:0,size:100}){count rows{phenotypeHPO{id name}}} ` +
    `associatedTargets(${SOME}){count rows{score target{id approvedSymbol approvedName} datatypeScores{id score}}} ` +
    "drugAndClinicalCandidates{count rows{id maxClinicalStage drug{id name drugType}}}",
  drug:
    "id name drugType description maximumClinicalStage parentMolecule{id name} childMolecules{id name} crossReferences{source ids} " +
    "mechanismsOfAction{rows{mechanismOfAction actionType targetName targets{id approvedSymbol approvedName}}} " +
    "indications{count rows{maxClinicalStage disease{id name}}} drugWarnings{warningType toxicityClass country year description} " +
    `adverseEvents(${SOME}){count criticalValue rows{name count logLR meddraCode}}`,
  variant:
    "id chromosome position referenceAllele alternateAllele hgvsId rsIds dbXrefs{id source} variantDescription " +
    "mostSevereConsequence{id label} alleleFrequencies{populationName alleleFrequency} " +
    `variantEffect{method score normalisedScore assessment assessmentFlag ${GENE}} ` +
    `transcriptConsequences{transcriptId ${GENE} isEnsemblCanonical impact aminoAcidChange codons uniprotAccessions siftPrediction ` +
    "polyphenPrediction lofteePrediction variantConsequences{id label}} " +
    `pharmacogenomics{genotype genotypeAnnotationText phenotypeText evidenceLevel drugs{drugId drugFromSource} ${GENE}} ` +
    `credibleSets(${SOME}){count rows{${SETS} studyType study{id traitFromSource}}}`,
  study:
    "id studyType projectId traitFromSource traitFromSourceMappedIds diseases{id name} backgroundTraits{id name} target{id approvedSymbol} " +
    "biosample{biosampleId biosampleName} condition pubmedId publicationTitle publicationFirstAuthor publicationDate publicationJournal " +
    "initialSampleSize nSamples nCases nControls cohorts discoverySamples{sampleSize ancestry} replicationSamples{sampleSize ancestry} " +
    "ldPopulationStructure{ldPopulation relativeSampleSize} hasSumstats summarystatsLocation analysisFlags qualityControls " +
    `credibleSets(${SOME}){count rows{${SETS} variant{id rsIds} l2GPredictions(page:{index:0,size:3}){rows{score ${GENE}}}}}`,
  credibleSet:
    "studyLocusId studyId studyType region chromosome position locusStart locusEnd variant{id rsIds} beta standardError zScore " +
    "pValueMantissa pValueExponent sampleSize confidence finemappingMethod credibleSetIndex purityMinR2 qtlGeneId isTransQtl " +
    `qualityControls study{id traitFromSource diseases{id name}} l2GPredictions(page:{index:0,size:10}){count rows{score ${GENE}}} ` +
    "locus(page:{index:0,size:100}){count rows{posteriorProbability is95CredibleSet pValueMantissa pValueExponent beta variant{id rsIds}}}",
}

const ARGUMENTS: Record<Entity, string> = {
  target: "ensemblId",
  disease: "efoId",
  drug: "chemblId",
  variant: "variantId",
  study: "studyId",
  credibleSet: "studyLocusId",
}

/** The roots that take a list; what they do not know they leave out. */
const LISTS: Partial<Record<Entity, { root: string; argument: string }>> = {
  target: { root: "targets", argument: "ensemblIds" },
  disease: { root: "diseases", argument: "efoIds" },
  drug: { root: "drugs", argument: "chemblIds" },
}

/** A 400 is a question that the schema does not know (any more), which is never the user's fault; errors beside data leave it in doubt. */
export function refusal(messages: string[], status = 200): Failure | undefined {
  const [said] = messages
  if (said === undefined) return undefined
  const words = said.split("\n")[0]?.slice(0, 200) ?? ""
  return status === 400
    ? new Failure("bad_response", `Open Targets' API has changed: ${words}`, { retryable: false })
    : new Failure("bad_response", `Open Targets answered with an error: ${words}`)
}

export const openTargetsFailure = ({ status, head }: { status: number; head: string }): Failure | undefined => {
  const said = messagesIn(head)
  return status === 400 || status === 200
    ? refusal(status === 400 && said.length === 0 ? [head] : said, status)
    : undefined
}

export const ask = async (http: Http, question: Question): Promise<Record<string, Json>> =>
  (await graphql(http, API, question, (messages) => refusal(messages))).data

export const questionOf = (id: string, fields?: string): Question => {
  const entity = entityOf(id)
  const query = `query($id:String!){${entity}(${ARGUMENTS[entity]}:$id){${fields ?? FIELDS[entity]}}}`
  return { query, variables: { id } }
}

export async function recordOf(id: string, http: Http): Promise<Json | Miss> {
  return answerIn(await ask(http, questionOf(id)), entityOf(id), id)
}

/** Null is the word for "no such record"; a root that is not there at all is no answer. */
function answerIn(data: Record<string, Json>, root: string, id: string): Json | Miss {
  if (data[root] === null) return noneOf(id)
  if (data[root] === undefined)
    throw new Failure("bad_response", `Open Targets' answer has changed: ${root} is not there`)
  return data[root]
}

function noneOf(id: string): Miss {
  return entityOf(id) === "disease"
    ? new Miss("not in this release, and diseases get other ids between releases: search for its name")
    : new Miss()
}

const Known = z.lazy(() =>
  z.object({
    id: z.string().optional(),
    studyLocusId: z.string().optional(),
    obsoleteTerms: z.array(z.string()).nullish(),
  }),
)

/** Its id, then the ids of terms that a disease replaces, which come as addresses of ontologies. */
export function idsOf(record: Json): string[] {
  const { id, studyLocusId, obsoleteTerms } = pick(Known, record)
  const own = id ?? studyLocusId
  return own === undefined ? [] : [own, ...(obsoleteTerms ?? []).map((term) => normalize(term.replace(/^.*[/#]/, "")))]
}

/** One question for several: what has a list root as lists, all else under a name of its own. */
export function questionOfMany(
  ids: string[],
  fieldsOf: (entity: Entity) => string = (entity) => FIELDS[entity],
): Question {
  const variables: Record<string, unknown> = {}
  const roots = new Map<string, string>()
  for (const [i, id] of ids.entries()) {
    const entity = entityOf(id)
    const list = LISTS[entity]
    const variable = list?.root ?? `v${i}`
    variables[variable] = list ? [...asArray<unknown>(variables[variable]), id] : id
    const call = list
      ? `${list.root}(${list.argument}:$${variable})`
      : `r${i}:${entity}(${ARGUMENTS[entity]}:$${variable})`
    roots.set(variable, `${call}{${fieldsOf(entity)}}`)
  }
  const declared = Object.entries(variables).map(
    ([name, value]) => `$${name}:${Array.isArray(value) ? "[String!]!" : "String!"}`,
  )
  return { query: `query(${declared.join(",")}){${[...roots.values()].join(" ")}}`, variables }
}

/** Each id's own answer, by the id that it carries: a list root knows no order and no holes. */
function answersIn(data: Record<string, Json>, ids: string[]): Map<string, Json | Miss> {
  return new Map(
    ids.map((id, i) => {
      const list = LISTS[entityOf(id)]
      if (!list) return [id, answerIn(data, `r${i}`, id)]
      const records = keep(z.array(z.unknown()), answerIn(data, list.root, id))
      return [id, records.find((record) => idsOf(record).includes(id)) ?? noneOf(id)]
    }),
  )
}

export const recordsOf = async (ids: string[], http: Http): Promise<Map<string, Json | Miss>> =>
  answersIn(await ask(http, questionOfMany(ids)), ids)

/** Those of the ids that have no record. */
export async function missingOf(ids: string[], http: Http): Promise<Map<string, Miss>> {
  const idOnly = (entity: Entity) =>
    entity === "credibleSet" ? "studyLocusId" : entity === "disease" ? "id obsoleteTerms" : "id"
  const answers = answersIn(await ask(http, questionOfMany(ids, idOnly)), ids)
  return new Map([...answers].flatMap(([id, answer]) => (answer instanceof Miss ? [[id, answer]] : [])))
}
