import { defineConnector, Miss, pick, url, z } from "../../connector.ts"
import type { AnswerHead, FileFormat, Http, Json, Location } from "../../connector.ts"
import { content, search } from "./_reactome-search.ts"

/** A stable id, with or without its version, or the internal number (which is another one for inferred species). */
const ID = /^(?:R-[A-Z]{3}-\d+(?:-\d+)?(?:\.\d+)?|[1-9]\d*)$/

export default defineConnector({
  id: "reactome",
  name: "Reactome",
  domain: "pathways",
  description: "curated pathways, reactions, complexes",
  homepage: "https://reactome.org",
  license: "CC0 (data); CC BY 4.0 (pathway illustrations)",
  cite: "Gillespie et al., Nucleic Acids Res. 50:D687 (2022), doi:10.1093/nar/gkab1028; name the stable id with its version",
  ids: { curie: "reactome", pattern: ID, examples: ["R-HSA-68886", "R-HSA-68886.5"], normalize },
  probe: { query: "apoptosis", missing: "R-HSA-999999999" },
  // No limit is published; "one request at a time" is what its own clients keep to.
  hosts: { "reactome.org": { perSecond: 4, concurrent: 2 } },
  url: "https://reactome.org/content/detail/{id}",
  organismFilter: true,
  missing,

  identify: (record) => {
    const { stId, stIdVersion, dbId } = pick(Instance, record)
    const version = Number(/\.(\d+)$/.exec(stIdVersion ?? "")?.[1] ?? 0)
    const versions = Array.from({ length: version }, (_, i) => `${stId}.${version - i}`)
    return [...(stId === undefined ? [] : [stId]), ...versions, String(dbId)]
  },
  relation: (asked, own, record) =>
    asked.includes(".")
      ? `${asked} names a version; this is the current one, ${pick(Instance, record).stIdVersion}`
      : `${asked} is Reactome's internal number of ${own}`,
  remarks: (record) => {
    const { isInferred, isInDisease, inDisease } = pick(Instance, record)
    return [
      ...(isInferred ? ["inferred by orthology from a curated event of another species"] : []),
      ...(isInDisease || inDisease ? ["part of a disease process, not of the normal one"] : []),
    ]
  },

  search,
  fetch: instanceOf,
  // The service's call for several ids leaves out all relations (findByIdsNoRelations in its source): half a record. So one at a time.

  files: {
    svg: { kind: "svg", locate: drawing("svg") },
    png: { kind: "png", locate: drawing("png") },
    sbml: { kind: "xml", extension: "sbml", locate: ofEvent((id) => content(url`/exporter/event/${id}.sbml`)) },
    sbgn: { kind: "xml", extension: "sbgn", locate: ofEvent((id) => content(url`/exporter/event/${id}.sbgn`)) },
    participants: { kind: "json", locate: ofEvent((id) => content(url`/data/participants/${id}`)) },
    pdf: { kind: "pdf", locate: ofEvent((id) => content(url`/exporter/document/event/${id}.pdf`)) },
    gif: { kind: "gif", locate: drawing("gif") },
    jsonld: { kind: "json", locate: ofEvent((id) => content(url`/data/discover/${id}`)) },
  },
})

const Instance = z.lazy(() =>
  z.object({
    dbId: z.number(),
    stId: z.string().optional(),
    stIdVersion: z.string().optional(),
    schemaClass: z.string(),
    isInferred: z.boolean().optional(),
    // Events have the first, physical entities the second.
    isInDisease: z.boolean().optional(),
    inDisease: z.boolean().optional(),
  }),
)

const PATHWAY = /Pathway$|^CellLineagePath$/
const REACTION = /^(?:Reaction|BlackBoxEvent|Polymerisation|Depolymerisation|FailedReaction|CellDevelopmentStep)$/

/** From addresses of the site's pages and diagrams; stable ids are upper case. */
function normalize(typed: string): string {
  return typed
    .replace(/^https?:\/\/(?:www\.)?reactome\.org\/(?:PathwayBrowser\/?#\/?|content\/detail\/)/i, "")
    .replace(/[&?#].*$/, "")
    .toUpperCase()
}

/** A wrong address is a 404 of the same shape as an unknown id, told apart by its message only. */
function missing({ status, head, html, operation }: AnswerHead): boolean | Miss {
  if (operation === "file" && status === 200) return /^\s*\[\s*\]\s*$/.test(head)
  if (status !== 404 || html || !/"code"\s*:\s*404/.test(head) || /HTTP 404 Not Found/.test(head)) return false
  return operation === "record" ? new Miss("the present release has no such id; search for the name") : true
}

/** The service knows ids without their version. */
async function instanceOf(id: string, http: Http): Promise<Json | undefined> {
  return await http.json(content(url`/data/query/${id.replace(/\.\d+$/, "")}`))
}

/** A file of the event that the id names. The record is read first: it has the stable id and tells events from molecules. */
function ofEvent(place: (id: string, schemaClass: string) => Location): FileFormat["locate"] {
  return async (asked, http) => {
    const record = await instanceOf(asked, http)
    if (record === undefined) return undefined
    const { stId, stIdVersion, dbId, schemaClass } = pick(Instance, record)
    if (![stId, stIdVersion?.replace(/\.\d+$/, ""), String(dbId)].includes(asked.replace(/\.\d+$/, "")))
      return new Miss(`it answered with ${stId ?? dbId} instead, which is another record`)
    if (PATHWAY.test(schemaClass) || REACTION.test(schemaClass)) return place(stId ?? String(dbId), schemaClass)
    return new Miss(`it is a ${schemaClass}: files are of pathways and reactions; fetch the record without a format`)
  }
}

/** A sub-pathway without a diagram of its own is drawn as a selection in its parent's. */
function drawing(format: string): FileFormat["locate"] {
  return ofEvent((id, schemaClass) =>
    REACTION.test(schemaClass)
      ? content(url`/exporter/reaction/${id}.${format}`)
      : content(url`/exporter/diagram/${id}.${format}?quality=7`),
  )
}
