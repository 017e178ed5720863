import { Command } from "commander"
import type { Status } from "./exit.ts"
import { runTool } from "./run.ts"

interface SearchFlags {
  limit?: string
  cursor?: string
  organism?: string
}

export const searchCommand = (status: Status): Command =>
  new Command("search")
    .description("hits, a line each, with the total and the cursor of the next page")
    .argument("<db>", "a database, several with commas between, or a domain")
    .argument("<query...>", "plain words, or the database's own query syntax")
    .option("--limit <n>", "how many hits, 1 to 100")
    .option("--cursor <cursor>", "the `next` of an earlier page")
    .option("--organism <taxon>", "a taxon id or a name, where the database can filter by it")
    .action(async (db: string, query: string[], { limit, cursor, organism }: SearchFlags, command: Command) => {
      await runTool(command, status, "science_search", { db, query: query.join(" "), limit, cursor, organism })
    })
