import { pick, z, type Hit, type Json } from "../../connector.ts"

export interface List {
  read: (answer: Json) => Hit[]
  hit: (record: Json) => Hit
  /** True where the resource has a full-text search. */
  text?: true
}

export const text = z.lazy(() => z.string().nullish())
export const number = z.lazy(() => z.union([z.number(), z.string()]).nullish())

export const facts = (...all: (string | number | undefined | null | false)[]) =>
  all.filter((fact) => fact !== undefined && fact !== null && fact !== false && fact !== "").join(" · ")

/** How the rows of one resource stand in its answer, and what is shown of each. */
export function list<T>(key: string, row: z.ZodType<T>, show: (row: T) => Hit, searched?: "text"): List {
  const schema = z.object({ [key]: z.array(row) })
  const read = (answer: Json) => (pick(schema, answer)[key] ?? []).map(show)
  const hit = (record: Json) => show(pick(row, record))
  return { read, hit, ...(searched ? { text: true } : {}) }
}

/** Text in some lists, a number in others. */
export function phase(max: string | number | null | undefined): string | undefined {
  if (max === null || max === undefined) return undefined
  const phases = new Map([
    [4, "approved"],
    [0.5, "early phase 1"],
    [-1, "phase unknown"],
  ])
  return phases.get(Number(max)) ?? `phase ${Number(max)}`
}
