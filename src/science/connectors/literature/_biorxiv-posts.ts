/** Preprints as the API of bioRxiv and medRxiv lists them: a row for each version. `NA` is its null. */
import { Failure, keep, Miss, oneLine, pick, url, z } from "../../connector.ts"
import type { Hit, Http, Json } from "../../connector.ts"
import { doiOf, otherPrefix, serversOf, versionOf, type Server } from "./_biorxiv-ids.ts"

export const Post = z.lazy(() =>
  z.object({
    doi: z.string(),
    version: z.union([z.string(), z.number()]).transform(String),
    title: z.string(),
    authors: z.string().default(""),
    date: z.string().default(""),
    type: z.string().default(""),
    category: z.string().default(""),
    license: z.string().default(""),
    published: z.string().default("NA"),
    jatsxml: z.string().default("NA"),
    server: z.string(),
  }),
)

export type Post = z.infer<typeof Post>

const Message = z.lazy(() => z.object({ status: z.string(), total: z.union([z.string(), z.number()]).optional() }))

const Listing = z.lazy(() =>
  z.object({
    messages: z.tuple([Message]).rest(z.unknown()),
    collection: z.array(z.unknown()),
  }),
)

/** Rows, or none where the status says so. Any other status is a fault of the service, which comes with 200 as well. */
export async function listing(http: Http, address: string): Promise<{ rows: Json[]; total: number }> {
  const answer = await http.json(address)
  if (answer === undefined) return { rows: [], total: 0 }
  const { messages } = pick(Listing, answer)
  const [{ status, total }] = messages
  const rows = keep(Listing, answer).collection
  if (/^no /i.test(status)) return { rows: [], total: 0 }
  if (status !== "ok") throw new Failure("bad_response", `its API answered: ${oneLine(status)}; try again later.`)
  return { rows, total: total === undefined ? rows.length : Number(total) }
}

export function detailsUrl(server: Server, doi: string): string {
  const [prefix = "", number = ""] = doi.split("/")
  // The slash of a DOI stays as it is here: encoded, it is not found.
  return url`https://api.biorxiv.org/details/${server}/${prefix}/${number}/na/json`
}

export interface Found {
  server: Server
  record: Json
  post: Post
}

/** The version that is asked for, or the newest. The server must be the right one: the other knows nothing of it. */
export async function findPost(id: string, http: Http): Promise<Found | Miss> {
  for (const server of serversOf(id)) {
    const { rows } = await listing(http, detailsUrl(server, doiOf(id)))
    const versions = rows
      .map((record) => ({ server, record, post: pick(Post, record) }))
      .filter(({ post }) => post.doi.toLowerCase() === doiOf(id))
      .sort((a, b) => Number(a.post.version) - Number(b.post.version))
    const wanted = versionOf(id)
    const found = wanted === undefined ? versions.at(-1) : versions.find(({ post }) => post.version === wanted)
    if (found) return found
    if (versions.length > 0) {
      const there = versions.map(({ post }) => post.version).join(", ")
      return new Miss(`there is no version ${wanted} of ${doiOf(id)}: it has ${there}`)
    }
  }
  const other = otherPrefix(id)
  return new Miss(
    other === undefined
      ? "neither bioRxiv nor medRxiv has a preprint with this DOI; crossref knows other DOIs"
      : `neither server has it under this prefix: try ${other}`,
  )
}

/** Its version first, then the preprint as a whole, whose newest version it is unless an older one was asked for. */
export const idsOf = ({ doi, version }: Post): string[] => [`${doi}v${version}`, doi]

const isWithdrawn = ({ type, title }: Post) => /withdrawn/i.test(type) || /^\W*withdrawn\b/i.test(title)

export function remarksOf(post: Post): string[] {
  const { published, license } = post
  return [
    ...(isWithdrawn(post) ? ["Withdrawn by its authors or the server"] : []),
    published === "NA" || published === "" ? "A preprint, not peer-reviewed" : `A preprint, published as ${published}`,
    license === "" || license === "cc_no" ? "All rights reserved by its authors" : `Licence ${license}`,
  ]
}

export function postHit(post: Post): Hit {
  const [first = "", ...others] = post.authors.split("; ")
  const facts = [
    others.length > 0 ? `${first} et al.` : first,
    post.server,
    post.date,
    `version ${post.version}`,
    post.category,
  ]
  return {
    id: post.doi,
    title: post.title,
    summary: facts.filter((fact) => fact !== "").join(" · "),
    ...(isWithdrawn(post) ? { marks: ["withdrawn"] } : {}),
  }
}
