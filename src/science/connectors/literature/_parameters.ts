/**
 * A query of words, or with parameters of the service itself behind or instead of them: `CRISPR&filter=type:article,is_oa:true&sort=…`.
 * Only the named ones are taken for parameters; whatever else has `=` or `&` in it is words.
 */
export function parametersOf(query: string, words: string, names: RegExp): Record<string, string> {
  const [before = "", ...rest] = query.split(new RegExp(`(?:^|&)(${names.source})=`))
  const pairs = rest.flatMap((name, i) => (i % 2 === 0 ? [[name, (rest[i + 1] ?? "").trim()] as const] : []))
  return { ...(before.trim() === "" ? {} : { [words]: before.trim() }), ...Object.fromEntries(pairs) }
}
