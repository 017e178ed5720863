import {
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type StreamableHTTPClientTransportOptions,
} from "@modelcontextprotocol/client"

/** The error that stands for an answer which broke off. No server uses this number. */
export const BROKEN_OFF = -39_001

type SendOptions = NonNullable<Parameters<StreamableHTTPClientTransport["send"]>[1]>

/** Streamable HTTP, on which a stream that ends before its answer is an end: the library would wait for it until the time limit. */
export class HttpTransport extends StreamableHTTPClientTransport {
  constructor(url: URL, options: StreamableHTTPClientTransportOptions) {
    super(url, { ...options, onInsufficientScope: "throw" })
  }

  override async send(message: JSONRPCMessage, options: SendOptions = {}): Promise<void> {
    const id = "id" in message && "method" in message ? message.id : undefined
    if (id === undefined) return await super.send(message, options)
    // Also comes after a whole answer; then nobody waits for this one any more.
    const onRequestStreamEnd = () =>
      this.onmessage?.({ jsonrpc: "2.0", id, error: { code: BROKEN_OFF, message: "the answer broke off" } })
    await super.send(message, { ...options, onRequestStreamEnd })
  }
}
