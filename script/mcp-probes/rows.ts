import type { ServerConfig } from "../../src/mcp/config.ts"

/** What a probe server notes of a request. */
export interface Noted {
  method: string
  path: string
  status: number | null
  aborted: boolean
  headers: Record<string, string>
  body: { method?: string } | undefined
}

export interface Row {
  server: string
  flags?: string[]
  /** Beside `url` and short time limits. */
  config?: Omit<ServerConfig, "url">
  /** Another path than the server's own. */
  path?: string
  /** At least so many tools; 0 means none, and then `line` is what the log says, once. */
  tools: number
  line?: RegExp
  /** Calls one after the other: a tool by the server's name, its arguments, what the answer says. */
  calls?: [tool: string, args: Record<string, unknown>, answer: RegExp][]
  /** What must be so in the requests, after the end. */
  requests?: (noted: Noted[], tools: number) => string | undefined
}

export const CONNECT_MS = 2_500
export const CALL_MS = 2_000
/** A credential that a row sends; no output may hold it. */
export const SECRET = "pr0be-s3cret-credential"

const rpc = (noted: Noted[], method: string) => noted.filter(({ body }) => body?.method === method)

const oneRequestACall = (calls: number) => (noted: Noted[]) => {
  const made = rpc(noted, "tools/call").length
  const all = noted.length
  return made === calls && all === calls + 2
    ? undefined
    : `${all} requests for discover, list and ${calls} calls (${made} made)`
}

const endsSession = (noted: Noted[]) => {
  const opened = rpc(noted, "initialize").length
  const ended = noted.filter(({ method }) => method === "DELETE").length
  return ended >= 1 && opened === 1 ? undefined : `${opened} sessions, ${ended} DELETE`
}

const noFallback = (noted: Noted[]) =>
  noted.some(({ method }) => method === "GET")
    ? "a GET, though this status is no reason for the SSE fallback"
    : undefined

const kit: Row["calls"] = [
  ["echo", { text: "ü\u0000", nested: { a: null, "": [1e21, -0.5] } }, /"nested":\{"a":null,"":\[1e\+21,-0.5\]\}/],
  ["with_defaults", { query: "x" }, /"received":\["query"\],"limit":20/],
  ["multi", {}, /first block\nsecond block\nthird\nblock/],
  ["refuse", {}, /refused: taste duration_s \(90\) exceeds the 60 s cap; omit taste/],
  ["strict", { dataset_id: "ds1" }, /refused: .*dataset_id must match/],
  ["progress", { steps: 2 }, /done after 2/],
  ["protocol_error", {}, /refused: .*down for maintenance/],
]

const dies = (mode: string, answer: RegExp): Row => ({
  server: "dies",
  flags: ["--mode", mode],
  tools: 7,
  calls: [["echo", {}, answer]],
})

const hangs = (mode: string, row: Partial<Row> = {}): Row => ({
  server: "hang",
  flags: ["--mode", mode],
  tools: 0,
  ...(row.tools === undefined ? { line: /no answer within/ } : {}),
  ...row,
})

const wall = (status: number, line: RegExp, flags: string[] = []): Row => ({
  server: "auth",
  path: `/mcp/${status}`,
  flags,
  config: { headers: { Authorization: `Bearer ${SECRET}` } },
  tools: 0,
  line,
  requests: noFallback,
})

const poison = (kind: string, survives: boolean): Row => ({
  server: "awkward",
  flags: ["--poison", kind],
  tools: survives ? 3 : 2,
  calls: [
    ["good_one", {}, /good_one/],
    ["good_two", {}, /good_two/],
  ],
})

const child = (mode: string, row: Partial<Row> = {}): Row => ({
  server: "stdio-server",
  flags: ["--mode", mode],
  tools: 9,
  calls: [["echo", { text: mode }, new RegExp(mode)]],
  ...row,
})

const nemarCalls: Row["calls"] = [
  ["search_datasets", { query: "rest" }, /nm000001/],
  ["describe_dataset", { dataset_id: "nm999999" }, /refused: .*search_datasets/],
  ["describe_dataset", {}, /refused: .*dataset_id: Required/],
  ["read_window", { dataset_id: "nm000001", recording: "sub-01/eeg/sub-01_task-rest_eeg.set" }, /recipe/],
]

