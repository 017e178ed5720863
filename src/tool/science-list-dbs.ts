import { z } from "zod"
import type { Science } from "../science/science.ts"
import { catalogue } from "./catalogue.ts"
import prompt from "./science-list-dbs.txt" with { type: "text" }
import { Tool } from "./tool.ts"

export const scienceListDbs = (science: Science): Tool =>
  Tool.define({
    id: "science_list_dbs",
    description: prompt,
    readOnly: true,
    parameters: z.object({
      domain: z
        .string()
        .optional()
        .describe(`one of ${science.registry.domains().join(", ")}`),
      find: z.string().optional().describe("words, e.g. protein or fasta"),
    }),
    async execute({ domain, find }) {
      const found = science.registry.databases({ domain: domain?.trim().toLowerCase(), find })
      const none = `No database fits; the domains are ${science.registry.domains().join(", ")}.`
      return {
        title: `${found.length} databases`,
        output: found.length > 0 ? catalogue(found) : none,
        metadata: { count: found.length, requests: 0, truncated: false },
      }
    },
  })
