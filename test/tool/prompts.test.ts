import { describe, expect, test } from "bun:test"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { scienceOf, toolsOf } from "../../src/create.ts"
import { catalogue } from "../../src/tool/catalogue.ts"

const science = scienceOf("/nonexistent", {})
const tools = toolsOf(science)
const databases = science.registry.databases()
const formats = new Set(databases.flatMap(({ files }) => Object.keys(files)))

describe("the shipped prompts", () => {
  test("name only tools that exist", () => {
    const ids = tools.map(({ id }) => id)
    for (const { description } of tools)
      for (const [name] of description.matchAll(/science_\w+/g)) expect(ids).toContain(name)
  })

  test("name only databases that exist, with an id that is one of theirs", () => {
    const examples = tools.flatMap(({ description }) => [...description.matchAll(/\bdb (\S+), id (\S+?),/g)])
    expect(examples.length).toBeGreaterThan(0)
    for (const [, db = "", id = ""] of examples) expect(science.registry.get(db).ids.pattern.test(id)).toBe(true)
  })

  test("name only formats that some database has", () => {
    const listed = tools.flatMap(({ description }) =>
      [...description.matchAll(/format \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/[\s,…]+/)),
    )
    const named = listed.filter((format) => format !== "")
    expect(named.length).toBeGreaterThan(2)
    for (const format of named) expect([...formats]).toContain(format)
  })

  test("show the rungs of the cost ladder from the cheapest up", () => {
    const fetch = tools.find(({ id }) => id === "science_fetch")?.description ?? ""
    const rungs = ["science_list_dbs", "science_search", "select", "50 KB", "format"].map((word) => fetch.indexOf(word))
    expect(rungs).toEqual([...rungs].sort((a, b) => a - b))
    expect(rungs).not.toContain(-1)
  })

  test("cost what the design allows: 900 tokens for the tools, 30 a database", () => {
    const surface = tools.map(({ id, description, schema }) => ({ name: id, description, parameters: schema }))
    expect(encode(JSON.stringify(surface)).length).toBeLessThan(900)
    expect(encode(catalogue(databases)).length / databases.length).toBeLessThan(30)
  })
})

describe("the catalogue", () => {
  test("names every format of a database when few are listed", () => {
    const uniprot = catalogue(science.registry.databases({ find: "uniprot" }))
    for (const format of Object.keys(science.registry.get("uniprot").files)) expect(uniprot).toContain(format)
  })

  test("says how many formats it leaves out when many are listed", () => {
    expect(catalogue(databases)).toMatch(/^uniprot · .* \+\d+$/m)
  })
})
