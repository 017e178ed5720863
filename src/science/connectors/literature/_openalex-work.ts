/** Works of OpenAlex in lists. */
import { pick, z } from "../../connector.ts"
import type { Hit, Json } from "../../connector.ts"
import { shortId } from "./_openalex-ids.ts"

/** What a search asks for of each work; names of its top level alone are accepted. */
export const IN_BRIEF =
  "id,doi,display_name,publication_year,type,authorships,primary_location,open_access,cited_by_count,is_retracted"

const Work = z.lazy(() =>
  z.object({
    id: z.string(),
    display_name: z.string().nullish(),
    publication_year: z.number().nullish(),
    type: z.string().nullish(),
    authorships: z.array(z.object({ author: z.object({ display_name: z.string().nullish() }) })).default([]),
    primary_location: z.object({ source: z.object({ display_name: z.string().nullish() }).nullish() }).nullish(),
    open_access: z.object({ is_oa: z.boolean().nullish() }).nullish(),
    cited_by_count: z.number().nullish(),
    is_retracted: z.boolean().nullish(),
  }),
)

export function hitOf(answer: Json): Hit {
  const work = pick(Work, answer)
  const [first, ...others] = work.authorships.map(({ author }) => author.display_name ?? "")
  const facts = [
    first ? `${first}${others.length > 0 ? " et al." : ""}` : "",
    work.primary_location?.source?.display_name ?? "",
    String(work.publication_year ?? ""),
    work.type ?? "",
    work.cited_by_count ? `cited by ${work.cited_by_count}` : "",
    work.open_access?.is_oa === true ? "open access" : "",
  ]
  const marks = [
    ...(work.is_retracted === true ? ["retracted"] : []),
    ...(work.type === "preprint" ? ["preprint"] : []),
    ...(work.type === "peer-review" ? ["peer review"] : []),
  ]
  return {
    id: shortId(work.id),
    title: work.display_name ?? `(a ${work.type ?? "work"} without a title)`,
    summary: facts.filter((fact) => fact !== "").join(" · "),
    ...(marks.length > 0 ? { marks } : {}),
  }
}
