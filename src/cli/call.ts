import { text } from "node:stream/consumers"
import { Command } from "commander"
import type { Status } from "./exit.ts"
import { runTool } from "./run.ts"

export const callCommand = (status: Status): Command =>
  new Command("call")
    .description("calls a tool as an agent would, with JSON arguments")
    .argument("<tool>", "its name, as `tools` lists it")
    .argument("[json]", "its arguments as a JSON object; `-` reads them from standard input", "{}")
    .action(async (tool: string, json: string, _flags: object, command: Command) => {
      await runTool(command, status, tool, readArguments(json === "-" ? await text(process.stdin) : json, command))
    })

function readArguments(json: string, command: Command): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    const reason = error instanceof Error ? error.message : ""
    return command.error(
      `The arguments are not JSON (${reason}); give an object such as '{"db":"uniprot","query":"p53"}'.`,
    )
  }
}
