import type { Client } from "@modelcontextprotocol/client"
import { z } from "zod"
import { clean, oneLine } from "../science/clean.ts"
import { Failure } from "../science/failure.ts"
import type { SpillPlace } from "../science/save.ts"
import { askForTool } from "../tool/ask.ts"
import { byteLength, fits } from "../tool/bound.ts"
import type { Image, ToolContext, ToolResult } from "../tool/context.ts"
import { failed, type Tool } from "../tool/tool.ts"
import { CallAnswer, mediaText, readAnswer, type Answer } from "./answer.ts"
import { isRefusal } from "./fault.ts"
import { keepMedia, keepText, type Call } from "./keep.ts"
import type { Offered } from "./list.ts"
import { NO_TIMEOUT } from "./open.ts"
import { paramHeaders } from "./param-headers.ts"
import type { Session } from "./session.ts"
import type { Settings } from "./settings.ts"

interface Of {
  settings: Settings
  session: Session
  place: SpillPlace
  offered: Offered
  /** What hosts call it. */
  id: string
  description: string
}

/** A server's tool as one of ours. Its schema goes to the model and the model's arguments to the server as they are. */
export function foreignTool({ settings, session, place, offered, id, description }: Of): Tool {
  return {
    id,
    description,
    schema: offered.inputSchema,
    // The server cannot write here, but a long answer of it is saved.
    readOnly: false,
    async run(raw, context) {
      context.signal.throwIfAborted()
      try {
        if (!isObject(raw)) throw new Failure("invalid_query", `${id} takes an object of arguments.`)
        await askForTool(context, id, settings.name, [offered.name])
        const call: Call = { settings, tool: offered.name, args: raw }
        const answer = await session.use(settings.timeouts.callMs, context.signal, (client, signal) =>
          callTool(client, offered, raw, signal),
        )
        return await resultOf(answer, call, place, context, id)
      } catch (error) {
        if (context.signal.aborted) throw context.signal.reason
        if (isRefusal(error)) return refusal(id, settings, `${oneLine(error.message)} (error ${error.code})`)
        if (error instanceof Failure) return failed(id, error)
        throw error
      }
    },
  }
}

const isObject = (raw: unknown): raw is Record<string, unknown> =>
  typeof raw === "object" && raw !== null && !Array.isArray(raw)

async function callTool(
  client: Client,
  { name, inputSchema }: Offered,
  args: Record<string, unknown>,
  signal: AbortSignal,
) {
  const headers = client.getProtocolEra() === "modern" ? paramHeaders(inputSchema, args) : {}
  return await client.request({ method: "tools/call", params: { name, arguments: args } }, CallAnswer, {
    signal,
    headers,
    allowInputRequired: true,
    timeout: NO_TIMEOUT,
  })
}

async function resultOf(
  raw: ReturnType<typeof CallAnswer.parse>,
  call: Call,
  place: SpillPlace,
  context: ToolContext,
  id: string,
): Promise<ToolResult> {
  const { settings } = call
  if (raw.resultType === "input_required") return refusal(id, settings, wantsInput(raw.inputRequests))
  const answer = readAnswer(raw)
  const { text, images } = await written(answer, call, place, context)
  const said = text || "(an answer without content)"
  const output = answer.refused ? `${settings.name} refused: ${said}` : said
  const metadata = {
    server: settings.name,
    tool: call.tool,
    truncated: false,
    ...(answer.refused ? { error: "refused" } : {}),
  }
  const shown = { title: id, ...(images.length > 0 ? { images } : {}) }
  if (fits(output, context.limits))
    return { ...shown, output, metadata: { ...metadata, disposition: "inline", bytes: byteLength(output) } }
  const kept = await keepText(place, context, call, output)
  return { ...shown, output: kept.output, metadata: { ...metadata, ...kept.metadata } }
}

/** The parts in their order as one text; images go to the host where it shows them, other bytes to files. */
async function written({ parts }: Answer, call: Call, place: SpillPlace, context: ToolContext) {
  const images: Image[] = []
  const lines: string[] = []
  let files = 0
  for (const part of parts) {
    if ("text" in part) lines.push(clean(part.text))
    else if (part.what === "image" && context.showsImages) {
      images.push({ mediaType: part.mediaType, data: part.data })
      lines.push(`[${mediaText(part)}: shown beside this text]`)
    } else lines.push(`[${mediaText(part)}: ${await keepMedia(place, context, call, part, files++)}]`)
  }
  return { text: lines.join("\n"), images }
}

/** The call reached the server, and the server said no: text that the model can act on. */
function refusal(id: string, { name }: Settings, words: string): ToolResult {
  return {
    title: id,
    output: `${name} refused: ${clean(words)}`,
    metadata: { server: name, error: "refused", truncated: false },
  }
}

const InputRequest = z.looseObject({
  method: z.string().catch("something"),
  params: z.looseObject({ message: z.string().optional().catch(undefined) }).catch({}),
})

function wantsInput(requests: Record<string, unknown>): string {
  const asked = Object.values(requests).map((request) => {
    const { method, params } = InputRequest.parse(request)
    return `${method}${params.message ? `: ${oneLine(params.message).slice(0, 300)}` : ""}`
  })
  return `it asks for what cannot be given here, a person's or a model's answer (${asked.join("; ") || "it does not say to what"}); give it in the arguments if they allow that, or do without this tool.`
}
