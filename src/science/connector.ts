import { z } from "zod"
import { Failure } from "./failure.ts"
import type { FileKind } from "./spill/kinds.ts"
import type { Http } from "./http/http.ts"
import { plain } from "./json.ts"

/** A schema at a module's top is a `z.lazy`: built when it is first used, for some two thousand of them would cost every start 40 ms. */
export { z } from "zod"
export { clip, oneLine, plainText } from "./clean.ts"
export { Failure } from "./failure.ts"
export { asArray } from "./xml.ts"
export { url } from "./http/url.ts"
export { offsetOf } from "./offset.ts"
export type { Http, Answer } from "./http/http.ts"

/** The sciences; a database belongs to one, and its folder says which. */
export const DOMAINS = [
  "proteins",
  "structures",
  "genomics",
  "variants",
  "chemistry",
  "pathways",
  "interactions",
  "expression",
  "literature",
  "clinical",
  "ontologies",
  "datasets",
  "biodiversity",
  "physics",
  "materials",
  "astronomy",
  "earth",
  "mathematics",
] as const

export type Domain = (typeof DOMAINS)[number]

/** One line of a search answer. Text may hold the database's markup; what prints it cleans it. */
export interface Hit {
  id: string
  title: string
  summary?: string
  /** What a reader must know before using it: `retracted`, `withdrawn`, `merged`, `preprint` … */
  marks?: string[]
}

export interface SearchOptions {
  /** How many hits are wanted, 1 to 100. */
  limit: number
  /** What an earlier page's `next` was, unchanged. */
  cursor?: string
  /** A taxon id (`9606`) or a name; only given to connectors that declare `organismFilter`. */
  organism?: string
}

export interface SearchPage {
  hits: Hit[]
  /** How many hits the database has for this query; absent where it does not say. */
  total?: number
  /** The cursor of the next page; absent on the last one. */
  next?: string
  /** What a reader must know about the whole page, e.g. how the database understood the query. */
  notes?: string[]
}

/** The database answered that it has no such record, and why where it said so: deleted, demerged, withdrawn. */
export class Miss {
  constructor(readonly reason?: string) {}
}

/** The record that an id leads to where only the way there ties the two: a redirect, or the replaced record. The record stays as it is. */
export class Successor {
  constructor(
    readonly record: Json,
    /** The ids that it took over, the asked one among them. */
    readonly replaces: string[],
  ) {}
}

/** A record as the database gave it (see json.ts: numbers keep their digits). */
export type Json = unknown

/** Where a file is: its address, or how to ask for it, and how its name ends where that is not its format's own. */
export type Location =
  string | { url: string; headers?: Record<string, string>; form?: Record<string, string>; extension?: string }

/** One file for several ids where some are not in it, with the reason. No location: none of them is there. */
export interface Together {
  location?: Location
  missing: Map<string, Miss>
}

export interface FileFormat {
  /** How its bytes are recognised, checked and counted; gives the extension and media type unless they are set here. */
  kind: FileKind
  extension?: string
  mediaType?: string
  /** Where the file of one id is; undefined or a Miss when there is none. */
  locate: (id: string, http: Http) => Promise<Location | Miss | undefined> | Location | Miss | undefined
  /** One file that holds several ids in one request, where the service makes one. */
  many?: (ids: string[], http: Http) => Promise<Location | Together> | Location | Together
}

/** What an answer looks like before it is parsed, for deciding whether it means "no such record". */
export interface AnswerHead {
  status: number
  /** The body's first 2,000 characters, or all of it where it is shorter. */
  head: string
  /** True when the body is an HTML page. */
  html: boolean
  /** What was asked for. */
  operation: "search" | "record" | "file"
}

export interface HostPace {
  /** Requests a second, spaced evenly. Under 1 for hosts that want seconds between requests. */
  perSecond: number
  /** Requests under way at once. */
  concurrent: number
  /** Hosts that name the same pool share one pace: arXiv counts over all its hosts together. */
  pool?: string
}

