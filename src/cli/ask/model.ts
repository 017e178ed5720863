import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { createGateway, type LanguageModel } from "ai"
import { ConfigError } from "../../config.ts"
import { transport } from "../../science/http/transport.ts"

type Env = Record<string, string | undefined>

const OPENAI = "https://api.openai.com/v1"

/** The model that the environment names. A key goes only to the endpoint that it was set for. */
export function modelOf(flag: string | undefined, env: Env): LanguageModel {
  const id = flag || env["OPENCODE_SCIENCE_MODEL"]
  if (!id) throw unconfigured()
  if (env["OPENCODE_SCIENCE_MODEL_URL"])
    return compatible(id, env["OPENCODE_SCIENCE_MODEL_URL"], env["OPENCODE_SCIENCE_MODEL_KEY"])
  if (env["AI_GATEWAY_API_KEY"]) return createGateway({ apiKey: env["AI_GATEWAY_API_KEY"], fetch: throughProxy })(id)
  if (env["OPENAI_BASE_URL"] || env["OPENAI_API_KEY"])
    return compatible(id, env["OPENAI_BASE_URL"] || OPENAI, env["OPENAI_API_KEY"])
  throw unconfigured()
}

function compatible(id: string, baseURL: string, apiKey: string | undefined): LanguageModel {
  if (!URL.canParse(baseURL))
    throw new ConfigError(`${baseURL} is not a URL; the model's should be one such as http://127.0.0.1:11434/v1.`)
  return createOpenAICompatible({
    name: "model",
    baseURL,
    includeUsage: true,
    fetch: throughProxy,
    ...(apiKey ? { apiKey } : {}),
  })(id)
}

const unconfigured = () =>
  new ConfigError(
    "No model is configured: set OPENCODE_SCIENCE_MODEL (or --model) to its name, and OPENCODE_SCIENCE_MODEL_URL to an " +
      "OpenAI-compatible endpoint (with OPENCODE_SCIENCE_MODEL_KEY if it wants a key) or AI_GATEWAY_API_KEY for the AI gateway.",
  )

/** As the databases are reached: Node's own fetch ignores the proxy variables. */
const throughProxy: typeof fetch = Object.assign(
  async (input: string | URL | Request, init: RequestInit = {}) =>
    await transport(new URL(input instanceof Request ? input.url : input), {
      method: init.method ?? "GET",
      headers: Object.fromEntries(new Headers(init.headers)),
      signal: init.signal ?? new AbortController().signal,
      ...(typeof init.body === "string" ? { body: init.body } : {}),
    }),
  { preconnect: () => {} },
)
