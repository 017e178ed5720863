import { pick, url, z, Miss, type AnswerHead, type Http, type Json } from "../../connector.ts"

export type Kind = "gene" | "transcript" | "protein" | "exon" | "tree" | "variant" | "allele"

/**
 * What the ids of each kind look like. Ensembl makes its own for vertebrates (ensembl.org/info/genome/stable_ids/prefixes.html; a gene tree
 * has 14 digits, the others 11); LRG, FlyBase, WormBase, TAIR and SGD ids are kept as their authorities write them. Regulatory features
 * (ENSR) and families (ENSFM) have no address of their own there.
 */
const FORMS: [Kind, RegExp][] = [
  ["tree", /^ENSGT\d{14}$/],
  [
    "gene",
    /^(?:ENS[A-Z]{0,6}G\d{11}(?:\.\d+)?|ENSRNA\d{9}|LRG_\d+|FBgn\d{7}|WBGene\d{8}|AT[1-5CM]G\d{5}|Y[A-P][LR]\d{3}[CW](?:-[A-Z])?)$/,
  ],
  [
    "transcript",
    /^(?:ENS[A-Z]{0,6}T\d{11}(?:\.\d+)?|LRG_\d+t\d+|FBtr\d{7}|AT[1-5CM]G\d{5}\.\d+|Y[A-P][LR]\d{3}[CW](?:-[A-Z])?_mRNA)$/,
  ],
  ["protein", /^(?:ENS[A-Z]{0,6}P\d{11}(?:\.\d+)?|LRG_\d+p\d+|FBpp\d{7})$/],
  ["exon", /^ENS[A-Z]{0,6}E\d{11}(?:\.\d+)?$/],
  ["variant", /^rs\d+$/],
  // Chromosome, position, reference and alternative allele, as VEP reads them.
  ["allele", /^(?:\d{1,2}|X|Y|MT):\d+:[ACGT]+:[ACGT]+$/],
]

export const PATTERN = new RegExp(FORMS.map(([, form]) => form.source).join("|"))

export function kindOf(id: string): Kind {
  const found = FORMS.find(([, form]) => form.test(id))
  if (!found) throw new TypeError(`${id} was not held against the pattern`)
  return found[0]
}

