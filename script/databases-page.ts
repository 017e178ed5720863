/**
 * Writes docs/databases.md from the registry. `--check` writes nothing and exits 1 when the page is not what the registry says.
 */
import { readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import prettier from "prettier"
import { connectors } from "../src/science/connectors/index.ts"
import type { Connector } from "../src/science/connector.ts"

const target = path.resolve(import.meta.dirname, "../docs/databases.md")

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ")

function row({ id, name, homepage, description, ids, files, key, license, cite }: Connector): string {
  const needs = key ? `\`${key.env}\`${key.required ? " (required)" : ""}: ${key.signup}` : "–"
  const formats = Object.keys(files).map((format) => `\`${format}\``)
  const examples = ids.examples.map((example) => `\`${example}\``)
  return `| \`${id}\` | [${cell(name)}](${homepage}): ${cell(description)} | ${cell(examples.join(", "))} | ${formats.join(" ") || "–"} | ${needs} | ${cell(license)} | ${cell(cite)} |`
}

const domains = [...new Set(connectors.map(({ domain }) => domain))]
const pairs = connectors.reduce((sum, { files }) => sum + Object.keys(files).length, 0)
const text = `# Databases

Written by \`script/databases-page.ts\` from the registry: ${connectors.length} databases, ${pairs} database-format pairs. Records (JSON) come from all of them.

${domains
  .map((domain) =>
    [
      `## ${domain}\n`,
      "| id | database | ids | formats | key | licence | cite |",
      "| --- | --- | --- | --- | --- | --- | --- |",
      ...connectors.filter((each) => each.domain === domain).map(row),
    ].join("\n"),
  )
  .join("\n\n")}
`
const options = await prettier.resolveConfig(target)
const page = await prettier.format(text, { ...options, parser: "markdown" })

if (process.argv.includes("--check")) {
  if ((await readFile(target, "utf8").catch(() => "")) !== page) {
    console.error("docs/databases.md is not what the registry says; run: bun script/databases-page.ts")
    process.exitCode = 1
  }
} else await writeFile(target, page)
