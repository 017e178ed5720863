import path from "node:path"
import { Argument, Command, Option } from "commander"
import { EXIT, type Status } from "./exit.ts"
import { diff } from "./install/diff.ts"
import { editsOf, type Edits } from "./install/edit.ts"
import { removeEmpty, textOf, write } from "./install/file.ts"
import { HOSTS, REGISTRATIONS, SCOPES, type Host, type Scope } from "./install/hosts.ts"
import { originOf } from "./install/origin.ts"
import { optionsOf, print, projectOf } from "./run.ts"

interface Flags {
  scope: Scope
  dryRun?: boolean
  remove?: boolean
}

export const installCommand = (status: Status): Command =>
  new Command("install")
    .description("registers these tools with an agent, in its own configuration; shows the change")
    .addArgument(new Argument("<host>", "the agent").choices(HOSTS))
    .addOption(
      new Option("--scope <scope>", "for this person, or for everyone in the project").choices(SCOPES).default("user"),
    )
    .option("--dry-run", "only show what would be changed")
    .option("--remove", "take it back")
    .action(async (host: Host, flags: Flags, command: Command) => {
      const { directory, json } = optionsOf(command)
      const { output, ...metadata } = await install(host, flags, projectOf(directory))
      print({ title: `install ${host}`, output, metadata: { ...metadata, truncated: false } }, json)
      status.code = EXIT.fine
    })

async function install(host: Host, { scope, dryRun = false, remove = false }: Flags, directory: string) {
  const registration = REGISTRATIONS[host]
  const { title, next } = registration
  const origin = originOf(scope)
  const candidates = await Promise.all(
    registration.files({ scope, directory, env: process.env }).map(async (file) => {
      const before = await textOf(file)
      return { file, before, edits: editsOf(registration, origin, before, file) }
    }),
  )
  const chosen =
    candidates.find(({ edits }) => edits.present !== undefined) ??
    candidates.find(({ before }) => before !== undefined) ??
    candidates[0]
  if (!chosen) throw new Error(`${host} has no configuration file`)
  const { file, before, edits } = chosen
  if (remove !== (edits.present !== undefined))
    return { output: already(title, file, edits, remove), host, scope, file, change: "none", written: false }
  const after = remove ? edits.remove() : edits.add()
  if (!dryRun) {
    await write({ file, before, after, mode: scope === "user" ? 0o600 : 0o644 })
    const folder = path.dirname(file)
    if (after === undefined && scope === "project" && folder !== directory) await removeEmpty(folder)
  }
  const said = dryRun
    ? `Nothing was written: this is what ${title} would get.`
    : remove
      ? `Taken back: ${title} no longer has these tools.`
      : `${next[scope]} To take it back: install ${host}${scope === "user" ? "" : ` --scope ${scope}`} --remove`
  const output = `${diff(before ?? "", after ?? "", file)}\n\n${said}`
  return { output, host, scope, file, change: remove ? "remove" : "add", written: !dryRun }
}

function already(title: string, file: string, { present }: Edits, remove: boolean): string {
  return remove
    ? `${title} does not have these tools: there is nothing of ours in ${file}.`
    : `${title} has these tools already, in ${file}: ${JSON.stringify(present)}. It was left as it is; to renew it, take it back with --remove first.`
}
