/** NCBI's Variation Services: what became of an rs number, and which ones are at a place (api.ncbi.nlm.nih.gov/variation/v0). */
import { Failure, Miss, orFailure, pick, Successor, url, z } from "../../connector.ts"
import type { Http, Json } from "../../connector.ts"
import { esummary } from "../_eutils.ts"

export const VARIATION = "api.ncbi.nlm.nih.gov"

export const refsnp = (number: string) => url`https://api.ncbi.nlm.nih.gov/variation/v0/refsnp/${number}`

const TOMBSTONE = z.lazy(() => z.looseObject({}).optional())

/** One of the five snapshots is there. */
const REFSNP = z.lazy(() =>
  z.object({
    refsnp_id: z.string(),
    primary_snapshot_data: TOMBSTONE,
    merged_snapshot_data: z
      .object({ merged_into: z.array(z.union([z.string(), z.number()]).transform(String)) })
      .optional(),
    withdrawn_snapshot_data: z.object({ withdrawn_time: z.string().optional() }).optional(),
    unsupported_snapshot_data: TOMBSTONE,
    nosnppos_snapshot_data: TOMBSTONE,
  }),
)

/** How far mergers are followed; chains of two occur. */
const HOPS = 4

/** The number that a variant has now, and the rs numbers that were merged on the way to it; or why there is none. */
export async function currentOf(asked: string, http: Http): Promise<{ number: string; merged: string[] } | Miss> {
  const merged: string[] = []
  for (let number = asked; merged.length <= HOPS;) {
    const answer = await http.json(refsnp(number))
    if (answer === undefined) return new Miss()
    const { refsnp_id, ...snapshots } = pick(REFSNP, answer)
    if (refsnp_id !== number) return new Miss(`dbSNP answered with rs${refsnp_id} instead`)
    if (snapshots.primary_snapshot_data) return { number, merged }
    if (!snapshots.merged_snapshot_data) return new Miss(whyNone(snapshots))
    const [heir, ...others] = snapshots.merged_snapshot_data.merged_into
    if (heir === undefined || others.length > 0)
      return new Miss(`merged into ${[heir, ...others].map((each) => `rs${each}`).join(" and ")}: fetch those`)
    merged.push(`rs${number}`)
    number = heir
  }
  return new Miss("its mergers lead in a circle")
}

function whyNone(snapshots: Omit<z.infer<typeof REFSNP>, "refsnp_id">): string {
  const { withdrawn_snapshot_data: withdrawn, unsupported_snapshot_data, nosnppos_snapshot_data } = snapshots
  if (withdrawn) return `withdrawn${withdrawn.withdrawn_time ? ` on ${withdrawn.withdrawn_time.slice(0, 10)}` : ""}`
  if (unsupported_snapshot_data) return "withdrawn: no observation supports it any more"
  if (nosnppos_snapshot_data) return "it has no place on any sequence"
  throw new Failure("bad_response", "its answer has changed: none of the snapshots that a RefSNP has is there")
}

/** At one a second more would take too long; nobody means that many dead numbers. */
const LOOKED_UP = 20

/**
 * The variants by the asked rs numbers: document summaries, of which NCBI gives a merged number that of the present one. What has none is
 * looked up, so that a withdrawn number is told from one that never was.
 */
export async function recordsOf(ids: string[], http: Http): Promise<Map<string, Json | Successor | Miss | Failure>> {
  const numbers = ids.map((id) => id.slice(2))
  const summaries = await esummary(http, "snp", numbers)
  const without = numbers.filter((number) => !summaries.has(number) || summaries.get(number) instanceof Miss)
  const others = await Promise.all(
    without.map(async (number, i) =>
      i < LOOKED_UP ? await orFailure(() => afterMerger(number, http)) : new Miss("ask for it alone to learn why"),
    ),
  )
  const found = new Map([...summaries, ...without.map((number, i) => [number, others[i]] as const)])
  return new Map(numbers.map((number) => [`rs${number}`, found.get(number)]))
}

/** The present variant, whose summary does not name what was merged into it. */
async function afterMerger(asked: string, http: Http): Promise<Json | Successor | Miss> {
  const current = await currentOf(asked, http)
  if (current instanceof Miss) return current
  const { number, merged } = current
  const summary = (await esummary(http, "snp", [number])).get(number)
  if (summary === undefined || summary instanceof Miss)
    return new Miss(`dbSNP has no summary of rs${number}: the format refsnp gives the whole of it`)
  return merged.length === 0 ? summary : new Successor(summary, merged)
}

const SPDI = /^[A-Z]{2}_\d+\.\d+:\d+:[A-Z0-9]*:[A-Z]*$/
const HGVS = /^[A-Z]{2}_\d+\.\d+:[gcmnr]\.\S+$/

export const isPlace = (query: string) => SPDI.test(query) || HGVS.test(query)

/** The rs numbers of an allele in SPDI or HGVS. */
export async function rsidsAt(place: string, http: Http): Promise<string[]> {
  const spdis = SPDI.test(place) ? [place] : await spdisOf(place, http)
  const answers = await Promise.all(
    spdis.map((spdi) => http.json(url`https://api.ncbi.nlm.nih.gov/variation/v0/spdi/${spdi}/rsids`, NOTHING_THERE)),
  )
  const rsids = answers.flatMap((answer) => (answer === undefined ? [] : pick(RSIDS, answer).data.rsids))
  return [...new Set(rsids.map(String))]
}

async function spdisOf(hgvs: string, http: Http): Promise<string[]> {
  const answer = await http.json(url`https://api.ncbi.nlm.nih.gov/variation/v0/hgvs/${hgvs}/contextuals`)
  return pick(SPDIS, answer).data.spdis.map((each) =>
    [each.seq_id, each.position, each.deleted_sequence, each.inserted_sequence].join(":"),
  )
}

/** An allele without an rs number is a 404. */
const NOTHING_THERE = {
  miss: ({ status, html, head }: { status: number; html: boolean; head: string }) =>
    status === 404 && !html && /"error"\s*:/.test(head),
}

const RSIDS = z.lazy(() => z.object({ data: z.object({ rsids: z.array(z.number()) }) }))

const SPDIS = z.lazy(() =>
  z.object({
    data: z.object({
      spdis: z.array(
        z.object({
          seq_id: z.string(),
          position: z.number(),
          deleted_sequence: z.string(),
          inserted_sequence: z.string(),
        }),
      ),
    }),
  }),
)
