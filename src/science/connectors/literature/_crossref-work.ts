/** Works of Crossref: what their metadata says to a reader of a list, and what to know before using one. */
import { oneLine, z } from "../../connector.ts"
import type { Hit } from "../../connector.ts"

const Links = z.lazy(() => z.array(z.object({ id: z.string() })).optional())
const Updates = z.lazy(() => z.array(z.object({ type: z.string(), DOI: z.string() })).default([]))
/** `[[2020, 12, 1]]`, `[[2001]]`, or `[[null]]` where nobody said. */
const Day = z.lazy(() => z.object({ "date-parts": z.array(z.array(z.number().nullable())) }))

export const Work = z.lazy(() =>
  z.object({
    DOI: z.string(),
    type: z.string().default("work"),
    subtype: z.string().optional(),
    title: z.array(z.string()).default([]),
    subtitle: z.array(z.string()).default([]),
    author: z.array(z.object({ family: z.string().optional(), name: z.string().optional() })).default([]),
    "container-title": z.array(z.string()).default([]),
    publisher: z.string().optional(),
    issued: Day.optional(),
    aliases: z.array(z.string()).default([]),
    "update-to": Updates,
    "updated-by": Updates,
    relation: z.object({ "is-preprint-of": Links, "has-preprint": Links, "is-review-of": Links }).default({}),
  }),
)

export type Work = z.infer<typeof Work>

/** What a search asks for of each work: a kilobyte instead of up to thirty. Only names that the API lists are accepted. */
export const IN_BRIEF =
  "DOI,title,subtitle,author,container-title,publisher,issued,type,update-to,is-referenced-by-count"

const TYPES = new Map([
  ["posted-content", "not peer-reviewed"],
  ["peer-review", "peer review"],
  ["component", "component"],
])

/** Publishers put it before the title; Crossref itself tells of it only in the notice, and in the record. */
const TAKEN_BACK = /^\W*(retracted|withdrawn|removed)\b/i

export function hitOf(work: Work): Hit {
  const [title = "", subtitle = ""] = [work.title[0], work.subtitle[0]].map((text) => oneLine(text ?? ""))
  const [first, ...others] = work.author.map(({ family, name }) => family ?? name ?? "")
  const facts = [
    first === undefined ? "" : `${first}${others.length > 0 ? " et al." : ""}`,
    work["container-title"][0] ?? work.publisher ?? "",
    String(work.issued?.["date-parts"][0]?.[0] ?? ""),
    work.type,
  ]
  const marks = [
    ...[TYPES.get(work.type)].filter((mark) => mark !== undefined),
    ...[TAKEN_BACK.exec(title)?.[1]?.toLowerCase()].filter((mark) => mark !== undefined),
    ...new Set(work["update-to"].map(({ type }) => `${type.replaceAll("_", " ")} notice`)),
  ]
  return {
    id: work.DOI,
    title:
      title === "" ? `(a ${work.type} without a title)` : [title, subtitle].filter((text) => text !== "").join(": "),
    summary: facts.filter((fact) => fact !== "").join(" · "),
    ...(marks.length > 0 ? { marks } : {}),
  }
}

export function remarksOf({ type, subtype, relation, ...work }: Work): string[] {
  const named = (links: { id: string }[] = []) => links.map(({ id }) => id).join(", ")
  const posted = subtype === "preprint" || subtype === undefined ? "A preprint" : `A ${subtype.replaceAll("_", " ")}`
  const published = named(relation["is-preprint-of"])
  return [
    ...work["updated-by"].map((update) => `It has a ${update.type.replaceAll("_", " ")}: ${update.DOI}`),
    ...work["update-to"].map((update) => `It is the ${update.type.replaceAll("_", " ")} of ${update.DOI}`),
    ...(type === "posted-content"
      ? [`${posted}, not peer-reviewed${published ? `; published as ${published}` : ""}`]
      : []),
    ...(type === "peer-review" ? [`A peer review of ${named(relation["is-review-of"]) || "another work"}`] : []),
    ...(type === "component" ? ["A part of another work (figure, table, supplement)"] : []),
  ]
}
