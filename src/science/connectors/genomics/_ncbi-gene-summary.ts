/** What is read out of NCBI Gene's document summaries. */
import { Miss, pick, Successor, z } from "../../connector.ts"
import type { Hit, Http, Json } from "../../connector.ts"
import { esummary } from "../_eutils.ts"

const NUMBER_OR_TEXT = z.lazy(() => z.union([z.string(), z.number()]).transform(String))

export const SUMMARY = z.lazy(() =>
  z.object({
    uid: z.string(),
    name: z.string(),
    description: z.string().default(""),
    // "" for a live record; as text or, in older answers, as the number of the data model: 1 secondary, 2 discontinued.
    status: NUMBER_OR_TEXT.default(""),
    currentid: NUMBER_OR_TEXT.default(""),
    maplocation: z.string().default(""),
    organism: z.object({ scientificname: z.string() }).optional(),
    genomicinfo: z.array(z.object({ chraccver: z.string(), chrstart: z.number(), chrstop: z.number() })).default([]),
  }),
)

export const uidOf = (gene: Json) => pick(z.object({ uid: z.string() }), gene).uid

export function remarksOf(gene: Json): string[] {
  const { genomicinfo } = pick(SUMMARY, gene)
  const heir = heirOf(gene)
  const fate = fateOf(gene)
  return [
    ...(heir !== undefined
      ? [`replaced by GeneID ${heir}, which NCBI does not give`]
      : fate !== undefined
        ? [`${fate}: no longer a gene of NCBI`]
        : []),
    ...(genomicinfo.length > 0
      ? ["chrstart and chrstop count from 0; a start after the stop is on the minus strand"]
      : []),
  ]
}

/** The GeneID that replaces this one. */
function heirOf(gene: Json): string | undefined {
  const { uid, currentid } = pick(SUMMARY, gene)
  return /^[1-9]\d*$/.test(currentid) && currentid !== uid ? currentid : undefined
}

const FATES = new Map([
  ["1", "replaced"],
  ["2", "discontinued"],
  ["secondary", "replaced"],
])

function fateOf(gene: Json): string | undefined {
  const { status } = pick(SUMMARY, gene)
  if (["", "0", "live", "active"].includes(status.toLowerCase())) return undefined
  return FATES.get(status.toLowerCase()) ?? status.toLowerCase()
}

/** How far replacements are followed. */
const HOPS = 4

/**
 * The genes by the asked ids. NCBI answers a replaced GeneID with its last summary, which only names the present one: that one is its
 * successor.
 */
export async function genesOf(ids: string[], http: Http): Promise<Map<string, Json | Successor | Miss>> {
  const known = new Map<string, Json | Miss>()
  for (let hop = 0, wanted = ids; hop <= HOPS && wanted.length > 0; hop++) {
    for (const [id, gene] of await esummary(http, "gene", wanted)) known.set(id, gene)
    const heirs = [...known.values()].flatMap((gene) => (gene instanceof Miss ? [] : (heirOf(gene) ?? [])))
    wanted = [...new Set(heirs)].filter((id) => !known.has(id))
  }
  return new Map(ids.flatMap((id) => (known.has(id) ? [[id, present(known.get(id), known, [])]] : [])))
}

function present(gene: Json | Miss, known: Map<string, Json | Miss>, replaces: string[]): Json | Successor | Miss {
  if (gene instanceof Miss) return gene
  const heir = known.get(heirOf(gene) ?? "")
  if (heir !== undefined && !(heir instanceof Miss) && replaces.length < HOPS)
    return present(heir, known, [uidOf(gene), ...replaces])
  return replaces.length === 0 ? gene : new Successor(gene, replaces)
}

export function hitOf(id: string, gene: Json | Miss): Hit {
  if (gene === undefined || gene instanceof Miss) return { id, title: "(name not given)" }
  const { name, description, organism, maplocation } = pick(SUMMARY, gene)
  const heir = heirOf(gene)
  const fate = heir === undefined ? fateOf(gene) : `replaced by ${heir}`
  const facts = [description, organism?.scientificname ?? "", maplocation]
  return {
    id,
    title: name,
    summary: facts.filter((fact) => fact !== "").join(" · "),
    ...(fate === undefined ? {} : { marks: [fate] }),
  }
}

/** Symbols are looked for among aliases too, so that another gene may come first: those of a page that are called so come before it. */
export function bySymbol(query: string, hits: Hit[]): Hit[] {
  const symbol = /^\(*"?([\w.@-]+)"?(?:\[[^\]]*\])?\)*(?:\s+AND\s.*)?$/s.exec(query.trim())?.[1]?.toLowerCase()
  const other = ({ title, marks = [] }: Hit) => (title.toLowerCase() === symbol && marks.length === 0 ? 0 : 1)
  return symbol === undefined ? hits : hits.toSorted((a, b) => other(a) - other(b))
}
