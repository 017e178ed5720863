import {
  defineConnector,
  Failure,
  Miss,
  orFailure,
  offsetOf,
  pick,
  url,
  z,
  type Http,
  type Json,
} from "../../connector.ts"
import { readFlat, type FlatEntry } from "./_kegg-flat.ts"
import { ID, isSymbol, kindOf, normalizeKeggId, withPrefix, type EntryKind } from "./_kegg-ids.ts"
import { find, joined, namesOf } from "./_kegg-search.ts"

const NOTICE =
  "KEGG is for academic use by academic users; other use needs a licence, and its content is not to be passed on"

export default defineConnector({
  id: "kegg",
  name: "KEGG",
  domain: "pathways",
  description: "pathways, genes, compounds, drugs, reactions",
  homepage: "https://www.kegg.jp",
  license: `${NOTICE} (https://www.kegg.jp/kegg/legal.html)`,
  cite: "Kanehisa and Goto, Nucleic Acids Res. 28:27 (2000), doi:10.1093/nar/28.1.27",
  ids: {
    curie: "kegg",
    pattern: ID,
    examples: ["C00031", "hsa:7157", "hsa04115", "K04451", "ec:1.1.1.1", "br:br08005"],
    normalize: normalizeKeggId,
  },
  probe: { query: "apoptosis", missing: "hsa:99999999" },
  // "Up to 3 times per second", else the address is blocked (www.kegg.jp/kegg/rest, cited in github.com/biopython/biopython/issues/4464).
  hosts: { "rest.kegg.jp": { perSecond: 2.8, concurrent: 3 } },
  url: "https://www.kegg.jp/entry/{id}",
  page: (id) => (kindOf(id) === "hierarchy" ? url`https://www.kegg.jp/brite/${id.slice(3)}` : undefined),
  organismFilter: true,
  // An unknown entry, or an option that it lacks, is a 404 with nothing in it; an HTML page says that the address itself is wrong.
  missing: ({ status, html }) => status === 404 && !html,
  failure: ({ status }) =>
    status === 403
      ? new Failure(
          "rate_limited",
          "KEGG blocks this address for a while, as after too many requests; wait some minutes.",
          {
            retryAfterMs: 60_000,
          },
        )
      : undefined,

  identify,
  relation: (asked, own) => `${asked} is ${own} by KEGG's own name`,
  remarks: () => [NOTICE],

  async search(query, { limit, cursor, organism }, http) {
    const start = offsetOf(cursor)
    const { rows, notes } = await find(query, organism, http)
    const page = rows.slice(start, start + limit)
    const nameless = page.flatMap(({ id, text }) => (text === undefined && ID.test(id) ? [id] : []))
    const names =
      nameless.length > 0 ? await http.part("titles", () => namesOf([...new Set(nameless)], http)) : undefined
    const end = start + page.length
    return {
      hits: page.map(({ id, text = names?.get(id) ?? id, about }) => {
        const [title, ...rest] = text.split(/;\s*/)
        const summary = [about, rest.join("; ")].filter(Boolean).join(" · ")
        return { id, title: title || id, ...(summary && { summary }) }
      }),
      total: rows.length,
      ...(end < rows.length ? { next: String(end) } : {}),
      notes,
    }
  },

  async fetch(id, http) {
    if (kindOf(id) === "hierarchy") return await hierarchy(id, http)
    const [entry] = await entries([id], http)
    return entry === undefined ? missOf(id) : (obsolete(entry) ?? entry)
  },

  fetchMany: {
    atOnce: 10,
    async fetch(ids, http) {
      const flat = ids.filter((id) => kindOf(id) !== "hierarchy")
      const [found, ...trees] = await Promise.all([
        orFailure(async () => (flat.length > 0 ? await entries(flat, http) : [])),
        // Hierarchies are served one a request.
        ...ids
          .filter((id) => kindOf(id) === "hierarchy")
          .map(async (id): Promise<[string, Json]> => [id, await orFailure(() => hierarchy(id, http))]),
      ])
      const records = flat.map((id): [string, Json] => {
        if (found instanceof Failure) return [id, found]
        const entry = found.find((each) => identify(each).some((own) => own.toLowerCase() === id.toLowerCase()))
        return [id, entry === undefined ? missOf(id) : (obsolete(entry) ?? entry)]
      })
      return new Map([...records, ...trees])
    },
  },

  files: {
    flat: { kind: "kegg", locate: of(["pathway", "gene", "structure", "other"]) },
    aaseq: { kind: "fasta", locate: of(["gene"], "aaseq") },
    kgml: {
      kind: "kgml",
      locate: (id) =>
        id.startsWith("map")
          ? new Miss(`a reference map has no KGML: ask for ${id.replace("map", "ko")} or an organism's map`)
          : of(["pathway"], "kgml")(id),
    },
    image: { kind: "png", locate: of(["pathway"], "image") },
    mol: { kind: "mol", locate: of(["structure"], "mol") },
    ntseq: { kind: "fasta", locate: of(["gene"], "ntseq") },
    kcf: { kind: "kcf", locate: of(["structure"], "kcf") },
    // The same option, which draws structures as GIF ("retrieves the gif image file of a compound", www.kegg.jp/kegg/rest/keggapi.html).
    gif: { kind: "gif", locate: of(["structure"], "image") },
    conf: { kind: "conf", locate: of(["pathway"], "conf") },
    json: { kind: "json", locate: of(["hierarchy"], "json") },
    keg: { kind: "keg", locate: of(["hierarchy"]) },
  },
})

