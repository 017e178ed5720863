/**
 * Writes src/science/connectors/index.ts from the folders beside it: one import a connector, in the order of domains and ids.
 * `--check` writes nothing and exits 1 when the file is not what the folders say.
 */
import { readFile, readdir, writeFile } from "node:fs/promises"
import path from "node:path"
import { DOMAINS } from "../src/science/connector.ts"

const root = path.resolve(import.meta.dirname, "../src/science/connectors")
const target = path.join(root, "index.ts")

const found = (
  await Promise.all(
    DOMAINS.map(async (domain) => {
      const entries = await readdir(path.join(root, domain)).catch(() => [])
      // A helper that connectors of a domain share starts with an underscore.
      const files = entries.filter((name) => name.endsWith(".ts") && !name.startsWith("_")).sort()
      return files.map((name) => ({ domain, id: name.slice(0, -3) }))
    }),
  )
).flat()

const variable = (id: string) => id.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
const text = `// Written by script/generate-index.ts from the folders beside it.
import type { Connector } from "../connector.ts"
${found.map(({ domain, id }) => `import ${variable(id)} from "./${domain}/${id}.ts"`).join("\n")}

export const connectors: readonly Connector[] = [
${found.map(({ id }) => `  ${variable(id)},`).join("\n")}
]
`

if (process.argv.includes("--check")) {
  if ((await readFile(target, "utf8").catch(() => "")) !== text) {
    console.error("src/science/connectors/index.ts is not what the folders say; run: bun script/generate-index.ts")
    process.exitCode = 1
  }
} else await writeFile(target, text)
