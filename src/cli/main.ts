import { Command, CommanderError } from "commander"
import { ConfigError } from "../config.ts"
import { PermissionRejected } from "../permission/index.ts"
import { Failure } from "../science/failure.ts"
import { version } from "../version.ts"
import { askCommand } from "./ask.ts"
import { callCommand } from "./call.ts"
import { demoCommand } from "./demo.ts"
import { doctorCommand } from "./doctor.ts"
import { EXIT, Interrupted } from "./exit.ts"
import { fetchCommand } from "./fetch.ts"
import { installCommand } from "./install.ts"
import { listCommand } from "./list.ts"
import { mcpCommand } from "./mcp.ts"
import { searchCommand } from "./search.ts"
import { toolsCommand } from "./tools.ts"

/** Runs the command line; resolves to the exit status. */
export async function main(argv: string[]): Promise<number> {
  const program = new Command("opencode-science")
    .description("The world's scientific databases: search them, fetch records and files.")
    .version(version)
    .option("--directory <dir>", "the project: files land below it, its configuration is read", process.cwd())
    .option("--json", "print {title, output, metadata} for programs")
    .addHelpText("after", `\n${EXIT_HELP}`)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("(--help shows how it is used)")
  const status = { code: EXIT.fine }
  const commands = [
    listCommand,
    searchCommand,
    fetchCommand,
    toolsCommand,
    callCommand,
    askCommand,
    mcpCommand,
    doctorCommand,
    installCommand,
    demoCommand,
  ]
  for (const command of commands) program.addCommand(command(status).exitOverride().copyInheritedSettings(program))
  try {
    await program.parseAsync(argv, { from: "user" })
    return status.code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage
    if (error instanceof Interrupted) {
      process.stderr.write("Interrupted: nothing was left half-written.\n")
      return EXIT.interrupted
    }
    if (error instanceof PermissionRejected) {
      process.stderr.write(`${error.message}\n`)
      return EXIT.failure
    }
    if (error instanceof ConfigError || error instanceof Failure) {
      process.stderr.write(`${error.message}\n`)
      return EXIT.usage
    }
    throw error
  }
}

const EXIT_HELP = "Exit status: 0 fine, 1 failure, 2 wrong usage, 3 no such record or no hits, 130 interrupted."
