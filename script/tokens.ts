/** Prints what the tools and the catalogue cost a model in tokens (o200k), and fails above the bounds that the design sets. */
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { scienceOf, toolsOf } from "../src/create.ts"
import { catalogue } from "../src/tool/catalogue.ts"

const SURFACE_MAX = 900
const CATALOGUE_MAX_EACH = 30

const science = scienceOf(process.cwd(), {})
const databases = science.registry.databases()
const definitions = toolsOf(science).map(({ id, description, schema }) => ({
  name: id,
  description,
  parameters: schema,
}))

const count = (value: unknown) => encode(typeof value === "string" ? value : JSON.stringify(value)).length

for (const definition of definitions)
  console.log(`${definition.name.padEnd(20)}${String(count(definition)).padStart(5)} tokens`)
const surface = count(definitions)
console.log(`${"tool surface".padEnd(20)}${String(surface).padStart(5)} tokens, at most ${SURFACE_MAX}`)
const whole = count(catalogue(databases))
const each = whole / Math.max(1, databases.length)
console.log(
  `${"catalogue".padEnd(20)}${String(whole).padStart(5)} tokens, ${each.toFixed(1)} a database, at most ${CATALOGUE_MAX_EACH}`,
)
if (surface > SURFACE_MAX || each > CATALOGUE_MAX_EACH) process.exitCode = 1
