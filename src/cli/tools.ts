import { Command } from "commander"
import type { Status } from "./exit.ts"
import { interruptible, open, optionsOf } from "./run.ts"

export const toolsCommand = (_status: Status): Command =>
  new Command("tools")
    .description("every tool that an agent would get, as it would see it, those of MCP servers included")
    .action(async (_flags: object, command: Command) => {
      const { directory, json } = optionsOf(command)
      const { tools, mcp } = await open(directory)
      const foreign = await interruptible(async (signal) => {
        const found = await mcp.tools()
        signal.throwIfAborted()
        return found
      }, mcp.close)
      const shown = [...tools, ...foreign].map(({ id, description, schema }) => ({
        name: id,
        description,
        parameters: schema,
      }))
      const text = shown.map(
        ({ name, description, parameters: { properties } }) =>
          `${name}(${Object.keys(typeof properties === "object" ? (properties ?? {}) : {}).join(", ")})\n${description}`,
      )
      process.stdout.write(json ? `${JSON.stringify(shown, null, 2)}\n` : `${text.join("\n\n")}\n`)
    })