const CALLED: Record<EntryKind, string> = {
  pathway: "pathways (hsa04115)",
  hierarchy: "BRITE hierarchies (br:br08005)",
  gene: "genes (hsa:7157)",
  structure: "compounds, drugs and glycans (C00031)",
  other: "other entries",
}

function of(kinds: EntryKind[], option?: string): (id: string) => string | Miss {
  return (id) =>
    kinds.includes(kindOf(id))
      ? address([id], option)
      : new Miss(`this format is one of ${kinds.map((kind) => CALLED[kind]).join(", ")} only`)
}

function address(ids: string[], option?: string): string {
  const path = joined(ids.map(withPrefix).join("+"))
  return `https://rest.kegg.jp/get/${path}${option === undefined ? "" : `/${option}`}`
}

async function entries(ids: string[], http: Http): Promise<FlatEntry[]> {
  const text = await http.text(address(ids), {
    inspect: (body) =>
      /(?:^|\n)\/\/\/\s*$/.test(body)
        ? undefined
        : new Failure("bad_response", "KEGG's entry does not end with ///: it was cut off, or is none; try again."),
  })
  return text === undefined ? [] : readFlat(text)
}

async function hierarchy(id: string, http: Http): Promise<Json | Miss> {
  const tree = await http.json(address([id], "json"))
  // The tables among the hierarchies (br08341) have no JSON.
  return tree ?? new Miss("there is no JSON of it: it does not exist, or it is a table, which the format keg gives")
}

function missOf(id: string): Miss {
  const symbol = kindOf(id) === "gene" && isSymbol(id)
  return new Miss(
    symbol ? "genes go by NCBI GeneID or locus tag here, not by symbol: search for it as it is" : undefined,
  )
}

function obsolete(entry: FlatEntry): Miss | undefined {
  const { ENTRY, NAME = [] } = pick(RECORD, entry)
  return /\bObsolete\b/.test(ENTRY?.[0] ?? "")
    ? new Miss(`it is obsolete: ${NAME.join(" ") || "no reason given"}`)
    : undefined
}

/** The ENTRY line has no prefix: `7157 CDS T01001` is hsa:7157, of ORGANISM `hsa  Homo sapiens (human)`. */
function identify(record: Json): string[] {
  const { name, ENTRY, ORGANISM, ORG_CODE } = pick(RECORD, record)
  if (!ENTRY) return name === undefined ? [] : [`br:${name}`]
  const [first = "", ...words] = ENTRY[0].replace(/^EC /, "ec:").split(/\s+/)
  const genome = words.at(-1) ?? ""
  if (words.includes("Genome")) return [first, ...(ORG_CODE ?? []).map((code) => `gn:${code}`)]
  if (!/^T\d{5}$/.test(genome)) return [normalizeKeggId(/^\d+v\d+$/.test(first) ? `hsa_var:${first}` : first)]
  const [code] = ORGANISM?.[0].split(/\s/) ?? []
  return [...(code === undefined ? [] : [`${code}:${first}`]), `${genome}:${first}`]
}

const LINES = z.lazy(() => z.tuple([z.string()], z.string()))

/** Of a flat entry, or the name of a hierarchy. */
const RECORD = z.lazy(() =>
  z.object({
    name: z.string().optional(),
    ENTRY: LINES.optional(),
    NAME: z.array(z.string()).optional(),
    ORGANISM: LINES.optional(),
    ORG_CODE: z.array(z.string()).optional(),
  }),
)
