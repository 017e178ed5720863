import { describe, expect, test } from "bun:test"
import { evaluate, rulesFor, type PermissionConfig } from "../../src/permission/index.ts"

test("build mode allows what nobody ruled on", () => {
  expect(evaluate(rulesFor("build"), "edit", "out/a.txt").action).toBe("allow")
})

test("build mode obeys the person's rules", () => {
  const rules = rulesFor("build", { edit: { "*": "deny", "out/*": "allow" } })
  expect(evaluate(rules, "edit", "src/a.txt").action).toBe("deny")
  expect(evaluate(rules, "edit", "out/a.txt").action).toBe("allow")
})

const attempts: [config: PermissionConfig, path: string][] = [
  [{}, "out/a.txt"],
  ["allow", "out/a.txt"],
  [{ edit: "allow" }, "out/a.txt"],
  [{ edit: { "out/*": "allow" } }, "out/a.txt"],
  [{ edit: { ".openscience/fetch/*": "allow" }, "*": "allow" }, ".openscience/fetch/uniprot/P04637.fasta"],
  [{ edit: "ask" }, "out/a.txt"],
]

describe("plan mode denies every write, whatever the person's rules say:", () => {
  test.each(attempts)("%j", (config, path) => {
    expect(evaluate(rulesFor("plan", config), "edit", path).action).toBe("deny")
  })
})

test("plan mode leaves reading to the person's rules", () => {
  const rules = rulesFor("plan", { science_fetch: { "kegg:*": "deny" } })
  expect(evaluate(rules, "science_fetch", "uniprot:P04637").action).toBe("allow")
  expect(evaluate(rules, "science_fetch", "kegg:hsa:7157").action).toBe("deny")
})
