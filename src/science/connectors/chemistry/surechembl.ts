import { defineConnector, Failure, Miss, orFailure, pick, type AnswerHead, type Json } from "../../connector.ts"
import { compoundOf, compoundsOf, isPatent, normalize, OWN, patentOf, PUBLICATION } from "./_surechembl-records.ts"
import { files } from "./_surechembl-files.ts"
import { search } from "./_surechembl-search.ts"

/** Both names serve the API and share what it can bear. */
const PACE = { perSecond: 2, concurrent: 2, pool: "surechembl" }

export default defineConnector({
  id: "surechembl",
  name: "SureChEMBL",
  domain: "chemistry",
  description: "patents and the compounds found in them",
  homepage: "https://www.surechembl.org",
  license: "Free with attribution, its terms stand at www.surechembl.org; show SCHEMBL ids and publication numbers",
  cite: "Papadatos et al. SureChEMBL. Nucleic Acids Res. 44:D1220-D1228 (2016). doi:10.1093/nar/gkv1253",
  ids: {
    curie: "surechembl",
    // A compound, or a publication with country and kind: without its kind (US-10000000) it is none.
    pattern: new RegExp(`^(?:SCHEMBL[1-9]\\d{0,9}|${PUBLICATION})$`),
    examples: ["US-10000000-B2", "SCHEMBL1353"],
    normalize,
  },
  probe: { query: "aspirin", missing: "SCHEMBL99999999" },
  hosts: { "www.surechembl.org": PACE, "surechembl.org": PACE },
  url: "https://www.surechembl.org/patent/{id}",
  page: (id) => (isPatent(id) ? undefined : `https://www.surechembl.org/chemical/${id}`),
  missing,
  failure,
  identify: (record) => {
    const { chemical_id, data } = pick(OWN, record)
    return [data === undefined ? `SCHEMBL${chemical_id}` : normalize(data.doc_id)]
  },
  remarks: (record) =>
    pick(OWN, record).data === undefined
      ? []
      : [
          "compounds were found in it by machine, which errs; the parties' postal addresses are in it: leave them out of answers",
        ],
  search,
  fetch: (id, http) => (isPatent(id) ? patentOf(id, http) : compoundOf(id, http)),
  fetchMany: {
    // A thousand work, two thousand drop the connection.
    atOnce: 100,
    async fetch(ids, http) {
      const compounds = ids.filter((id) => !isPatent(id))
      const [found, ...patents] = await Promise.all([
        orFailure(() => compoundsOf(compounds, http)),
        ...ids
          .filter(isPatent)
          .map(async (id): Promise<[string, Json]> => [id, (await orFailure(() => patentOf(id, http))) ?? new Miss()]),
      ])
      return new Map([
        ...(found instanceof Failure ? compounds.map((id): [string, Json] => [id, found]) : found),
        ...patents,
      ])
    },
  },
  files,
})

/** An unknown compound is an empty list under 200, an unknown family a 500 with an error of the database behind it. */
function missing({ status, html, head, operation }: AnswerHead): boolean {
  if (status === 404 && !html) return true
  return (
    operation === "file" &&
    ((status === 200 && /^\s*\{\s*"status"[^]*"data"\s*:\s*(?:\[\s*\]|\{\s*\})/.test(head)) ||
      (status === 500 && /SQL exception detected while reading family members/.test(head)))
  )
}

/** It says what went wrong in its own envelope, for files as well, under 200 too. A 500 of it comes again whenever the same is asked. */
function failure({ status, head, operation }: AnswerHead): Failure | undefined {
  const said = /"error_message"\s*:\s*"([^"]+)"/.exec(head)?.[1]
  if (said === undefined || status === 429 || (status > 500 && status < 600)) return undefined
  if (status >= 500)
    return new Failure("unavailable", `SureChEMBL failed on this request: ${said}`, { retryable: false })
  if (status === 400 || status === 422)
    return new Failure(
      operation === "search" ? "invalid_query" : "invalid_id",
      `SureChEMBL does not accept this: ${said}`,
    )
  return status === 200 && /^\s*\{\s*"status"\s*:\s*"(?!OK)/.test(head)
    ? new Failure("bad_response", `SureChEMBL reports: ${said}`)
    : undefined
}
