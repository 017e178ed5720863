import type { Connector } from "./connector.ts"
import { Failure } from "./failure.ts"
import type { Registry } from "./registry.ts"

/** More than this is a data set, which the databases offer as bulk downloads. */
export const MAX_IDS = 500

/** What a person typed, as the database wants it: blanks, CURIE prefix and page address taken off, then the connector's own spelling. */
export function normalizeId({ ids, url }: Connector, typed: string): string {
  const bare = withoutCurie(withoutPage(typed.trim(), url), ids.curie).trim()
  return ids.normalize?.(bare) ?? bare
}

/** The part of a record's page address, or of an identifiers.org one, that is the id. */
function withoutPage(typed: string, page: string): string {
  if (!/^https?:\/\//i.test(typed)) return typed
  const place = (address: string) => address.replace(/^https?:\/\/(www\.)?/i, "")
  const [before = "", after = ""] = place(page).split("{id}")
  for (const prefix of [before, "identifiers.org/", "bioregistry.io/"]) {
    if (!place(typed).toLowerCase().startsWith(prefix.toLowerCase())) continue
    const rest = place(typed)
      .slice(prefix.length)
      .replace(/[?#].*$/, "")
      .replace(/\/+$/, "")
    const id = after && rest.endsWith(after) ? rest.slice(0, -after.length) : rest
    return decode(id)
  }
  return typed
}

const withoutCurie = (typed: string, curie: string) =>
  typed.toLowerCase().startsWith(`${curie.toLowerCase()}:`) && typed.length > curie.length + 1
    ? typed.slice(curie.length + 1)
    : typed

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const looksLikeOne = (connector: Connector, typed: string): boolean =>
  connector.ids.pattern.test(normalizeId(connector, typed))

/**
 * The ids in one argument: one a line; within a line, several only when every part, and not the whole, looks like an id of this database.
 * So `P04637, P38398` is two, while `1,2-dichloroethane` or a DOI with a comma is one.
 */
export function splitIds(connector: Connector, typed: string): string[] {
  const lines = typed
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
  const all = lines.flatMap((line) => {
    if (looksLikeOne(connector, line)) return [line]
    const parts = line.split(/[\s,;]+/).filter((part) => part !== "")
    return parts.length > 1 && parts.every((part) => looksLikeOne(connector, part)) ? parts : [line]
  })
  return [...new Set(all)]
}

/** The normalised id, or an `invalid_id` that shows what one looks like and whose it looks like. No request is made for such an id. */
export function readId(connector: Connector, typed: string, registry: Registry): string {
  const id = normalizeId(connector, typed)
  if (connector.ids.pattern.test(id)) return id
  const others = registry.databases().filter((other) => other.id !== connector.id && looksLikeOne(other, typed))
  const hint =
    others.length > 0
      ? ` It looks like an id of ${others
          .slice(0, 3)
          .map((other) => other.id)
          .join(" or ")}.`
      : ""
  throw new Failure(
    "invalid_id",
    `${JSON.stringify(typed.slice(0, 80))} is not an id of ${connector.name}, where ids look like ${connector.ids.examples.join(", ")}; search for a name.${hint}`,
  )
}
