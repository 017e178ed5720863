import { plainText, z, type Hit } from "../../connector.ts"

/** What is shown of an entry, and what it is ranked by. */
export interface Row {
  hit: Hit
  names: string[]
  approved: boolean
}

/** The very name first, then what is approved; names hold markup (`D<sub>2</sub> receptor`). */
export function rank({ names, approved }: Row, words: string): number {
  if (names.includes(plainText(words).toLowerCase())) return 0
  return approved ? 1 : 2
}

const text = z.lazy(() => z.string().nullish())
const named = (...names: (string | null | undefined)[]) =>
  names.flatMap((name) => (name ? [plainText(name).toLowerCase()] : []))
const facts = (...all: (string | null | undefined | false)[]) => all.filter(Boolean).join(" · ")

export const Ligand = z.lazy(() =>
  z.object({
    ligandId: z.number(),
    name: z.string(),
    abbreviation: text,
    type: text,
    inn: text,
    approved: z.boolean().nullish(),
    approvalSource: text,
    withdrawn: z.boolean().nullish(),
  }),
)

export function ligandRow({
  ligandId,
  name,
  abbreviation,
  type,
  inn,
  approved,
  approvalSource,
  withdrawn,
}: z.infer<typeof Ligand>): Row {
  const approval = approved && `approved${approvalSource ? `: ${approvalSource}` : ""}`
  const summary = facts("ligand", type, approval, inn && `INN ${inn}`)
  const hit = { id: String(ligandId), title: name, summary, marks: withdrawn ? ["withdrawn"] : [] }
  return { hit, names: named(name, inn, abbreviation), approved: approved === true }
}

// What has no value is null in one answer and "" in another.
export const Target = z.lazy(() =>
  z.object({
    targetId: z.number(),
    name: z.string(),
    abbreviation: text,
    systematicName: text,
    type: text,
    familyNames: z.array(z.string()).nullish(),
  }),
)

export function targetRow({
  targetId,
  name,
  abbreviation,
  systematicName,
  type,
  familyNames,
}: z.infer<typeof Target>): Row {
  const summary = facts("target", type, abbreviation, systematicName, familyNames?.join(", "))
  return {
    hit: { id: `target:${targetId}`, title: name, summary },
    names: named(name, abbreviation, systematicName),
    approved: false,
  }
}

export const Family = z.lazy(() =>
  z.object({ familyId: z.number(), name: z.string(), targetIds: z.array(z.number()).nullish() }),
)

export function familyRow({ familyId, name, targetIds }: z.infer<typeof Family>): Row {
  const summary = facts("family", `${targetIds?.length ?? 0} targets`)
  return { hit: { id: `family:${familyId}`, title: name, summary }, names: named(name), approved: false }
}
