import { Command, InvalidArgumentError } from "commander"
import { EXIT, type Status } from "./exit.ts"
import { worktreeOf } from "../worktree.ts"
import { interruptible, open, optionsOf, print } from "./run.ts"

interface Flags {
  model?: string
  plan?: boolean
  steps: number
}

export const askCommand = (status: Status): Command =>
  new Command("ask")
    .description("asks a model, which uses the tools to answer; its calls are shown on standard error")
    .argument("<question...>", "what you want to know")
    .option("--model <name>", "the model; else OPENCODE_SCIENCE_MODEL")
    .option("--plan", "write nothing")
    .option("--steps <n>", "requests to the model at most", wholeNumber, 20)
    .action(async (words: string[], flags: Flags, command: Command) => {
      const { directory, json } = optionsOf(command)
      const question = words.join(" ")
      // Loaded only here: the other commands start faster without.
      const [{ modelOf }, { answer }] = await Promise.all([import("./ask/model.ts"), import("./ask/loop.ts")])
      const model = modelOf(flags.model, process.env)
      const { project, tools, mcp, ask } = await open(directory, flags.plan ? { mode: "plan" } : {})
      const said = await interruptible(
        async (signal) =>
          await answer({
            question,
            model,
            tools: [...tools, ...(await mcp.tools())],
            directory: project,
            worktree: worktreeOf(project),
            ask,
            maxSteps: flags.steps,
            signal,
            onText: (text) => json || process.stdout.write(text),
            onCall: (line) => process.stderr.write(`${line}\n`),
          }),
        mcp.close,
      )
      const { text, error, ...about } = said
      const metadata = { ...about, ...(error ? { error } : {}), truncated: false }
      if (json) print({ title: question, output: text, metadata }, json)
      else if (text && !text.endsWith("\n")) process.stdout.write("\n")
      if (error) process.stderr.write(`${error}\n`)
      status.code = error ? EXIT.failure : EXIT.fine
    })

function wholeNumber(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError("A whole number from 1 up.")
  return number
}
