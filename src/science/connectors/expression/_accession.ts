/**
 * An accession of the European archive and its Atlases in the one spelling that they know: capitals and hyphens. GEO's GSEn is E-GEOD-n
 * there. What follows a slash is left as it is.
 */
export function accession(typed: string): string {
  const [, series] = /^GSE(\d+)$/i.exec(typed) ?? []
  if (series !== undefined) return `E-GEOD-${series}`
  return typed.replace(
    /^([AE])(?:[-_]([a-z]{4})[-_]?|([a-z]{4})[-_])(\d+)(?=\/|$)/i,
    (_, kind: string, one: string | undefined, other: string | undefined, number: string) =>
      `${kind}-${one ?? other}-${number}`.toUpperCase(),
  )
}
