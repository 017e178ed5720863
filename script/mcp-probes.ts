/**
 * Drives independent MCP servers that misbehave in every way they know (`--probes DIR`): each gives its tools or one clear line within its
 * time, and is ended when the host ends. Prints a table, exits 1 on a wrong row. `--only WORD` takes the rows that mention it.
 */
import path from "node:path"
import { parseArgs } from "node:util"
import PQueue from "p-queue"
import { killed } from "./mcp-probes/killed.ts"
import { probe } from "./mcp-probes/probe.ts"
import { ROWS, type Row } from "./mcp-probes/rows.ts"

const { values } = parseArgs({ options: { probes: { type: "string" }, only: { type: "string", default: "" } } })
if (!values.probes) {
  console.error("Name the folder of probe servers: --probes DIR")
  process.exit(2)
}
const probes = path.resolve(values.probes)
const label = ({ server, path = "", flags = [], config }: Row) =>
  [server + path, ...flags.filter((flag) => !flag.includes("s3cret")), config?.transport ?? ""]
    .filter(Boolean)
    .join(" ")

const rows = ROWS.filter((row) => label(row).includes(values.only))
const outcomes = new Map<Row, Awaited<ReturnType<typeof probe>>>()
const queue = new PQueue({ concurrency: 6 })
await queue.addAll(
  rows.map((row) => async () => {
    const outcome = await probe(probes, row).catch((error: unknown) => ({
      tools: 0,
      lines: [],
      ms: 0,
      wrong: [String(error)],
    }))
    outcomes.set(row, outcome)
  }),
)

let wrong = 0
for (const row of rows) {
  const outcome = outcomes.get(row)
  if (!outcome) continue
  const { tools, lines, ms, wrong: complaints } = outcome
  if (complaints.length > 0) wrong++
  const says = complaints.length > 0 ? `WRONG: ${complaints.join("; ")}` : tools === 0 ? (lines[0] ?? "") : ""
  console.log(
    `${label(row).padEnd(46)} ${String(tools).padStart(3)} tools ${String(ms).padStart(5)} ms  ${says}`.trimEnd(),
  )
}
for (const signal of ["SIGTERM", "SIGINT", "SIGKILL"] as const) {
  if (!"killed".includes(values.only)) continue
  const complaint = await killed(probes, signal)
  if (complaint) wrong++
  console.log(`${`killed by ${signal}`.padEnd(46)} ${complaint ? `WRONG: ${complaint}` : "nothing is left"}`)
}
console.log(wrong === 0 ? "all rows are right" : `${wrong} rows are wrong`)
process.exit(wrong === 0 ? 0 : 1)