/** In the letter case that Ensembl writes; also taken out of the address of one of its pages (`…/Gene/Summary?db=core;g=ENSG…`). */
export function normalize(typed: string): string {
  const id = /^https?:\/\/[^/]*ensembl\.org\/.*[?;&](?:g|t|p|v|gt)=([^;&#]+)/.exec(typed)?.[1] ?? typed
  const upper = id.toUpperCase()
  const lower = id.toLowerCase()
  const spellings = [
    id,
    upper,
    lower,
    upper.slice(0, 2) + lower.slice(2),
    upper.replace(/[TP](?=\d+$)/, (letter) => letter.toLowerCase()),
    upper.replace("WBGENE", "WBGene"),
    upper.replace("_MRNA", "_mRNA"),
    upper.replace("CHR", ""),
  ]
  return spellings.find((spelling) => PATTERN.test(spelling)) ?? id
}

/** The id without Ensembl's version; the `.1` of AT3G52430.1 belongs to the id. */
export const bare = (id: string): string => id.replace(/^(ENS\w+)\.\d+$/, "$1")

const versionIn = (id: string): number | undefined =>
  bare(id) === id ? undefined : Number(id.slice(bare(id).length + 1))

/**
 * A miss is a 400 like any other refusal: only its text tells. The name before "not found" holds a digit, as every id does; in "page not
 * found" none does, and an unknown species reads "Can not find internal name".
 */
export const missing = ({ status, head, html }: AnswerHead): boolean =>
  status === 400 &&
  !html &&
  /error"?\s*:\s*"?(?:(?:ID )?'?(?=[^'" ]*\d)[^'" ]+'? not found|No valid lookup found|No (?:object|GeneTree) found|No sequences returned|[^"]*not exist)/.test(
    head,
  )

/** JSON from an address by GET; undefined when it says that there is no such thing, in a search too. */
export const get = (address: string, http: Http, query: Record<string, string | number | undefined> = {}) =>
  http.json(address, { query: { ...query, "content-type": "application/json" }, miss: missing })

/** The record of one id. Genes and transcripts come with their parts; for anything else `expand` is a 400. */
export async function fetchOne(id: string, http: Http): Promise<Json | Miss | undefined> {
  const kind = kindOf(id)
  if (kind === "variant") return get(url`https://rest.ensembl.org/variation/human/${id}`, http, { pops: 1 })
  if (kind === "tree") return get(url`https://rest.ensembl.org/genetree/id/${id}`, http, { sequence: "none" })
  if (kind === "allele") return predict(id, http)
  const found = await get(url`https://rest.ensembl.org/lookup/id/${bare(id)}`, http, expands(id) ? { expand: 1 } : {})
  return found === undefined ? retired(id, http) : ofVersion(id, found)
}

const expands = (id: string) => kindOf(id) === "gene" || kindOf(id) === "transcript"

/** Variants and trees, which POST /lookup/id does not know. */
export const isApart = (id: string) => ["variant", "tree", "allele"].includes(kindOf(id))

/** What Ensembl's predictor (VEP) says of one allele; asked for as a line of VCF, whose ID column comes back as the answer's id. */
function predict(id: string, http: Http): Promise<Json | undefined> {
  const [chromosome, position, reference, alternative] = id.split(":")
  return http.json(url`https://rest.ensembl.org/vep/homo_sapiens/region`, {
    body: { variants: [`${chromosome} ${position} ${id} ${reference} ${alternative} . . .`] },
  })
}

/** Records of several ids; each comes as it would alone. */
export async function fetchMany(ids: string[], http: Http): Promise<Map<string, Json | Miss>> {
  const expanded = ids.filter(expands)
  const plain = ids.filter((id) => !expands(id) && !isApart(id))
  const [whole, simple, apart] = await Promise.all([
    lookup(expanded, http, 1),
    lookup(plain, http),
    Promise.all(ids.filter(isApart).map(async (id) => ({ id, found: await fetchOne(id, http) }))),
  ])
  const records = new Map<string, Json | Miss>()
  for (const id of [...expanded, ...plain]) {
    const found = whole.get(bare(id)) ?? simple.get(bare(id))
    records.set(id, found ? ofVersion(id, found) : new Miss("fetch it alone to learn whether it was retired"))
  }
  for (const { id, found } of apart) if (found !== undefined) records.set(id, found)
  return records
}

/** POST /lookup/id answers an object by id, null for an unknown one. */
export async function lookup(ids: string[], http: Http, expand?: 1): Promise<Map<string, Json>> {
  if (ids.length === 0) return new Map()
  const body = { ids: [...new Set(ids.map(bare))], expand }
  return members(await http.json(url`https://rest.ensembl.org/lookup/id`, { body }))
}

/** The members of an answer that are not null, as they came: `pick` would make plain numbers of theirs. */
export function members(answer: Json): Map<string, Json> {
  const Members = z.record(z.string(), z.unknown())
  pick(Members, answer)
  return new Map(Object.entries(Members.parse(answer)).filter(([, member]) => member !== null))
}

const Versioned = z.lazy(() => z.object({ species: z.string(), version: z.number().optional() }))

/** An older version is answered with the current one, which `relation` says; one that is yet to come is a miss. */
function ofVersion(id: string, found: Json): Json | Miss {
  const { version = 0 } = pick(Versioned, found)
  return (versionIn(id) ?? 0) > version
    ? new Miss(`there is no such version; the current one is ${bare(id)}.${version}`)
    : found
}

/** The id under which a file is asked for. Only the current version has files, and it must not pass for another. */
export async function current(id: string, http: Http): Promise<string | Miss | undefined> {
  if (versionIn(id) === undefined) return id
  const found = await get(url`https://rest.ensembl.org/lookup/id/${bare(id)}`, http)
  if (found === undefined) return undefined
  const { version } = pick(Versioned, found)
  return version === versionIn(id)
    ? bare(id)
    : new Miss(`only the current version has files: ask for ${bare(id)}.${version}`)
}

/** The species that holds an id; a human id says it itself. */
export async function speciesOf(id: string, http: Http): Promise<string | undefined> {
  if (/^ENS[GTPE]\d/.test(id)) return "homo_sapiens"
  const found = await get(url`https://rest.ensembl.org/lookup/id/${bare(id)}`, http)
  return found === undefined ? undefined : pick(Versioned, found).species
}

const Archived = z.lazy(() =>
  z.object({
    is_current: z.unknown(),
    release: z.union([z.string(), z.number()]),
    possible_replacement: z.array(z.object({ stable_id: z.string() })),
  }),
)

/** Why an id of Ensembl's own is not there. Its history is worth a request, but the miss stands without it. */
async function retired(id: string, http: Http): Promise<Miss | undefined> {
  if (!/^ENS\w*[GTP]\d{11}/.test(id)) return undefined
  const history = await http.part("its history", () => get(url`https://rest.ensembl.org/archive/id/${bare(id)}`, http))
  if (history === undefined) return undefined
  const { is_current, release, possible_replacement } = pick(Archived, history)
  if (Number(is_current)) return undefined
  const heirs = [...new Set(possible_replacement.map(({ stable_id }) => stable_id))].filter((heir) => heir !== bare(id))
  const then = heirs.length > 0 ? `replaced by ${heirs.join(" or ")}: fetch that` : "nothing replaces it"
  return new Miss(`retired after release ${release}; ${then}`)
}
