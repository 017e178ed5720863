import type { JsonSchema } from "../tool/tool.ts"

const SAFE = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/

/**
 * Arguments that a tool's schema wants mirrored in headers (`x-mcp-header`, revision 2026-07-28), so that a gateway can route by them.
 * The library does this only for calls by its own schemas.
 */
export function paramHeaders(schema: JsonSchema, args: Record<string, unknown>): Record<string, string> {
  const { properties } = schema
  if (typeof properties !== "object" || properties === null) return {}
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]: [string, unknown]) => {
      const header =
        typeof property === "object" && property !== null && "x-mcp-header" in property ? property["x-mcp-header"] : ""
      const value = args[name]
      const isPlain = typeof value === "string" || typeof value === "boolean" || Number.isSafeInteger(value)
      if (typeof header !== "string" || !/^[\w-]+$/.test(header) || !isPlain) return []
      return [[`Mcp-Param-${header}`, encoded(String(value))]]
    }),
  )
}

/** What a header cannot carry goes as base64 of its UTF-8. */
function encoded(text: string): string {
  const plain = SAFE.test(text) && !(text.startsWith("=?base64?") && text.endsWith("?="))
  return plain ? text : `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`
}
