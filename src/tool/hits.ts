import { clip, oneLine, plainText } from "../science/clean.ts"
import type { Connector, Hit } from "../science/connector.ts"
import type { Hits } from "../science/search.ts"
import { count, notes } from "./say.ts"

const SUMMARY_CHARACTERS = 200

/** A page of hits: a header that says how many there are and how to get the next, then a line a hit. */
export function hitsText({ hits, total, next, query, notes: remarks }: Hits, { name, url }: Connector): string {
  if (hits.length === 0)
    return [
      `${name} · no hits for ${JSON.stringify(oneLine(query))}${total ? ` on this page, of ${count(total)}` : ""}`,
      ...notes(remarks),
    ].join("\n")
  const of = total === undefined ? `${hits.length} hits` : `${hits.length} of ${count(total)}`
  const header = [name, of, next ? `next: ${next}` : "no further page", url].join(" · ")
  return [header, ...notes(remarks), ...hits.map(hitLine)].join("\n")
}

function hitLine({ id, title, summary, marks = [] }: Hit): string {
  const marked = marks.length > 0 ? `[${marks.join(", ")}] ` : ""
  const parts = [
    oneLine(id),
    marked + clip(plainText(title), SUMMARY_CHARACTERS),
    summary ? clip(plainText(summary), SUMMARY_CHARACTERS) : "",
  ]
  return parts.filter((part) => part !== "").join(" · ")
}
