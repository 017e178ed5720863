import { Command } from "commander"
import { z } from "zod"
import type { Status } from "./exit.ts"
import { open, optionsOf } from "./run.ts"

export const toolsCommand = (_status: Status): Command =>
  new Command("tools")
    .description("every tool that an agent would get, as it would see it")
    .action(async (_flags: object, command: Command) => {
      const { directory, json } = optionsOf(command)
      const { tools } = await open(directory)
      const shown = tools.map(({ id, description, parameters }) => ({
        name: id,
        description,
        parameters: z.toJSONSchema(parameters),
      }))
      const text = shown.map(
        ({ name, description, parameters }) =>
          `${name}(${Object.keys(parameters.properties ?? {}).join(", ")})\n${description}`,
      )
      process.stdout.write(json ? `${JSON.stringify(shown, null, 2)}\n` : `${text.join("\n\n")}\n`)
    })
