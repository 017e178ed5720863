import { Failure, type AnswerHead, type Http, type Json } from "../../connector.ts"
import { graphql, messagesIn, type Question } from "../_graphql.ts"

export const API = "https://gnomad.broadinstitute.org/api"

/** What its messages mean, whatever the status: the user's mistakes come under 500 too (graphql-api/src/graphql/graphql-api.ts). */
const MEANINGS: [RegExp, (said: string) => Failure][] = [
  [
    /rate limit exceeded/i,
    () =>
      new Failure("rate_limited", "gnomAD asks for fewer requests; try again in a few minutes.", {
        retryAfterMs: 120_000,
      }),
  ],
  [/timed out/i, () => new Failure("timeout", "gnomAD timed out on its side; try again in a minute.")],
  [/overloaded|unknown error/i, (said) => new Failure("unavailable", `gnomAD failed on its side (${said}).`)],
  [
    /^Cannot query field|^Unknown |^Variable |^Syntax Error|^Fragment |^Field |too expensive/,
    (said) => new Failure("bad_response", `gnomAD's API has changed: ${said}`, { retryable: false }),
  ],
]

/** These concern one id of a question; the others' answers stand beside them. */
export const NOT_FOUND = /not found/i
export const SEVERAL = /^Multiple variants found/

const passes = (message: string) => NOT_FOUND.test(message) || SEVERAL.test(message)

function failureOf(messages: string[], operation: AnswerHead["operation"]): Failure | undefined {
  const [said] = messages.filter((message) => !passes(message))
  if (said === undefined) return undefined
  const known = MEANINGS.find(([pattern]) => pattern.test(said))?.[1](said)
  const code = operation === "search" ? "invalid_query" : "invalid_id"
  return known ?? new Failure(code, `gnomAD does not accept this: ${said}`)
}

export const gnomadFailure = ({ head, operation }: AnswerHead): Failure | undefined =>
  failureOf(messagesIn(head), operation)

/** The answers by their names in the document, and what was said of those that are null. */
export async function ask(
  http: Http,
  body: Question,
  operation: AnswerHead["operation"],
): Promise<{ data: Record<string, Json>; messages: string[] }> {
  return await graphql(http, API, body, (messages) => failureOf(messages, operation))
}
