import http from "node:http"
import { HBA_MODEL, P53, P53_FASTA, P53_HITS } from "./answers.ts"

interface Answer {
  status?: number
  headers?: Record<string, string>
  body: string
}

const json = (value: unknown, headers: Record<string, string> = {}, status = 200): Answer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
})

/** Path (the database's host first) → what its service answers; the first that fits counts. */
const ANSWERS: [RegExp, Answer][] = [
  [/^\/rest\.uniprot\.org\/uniprotkb\/search/, json(P53_HITS, { "x-total-results": "2" })],
  [
    /^\/rest\.uniprot\.org\/uniprotkb\/P04637\.fasta/,
    { headers: { "content-type": "text/plain; format=fasta" }, body: P53_FASTA },
  ],
  [/^\/rest\.uniprot\.org\/uniprotkb\/P04637/, json(P53)],
  [/^\/rest\.uniprot\.org\/uniprotkb\//, json({ messages: ["Resource not found"] }, {}, 404)],
  [/^\/alphafold\.ebi\.ac\.uk\/api\/prediction\/P69905/, json(HBA_MODEL)],
  [
    /^\/[^/]*rcsb\.org\//,
    { status: 503, headers: { "content-type": "text/html" }, body: "<html><h1>503 Service Unavailable</h1></html>" },
  ],
]

/** The embedded answers on a loopback socket, as a mirror of the databases. */
export async function serveAnswers(): Promise<{ mirrors: { "*": string }; close: () => Promise<void> }> {
  const server = http.createServer((request, response) => {
    const [, { status = 200, headers = {}, body }] = ANSWERS.find(([path]) => path.test(request.url ?? "")) ?? [
      /./,
      { status: 404, body: "" },
    ]
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address ? address.port : 0
  return {
    mirrors: { "*": `http://127.0.0.1:${port}/{host}` },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
