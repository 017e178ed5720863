import { createHash } from "node:crypto"
import { clip, oneLine } from "../science/clean.ts"
import { Failure } from "../science/failure.ts"
import { outline } from "../science/outline.ts"
import type { SpillPlace } from "../science/save.ts"
import { bound, byteLength } from "../tool/bound.ts"
import type { ToolContext } from "../tool/context.ts"
import { saveOutput, savedTo } from "../tool/save-output.ts"
import { size } from "../tool/say.ts"
import type { Media } from "./answer.ts"
import { placeOf } from "./fault.ts"
import type { Settings } from "./settings.ts"

/** Which call an answer belongs to: that names its file. */
export interface Call {
  settings: Settings
  tool: string
  args: unknown
}

export interface Kept {
  output: string
  metadata: Record<string, unknown>
}

const HEAD_LINES = 40
const HEAD_CHARS = 200

/** Text that is too long to show: to a file, of which the answer gives the path and what is in it; denied, what is in it all the same. */
export async function keepText(place: SpillPlace, context: ToolContext, call: Call, text: string): Promise<Kept> {
  const json = parsed(text)
  const body = json === undefined ? text : JSON.stringify(json, null, 2)
  const inside = json === undefined ? ["begins:", ...head(text)] : ["outline:", ...outline(json)]
  const bytes = byteLength(body)
  const tell = (where: string) =>
    bound(
      [`${call.tool} answered ${size(bytes)}, too long to show here · ${where}`, ...inside].join("\n"),
      context.limits,
    ).text
  try {
    const [extension, mediaType] = json === undefined ? ["txt", "text/plain"] : ["json", "application/json"]
    const saved = await saveOutput(place, context, {
      named: { ...named(call), extension },
      kind: json === undefined ? "text" : "json",
      body,
      mediaType,
      ...about(call),
    })
    return { output: tell(savedTo(saved)), metadata: { disposition: "spill", bytes, path: saved.path } }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const where = `not saved, ${error.code}: ${error.message} Ask ${call.tool} for less.`
    return { output: tell(where), metadata: { error: error.code, bytes } }
  }
}

const EXTENSIONS: Record<string, string> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/svg+xml": "svg",
  "audio/wav": "wav",
  "audio/mpeg": "mp3",
  "application/pdf": "pdf",
}

/** An image or other bytes as a file; denied, the reason. `index` tells several of one answer apart. */
export async function keepMedia(
  place: SpillPlace,
  context: ToolContext,
  call: Call,
  { mediaType, data }: Media,
  index: number,
): Promise<string> {
  const { db, id } = named(call)
  try {
    const saved = await saveOutput(place, context, {
      named: { db, id: index === 0 ? id : `${id}-${index + 1}`, extension: EXTENSIONS[mediaType] ?? "bin" },
      kind: "bytes",
      body: bytesOf(data),
      mediaType: oneLine(mediaType),
      ...about(call),
    })
    return savedTo(saved)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return `not saved, ${error.code}: ${error.message}`
  }
}

async function* bytesOf(base64: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(base64, "base64")
}

/** Servers' folders begin with `mcp-`, so that none is taken for a database's. */
function named({ settings, tool, args }: Call) {
  const hash = createHash("sha256")
    .update(JSON.stringify([tool, args]))
    .digest("hex")
    .slice(0, 8)
  return { db: `mcp-${settings.name}`, id: `${tool}-${hash}` }
}

const about = ({ settings }: Call) => ({
  url: placeOf(settings),
  license: "as the server's answer says",
  cite: `MCP server ${settings.name}`,
})

function head(text: string): string[] {
  const lines = text.slice(0, HEAD_LINES * HEAD_CHARS).split("\n", HEAD_LINES)
  return lines.map((line) => `  ${clip(oneLine(line), HEAD_CHARS)}`)
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
