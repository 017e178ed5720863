import { createHash } from "node:crypto"
import { posix } from "node:path"

/** Where files go, below the project directory, unless the configuration says otherwise. */
export const DEFAULT_FOLDER = ".openscience/fetch"

/** A whole file name, its extension included. Windows counts 260 for a path, and some encrypted file systems 143 for a name. */
const MAX_NAME_CHARS = 120

/** Room in a name for what comes after it: `.v999`. */
const VERSION_CHARS = 5
const HASH_CHARS = 8

/** Windows opens a device for these whatever follows the first dot, and counts superscript digits as digits. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])$/i

/**
 * What follows the last dot of an id such as `P04637.v2` or `P05067.pae`: it would look like a version or a variant of another id.
 * Versions of accessions (`NM_000546.6`, `2501.10120v1`) do not: they begin with a number.
 */
const VARIANT = /^(?:[a-z]|\d[a-z])[a-z0-9-]*$/
const VERSION = /^v\d+$/

export interface SpillName {
  db: string
  id: string
  /** Without the dot. */
  extension: string
  /** Tells apart the files of one id that share an extension: `pae` makes `P05067.pae.json`, beside the record `P05067.json`. */
  variant?: string | undefined
  /** Relative to the project directory. */
  folder?: string | undefined
}

/** Where the file of one id goes, relative to the project directory, with `/` on every system. */
export function spillPath({ db, id, extension, variant, folder = DEFAULT_FOLDER }: SpillName): string {
  const ending = `${variant === undefined ? "" : `.${variantWord(variant)}`}.${extension}`
  const name = safeName(id, MAX_NAME_CHARS - VERSION_CHARS - ending.length) + ending
  return inFolder(folder, safeName(db), name)
}

/** A path below the folder for files, however the configuration spells that. */
export function inFolder(folder: string, ...names: string[]): string {
  return posix.join(folder.replaceAll("\\", "/"), ...names)
}

function variantWord(variant: string): string {
  const word = variant.toLowerCase().replace(/[^a-z0-9-]/g, "-")
  return VARIANT.test(word) && !VERSION.test(word) ? word : `as-${word}`
}

/**
 * A name that every file system takes, for an id that may hold anything. An id whose name had to be changed gets a short hash of its own,
 * so that `a/b` and `a_b` keep two files. So does an id that mixes letter cases, because macOS and Windows ignore case: `Trp53` is not
 * `TRP53`. Ids in one case (`P04637`, `6lu7`) stay as they are, being most of all ids; where one database has two that differ only in
 * case (the SMILES `c1ccccc1` and `C1CCCCC1`), `target` finds the name taken and gives the second file a name of its own.
 */
export function safeName(id: string, maxChars = MAX_NAME_CHARS): string {
  const name = onEverySystem(id)
  const plain = name === id && name.length <= maxChars && !mixesCase(id) && !VARIANT.test(afterLastDot(id))
  if (plain) return name
  const hash = createHash("sha256").update(id).digest("hex").slice(0, HASH_CHARS)
  return `${name.slice(0, maxChars - HASH_CHARS - 1)}-${hash}`
}

function onEverySystem(id: string): string {
  const name = id.replace(/[^A-Za-z0-9._-]/gu, "_").replace(/^\.+|\.+$/g, (dots) => "_".repeat(dots.length))
  const device = DEVICE.test(id.split(".", 1)[0]?.trim() ?? "") || DEVICE.test(name.split(".", 1)[0] ?? "")
  return name === "" || device ? `_${name}` : name
}

function mixesCase(id: string): boolean {
  return /[a-z]/.test(id) && /[A-Z]/.test(id)
}

function afterLastDot(id: string): string {
  return id.includes(".") ? id.slice(id.lastIndexOf(".") + 1) : ""
}
