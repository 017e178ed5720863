import { Failure, keep, Miss, pick, z, type AnswerHead, type Http, type Json } from "../../connector.ts"
import { placeUrl } from "./_ucsc-files.ts"
import { DEFAULT_GENOME, idOf, type Place } from "./_ucsc-ids.ts"
import { API } from "./_ucsc-search.ts"

/** What an answer tells about itself; `start` counts from 0, and `end` is not included. */
const Answer = z.lazy(() =>
  z.looseObject({
    genome: z.string().optional(),
    chrom: z.string().optional(),
    start: z.number().optional(),
    end: z.number().optional(),
    track: z.string().optional(),
    dna: z.string().optional(),
    revComp: z.boolean().optional(),
    maxItemsLimit: z.boolean().optional(),
    dataDownloadUrl: z.string().optional(),
    ucscGenomes: z.record(z.string(), z.unknown()).optional(),
    genarkGenomes: z.record(z.string(), z.unknown()).optional(),
  }),
)

/** A place by its range, and by what else means the same: a whole chromosome, the assembly that is assumed. */
export function idsOf(record: Json): string[] {
  const { genome, chrom, start, end, track, revComp, ucscGenomes, genarkGenomes } = pick(Answer, record)
  if (ucscGenomes ?? genarkGenomes) return Object.keys(ucscGenomes ?? genarkGenomes ?? {})
  if (genome === undefined || chrom === undefined) return []
  const more = track ?? (revComp === true ? "-" : undefined)
  const whole = [genome, chrom, ...(more === undefined ? [] : [more])].join(":")
  if (start === undefined || end === undefined) return [whole]
  const own = idOf(genome, chrom, start, end, more)
  return [own, ...(start === 0 ? [whole] : []), ...(genome === DEFAULT_GENOME ? [own.slice(genome.length + 1)] : [])]
}

export function remarks(record: Json): string[] {
  const { dna, start, end, track, revComp, maxItemsLimit, dataDownloadUrl: all } = pick(Answer, record)
  const letters = start === undefined || end === undefined ? "the letters" : `letters ${start + 1} to ${end}`
  if (dna !== undefined)
    return [
      `${revComp === true ? "the reverse complement of " : ""}${letters}, both ends included (the record's start counts from 0); lower case marks repeats`,
    ]
  if (track === undefined) return []
  const cut = maxItemsLimit === true ? [`not all items are here: take a smaller range${all ? `, or ${all}` : ""}`] : []
  return [...cut, "positions in the items count from 0, and their ends are not included, as in BED"]
}

/** What is not there is a 400 that says so; so is what was asked in a wrong way. */
export function missing({ status, head, html, operation }: AnswerHead): boolean | Miss {
  if (status === 404) return operation === "file"
  const error = status === 400 && !html ? errorOf(head) : ""
  return /^(?:can not find|failed to find)/.test(error) ? new Miss(error) : false
}

/** The address at its end is left out. */
export const errorOf = (head: string): string =>
  (/"error"\s*:\s*"((?:[^"\\]|\\.)*)/.exec(head)?.[1] ?? "").replace(/ (?:in sequence )?for endpoint.*$/, "")

export async function fetchPlace(place: Place, http: Http): Promise<Json | Miss> {
  const { genome, chrom, track } = place
  if (chrom === undefined) return await fetchGenome(genome, http)
  const record = await ask(placeUrl(place), http)
  if (record instanceof Miss) return record
  const answer = pick(Answer, record)
  if (answer.chrom !== undefined && answer.chrom !== chrom)
    return new Miss(`UCSC calls this sequence ${answer.chrom}: fetch it by that name`)
  if (track === undefined) checkSequence(place, answer)
  // A list, or lists by chromosome for bigWig; empty where nothing lies.
  else pick(z.looseObject({ [track]: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]) }), record)
  return record
}

/** All of it, and from the letter that was asked for: half a sequence looks like a whole one. */
function checkSequence({ range }: Place, { start, end, dna }: z.infer<typeof Answer>): void {
  if (dna === undefined || start === undefined || end === undefined)
    throw new Failure("bad_response", "its answer has changed: dna, start or end is missing")
  if (dna.length !== end - start || (range && (start !== range.first - 1 || end !== range.last)))
    throw new Failure(
      "bad_response",
      `it sent ${dna.length} letters from ${start + 1} to ${end}, not what was asked for`,
    )
}

async function fetchGenome(genome: string, http: Http): Promise<Json | Miss> {
  const genark = genome.startsWith("GC")
  const list = genark ? "genarkGenomes" : "ucscGenomes"
  const answer = await ask(`${API}/list/${list}`, http, genark ? { genome } : {})
  if (answer instanceof Miss) return answer
  const row = keep(z.looseObject({ [list]: z.record(z.string(), z.unknown()) }), answer)[list]?.[genome]
  return row === undefined
    ? new Miss("UCSC has no assembly of this name: search for the organism with genome: before its name")
    : { [list]: { [genome]: row } }
}

/** The answer, or the Miss with its reason, which reading alone does not hand on. */
async function ask(address: string, http: Http, query: Record<string, string> = {}): Promise<Json | Miss> {
  let told = new Miss()
  const answer = await http.json(address, {
    query,
    miss: (head) => {
      const why = missing(head)
      if (why instanceof Miss) told = why
      return why !== false
    },
  })
  return answer ?? told
}
