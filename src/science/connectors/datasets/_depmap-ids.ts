export const RELEASE = /^\d\dQ[1-4]$/
export const MODEL = /^ACH-\d{6}$/

/** A quarterly release, a file of it, a file of another data set by its full name; a cell line's id only to say where it is. */
export const ID =
  /^(?:\d\dQ[1-4]|ACH-\d{6}|(?:\d\dQ[1-4]|[A-Za-z][^/\\<>:\p{Cc}]{2,119})\/[^/\\<>:\p{Cc}]+\.(?=\w*[A-Za-z])\w{1,6})$/u

/** The releases' articles there: DOI, licence, sizes. Its search leaves some of them out. */
export const FIGSHARE: Record<string, number> = {
  "24Q4": 27993248,
  "24Q2": 25880521,
  "23Q4": 24667905,
  "23Q2": 22765112,
  "22Q4": 21637199,
  "22Q2": 19700056,
  "20Q3": 12931238,
}

/** `DepMap Public 24Q4`, `DepMap 24Q4 Public`, `24q4 Model.csv`, and what figshare calls a release. */
export function normalize(typed: string): string {
  if (/^ach-\d{6}$/i.test(typed)) return typed.toUpperCase()
  const [, article] = /^(?:10\.25452\/figshare\.plus\.)?(\d{8})(?:\.v\d+)?$/.exec(typed) ?? []
  const known = Object.keys(FIGSHARE).find((release) => String(FIGSHARE[release]) === article)
  if (known !== undefined) return known
  return typed.replace(
    /^(?:depmap(?: public)?\s+)?(\d\dQ[1-4])(?: public)?(?:(?:\s+|\/)([^/\s]+\.\w+))?$/i,
    (_, release: string, filename?: string) =>
      filename === undefined ? release.toUpperCase() : `${release.toUpperCase()}/${filename}`,
  )
}

export function partsOf(id: string): [release: string, filename?: string] {
  const at = id.lastIndexOf("/")
  return at === -1 ? [id] : [id.slice(0, at), id.slice(at + 1)]
}
