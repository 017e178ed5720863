/** Headers that the protocol itself sets: a second value from the configuration would be joined to it or take its place. */
const OWN = /^(?:accept|connection|content-length|content-type|host|last-event-id|mcp-.*|transfer-encoding)$/

/** Field names are tokens (RFC 9110 5.6.2). */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** What fetch sends of a text as it is: visible ASCII and Latin-1, blanks and tabs within. */
const VALUE = /^[\t\x20-\x7e\xa0-\xff]*$/

/** Why a header cannot be sent, without its value: that may be a credential, and the runtimes' own messages quote it. */
export function headerFault(name: string, value: string): string | undefined {
  if (!NAME.test(name)) return "is no header name"
  if (OWN.test(name.toLowerCase())) return "is set by the protocol itself; leave it out"
  if (!VALUE.test(value)) return "holds a character that a header cannot carry (a line break, or one outside Latin-1)"
  return undefined
}

/** Names in lower case, empty values dropped: an empty header is sent, and some servers take it for a wrong credential. */
export function cleanHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value.trim() === "" ? [] : [[name.toLowerCase(), value.trim()]],
    ),
  )
}
