import type { Connector, Key } from "../connector.ts"
import { Failure } from "../failure.ts"

type Env = Record<string, string | undefined>

/** The key of a connector for a host, when it is set; it goes to that host alone, also after a redirect. */
export function keyFor(connector: Connector, host: string, env: Env): { key: Key; value: string } | undefined {
  const { key } = connector
  const value = key && env[key.env]?.trim()
  return key && value && key.host === host ? { key, value } : undefined
}

/** Throws before any request when the database answers nothing without a key. */
export function requireKey({ name, key }: Connector, env: Env): void {
  if (key?.required && !env[key.env]?.trim())
    throw new Failure("key_required", `${name} needs a key: get one at ${key.signup} and set ${key.env}.`)
}

/** Replaces every key that is set in the environment, as it is and URL-encoded. Services echo keys in their error texts. */
export function createRedact(connectors: readonly Connector[], env: Env): (text: string) => string {
  const secrets = connectors.flatMap(({ key }) => (key && env[key.env]?.trim()) || [])
  const spellings = [...new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))].filter(
    (s) => s.length > 3,
  )
  return (text) => spellings.reduce((clean, secret) => clean.replaceAll(secret, "[key]"), text)
}
