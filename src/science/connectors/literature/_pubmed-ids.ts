/** The identifiers of an article at NCBI. Only a PMID is PubMed's own; the digits of another one are some other article's PMID. */
import { Failure, pick, z } from "../../connector.ts"
import type { Http } from "../../connector.ts"
import { esearch, NCBI_TOOL } from "../_eutils.ts"

/** By the names that the ID converter has for them. A manuscript's number (`mid`) is of NIH, or of a European funder. */
const TYPES = {
  pmid: /^[1-9]\d{0,7}$/,
  pmcid: /^PMC[1-9]\d*$/,
  mid: /^(?:NIHMS|UKMS|EMS)[1-9]\d*$/,
  doi: /^10\.\d{4,9}\/\S+$/,
}

type IdType = keyof typeof TYPES

export const ANY_ID = new RegExp(
  Object.values(TYPES)
    .map(({ source }) => source)
    .join("|"),
)

export function typeOf(id: string): IdType {
  if (TYPES.pmid.test(id)) return "pmid"
  if (TYPES.pmcid.test(id)) return "pmcid"
  return TYPES.mid.test(id) ? "mid" : "doi"
}

const PAGES =
  /^(?:https?:\/\/)?(?:www\.|dx\.)?(?:pubmed\.ncbi\.nlm\.nih\.gov|(?:ncbi\.nlm\.nih\.gov\/)?pubmed|(?:ncbi\.nlm\.nih\.gov\/pmc|pmc\.ncbi\.nlm\.nih\.gov)\/articles|doi\.org)\/([^?#]+?)\/?(?:[?#].*)?$/i

/** What people write, each read as the one kind of id that it is. The version of a PMC article is left out: PubMed describes all of them at once. */
const SPELLINGS: [RegExp, (...groups: string[]) => string][] = [
  [/^(?:pmid|pubmed)?[\s:]*([1-9]\d{0,7})$/i, (digits) => digits],
  [/^(?:pmc-?id[\s:]+|pmc[\s:]*)(?:pmc)?(\d+)(?:\.\d+)?;?$/i, (digits) => `PMC${digits}`],
  [/^(?:mid[\s:]+|nihms-?id[\s:]+)?(nihms|ukms|ems)[\s:-]*(\d+)$/i, (funder, digits) => funder.toUpperCase() + digits],
  [/^(?:doi)?[\s:]*(10\.\d{4,9}(?:\/|%2f)\S+?)[.,;]*$/i, (doi) => doi.replace(/%2f/i, "/")],
]

export function normalize(typed: string): string {
  const bare = PAGES.exec(typed)?.[1]?.replace(/%([2-7][\da-f])/gi, asCharacter) ?? typed
  for (const [spelling, id] of SPELLINGS) {
    const read = spelling.exec(bare)
    if (read) return id(...read.slice(1))
  }
  return typed
}

const asCharacter = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))

export interface Converted {
  pmid?: string | undefined
  pmcid?: string | undefined
}

/** The service's documented limit. */
const IDS_AT_ONCE = 200

/** What PMC's ID converter knows of ids of one type, by the asked id. It knows only articles that are in PMC. */
export async function convert(ids: string[], idtype: IdType, http: Http): Promise<Map<string, Converted>> {
  if (ids.length > IDS_AT_ONCE) {
    const first = await convert(ids.slice(0, IDS_AT_ONCE), idtype, http)
    return new Map([...first, ...(await convert(ids.slice(IDS_AT_ONCE), idtype, http))])
  }
  // `idtype` is not guessed: a DOI without it is answered with 400.
  const query = { ids: ids.join(","), idtype, format: "json", tool: NCBI_TOOL }
  const { records } = pick(CONVERTED, await http.json(CONVERTER, { query, miss: () => false }))
  const found = new Map<string, Converted>()
  for (const id of ids) {
    const record = records.find((each) => namesOf(each).includes(id.toLowerCase()))
    if (record === undefined || record.errmsg === NOT_IN_PMC) continue
    if (record.errmsg !== undefined)
      throw new Failure("bad_response", `NCBI's ID converter stumbled (${record.errmsg}); try again later.`)
    found.set(id, { pmid: record.pmid, pmcid: record.pmcid })
  }
  return found
}

/** www.ncbi.nlm.nih.gov/pmc/utils/idconv/v1.0 redirects here since 2025. */
const CONVERTER = "https://pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1/articles/"

const NOT_IN_PMC = "Identifier not found in PMC"

const CONVERTED = z.lazy(() =>
  z.object({
    records: z.array(
      z.object({
        "requested-id": z.string().optional(),
        pmid: z.union([z.number(), z.string()]).transform(String).optional(),
        pmcid: z.string().optional(),
        doi: z.string().optional(),
        errmsg: z.string().optional(),
      }),
    ),
  }),
)

type ConverterRecord = z.infer<typeof CONVERTED>["records"][number]

function namesOf({ pmid = "", pmcid = "", doi = "", ...record }: ConverterRecord): string[] {
  return [record["requested-id"] ?? "", pmid, pmcid, doi].map((id) => id.toLowerCase())
}

/**
 * The PMIDs that each id may mean: itself, what the converter says (none for an article that is in PMC alone), or what PubMed finds under a
 * DOI. Whether one carries the asked id, its record says. An id that nobody knows has no entry.
 */
export async function candidates(ids: string[], http: Http): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const idtype of ["pmcid", "mid", "doi"] as const) {
    // A comma ends an id in the converter's list.
    const asked = ids.filter((id) => typeOf(id) === idtype && !id.includes(","))
    const converted = asked.length > 0 ? await convert(asked, idtype, http) : new Map<string, Converted>()
    for (const [id, { pmid }] of converted) found.set(id, pmid === undefined ? [] : [pmid])
  }
  for (const id of ids) if (typeOf(id) === "pmid") found.set(id, [id])
  const dois = ids.filter((id) => typeOf(id) === "doi" && !found.has(id))
  await Promise.all(dois.map(async (doi) => found.set(doi, await withDoi(doi, http))))
  return found
}

async function withDoi(doi: string, http: Http): Promise<string[]> {
  const { ids } = await esearch(http, { db: "pubmed", term: `"${doi.replaceAll('"', " ")}"[aid]`, limit: 5 })
  return ids
}
