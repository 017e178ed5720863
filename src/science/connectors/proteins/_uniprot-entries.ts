import { Miss, pick, url, z, type AnswerHead, type Http, type Json, type Together } from "../../connector.ts"
import { Entry, findEntries, isInactive, whyInactive } from "../_uniprot.ts"

/** One entry, or several at once, by any of their ids: accession, secondary accession, isoform, sequence version, entry name. */

export const stemOf = (id: string) => id.replace(/\..*$/, "")
export const isName = (id: string) => id.includes("_")
export const isIsoform = (id: string) => id.includes("-")
const isVersion = (id: string) => id.includes(".")

/** Only a plain accession or an isoform can be asked for as it is, whatever the format. */
export const isDirect = (id: string) => !isName(id) && !isVersion(id)

/** The ids that an entry answers to. An isoform's entry carries the same name and stands only for itself. */
export function idsOf({ primaryAccession: own, ...entry }: Entry): string[] {
  if (isIsoform(own)) return [own]
  const products = entry.comments?.find(({ commentType }) => commentType === "ALTERNATIVE PRODUCTS")
  const shown = products?.isoforms?.filter(({ isoformSequenceStatus }) => isoformSequenceStatus === "Displayed")
  return [
    own,
    ...(entry.secondaryAccessions ?? []),
    ...(entry.uniProtkbId ? [entry.uniProtkbId] : []),
    ...(entry.entryAudit ? [`${own}.${entry.entryAudit.sequenceVersion}`] : []),
    // The canonical sequence is isoform 1 where there are no others.
    ...(shown ? shown.flatMap(({ isoformIds }) => isoformIds) : [`${own}-1`]),
  ]
}

/** Also the name of an entry that was split since: a 400 whose text names the heirs. */
export const isMissing = ({ status, head, html }: AnswerHead) =>
  !html && (status === 404 || (status === 400 && head.includes("is now obsolete")))

/**
 * UniProt leads secondary accessions and names to the entry by a 303. A version is not sent: it would be taken for one of the entry, while
 * what people cite (P04637.4, from FASTA and GenPept) is one of the sequence.
 */
export async function entryOf(id: string, http: Http, fields?: string): Promise<Json | Miss | undefined> {
  const address = url`https://rest.uniprot.org/uniprotkb/${stemOf(id)}.json`
  const record = await http.json(address, { query: { fields }, miss: isMissing })
  if (record !== undefined) return answering(id, record)
  return isName(id) ? new Miss("no entry has this name; search for the protein") : undefined
}

/** The record, or why it does not answer the question: an inactive entry comes with status 200 as well. */
function answering(id: string, record: Json): Json | Miss {
  const entry = pick(Entry, record)
  const { primaryAccession: own, uniProtkbId: name, entryAudit } = entry
  if (isInactive(entry)) return new Miss(whyInactive(entry))
  if (isVersion(id) && entryAudit && id !== `${own}.${entryAudit.sequenceVersion}`)
    return new Miss(`${own} is at sequence version ${entryAudit.sequenceVersion} now: fetch ${own}`)
  if (isName(id) && name !== id) return new Miss(`this name was given up; ${own} (${name}) took its place: fetch that`)
  return record
}

/**
 * Several entries by one search. The route made for it, /uniprotkb/accessions, leaves out secondary accessions without a word; the fields
 * accession and sec_acc together find both, and inactive entries too (help/query-fields). What is then still open is asked for alone.
 */
export async function entriesOf(ids: string[], http: Http): Promise<Map<string, Json | Miss>> {
  const { entries } = await findEntries(http, { query: ids.flatMap(termsOf).join(" OR "), size: 500 })
  const read = entries.map((record) => ({ record, entry: pick(Entry, record) }))
  const answers = new Map<string, Json | Miss>()
  await Promise.all(
    ids.map(async (id) => {
      const answer = among(read, id) ?? (await entryOf(id, http))
      if (answer !== undefined) answers.set(id, answer)
    }),
  )
  return answers
}

function termsOf(id: string): string[] {
  if (isName(id)) return [`id:${id}`]
  return isIsoform(id) ? [`accession_id:${id}`] : [`accession:${stemOf(id)}`, `sec_acc:${stemOf(id)}`]
}

/** Matched by id: the entry itself, else the one that took it over. An accession that several entries list was split among them. */
function among(read: { record: Json; entry: Entry }[], id: string): Json | Miss | undefined {
  const stem = stemOf(id)
  const active = read.filter(({ entry }) => !isInactive(entry))
  const itself = active.find(
    ({ entry }) => entry.primaryAccession === stem || (isName(id) && idsOf(entry).includes(id)),
  )
  if (itself) return answering(id, itself.record)
  const retired = read.find(({ entry }) => isInactive(entry) && entry.primaryAccession === stem)?.entry
  if (retired && retired.inactiveReason?.inactiveReasonType !== "MERGED") return new Miss(whyInactive(retired))
  const heirs = active.filter(({ entry }) => idsOf(entry).includes(stem))
  if (heirs.length > 1)
    return new Miss(`demerged into ${heirs.map(({ entry }) => entry.primaryAccession).join(" and ")}: fetch those`)
  return heirs[0] && answering(id, heirs[0].record)
}

/** The accession that an id has now, from as little of the entry as can be had. */
export async function accessionOf(id: string, http: Http): Promise<string | Miss | undefined> {
  const record = await entryOf(id, http, "accession,sequence_version")
  return record === undefined || record instanceof Miss ? record : pick(Entry, record).primaryAccession
}

const Accessions = z.lazy(() => z.object({ results: z.array(z.object({ primaryAccession: z.string() })) }))

/** One file of many entries. /uniprotkb/accessions leaves out silently what it does not find, so each is looked up first. */
export async function together(ids: string[], format: string, http: Http): Promise<Together> {
  const query = { accessions: ids.filter(isDirect).join(), fields: "accession", format: "json" }
  const answer =
    query.accessions === ""
      ? undefined
      : await http.json("https://rest.uniprot.org/uniprotkb/accessions", { query, miss: isMissing })
  const there = answer === undefined ? [] : pick(Accessions, answer).results.map((entry) => entry.primaryAccession)
  const found = await Promise.all(
    ids.map(async (id) => [id, there.includes(id) ? id : await accessionOf(id, http)] as const),
  )
  const accessions = new Set(found.flatMap(([, accession]) => (typeof accession === "string" ? [accession] : [])))
  const missing = new Map(
    found.flatMap(([id, accession = new Miss()]) => (typeof accession === "string" ? [] : [[id, accession]])),
  )
  if (accessions.size === 0) return { missing }
  const list = [...accessions].join()
  return { location: url`https://rest.uniprot.org/uniprotkb/accessions?accessions=${list}&format=${format}`, missing }
}