export const ROWS: Row[] = [
  { server: "stateless-2026", tools: 6, calls: nemarCalls, requests: oneRequestACall(4) },
  { server: "stateless-2026", flags: ["--frame", "sse"], tools: 6, calls: nemarCalls, requests: oneRequestACall(4) },
  {
    server: "stateless-2026",
    flags: ["--legacy", "stateless"],
    tools: 6,
    calls: nemarCalls,
    requests: oneRequestACall(4),
  },
  { server: "stateless-2026", flags: ["--toolset", "kit"], tools: 7, calls: kit, requests: oneRequestACall(7) },
  { server: "stateless-2026", path: "/", tools: 6, calls: nemarCalls.slice(0, 1) },
  { server: "session-2025", tools: 7, calls: kit, requests: endsSession },
  {
    server: "session-2025",
    flags: ["--multiline", "--crlf", "--noise", "5"],
    tools: 7,
    calls: kit,
    requests: endsSession,
  },
  { server: "session-2025", flags: ["--drop", "resume"], tools: 7, calls: kit.slice(0, 1) },
  ...["404", "406", "400", "stream"].map((get): Row => ({
    server: "session-2025",
    flags: ["--get", get],
    tools: 7,
    calls: kit.slice(0, 2),
    requests: endsSession,
  })),
  { server: "session-2025", flags: ["--delete", "405"], tools: 7, calls: kit.slice(0, 1) },
  {
    server: "session-2025",
    flags: ["--version", "2025-11-25"],
    tools: 7,
    calls: kit.slice(0, 2),
    requests: endsSession,
  },
  {
    server: "session-2025",
    flags: ["--version", "2025-03-26"],
    tools: 7,
    calls: kit.slice(0, 2),
    requests: endsSession,
  },
  {
    server: "session-2025",
    flags: ["--list-changed", "--get", "stream"],
    tools: 7,
    calls: [["echo", { a: 1 }, /"a":1/]],
  },
  {
    server: "session-2025",
    flags: ["--expire-after", "4"],
    tools: 7,
    calls: [...Array(5)].map((_, i) => ["echo", { i }, new RegExp(`"i":${i}`)]),
    requests: (noted) => {
      const opened = rpc(noted, "initialize").length
      return opened > 1 && opened <= 4
        ? undefined
        : `${opened} sessions for 5 calls, of which each lasts for 4 requests`
    },
  },
  { server: "legacy-sse", tools: 7, calls: kit },
  { server: "legacy-sse", flags: ["--endpoint", "absolute"], tools: 7, calls: kit.slice(0, 1) },
  { server: "legacy-sse", flags: ["--post-status", "404"], tools: 7, calls: kit.slice(0, 1) },
  { server: "legacy-sse", flags: ["--post-status", "400"], tools: 7, calls: kit.slice(0, 1) },
  { server: "legacy-sse", flags: ["--post-status", "501"], tools: 0, line: /HTTP 501/, requests: noFallback },
  { server: "legacy-sse", flags: ["--endpoint", "foreign"], tools: 0, line: /HTTP 405/ },
  { server: "legacy-sse", flags: ["--name-endpoint", "false"], tools: 0, line: /no answer within/ },
  { server: "legacy-sse", config: { transport: "sse" }, tools: 7, calls: kit.slice(0, 1) },
  { server: "legacy-sse", config: { transport: "http" }, tools: 0, line: /HTTP 405/, requests: noFallback },
  wall(401, /Authentication failed \(401 Unauthorized\).*set a valid credential under mcp\.probe\.headers/),
  wall(401, /Authentication failed/, ["--body", "leak"]),
  wall(401, /Authentication failed/, ["--body", "html", "--www"]),
  wall(402, /Payment Required/, ["--body", "leak"]),
  wall(403, /Forbidden/, ["--body", "leak"]),
  wall(429, /HTTP 429/),
  wall(500, /HTTP 500/, ["--body", "html"]),
  wall(503, /HTTP 503/, ["--body", "leak"]),
  { server: "auth", path: "/mcp/scope", tools: 0, line: /Forbidden/, requests: noFallback },
  { server: "auth", path: "/mcp/html", tools: 0, line: /does not speak MCP|is not MCP/ },
  { server: "auth", tools: 0, line: /Authentication failed/ },
  {
    server: "auth",
    flags: ["--token", SECRET],
    config: { headers: { Authorization: `Bearer ${SECRET}` } },
    tools: 7,
    calls: kit.slice(0, 2),
  },
  { server: "auth", config: { headers: { Authorization: `Bearer ${SECRET}` } }, tools: 0, line: /Forbidden/ },
  {
    server: "auth",
    flags: ["--picky", "--body", "leak"],
    config: { headers: { Authorization: `Basic ${SECRET} x` } },
    tools: 0,
    line: /HTTP 400/,
  },
  { server: "auth", path: "/mcp/late", tools: 7, calls: [["echo", {}, /Authentication failed \(401/]] },
  hangs("connect", {
    requests: (noted) => (noted.every(({ aborted }) => aborted) ? undefined : "a request that was not given up"),
  }),
  hangs("headers"),
  hangs("list"),
  hangs("slow", { flags: ["--mode", "slow", "--delay", "100"], tools: 7, calls: kit.slice(0, 1) }),
  hangs("slow"),
  ...["call", "keepalive", "progress"].map((mode) =>
    hangs(mode, { tools: 7, calls: [["echo", {}, /timeout: .*no answer within/]] }),
  ),
  hangs("drip", { tools: 7, calls: [["echo", {}, /timeout|\{\}/]] }),
  hangs("close", { tools: 7, calls: kit.slice(0, 1) }),
  dies("destroy", /unavailable: .*connection broke/),
  dies("partial", /unavailable: .*broke off/),
  dies("eof", /unavailable: .*broke off/),
  dies("truncate", /bad_response: .*not JSON/),
  dies("garbage", /bad_response: .*not JSON/),
  dies("wrong-id", /timeout: .*no answer within/),
  dies("nul", /\{\}/),
  dies("502", /unavailable: .*HTTP 502/),
  dies("exit", /unavailable: .*connection broke/),
  {
    ...dies("flap", /unavailable: .*connection broke/),
    calls: [
      ["echo", {}, /unavailable/],
      ["echo", { a: 1 }, /"a":1/],
    ],
  },
  { server: "redirect", tools: 7, calls: kit.slice(0, 1) },
  { server: "redirect", flags: ["--status", "308"], tools: 7, calls: kit.slice(0, 1) },
  ...["301", "302"].map((status): Row => ({
    server: "redirect",
    flags: ["--status", status],
    tools: 0,
    line: /redirects \(30\d\) to/,
  })),
  {
    server: "redirect",
    flags: ["--cross"],
    config: { headers: { Authorization: `Bearer ${SECRET}` } },
    tools: 0,
    line: /redirects \(307\) to http/,
  },
  { server: "redirect", flags: ["--loop"], tools: 0, line: /redirects/ },
  {
    server: "awkward",
    tools: 48,
    calls: [
      ["dotted.name.v1", {}, /"tool":"dotted.name.v1"/],
      ["dotted_name_v1", {}, /"tool":"dotted_name_v1"/],
      ["x".repeat(70) + "_a", {}, /x_a"/],
      ["x".repeat(70) + "_b", {}, /x_b"/],
      ["ünïcödé_名前", {}, /名前/],
      ["__proto__", {}, /"tool":"__proto__"/],
      ["huge", {}, /1\.9 MB, too long to show here · saved to \.openscience\/fetch\/mcp-probe\//],
      ["many_blocks", {}, /too long to show here · saved to/],
      ["image", {}, /^before\n\[image, image\/png, \d+ bytes: saved to .*\]\nafter$/],
      ["audio", {}, /\[audio, audio\/wav, 6 bytes: saved to/],
      [
        "link",
        {},
        /\[link nm000001 · https:\/\/example\.invalid\/nm000001\.json · application\/json · 121 KB · the full record\]\n\[link trap · file:\/\/\/etc\/passwd\]/,
      ],
      [
        "embedded",
        {},
        /\[resource mem:\/\/a\]\nembedded text\n\[resource mem:\/\/b\]\n\[resource, application\/octet-stream/,
      ],
      ["structured_only", {}, /"ok": true/],
      ["structured_bad", {}, /^\{"ok":"yes"\}$/],
      ["structured_missing", {}, /^text only$/],
      ["output_uncompilable", {}, /^fine\n/],
      ["error_with_structured", {}, /refused: the index is not ready/],
      ["error_empty", {}, /refused: /],
      ["empty", {}, /without content/],
      ["no_content_key", {}, /"only": "this"/],
      ["unknown_block", {}, /^known\n\[a block of type hologram/],
      ["control_chars", {}, /^aredb\nc\ufffdd\ne$/],
    ],
  },
  { server: "awkward", flags: ["--page", "2"], tools: 48 },
  { server: "awkward", flags: ["--endless"], tools: 1 },
  { server: "awkward", flags: ["--endless=same"], tools: 1 },
  { server: "awkward", flags: ["--empty-cursor"], tools: 48 },
  { server: "awkward", flags: ["--no-cap"], tools: 48 },
  { server: "awkward", flags: ["--badpage"], tools: 7 },
  ...[
    "no_schema",
    "null_schema",
    "string_schema",
    "type_missing",
    "type_array",
    "no_name",
    "num_name",
    "empty_name",
    "not_object",
  ].map((kind) => poison(kind, false)),
  ...["bool_prop", "null_desc", "null_title", "bad_annotations", "null_output"].map((kind) => poison(kind, true)),
  child("ok", { calls: kit }),
  ...["noisy", "banner", "chatty", "exit-on-probe", "silent-on-probe", "stubborn", "grandchild", "no-newline"].map(
    (mode) => child(mode),
  ),
  child("slow", { flags: ["--mode", "slow", "--delay", "100"] }),
  child("big", { calls: [["echo", {}, /11\.4 MB, too long to show here · saved to/]] }),
  child("hang-call", { calls: [["echo", {}, /timeout: .*no answer within/]] }),
  child("die-call", {
    calls: [
      ["echo", {}, /unavailable: .*closed/],
      ["with_defaults", { query: "x" }, /unavailable: .*closed/],
    ],
  }),
  child("hang-init", { tools: 0, line: /no answer within/, calls: [] }),
  child("hang-list", { tools: 0, line: /no answer within/, calls: [] }),
  child("die-init", { tools: 0, line: /closed|ended/, calls: [] }),
  child("secret-stderr", { tools: 0, line: /it said: fatal: token/, calls: [] }),
]
