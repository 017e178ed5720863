import { z } from "zod"
import { Failure } from "../science/failure.ts"
import { splitIds } from "../science/ids.ts"
import type { Science } from "../science/science.ts"
import { askForTool } from "./ask.ts"
import { fetchFiles } from "./fetch-files.ts"
import { fetchRecords } from "./fetch-records.ts"
import { fetchParts } from "./fetch-parts.ts"
import prompt from "./science-fetch.txt" with { type: "text" }
import { Tool } from "./tool.ts"

export const scienceFetch = (science: Science): Tool =>
  Tool.define({
    id: "science_fetch",
    description: prompt,
    readOnly: false,
    parameters: z.object({
      db: z.string(),
      id: z.string().describe("one, or several on separate lines"),
      format: z.string().optional(),
      select: z.string().optional().describe("JMESPath"),
    }),
    async execute({ db, id, format, select }, context) {
      const connector = science.registry.get(db)
      const ids = splitIds(connector, id)
      if (format !== undefined && select !== undefined)
        throw new Failure("invalid_select", "select works on records, not on files; leave out format or select.")
      await askForTool(context, "science_fetch", connector.id, ids)
      const call = { science, connector, ids, context }
      if (format !== undefined) return await fetchFiles(call, format)
      return select === undefined ? await fetchRecords(call) : await fetchParts(call, select)
    },
  })
