import { z } from "zod"

/** Words that models send for "no value" (anthropics/claude-code#24597 and others). */
const NOTHING = new Set(["", "null", "undefined", "none"])

export type ReadArguments<T> = { ok: true; args: T; unused: string[] } | { ok: false; field: string; reason: string }

/**
 * Reads a model's arguments: hosts pass them unchecked. Numbers that came as text, a list or a number where a text is wanted, and the
 * spellings of "no value" are understood; anything else that does not fit is refused with the field's name and one sentence.
 */
export function readArguments<T>(tool: string, schema: z.ZodObject & z.ZodType<T>, raw: unknown): ReadArguments<T> {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw))
    return { ok: false, field: "", reason: `${tool} takes an object with ${names(schema)}.` }
  const given = Object.entries(raw)
  const known = Object.fromEntries(
    given.flatMap(([name, value]) => {
      const field = schema.shape[name]
      const read = field && meant(field, value)
      return read === undefined ? [] : [[name, read]]
    }),
  )
  const parsed = schema.safeParse(known)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const field = String(issue?.path[0] ?? "")
    const missing = !(field in known)
    return {
      ok: false,
      field,
      reason: missing
        ? `${tool} needs \`${field}\`; it takes ${names(schema)}.`
        : `${tool}: \`${field}\` is ${JSON.stringify(known[field])}, but ${want(schema, field)} is wanted.`,
    }
  }
  return { ok: true, args: parsed.data, unused: given.map(([name]) => name).filter((name) => !(name in schema.shape)) }
}

function meant(field: z.core.$ZodType, value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  const type = z.toJSONSchema(field, { io: "input" }).type
  if (typeof value === "string") {
    const text = value.trim()
    if (NOTHING.has(text.toLowerCase())) return undefined
    return (type === "integer" || type === "number") && /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : value
  }
  if (type !== "string") return value
  if (typeof value === "number" || typeof value === "bigint") return String(value)
  if (Array.isArray(value) && value.every((each) => typeof each === "string" || typeof each === "number"))
    return value.length > 0 ? value.join("\n") : undefined
  return value
}

const names = ({ shape }: z.ZodObject) =>
  Object.entries(shape)
    .map(([name, field]) => (field instanceof z.ZodOptional ? `${name}?` : name))
    .join(", ")

function want({ shape }: z.ZodObject, field: string): string {
  const { type, minimum, maximum } = z.toJSONSchema(shape[field] ?? z.unknown(), { io: "input" })
  if (type === "integer" || type === "number") return `a number from ${minimum ?? "…"} to ${maximum ?? "…"}`
  return type === "string" ? "a text" : "another value"
}
