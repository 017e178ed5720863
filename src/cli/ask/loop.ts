import { stepCountIs, streamText, type LanguageModel } from "ai"
import { z } from "zod"
import { toolSet } from "../../host/ai-sdk.ts"
import type { Ask } from "../../permission/index.ts"
import { clean, clip, oneLine } from "../../science/clean.ts"
import type { Tool } from "../../tool/tool.ts"
import { Interrupted } from "../exit.ts"
import instructions from "./instructions.txt" with { type: "text" }

export interface Question {
  question: string
  model: LanguageModel
  tools: Tool[]
  directory: string
  worktree: string
  ask: Ask
  /** Requests to the model; in the last one it has to answer with what it knows by then. */
  maxSteps: number
  signal: AbortSignal
  onText(text: string): void
  onCall(line: string): void
}

export interface Answer {
  text: string
  calls: { tool: string; args: unknown; error?: string }[]
  steps: number
  tokens: { input: number | undefined; output: number | undefined }
  /** Why there is no whole answer; absent where there is one. */
  error?: string
}

/** A tool's answer that carries a failure code. */
const Refused = z.object({ output: z.string(), metadata: z.object({ error: z.string() }) })

/** Longer arguments are cut in the line that shows a call. */
const SHOWN = 160

/** Asks the model, lets it call the tools, until it answers. What goes wrong at the model is said in the answer; an interruption throws. */
export async function answer({
  question,
  model,
  tools,
  directory,
  worktree,
  ask,
  maxSteps,
  signal,
  ...on
}: Question): Promise<Answer> {
  const said: Answer = { text: "", calls: [], steps: 0, tokens: { input: undefined, output: undefined } }
  const calls = new Map<string, Answer["calls"][number]>()
  const failed = (id: string, error: string) => {
    const call = calls.get(id)
    if (call) call.error = error
    on.onCall(`  ${clip(oneLine(error), SHOWN)}`)
  }
  const ending = new AbortController()
  globalThis.AI_SDK_LOG_WARNINGS = false
  const { fullStream } = streamText({
    model,
    instructions: instructions.trim(),
    prompt: question,
    tools: toolSet(tools, { directory, worktree }, { ask: () => ask }),
    stopWhen: stepCountIs(maxSteps),
    prepareStep: ({ stepNumber }) => (stepNumber === maxSteps - 1 ? { toolChoice: "none" } : undefined),
    abortSignal: AbortSignal.any([signal, ending.signal]),
    // Errors come in the stream too; the default prints them.
    onError: () => {},
  })
  try {
    for await (const part of fullStream) {
      if (part.type === "text-delta") {
        const text = clean(part.text)
        said.text += text
        on.onText(text)
      } else if (part.type === "tool-call") {
        const call = { tool: part.toolName, args: part.input }
        calls.set(part.toolCallId, call)
        said.calls.push(call)
        on.onCall(`· ${part.toolName} ${clip(oneLine(JSON.stringify(part.input)), SHOWN)}`)
      } else if (part.type === "tool-result") {
        const refused = Refused.safeParse(part.output)
        if (refused.success) failed(part.toolCallId, refused.data.output)
      } else if (part.type === "tool-error") {
        // Ctrl-C at a question ends the command, not just the call.
        if (part.error instanceof Interrupted) throw part.error
        failed(part.toolCallId, messageOf(part.error))
      } else if (part.type === "finish-step") said.steps++
      else if (part.type === "error")
        said.error = unanswered(messageOf(part.error), said.steps + 1 >= maxSteps, maxSteps)
      else if (part.type === "finish") {
        said.tokens = { input: part.totalUsage.inputTokens, output: part.totalUsage.outputTokens }
        if (part.finishReason !== "stop")
          said.error ??= `The model stopped before the end of its answer (${part.finishReason}).`
      }
    }
  } finally {
    ending.abort()
  }
  signal.throwIfAborted()
  return said
}

/** In the last step some endpoints call tools although they may not. */
const unanswered = (why: string, last: boolean, maxSteps: number) =>
  last ? `No answer after ${maxSteps} steps (${why}); --steps allows more.` : `The model gave no answer: ${why}`

const messageOf = (error: unknown) => clip(oneLine(error instanceof Error ? error.message : String(error)), 600)
