/** Started by tests as a process of its own: Reactome's tools over stdio, and one that tells of the process itself. */
import { spawn } from "node:child_process"
import { appendFileSync } from "node:fs"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { reactome } from "./reactome.ts"

const pids = process.env["PIDS"]
const note = (pid: number | undefined) => pids && appendFileSync(pids, `${pid}\n`)
note(process.pid)
// What a launcher leaves behind.
if (process.env["GRANDCHILD"]) note(spawn("sleep", ["600"], { stdio: "inherit" }).pid)
process.stderr.write("listening, with the token tok3n-of-its-own-1234\n")

const server = reactome()
server.registerTool("process", { description: "Its process." }, () => ({
  content: [
    { type: "text", text: JSON.stringify({ pid: process.pid, cwd: process.cwd(), env: Object.keys(process.env) }) },
  ],
}))
server.registerTool("die", { description: "Ends." }, () => process.exit(5))
await server.connect(new StdioServerTransport())
