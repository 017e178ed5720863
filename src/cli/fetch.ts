import { Command } from "commander"
import type { Status } from "./exit.ts"
import { runTool } from "./run.ts"

export const fetchCommand = (status: Status): Command =>
  new Command("fetch")
    .description("records, or files in a format")
    .argument("<db>", "a database")
    .argument("<id...>", "one id or several")
    .option("--format <format>", "a file instead of the record, e.g. fasta; saved below the project")
    .option("--select <expression>", "only the part of the record that this JMESPath expression names")
    .action(
      async (db: string, ids: string[], { format, select }: { format?: string; select?: string }, command: Command) => {
        await runTool(command, status, "science_fetch", { db, id: ids.join("\n"), format, select })
      },
    )
