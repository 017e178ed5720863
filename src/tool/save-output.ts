import { planSave, save, type Named, type Saving, type SpillPlace } from "../science/save.ts"
import type { Spilled } from "../science/spill/index.ts"
import { askToWrite } from "./ask.ts"
import type { ToolContext } from "./context.ts"

export interface Output extends Pick<Saving, "kind" | "body"> {
  named: Named
  /** For the person who is asked, where it is not one id of that name. */
  ids?: string[]
  url: string
  mediaType: string
  license: string
  cite: string
}

/** Keeps what a tool cannot show: the path, then permission, then the file and its line in the manifest. Throws the Failure `denied` where a rule forbids it. */
export async function saveOutput(place: SpillPlace, context: ToolContext, output: Output): Promise<Spilled> {
  const { named, ids = [named.id], kind, body, ...about } = output
  const { db, id, extension } = named
  const path = await planSave(place, named)
  await askToWrite(context)({ paths: [path], db, ids, format: extension, url: about.url })
  return await save(place, { path, kind, body, signal: context.signal, entry: { db, id, ...about } })
}

export const savedTo = ({ path, sha256, unchanged }: Spilled): string =>
  `saved to ${path} · sha256 ${sha256.slice(0, 12)}${unchanged ? " · already there, unchanged" : ""}`
