import { findNodeAtLocation, getNodeValue } from "jsonc-parser"
import { ConfigError } from "../../config.ts"
import type { Registration } from "./hosts.ts"
import * as jsonc from "./jsonc.ts"
import type { Origin } from "./origin.ts"
import * as toml from "./toml.ts"

export interface Edits {
  /** The entry of ours that is there; undefined where there is none. */
  present: unknown
  add(): string
  /** Undefined when nothing is left of the file. */
  remove(): string | undefined
}

/** Some editors begin a file with it, no parser wants it. */
const BYTE_ORDER_MARK = "\uFEFF"

/** What can be done to one file of a host. `text` is undefined where there is none. */
export function editsOf(registration: Registration, origin: Origin, text: string | undefined, file: string): Edits {
  if (text?.startsWith(BYTE_ORDER_MARK)) {
    const edits = editsOf(registration, origin, text.slice(1), file)
    return { ...edits, add: () => BYTE_ORDER_MARK + edits.add(), remove: () => marked(edits.remove()) }
  }
  const { syntax, path } = registration
  const entry = registration.entry(origin)
  if (syntax !== "toml") return jsonEdits(registration, syntax, origin, text, file)
  if (typeof entry === "string") throw new Error("a TOML entry is a table")
  return {
    present: text === undefined ? undefined : toml.entryOf(toml.read(text, file), path),
    add: () => toml.add(text, path, entry, file),
    remove: () => toml.remove(text ?? "", path, file),
  }
}

const marked = (text: string | undefined) => (text === undefined ? undefined : BYTE_ORDER_MARK + text)

function jsonEdits(
  { path, isOurs, entry }: Registration,
  syntax: jsonc.Dialect,
  origin: Origin,
  text: string | undefined,
  file: string,
): Edits {
  if (text === undefined)
    return { present: undefined, add: () => jsonc.fresh(path, entry(origin), !!isOurs), remove: () => undefined }
  const root = jsonc.parse(text, syntax, file)
  const parents = isOurs ? path : path.slice(0, -1)
  const parent = findNodeAtLocation(root, parents)
  const wanted = isOurs ? "array" : "object"
  if (parent && parent.type !== wanted)
    throw new ConfigError(
      `${file}: ${parents.join(".")} is no ${isOurs ? "list" : "object"}, so nothing was written; mend it first.`,
    )
  const node = isOurs
    ? parent?.children?.find((item) => isOurs(getNodeValue(item), origin))
    : findNodeAtLocation(root, path)
  return {
    present: node && getNodeValue(node),
    add: () => jsonc.add(text, root, path, entry(origin), !!isOurs),
    remove: () => (node ? jsonc.remove(text, node) : text),
  }
}
