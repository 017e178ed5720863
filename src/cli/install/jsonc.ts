import {
  createScanner,
  findNodeAtLocation,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from "jsonc-parser"
import { ConfigError } from "../../config.ts"
import { layoutOf, type Layout } from "./layout.ts"

/** JSON as a host reads it: some take comments and commas at the end, some are strict. */
export interface Dialect {
  comments: boolean
  trailingComma: boolean
}

/**
 * Edits that leave every other character alone, and that take each other back: `remove` finds out from the layout what `add` had to make.
 * What `add` makes for an entry (a list, an object) has blanks inside its brackets; what it puts into one that was there empty has none.
 */
export function parse(text: string, { comments, trailingComma }: Dialect, file: string): Node {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { disallowComments: !comments, allowTrailingComma: trailingComma })
  const [error] = errors
  if (error || !root) {
    const before = text.slice(0, error?.offset ?? 0).split("\n")
    const what = error ? words(printParseErrorCode(error.error)) : "value expected"
    throw new ConfigError(
      `${file} is not valid (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${what}), so nothing was written; mend it first.`,
    )
  }
  if (root.type !== "object") throw new ConfigError(`${file} holds no object, so nothing was written; mend it first.`)
  return root
}

/** `CommaExpected` → `comma expected`. */
const words = (code: string) => code.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()

/** A new file with just this in it. */
export const fresh = (path: string[], value: unknown, item: boolean): string =>
  `${JSON.stringify(nested(path, item ? [value] : value), null, 2)}\n`

const nested = (path: string[], value: unknown): unknown => path.reduceRight((inner, key) => ({ [key]: inner }), value)

/** Puts `value` under the last key of `path`, or with `item` into the list at `path`; makes what is missing on the way. */
export function add(text: string, root: Node, path: string[], value: unknown, item: boolean): string {
  const parents = item ? path : path.slice(0, -1)
  let depth = parents.length
  let container = findNodeAtLocation(root, parents)
  while (!container && depth > 0) container = findNodeAtLocation(root, parents.slice(0, --depth))
  if (!container) throw new Error("a parsed file has a root")
  const made = nested(path.slice(depth + 1), item && depth < path.length ? [value] : value)
  return insert(text, container, path[depth], made)
}

function insert(text: string, container: Node, key: string | undefined, value: unknown): string {
  const layout = layoutOf(text)
  const child = (spread: Layout | undefined, indent: string) =>
    `${key === undefined ? "" : `${JSON.stringify(key)}: `}${print(value, spread, indent)}`
  const last = container.children?.at(-1)
  if (!last) return splice(text, container.offset + 1, 0, child(undefined, ""))
  const end = last.offset + last.length
  const [indent] = /(?<=\n)[ \t]*$/.exec(text.slice(0, last.offset)) ?? []
  const comma = commaAfter(text, end)
  const entry = indent === undefined ? ` ${child(undefined, "")}` : `${layout.eol}${indent}${child(layout, indent)}`
  const at = indent === undefined ? (comma ?? end - 1) + 1 : endOfLine(text, (comma ?? end - 1) + 1)
  const inserted = splice(text, at, 0, comma === undefined ? entry : `${entry},`)
  return comma === undefined ? splice(inserted, end, 0, ",") : inserted
}

/** Takes the node out, with all around it that was made for it. Undefined when nothing is left of the file. */
export function remove(text: string, node: Node): string | undefined {
  const child = node.parent?.type === "property" ? node.parent : node
  const container = child.parent
  if (!container) return undefined
  const siblings = container.children ?? []
  const index = siblings.indexOf(child)
  const end = child.offset + child.length
  const start = startOfEntry(text, child.offset)
  if (siblings.length === 1) {
    const before = text.slice(container.offset + 1, child.offset)
    const around = before + text.slice(end, container.offset + container.length - 1)
    if (before !== "" && around.trim() === "") return remove(text, container)
    return splice(text, start, end - start, "")
  }
  const comma = commaAfter(text, end)
  if (comma !== undefined) return splice(text, start, comma + 1 - start, "")
  const previous = siblings[index - 1]
  const without = splice(text, start, end - start, "")
  const separator = previous && commaAfter(text, previous.offset + previous.length)
  return separator === undefined ? without : splice(without, separator, 1, "")
}

const splice = (text: string, at: number, removed: number, added: string) =>
  text.slice(0, at) + added + text.slice(at + removed)

/** The blanks before an entry, and the one line break before those. */
function startOfEntry(text: string, offset: number): number {
  const [blanks = ""] = /(?:\r?\n)?[ \t]*$/.exec(text.slice(0, offset)) ?? []
  return offset - blanks.length
}

/** Where the comma after a value is, comments between them passed over. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(offset)
  scanner.scan()
  const next = scanner.getTokenOffset()
  return text[next] === "," ? next : undefined
}

/** After the comments that stand on the same line and belong to what is before them. */
function endOfLine(text: string, offset: number): number {
  const [rest = ""] = /^[ \t]*(?:\/\*[^\n]*?\*\/[ \t]*)*(?:\/\/[^\r\n]*)?(?=\r?\n)/.exec(text.slice(offset)) ?? []
  return rest.trim() === "" ? offset : offset + rest.length
}

function print(value: unknown, spread: Layout | undefined, indent: string): string {
  if (!spread) return JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, " ")
  return JSON.stringify(value, null, spread.indent).replaceAll("\n", `${spread.eol}${indent}`)
}
