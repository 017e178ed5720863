import { Command } from "commander"
import type { Status } from "./exit.ts"
import { runTool } from "./run.ts"

export const listCommand = (status: Status): Command =>
  new Command("list")
    .description("the databases: what they hold, what their ids look like, which formats they serve")
    .option("--domain <domain>", "only this domain, e.g. structures")
    .option("--find <text>", "only what mentions this")
    .action(async ({ domain, find }: { domain?: string; find?: string }, command: Command) => {
      await runTool(command, status, "science_list_dbs", { domain, find })
    })
