import { parse, stringify, type TomlTable } from "smol-toml"
import { isDeepStrictEqual } from "node:util"
import { ConfigError } from "../../config.ts"
import { layoutOf } from "./layout.ts"

/**
 * Edits of Codex' file as text, because printing what was parsed would lose its comments and order. What an edit came to is parsed and
 * compared with what it should have come to: where the text is written in a way that these edits do not know, nothing is written.
 */
export function read(text: string, file: string): TomlTable {
  try {
    return parse(text)
  } catch (error) {
    const [reason] = error instanceof Error ? error.message.split("\n") : [""]
    throw new ConfigError(`${file} is not valid (${reason}), so nothing was written; mend it first.`)
  }
}

export function entryOf(config: TomlTable, [table = "", name = ""]: string[]): unknown {
  const servers = config[table]
  return isTable(servers) ? servers[name] : undefined
}

/** Adds a table at the end. `before` is undefined where there is no file. */
export function add(before: string | undefined, path: string[], entry: TomlTable, file: string): string {
  const text = before ?? ""
  const { eol } = layoutOf(text)
  const block = `[${path.map(quote).join(".")}]\n${stringify(entry).trimEnd()}`.replaceAll("\n", eol)
  // How the block begins and ends tells `remove` how the file ended before.
  const added =
    before === undefined
      ? block + eol
      : text === "" || text.endsWith("\n")
        ? text + eol + block + eol
        : text + eol + eol + block
  return checked(added, file, withEntry(read(text, file), path, entry))
}

/** Takes the table out. Undefined when nothing is left of the file. */
export function remove(text: string, path: string[], file: string): string | undefined {
  const wanted = withEntry(read(text, file), path, undefined)
  const lines = text.split(/(?<=\n)/)
  const header = (line: string) => /^[ \t]*\[/.test(line)
  // A line that begins with a bracket can also be part of a value: the first cut that leaves just the rest is the right one.
  for (const [first, line] of lines.entries()) {
    if (!header(line)) continue
    for (let end = first + 1; end <= lines.length; end++) {
      if (end < lines.length && !header(lines[end] ?? "")) continue
      const kept = cut(lines, first, end)
      if (fits(kept ?? "", wanted)) return kept
    }
  }
  throw byHand(file)
}

function cut(lines: string[], first: number, end: number): string | undefined {
  let last = end
  // Comments and blank lines after the last key are about what comes next.
  while (last > first && /^\s*(#.*)?\s*$/.test(lines[last - 1] ?? "")) last--
  const blank = first > 0 && /^\r?\n$/.test(lines[first - 1] ?? "")
  if (first === 0 && last === lines.length) return undefined
  const before = lines.slice(0, blank ? first - 1 : first).join("")
  const after = lines.slice(last).join("")
  return blank && last === lines.length && !lines.at(-1)?.endsWith("\n") ? before.replace(/\r?\n$/, "") : before + after
}

function withEntry(config: TomlTable, [table = "", name = ""]: string[], entry: TomlTable | undefined): TomlTable {
  const servers = config[table]
  const { [name]: _, ...others } = isTable(servers) ? servers : {}
  const changed = entry ? { ...others, [name]: entry } : others
  const { [table]: __, ...rest } = config
  return Object.keys(changed).length > 0 ? { ...rest, [table]: changed } : rest
}

function checked(text: string, file: string, wanted: TomlTable): string {
  if (!fits(text, wanted)) throw byHand(file)
  return text
}

function fits(text: string, wanted: TomlTable): boolean {
  try {
    return isDeepStrictEqual(plain(parse(text)), plain(wanted))
  } catch {
    return false
  }
}

/** As JSON has it: the parser's tables have no prototype, and an empty table is as good as none. */
const plain = (table: TomlTable): unknown => JSON.parse(JSON.stringify(table))

const byHand = (file: string) =>
  new ConfigError(`${file} is written in a way that cannot be edited safely, so nothing was written; edit it by hand.`)

const quote = (key: string) => (/^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key))

const isTable = (value: unknown): value is TomlTable =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
