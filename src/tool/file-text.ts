import { clip, oneLine } from "../science/clean.ts"
import type { Connector } from "../science/connector.ts"
import type { FileSaved } from "../science/files.ts"
import { count, size } from "./say.ts"

const HEAD_LINES = 4
const HEAD_CHARACTERS = 120

/** What a saved file is: path, size, kind, how many entries, where it came from, its first lines. */
export function fileText({ ids, format, saved, mediaType, url }: FileSaved, { name }: Connector): string {
  const { path, bytes, sha256, entries, head, unchanged } = saved
  const facts = [
    `${name} ${ids.map(oneLine).join(", ")} as ${format}`,
    path,
    size(bytes),
    mediaType,
    ...(entries ? [`${count(entries.count)} ${entries.word}`] : []),
    `sha256 ${sha256.slice(0, 12)}`,
    ...(unchanged ? ["already there, unchanged"] : []),
  ]
  const first = (head ?? "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, HEAD_LINES)
  const begins = first.map((line) => `  ${clip(oneLine(line), HEAD_CHARACTERS)}`)
  return [facts.join(" · "), `from ${url}`, ...(begins.length > 0 ? ["begins:", ...begins] : [])].join("\n")
}
