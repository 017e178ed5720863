import { Miss, pick, url, z, type Http } from "../../connector.ts"
import { partsOf } from "./_rcsb-id.ts"

/** Why there is no such record: the entry is obsolete, or not released yet, or has no such part. */
export async function whyMissing(id: string, http: Http): Promise<Miss | undefined> {
  const { kind, entry, computed } = partsOf(id)
  if (kind === "ligand" || computed) return undefined
  const removed = await http.json(url`https://data.rcsb.org/rest/v1/holdings/removed/${entry}`)
  if (removed !== undefined) return new Miss(`${entry} is obsolete${replacement(pick(REMOVED, removed))}`)
  const holding = await http.json(url`https://data.rcsb.org/rest/v1/holdings/status/${entry}`)
  if (holding === undefined) return undefined
  const { status, status_code: code } = pick(HOLDING, holding).rcsb_repository_holdings_combined
  if (status === "UNRELEASED") return new Miss(`${entry} is deposited but not released yet${code ? ` (${code})` : ""}`)
  if (kind === "entry") return undefined
  const chains = kind === "chain" ? "; chains go by label_asym_id, and letter case matters" : ""
  return new Miss(`${entry} has no such ${kind}: fetch ${entry} for what it has${chains}`)
}

function replacement({ rcsb_repository_holdings_removed: removed }: z.infer<typeof REMOVED>): string {
  const { remove_date: date, id_codes_replaced_by: by = [] } = removed
  const since = date === undefined ? "" : ` since ${date.slice(0, 10)}`
  return `${since}, ${by.length > 0 ? `replaced by ${by.join(" and ")}: fetch that` : "withdrawn without a replacement"}`
}

const REMOVED = z.lazy(() =>
  z.object({
    rcsb_repository_holdings_removed: z.object({
      remove_date: z.string().optional(),
      id_codes_replaced_by: z.array(z.string()).optional(),
    }),
  }),
)

const HOLDING = z.lazy(() =>
  z.object({
    rcsb_repository_holdings_combined: z.object({ status: z.string(), status_code: z.string().optional() }),
  }),
)
