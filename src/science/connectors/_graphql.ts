import { Failure, keep, pick, z, type Http, type Json } from "../connector.ts"

const Answer = z.lazy(() =>
  z.object({
    data: z.record(z.string(), z.unknown()).nullish(),
    errors: z.array(z.object({ message: z.string() })).optional(),
  }),
)

export interface Question {
  query: string
  variables: Record<string, unknown>
}

/**
 * Asks by POST. Errors can stand beside data: `judge` sees their messages first and may make a Failure of them; those that it lets pass come
 * back with the data. No status means "nothing there": the data says so.
 */
export async function graphql(
  http: Http,
  address: string,
  body: Question,
  judge: (messages: string[]) => Failure | undefined,
): Promise<{ data: Record<string, Json>; messages: string[] }> {
  const inspect = (text: string) => {
    const messages = messagesIn(text)
    return messages.length > 0 ? judge(messages) : undefined
  }
  const answer = await http.json(address, { body, inspect, miss: () => false })
  const { data } = keep(Answer, answer)
  const messages = (pick(Answer, answer).errors ?? []).map(({ message }) => message)
  if (data) return { data, messages }
  throw new Failure("bad_response", `its answer holds no data${messages[0] ? `: ${messages[0]}` : ""}`)
}

/** The messages of the errors in a body, or in its beginning. */
export function messagesIn(text: string): string[] {
  const at = text.search(/"errors"\s*:\s*\[/)
  if (at === -1) return []
  try {
    const { errors } = Answer.parse(JSON.parse(text))
    return (errors ?? []).map(({ message }) => message)
  } catch {
    return [...text.slice(at).matchAll(/"message"\s*:\s*"((?:[^"\\]|\\.)*)"/g)].map(([, message = ""]) =>
      message.replace(/\\(["\\/])/g, "$1"),
    )
  }
}
