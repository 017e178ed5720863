import { describe, expect, test } from "bun:test"
import { evaluate, mayAsk, toRules, type Action, type PermissionConfig, type Rule } from "../../src/permission/index.ts"

/** Rules in the order in which opencode puts them together: its defaults, the agent's, the person's. */
const rules = (...configs: PermissionConfig[]): Rule[] => configs.flatMap(toRules)

const planAgent: PermissionConfig = { edit: { "*": "deny", ".opencode/plans/*.md": "allow" } }

const asOpencodeAnswers: [what: string, rules: Rule[], permission: string, pattern: string, action: Action][] = [
  ["defaults allow an edit", rules("allow"), "edit", "out/a.txt", "allow"],
  ["defaults allow a permission nobody has heard of", rules("allow"), "science_fetch", "uniprot:P04637", "allow"],
  ["edit: allow allows", rules("allow", { edit: "allow" }), "edit", "out/a.txt", "allow"],
  ["edit: deny denies", rules("allow", { edit: "deny" }), "edit", "out/a.txt", "deny"],
  ["edit: ask asks", rules("allow", { edit: "ask" }), "edit", "out/a.txt", "ask"],
  ["edit: deny leaves other permissions alone", rules("allow", { edit: "deny" }), "bash", "ls", "allow"],
  ["a tool's own name does not rule its edits", rules("allow", { science_fetch: "ask" }), "edit", "out/a.txt", "allow"],
  ["a star as permission rules them all", rules("allow", { "*": "deny" }), "edit", "out/a.txt", "deny"],
  ["out/* reaches into sub-folders", rules({ edit: { "out/*": "allow" } }), "edit", "out/sub/a.txt", "allow"],
  [
    "one database can be denied",
    rules("allow", { science_fetch: { "kegg:*": "deny" } }),
    "science_fetch",
    "kegg:hsa:7157",
    "deny",
  ],
  [
    "and its neighbours stay allowed",
    rules("allow", { science_fetch: { "kegg:*": "deny" } }),
    "science_fetch",
    "uniprot:P04637",
    "allow",
  ],
  ["a permission may hold wildcards", rules("allow", { "science_*": "deny" }), "science_search", "ena:x", "deny"],
  ["the last match wins: allow in deny", rules({ edit: { "*": "deny", "out/*": "allow" } }), "edit", "out/a", "allow"],
  ["the last match wins: deny over allow", rules({ edit: { "out/*": "allow", "*": "deny" } }), "edit", "out/a", "deny"],
  ["the plan agent denies an edit", rules("allow", planAgent), "edit", "out/a.txt", "deny"],
  ["the plan agent may write plans", rules("allow", planAgent), "edit", ".opencode/plans/sub/x.md", "allow"],
  ["the plan agent may write nothing but plans", rules("allow", planAgent), "edit", ".opencode/plans/x.txt", "deny"],
  ["a person's rule after the plan agent's wins", rules(planAgent, { edit: "allow" }), "edit", "out/a.txt", "allow"],
  ["a person's folder after it wins", rules(planAgent, { edit: { "data/*": "allow" } }), "edit", "data/a", "allow"],
  ["the rest stays denied", rules(planAgent, { edit: { "data/*": "allow" } }), "edit", "out/a.txt", "deny"],
  [
    "a relative rule holds for a relative path",
    rules("allow", { edit: { ".openscience/**": "deny" } }),
    "edit",
    ".openscience/fetch/uniprot/P04637.fasta",
    "deny",
  ],
  [
    "an absolute rule does not",
    rules("allow", { edit: { "/home/u/proj/.openscience/**": "deny" } }),
    "edit",
    ".openscience/fetch/uniprot/P04637.fasta",
    "allow",
  ],
]

describe("as in opencode", () => {
  test.each(asOpencodeAnswers)("%s", (_, rules, permission, pattern, action) => {
    expect(evaluate(rules, permission, pattern).action).toBe(action)
  })
})

test("where no rule matches, a person is to be asked and no rule is named", () => {
  expect(evaluate(rules({ edit: { "out/*": "allow" } }), "edit", "src/a.txt")).toEqual({ action: "ask" })
})

test("an evaluation names the rule that decided", () => {
  const [everything, folder] = rules({ edit: { "*": "deny", "out/*": "allow" } })
  const all = [everything!, folder!]
  expect(evaluate(all, "edit", "out/a.txt").rule).toBe(folder)
  expect(evaluate(all, "edit", "src/a.txt").rule).toBe(everything)
})

test.each<[PermissionConfig, boolean]>([
  ["allow", false],
  ["ask", true],
  [{ "*": "allow", edit: "ask" }, true],
  [{ edit: "ask", "*": "deny" }, false],
  [{ "*": "ask", edit: { "*": "allow", "out/*": "ask" } }, true],
  [{ "*": "ask", edit: { "out/*": "ask", "*": "allow" } }, false],
  [{ edit: { "out/*": "allow" } }, true],
  [{ science_fetch: "ask", "*": "allow" }, false],
])("%j: whether some edit could be a question is %p", (config, may) => {
  expect(mayAsk(rules(config), "edit")).toBe(may)
})
