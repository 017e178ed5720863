/**
 * Builds an address from a template whose every interpolation is data: encoded once, for a path segment and a query value alike.
 * `+` becomes %2B (a literal plus in both places), `/` %2F, a blank %20, so a DOI or a SMILES reaches the service as it is.
 */
export function url(strings: TemplateStringsArray, ...values: (string | number)[]): string {
  return strings.reduce((built, part, i) => built + part + (i < values.length ? encode(String(values[i])) : ""), "")
}

/** encodeURIComponent leaves `!'()*` alone; some services read an apostrophe or a parenthesis there, so those are encoded too. */
function encode(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Adds query parameters, leaving out those that are undefined. */
export function withQuery(address: string, query: Record<string, string | number | boolean | undefined> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${encode(name)}=${encode(String(value))}`],
  )
  if (pairs.length === 0) return address
  return address + (address.includes("?") ? "&" : "?") + pairs.join("&")
}
