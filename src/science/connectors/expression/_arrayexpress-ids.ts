/** An experiment or an array design, or one file of it: E-MTAB-1234/E-MTAB-1234.sdrf.txt. */
export const ID = /^[AE]-[A-Z]{4}-\d+(?:(?!.*\/\.\.?(?:\/|$))\/[^\s\\<>%"\p{C}][^\\<>%"\p{C}]*)?$/u

/** The service tells letter case apart; E-GEOD-n is its copy of GEO's GSEn. */
export function normalize(typed: string): string {
  const bare = typed
    .replace(
      /^https?:\/\/www\.ebi\.ac\.uk\/(?:biostudies\/(?:\w+\/)?(?:studies|files)|arrayexpress\/experiments)\//i,
      "",
    )
    .replace(/\/(?:\?.*)?$/, "")
  const [, series] = /^GSE(\d+)$/i.exec(bare) ?? []
  if (series !== undefined) return `E-GEOD-${series}`
  return bare.replace(
    /^([AE])(?:[-_]([a-z]{4})[-_]?|([a-z]{4})[-_])(\d+)(?=\/|$)/i,
    (_, kind: string, one: string | undefined, other: string | undefined, number: string) =>
      `${kind}-${one ?? other}-${number}`.toUpperCase(),
  )
}
