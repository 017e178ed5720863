import { createHash, randomBytes } from "node:crypto"
import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  type InputRequest,
  type InputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server"
import { z } from "zod"
import {
  evaluate,
  notGiven,
  type Answer,
  type PermissionRequest,
  type Prompt,
  type Rule,
} from "../../permission/index.ts"
import { clip, oneLine } from "../../science/clean.ts"

/**
 * How the server asks in the middle of a request. In the 2026-07-28 revision it cannot send a request of its own: it answers "input
 * required", and the client sends the same request again with what it was asked for. The SDK does that dance by itself with older clients.
 * So a request is worked on from the start in each round, and what was answered before comes back with it, signed.
 */
export class InputNeeded extends Error {
  override readonly name = "InputNeeded"
  constructor(
    readonly key: string,
    readonly request: InputRequest,
  ) {
    super(`input is needed: ${key}`)
  }
}

/** Answers of earlier rounds, by question. */
const Answers = z.record(z.string(), z.enum(["once", "always"]))
export type Answers = z.infer<typeof Answers>

/** How long a person may take. */
export const PATIENCE_MS = 3_600_000

/** Signed for this process only: what a client says was allowed must be what it was asked. */
export const stateCodec = createRequestStateCodec<Answers>({ key: randomBytes(32), ttlSeconds: PATIENCE_MS / 1000 })

const ANSWER_OF = {
  "allow once": "once",
  "always allow in this session": "always",
  no: "reject",
} as const satisfies Record<string, Answer>

/** Where there is no session, nothing can hold for one. */
const SESSIONLESS = ["allow once", "no"] as const

const Form = z.object({ answer: z.enum(["allow once", "always allow in this session", "no"]) })

/** What a person approved for as long as the connection lasts. */
export type Approved = Rule[]

/** Runs one round of a request; when something has to be asked, the round's result is the question. */
export async function inRounds<T>(
  context: ServerContext,
  work: (answers: Answers) => Promise<T>,
): Promise<T | InputRequiredResult> {
  const answers: Answers = { ...Answers.safeParse(context.mcpReq.requestState()).data }
  try {
    return await work(answers)
  } catch (error) {
    if (!(error instanceof InputNeeded)) throw error
    const requestState = await stateCodec.mint(answers, context)
    return inputRequired({ inputRequests: { [error.key]: error.request }, requestState })
  }
}

/** Asks a person through the client. `approved` is absent where the client has no session with us. */
export function elicitingPrompt({ mcpReq }: ServerContext, answers: Answers, approved: Approved | undefined): Prompt {
  return async (request) => {
    const { permission } = request
    const patterns = request.patterns.filter(
      (each) => evaluate(approved ?? [], permission, each).rule?.action !== "allow",
    )
    if (patterns.length === 0) return "once"
    const key = keyOf(permission, patterns)
    const before = answers[key]
    if (before) return before
    if (mcpReq.inputResponses === undefined || !(key in mcpReq.inputResponses))
      throw new InputNeeded(key, question({ ...request, patterns }, approved !== undefined))
    const given = acceptedContent(mcpReq.inputResponses, key, Form)
    // Declined or put away: hosts do so by themselves where nobody sits (Codex and Claude Code without a terminal), so it is nobody's "no".
    if (!given) throw notGiven({ ...request, patterns })
    const answer = ANSWER_OF[given.answer]
    if (answer === "reject") return answer
    answers[key] = answer
    if (answer === "always")
      approved?.push(...request.always.map((pattern): Rule => ({ permission, pattern, action: "allow" })))
    return answer
  }
}

/** The same question in each round has the same key, another question another. */
const keyOf = (permission: string, patterns: string[]) =>
  `ask-${createHash("sha256")
    .update(JSON.stringify([permission, patterns]))
    .digest("hex")
    .slice(0, 16)}`

function question({ permission, patterns, always, metadata }: PermissionRequest, session: boolean): InputRequest {
  const more = patterns.length > 1 ? ` and ${patterns.length - 1} more` : ""
  const what = permission === "edit" ? "write" : `use ${permission} for`
  // The id in it is the model's: it must not write the question.
  const first = clip(oneLine(patterns[0] ?? ""), 200)
  const from = typeof metadata["url"] === "string" ? ` from ${metadata["url"]}` : ""
  const lasting = session ? ` "Always" covers ${always.join(", ")} until this session ends.` : ""
  const choices = session ? Form.shape.answer.options : [...SESSIONLESS]
  return inputRequired.elicit({
    message: `May the agent ${what} ${first}${more}${from}?${lasting}`,
    requestedSchema: {
      type: "object",
      properties: { answer: { type: "string", title: "Answer", enum: choices } },
      required: ["answer"],
    },
  })
}
