import {
  asArray,
  Failure,
  Miss,
  pick,
  url,
  z,
  type AnswerHead,
  type HostPace,
  type Http,
  type Json,
} from "../../connector.ts"

/**
 * InterPro's API, which serves Pfam as well since 2023. What it answers when there is nothing, or something went wrong, is read from its
 * source: ProteinsWebTeam/interpro7-api, webfront/views/common.py and custom.py.
 */
export const API = "https://www.ebi.ac.uk/interpro/api"

/** No figure is published for InterPro; EMBL-EBI asks for a few requests a second. PDBe is on the same host. */
export const INTERPRO_HOSTS: Record<string, HostPace> = { "www.ebi.ac.uk": { perSecond: 8, concurrent: 4 } }

export const entryUrl = (database: "interpro" | "pfam", accession: string) =>
  url`https://www.ebi.ac.uk/interpro/api/entry/${database}/${accession}/`

/** Nothing there: a 204 without a body, or a 404 in the words that the server has for it. */
export const isEmpty = ({ status, head, html }: AnswerHead) =>
  status === 204 || (status === 404 && !html && NOTHING.test(head))

const NOTHING =
  /is not a valid [\w -]+ accession|didn't have any data|data matched this request|matching query does not exist/

export function missing(answer: AnswerHead): boolean | Miss {
  const { status, head, html } = answer
  if (status !== 410 || html || !/"accession"/.test(head)) return isEmpty(answer)
  const date = stringOf("deletion_date", head) ?? stringOf("date", head)
  const name = stringOf("name", head)
  const what = `deleted${date === undefined ? "" : ` on ${date.slice(0, 10)}`}`
  return new Miss(
    name === undefined ? `${what}; search for what took its place` : `${what}; search for its name: ${name}`,
  )
}

/** Of a JSON text that may be cut off. */
function stringOf(field: string, head: string): string | undefined {
  return new RegExp(`"${field}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)+)"`).exec(head)?.[1]?.replace(/\\(.)/g, "$1")
}

/** Any exception in the server becomes a 404, also a passing one; a slow query goes on behind its 408, which is repeated for half an hour. */
export function failure({ status, head, operation }: AnswerHead): Failure | undefined {
  if (status === 404 && /^\s*\{\s*"Error"/.test(head)) {
    const said = `InterPro failed on its side (404: ${stringOf("Error", head) ?? "no text"}); try again`
    const file =
      operation === "file" ? "; it does so for a file that an entry does not have, too: its record tells" : ""
    return new Failure("unavailable", `${said}${file}.`)
  }
  if (status !== 408) return undefined
  const message =
    "InterPro is still working on this question (408); ask again in some minutes, or ask something narrower."
  return new Failure("timeout", message, { retryAfterMs: 5 * 60_000 })
}

/** A text, or a list of texts with who wrote them; InterPro's until 2023 and clans have plain texts. */
const Description = z.lazy(() =>
  z.union([
    z.string(),
    z.array(z.union([z.string(), z.object({ llm: z.boolean().optional(), checked: z.boolean().optional() })])),
  ]),
)

const Entry = z.lazy(() =>
  z.object({ metadata: z.object({ accession: z.string(), description: Description.nullish() }) }),
)

export const accessionOf = (record: Json) => pick(Entry, record).metadata.accession

/** Since InterPro 97 some descriptions are a language model's; `checked` says whether a curator has read them (interpro7-api#118). */
export function remarks(record: Json): string[] {
  const texts = asArray(pick(Entry, record).metadata.description ?? undefined).flat()
  const written = texts.filter((text) => typeof text !== "string").filter(({ llm }) => llm === true)
  if (written.length === 0) return []
  const all = written.every(({ checked }) => checked === true)
  return [`its description was written by a language model and ${all ? "checked" : "not checked"} by a curator`]
}

export const entryOf = (database: "interpro" | "pfam", accession: string, http: Http) =>
  recordAt(entryUrl(database, accession), http)

/** A record; a Miss with its reason where one was told, which reading alone does not hand on. */
export async function recordAt(address: string, http: Http): Promise<Json | Miss> {
  let told: Miss | undefined
  const record = await http.json(address, {
    miss: (answer) => {
      const why = missing(answer)
      if (why instanceof Miss) told = why
      return why !== false
    },
  })
  return record ?? told
}
