import { describe, expect, test } from "bun:test"
import { permissionConfig, toRules, type PermissionConfig, type Rule } from "../../src/permission/index.ts"

const readings: [what: string, config: PermissionConfig, rules: Rule[]][] = [
  ["a bare action rules everything", "allow", [{ permission: "*", pattern: "*", action: "allow" }]],
  [
    "an action under a permission rules all of it",
    { edit: "ask" },
    [{ permission: "edit", pattern: "*", action: "ask" }],
  ],
  [
    "keys keep their order, at both levels",
    { "science_*": "ask", edit: { "z/*": "deny", "a/*": "allow" }, "*": "deny" },
    [
      { permission: "science_*", pattern: "*", action: "ask" },
      { permission: "edit", pattern: "z/*", action: "deny" },
      { permission: "edit", pattern: "a/*", action: "allow" },
      { permission: "*", pattern: "*", action: "deny" },
    ],
  ],
  ["an empty object makes no rules", {}, []],
]

describe("opencode's permission syntax is read so:", () => {
  test.each(readings)("%s", (_, config, rules) => {
    expect(toRules(permissionConfig.parse(config))).toEqual(rules)
  })
})

const mistakes: [config: unknown, complaint: string][] = [
  ["alow", '"alow" is not an action'],
  [false, "false is not an action"],
  [["allow"], '["allow"] is not an action'],
  [{ bash: "ask", edit: "alow" }, 'edit: "alow" is not an action'],
  [{ edit: false }, "edit: false is not an action"],
  [{ edit: { "src/*": "deny", "out/*": "Allow" } }, 'edit: out/*: "Allow" is not an action'],
]

describe("a wrong action is answered with its key and the right ones:", () => {
  test.each(mistakes)("%j", (config, complaint) => {
    const messages = permissionConfig.safeParse(config).error?.issues.map(({ message }) => message)
    expect(messages).toEqual([`${complaint}; the actions are "allow", "deny" and "ask"`])
  })
})
