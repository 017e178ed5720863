import { toNodeHandler } from "@modelcontextprotocol/node"
import { createMcpHandler, McpServer, type CallToolResult } from "@modelcontextprotocol/server"
import { z } from "zod"
import { listen, type Listening } from "./http.ts"

/** One pixel. */
export const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const dataset_id = z
  .string()
  .regex(/^[a-z]{2}[0-9]{6}$/)
  .describe("two lowercase letters and six digits")
const of = { dataset_id, recording: z.string(), group: z.string().optional() }

const envelope = {
  lossy: true,
  effective_rate_hz: 250,
  source_rate_hz: 1000,
  zarr_verify_status: null,
  note: null,
}

const json = (value: Record<string, unknown>): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
  structuredContent: value,
})

const refusal = (text: string): CallToolResult => ({ isError: true, content: [{ type: "text", text }] })

/** The six tools as NEMAR's server has them, on synthetic datasets. */
function nemar(): McpServer {
  const server = new McpServer({ name: "nemar", version: "1.0.0" })
  server.registerTool(
    "search_datasets",
    {
      title: "Search datasets",
      description: "Search or browse the public catalog.",
      inputSchema: z.looseObject({
        query: z.string().optional(),
        limit: z.number().int().min(1).max(100).default(20),
      }),
    },
    async ({ query = "", limit }) => {
      const all = Array.from({ length: query === "everything" ? 900 : 2 }, (_, i) => ({
        dataset_id: `nm${String(i + 1).padStart(6, "0")}`,
        name: `Synthetic ${query || "rest"} EEG number ${i + 1}, recorded from nobody at all for this test`,
        has_zarr: true,
      }))
      return json({ results: query === "everything" ? all : all.slice(0, limit), count: all.length, limit, note: null })
    },
  )
  server.registerTool(
    "describe_dataset",
    { description: "One dataset.", inputSchema: z.looseObject({ dataset_id }) },
    async ({ dataset_id }) =>
      dataset_id === "nm000001"
        ? json({ dataset_id, license: "CC0", doi: null, zarr_status: "ready", zarr_verify_status: null })
        : refusal(
            `Dataset "${dataset_id}" was not found among the public datasets here. Use search_datasets to find one.`,
          ),
  )
  server.registerTool(
    "list_recordings",
    {
      description: "Recordings of a converted dataset.",
      inputSchema: z.looseObject({
        dataset_id,
        limit: z.number().int().default(50),
        offset: z.number().int().default(0),
      }),
    },
    async ({ dataset_id, limit, offset }) =>
      json({ dataset_id, recordings: [], total_count: 0, limit, offset, envelope }),
  )
  server.registerTool(
    "get_events",
    { description: "BIDS events of one recording.", inputSchema: z.looseObject(of) },
    async () => json({ events: [], source: "events_tsv_fallback", estimated: true, total_count: 0, envelope }),
  )
  server.registerTool(
    "render_overview",
    {
      description: "A min-max envelope as PNG.",
      inputSchema: z.looseObject({ ...of, width_px: z.number().int().default(800) }),
    },
    async () => ({
      content: [{ type: "image", data: PNG, mimeType: "image/png" }],
      structuredContent: { group: "eeg", width_px: 1, envelope },
    }),
  )
  server.registerTool(
    "read_window",
    {
      description: "A recipe by default; taste decodes a small capped window.",
      inputSchema: z.looseObject({ ...of, taste: z.boolean().default(false), duration_s: z.number().default(10) }),
    },
    // In taste mode the numbers are in the structured content only.
    async ({ taste, duration_s }) =>
      duration_s > 60
        ? refusal(`taste duration_s (${duration_s}) exceeds the 60 s cap; omit taste for a recipe instead.`)
        : taste
          ? {
              content: [{ type: "text", text: "taste of 1 channel" }],
              structuredContent: { mode: "taste", values: [[0.5, 0.25]], filled_ranges: [], envelope },
            }
          : json({ mode: "recipe", recipe: { zarr: "sub-01.zarr" }, envelope }),
  )
  return server
}

/** Stateless, of the 2026-07-28 revision; with `legacy: "reject"` of no other. */
export async function nemarServer(legacy: "stateless" | "reject" = "stateless"): Promise<Listening> {
  const handle = toNodeHandler(createMcpHandler(nemar, { legacy }))
  return await listen(async (request, response, body) => {
    const { method = "", url = "", headers } = request
    if (url === "/mcp") return await handle(Object.assign(request, { method, url, headers }), response, body)
    // The bare host is not the endpoint, but names it.
    const isPost = method === "POST"
    response.writeHead(isPost ? 404 : 200, { "content-type": "application/json" })
    response.end(isPost ? "{}" : JSON.stringify({ service: "nemar", endpoint: "/mcp" }))
  })
}
