import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, type ServerContext } from "@modelcontextprotocol/server"
import { z } from "zod"

const Capabilities = z.looseObject({
  elicitation: z.looseObject({ form: z.unknown(), url: z.unknown() }).partial().optional(),
  roots: z.unknown().optional(),
})

const Envelope = z.looseObject({
  [CLIENT_INFO_META_KEY]: z.looseObject({ name: z.string() }).optional().catch(undefined),
  [CLIENT_CAPABILITIES_META_KEY]: Capabilities.optional().catch(undefined),
})

/** What matters here about who is asking. */
export interface Client {
  name: string | undefined
  /** Whether it can put a form to a person. */
  forms: boolean
  roots: boolean
}

/** In the 2026-07-28 revision each request says it, in earlier ones the client said it once. */
export function clientOf({ mcpReq }: ServerContext, once: { name: string | undefined; capabilities: unknown }): Client {
  const envelope = Envelope.safeParse(mcpReq.envelope ?? {}).data ?? {}
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY] ?? Capabilities.safeParse(once.capabilities ?? {}).data
  const elicitation = capabilities?.elicitation
  return {
    name: envelope[CLIENT_INFO_META_KEY]?.name ?? once.name,
    // A client that names no mode has this one.
    forms: elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
    roots: capabilities?.roots !== undefined,
  }
}
