import { ProtocolError, ProtocolErrorCode, type GetPromptResult, type Prompt } from "@modelcontextprotocol/server"

interface Template {
  title: string
  description: string
  arguments: { name: string; description: string; required: boolean }[]
  text(given: Record<string, string>): string
}

/** What people start with: a question to be answered from the databases, and files to be brought into the project. */
const TEMPLATES: Record<string, Template> = {
  look_up: {
    title: "Look something up",
    description: "Answer a question from the scientific databases, with ids and links",
    arguments: [{ name: "question", description: "e.g. which residues of human p53 bind DNA", required: true }],
    text: ({ question }) =>
      `${question}\n\nAnswer from the scientific databases: science_list_dbs for which one knows, science_search for ids, science_fetch ` +
      `with select for the part that answers. Name the database and the id of every fact, with its link. Say what no database had, and ` +
      `say apart from that which database could not be asked.`,
  },
  get_files: {
    title: "Get files",
    description: "Bring files from a scientific database into the project",
    arguments: [
      { name: "what", description: "ids or names, e.g. the structures 1A8O and 4HHB", required: true },
      { name: "format", description: "e.g. fasta, cif, sdf; the database's usual one when left out", required: false },
    ],
    text: ({ what, format }) =>
      `Get ${what}${format ? ` as ${format}` : ""} into this project with science_fetch and a format (science_list_dbs names the formats; ` +
      `science_search finds ids). Then list each file's path, what it is and where it came from, and how its database wants to be cited: ` +
      `.openscience/fetch/manifest.jsonl has a line for each.`,
  },
}

export const listPrompts = (): Prompt[] =>
  Object.entries(TEMPLATES).map(([name, { title, description, arguments: args }]) => ({
    name,
    title,
    description,
    arguments: args,
  }))

export function getPrompt(name: string, given: Record<string, string> = {}): GetPromptResult {
  const template = TEMPLATES[name]
  if (!template)
    throw wrong(`There is no prompt ${JSON.stringify(name)}; there are ${Object.keys(TEMPLATES).join(", ")}.`)
  const missing = template.arguments.find((each) => each.required && !given[each.name]?.trim())
  if (missing) throw wrong(`The prompt ${name} needs ${missing.name}: ${missing.description}.`)
  const { description } = template
  return { description, messages: [{ role: "user", content: { type: "text", text: template.text(given) } }] }
}

const wrong = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message)
