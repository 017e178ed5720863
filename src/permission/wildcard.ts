/**
 * Whether `text` fits `pattern`: `*` stands for any characters, none and `/` included, `?` for exactly one, all else for itself.
 * The same answers as opencode's matcher gives, so that a rule means the same in every host:
 * a backslash counts as `/`, and a pattern that ends in a blank and `*` also fits without them (`git *` fits `git`).
 */
export function matches(pattern: string, text: string): boolean {
  const wanted = slashes(pattern)
  const source = wanted.endsWith(" *") ? `${toSource(wanted.slice(0, -2))}( .*)?` : toSource(wanted)
  return new RegExp(`^${source}$`, "s").test(slashes(text))
}

/** Paths are written with `/` in rules, whatever system made them. */
function slashes(text: string): string {
  return text.replaceAll("\\", "/")
}

/** `**` says no more than `*`; as one `.*` it spares the regular expression needless backtracking. */
function toSource(pattern: string): string {
  return pattern
    .replace(/[.+^${}()|[\]]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replaceAll("?", ".")
}
