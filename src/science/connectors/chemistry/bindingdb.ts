import { defineConnector, keep, Miss, pick, z, type AnswerHead, type Http, type Json } from "../../connector.ts"
import { ACCESSION, UNIPROT_HOSTS } from "../_uniprot.ts"
import { affinitiesOf, addressOf, isPdb, MOST_NM, nothing, rowsOf } from "./_bindingdb-rows.ts"
import { search } from "./_bindingdb-search.ts"

/** The service has no look-up of a ligand by its own number (BDBM50025671): what has an id here is a target, by accession or structure. */
const ID = new RegExp(`^(?:${ACCESSION}|(?=.*[A-Z])[1-9][A-Z0-9]{3})$`)

const PACE = { perSecond: 1, concurrent: 1, pool: "bindingdb" }

export default defineConnector({
  id: "bindingdb",
  name: "BindingDB",
  domain: "chemistry",
  description: "measured protein-ligand affinities",
  homepage: "https://www.bindingdb.org",
  license: "CC BY 3.0 US, rows from ChEMBL CC BY-SA 3.0; name BindingDB and each row's article",
  cite: "Gilson et al. BindingDB in 2015. Nucleic Acids Res. 44:D1045-D1063 (2016). doi:10.1093/nar/gkv1072",
  ids: { curie: "bindingdb", pattern: ID, examples: ["P04637", "6N4B"], normalize },
  probe: { query: "aspirin", missing: "Q00000" },
  // No limit is published; large targets take tens of seconds.
  hosts: { "bindingdb.org": PACE, "www.bindingdb.org": PACE, ...UNIPROT_HOSTS },
  url: "https://www.bindingdb.org/uniprot/{id}",
  page: (id) => (isPdb(id) ? addressOf(id, MOST_NM, "xml") : undefined),
  organismFilter: true,
  missing: (answer) => nothing(answer) || (answer.operation === "file" && isEmptyList(answer)),
  identify: (record) => {
    const { uniprot, pdb } = pick(Asked, record)
    return [uniprot ?? pdb ?? []].flat()
  },
  remarks,
  search,
  fetch,
  files: {
    json: { kind: "json", locate: (id) => addressOf(id, MOST_NM) },
    xml: { kind: "xml", locate: (id) => addressOf(id, MOST_NM, "xml") },
  },
})

/** Affinities hang on accessions: an isoform has none of its own. */
function normalize(typed: string): string {
  const id = typed.toUpperCase().replace(/^UNIPROT(?:KB)?:|^PDB[: ]/, "")
  return /^[A-Z0-9]{6,10}-\d{1,3}$/.test(id) ? id.replace(/-\d+$/, "") : id
}

const Asked = z.lazy(() => z.object({ uniprot: z.string().optional(), pdb: z.string().optional() }))

/** The rows do not say what was asked for, so that stands before them. */
async function fetch(id: string, http: Http): Promise<Json | Miss> {
  const answer = await affinitiesOf(id, MOST_NM, http)
  if (answer === undefined || rowsOf(answer).length === 0)
    return new Miss(
      isPdb(id)
        ? "it has no affinities for the chains of this structure; try the UniProt accession of its protein"
        : `it has no affinity of at most ${MOST_NM} nM for this accession`,
    )
  return { [isPdb(id) ? "pdb" : "uniprot"]: id, cutoff_nM: MOST_NM, ...keep(z.record(z.string(), z.unknown()), answer) }
}

/** Rows of other targets come along, of partners and of complexes: 650 of the 983 of p53 are Mdm2's. */
function remarks(record: Json): string[] {
  const rows = rowsOf(record)
  const counts = new Map<string, number>()
  for (const { target } of rows) counts.set(target, (counts.get(target) ?? 0) + 1)
  const named = [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${count} of ${name}`)
  const others = named.length > 5 ? ` and ${named.length - 5} targets more` : ""
  return [
    `${rows.length} affinities of at most ${MOST_NM} nM, each measured on the target that query names: ${named.slice(0, 5).join(", ")}${others}`,
    "affinity is text in nM, with > or < where only a bound is known; 0 stands for not reported",
  ]
}

/** Of a file: a list without a row, in JSON or XML. */
const isEmptyList = ({ status, head }: AnswerHead) =>
  status === 200 &&
  (/"affinities"\s*:\s*(?:\[\s*\]|"")/.test(head) || (/Response/.test(head) && !/affinities/.test(head)))