export interface Key {
  /** The environment variable that holds it, under the name that the field uses. */
  env: string
  in: "query" | "header"
  name: string
  /** The only host that it is sent to. */
  host: string
  /** True when the database answers nothing without it. */
  required?: boolean
  signup: string
  /** The pace that it buys at its host. */
  raises?: { perSecond: number }
}

export interface Connector {
  id: string
  name: string
  domain: Domain
  /** What it holds, for the catalogue: at most 60 characters. */
  description: string
  homepage: string
  license: string
  cite: string
  ids: {
    /** Prefix of its CURIEs (Bioregistry); `curie:ID` is accepted everywhere. */
    curie: string
    /** What a normalised id looks like. */
    pattern: RegExp
    examples: [string, ...string[]]
    /**
     * From what people type to what the database wants: trims a CURIE prefix (already done), a URL, letter case where the database says
     * that case does not matter. Pure; returns its input where it knows nothing better.
     */
    normalize?: (id: string) => string
  }
  /** What the doctor asks to see whether the database works: words that have hits, and an id of the right shape that does not exist. */
  probe: {
    query: string
    missing: string
    /** Default: the first example. */
    id?: string
    /** Default: the first format. */
    format?: string
  }
  /** The only hosts that it can reach, redirects and addresses found in records included. */
  hosts: Record<string, HostPace>
  key?: Key
  /** The page of one record for people; `{id}` is replaced. */
  url: string
  /** The page of ids that have another one (parts, ligands); undefined: `url`. */
  page?: (id: string) => string | undefined
  /** Declared when search can be limited to an organism. */
  organismFilter?: true
  /**
   * Which answers mean "no such record"; by default a 404, but for a record only when it is not an HTML page. Also asked of a file's good
   * answer, whose body may say so; there a Miss tells the reason. Never asked of a search.
   */
  missing?: (answer: AnswerHead) => boolean | Miss
  /**
   * What a refusal of this service means where its status alone misleads: KEGG's 403 is a rate limit; a file's good answer may hold an
   * error. Undefined: the general rule.
   */
  failure?: (answer: AnswerHead) => Failure | undefined
  /** The ids that an answer carries: its own first, then those it replaces. Compared with the asked id, letter case aside. */
  identify: (record: Json) => string[]
  /** How the asked id relates to the record's own when they differ; by default `A is now B`. Undefined: not worth a word. */
  relation?: (asked: string, own: string, record: Json) => string | undefined
  /** What a reader must know about the record: withdrawn, retracted, several records for one id … One short sentence each. */
  remarks?: (record: Json) => string[]
  search: (query: string, options: SearchOptions, http: Http) => Promise<SearchPage>
  /** The record, or the Successor that it has become; undefined, or a Miss with its reason, when the database has none. */
  fetch: (id: string, http: Http) => Promise<Json | Successor | Miss | undefined>
  /** Several in one request, keyed by the asked id: as `fetch`, or a Failure of this id alone; an id without an entry is a miss. */
  fetchMany?: {
    atOnce: number
    fetch: (ids: string[], http: Http) => Promise<Map<string, Json | Successor | Miss | Failure>>
  }
  files: Record<string, FileFormat>
}

/** Gives a connector its type; that it is well-formed is the shared suite's to check, not every start's. */
export const defineConnector = (connector: Connector): Connector => connector

/**
 * Reads the named fields out of an answer. An answer that does not fit is a `bad_response` that names the field, never a row of undefined.
 * Numbers arrive as plain JavaScript numbers here; the record itself keeps its digits.
 */
export function pick<T>(schema: z.ZodType<T>, answer: Json): T {
  const parsed = schema.safeParse(plain(answer))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const field = issue?.path.length ? issue.path.join(".") : "the answer"
  throw new Failure("bad_response", `its answer has changed: ${field}: ${issue?.message ?? "unexpected"}`)
}

/** As `pick`, but hands out the answer's own values: what becomes the record, or a part of it, keeps its digits. */
export function keep<T>(schema: z.ZodType<T>, answer: Json): T {
  pick(schema, answer)
  return schema.parse(answer)
}

/** For lots of which a part is asked for by itself: a Failure then concerns that part alone, and is its answer. */
export async function orFailure<T>(ask: () => Promise<T>): Promise<T | Failure> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}
