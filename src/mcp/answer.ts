import { isDeepStrictEqual } from "node:util"
import { z } from "zod"
import { oneLine } from "../science/clean.ts"
import { byteLength } from "../tool/bound.ts"
import { size } from "../tool/say.ts"

/** What a server answered to one call, sorted by what can be done with it. */
export interface Answer {
  /** The server says that it refused. */
  refused: boolean
  parts: Part[]
}

export type Part = { text: string } | Media

/** Bytes in a block: shown where the host can, else kept in a file. */
export interface Media {
  what: "image" | "audio" | "resource"
  mediaType: string
  /** In base64. */
  data: string
}

/** The library's own schema refuses an answer for one block that it does not know, or for structured content that misses its schema. */
export const CallAnswer = z.looseObject({
  content: z.array(z.unknown()).catch([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().catch(false),
  /** `input_required` in the 2026-07-28 revision. */
  resultType: z.string().catch("complete"),
  inputRequests: z.record(z.string(), z.unknown()).catch({}),
})

const mime = z.string().catch("application/octet-stream")
const optional = z.string().optional().catch(undefined)
const Block = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image"), data: z.string(), mimeType: mime }),
  z.object({ type: z.literal("audio"), data: z.string(), mimeType: mime }),
  z.object({
    type: z.literal("resource_link"),
    uri: z.string(),
    name: optional,
    description: optional,
    mimeType: optional,
    size: z.number().optional().catch(undefined),
  }),
  z.object({
    type: z.literal("resource"),
    resource: z.union([
      z.object({ uri: z.string(), text: z.string() }),
      z.object({ uri: z.string(), blob: z.string(), mimeType: mime }),
    ]),
  }),
])

/** Every block as text or as bytes: none is lost in silence. */
export function readAnswer({ content, structuredContent, isError }: z.infer<typeof CallAnswer>): Answer {
  const parts = content.flatMap(partOf)
  if (structuredContent !== undefined && !isSaid(content, structuredContent))
    parts.push({ text: JSON.stringify(structuredContent, null, 1) })
  return { refused: isError, parts }
}

function partOf(raw: unknown): Part[] {
  const read = Block.safeParse(raw)
  if (!read.success) {
    const { type } = z.looseObject({ type: z.string() }).catch({ type: "unknown" }).parse(raw)
    return [{ text: `[a block of type ${oneLine(type).slice(0, 40)}, which cannot be shown]` }]
  }
  const block = read.data
  if (block.type === "text") return [{ text: block.text }]
  if (block.type === "resource_link") return [{ text: linkText(block) }]
  if (block.type !== "resource") return [{ what: block.type, mediaType: block.mimeType, data: block.data }]
  const { resource } = block
  if ("text" in resource) return [{ text: `[resource ${oneLine(resource.uri)}]\n${resource.text}` }]
  return [
    { text: `[resource ${oneLine(resource.uri)}]` },
    { what: "resource", mediaType: resource.mimeType, data: resource.blob },
  ]
}

/** A link is named, never followed: it may lead to a file of this machine. */
function linkText(link: {
  uri: string
  name?: string | undefined
  description?: string | undefined
  mimeType?: string | undefined
  size?: number | undefined
}): string {
  const facts = [link.mimeType, link.size === undefined ? undefined : size(link.size), link.description]
  const about = facts.filter((fact) => fact !== undefined).map(oneLine)
  return `[link ${[oneLine(link.name ?? "without a name"), oneLine(link.uri), ...about].join(" · ")}]`
}

/** Most servers put the same JSON into a text block for older clients; some put the data only into the structured content. */
function isSaid(content: readonly unknown[], structured: unknown): boolean {
  return content.some((raw) => {
    const block = z.looseObject({ type: z.literal("text"), text: z.string() }).safeParse(raw)
    if (!block.success) return false
    try {
      return isDeepStrictEqual(JSON.parse(block.data.text), structured)
    } catch {
      return false
    }
  })
}

export const mediaText = ({ what, mediaType, data }: Media): string =>
  `${what}, ${oneLine(mediaType)}, ${size(byteLength(data) * 0.75)}`
