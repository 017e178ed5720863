import { describe, expect, test } from "bun:test"
import { Failure } from "../../src/science/failure.ts"
import { printJson, readJson } from "../../src/science/json.ts"
import { fieldName, select } from "../../src/science/select.ts"

const RECORD = readJson(`{
  "genes": [{"geneName": {"value": "TP53"}, "score": 0.50}],
  "features": [{"type": "Domain", "length": 7}, {"type": "Chain", "length": 393}],
  "@id": "x", "a-b": {"c:d": "y"}, "9x": "z"
}`)

function selected(tree: unknown, expression: string): string {
  return printJson(select(tree, expression), 0)
}

function failureOf(tree: unknown, expression: string): Failure {
  try {
    select(tree, expression)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error(`${expression} did not fail`)
}

describe("select", () => {
  test.each([
    ["a path", "genes[0].geneName.value", '"TP53"'],
    ["a projection", "features[].type", '["Domain","Chain"]'],
    ["a filter", "features[?type=='Domain'].length", "[7]"],
    ["a comparison with a number", "features[?length > `100`].type", '["Chain"]'],
    ["a new object", "features[0].{kind: type, end: length}", '{"kind":"Domain","end":7}'],
    ["a function", "length(features)", "2"],
    ["a quoted name", '"a-b"."c:d"', '"y"'],
    ["an empty answer", "features[?type=='Helix']", "[]"],
  ])("answers %s", (_what, expression, answer) => {
    expect(selected(RECORD, expression)).toBe(answer)
  })

  test.each(["nothing", "genes[7]", "genes.value", "nothing.at[0].all"])(
    "%s matches nothing: undefined",
    (expression) => {
      expect(select(RECORD, expression)).toBeUndefined()
    },
  )

  test.each(["constructor", "toString", "__proto__", "genes[0].hasOwnProperty"])(
    "%s, which every object inherits, matches nothing",
    (expression) => {
      expect(select(RECORD, expression)).toBeUndefined()
    },
  )

  test("false, zero and the empty string are answers", () => {
    expect(select({ a: false, b: 0, c: "" }, "[a, b, c]")).toEqual([false, 0, ""])
    expect(select({ a: false }, "a")).toBe(false)
  })

  test("an array at the root can be asked", () => {
    expect(selected(readJson('[{"id":1},{"id":2.0}]'), "[].id")).toBe("[1,2.0]")
  })

  test("what is a part of the record is that very part", () => {
    expect(select(RECORD, "genes[0]")).toBe(Object(RECORD).genes[0])
    expect(select(RECORD, "@")).toBe(RECORD)
  })
})

describe("digits", () => {
  test("a container keeps them, also inside a new one", () => {
    const tree = readJson('{"a":[{"id":1237649770260463687},{"id":1237649770260463688}],"p":1E-5}')
    expect(selected(tree, "a[1]")).toBe('{"id":1237649770260463688}')
    expect(selected(tree, "{all: a, p: p}")).toBe(
      '{"all":[{"id":1237649770260463687},{"id":1237649770260463688}],"p":1E-5}',
    )
    expect(selected(tree, "reverse(a)[0]")).toBe('{"id":1237649770260463688}')
  })

  test("a container without such numbers is not taken for another spelling", () => {
    const tree = readJson('{"a":{"id":1237649770260463600},"b":{"id":1237649770260463687}}')
    expect(selected(tree, "a")).toBe('{"id":1237649770260463600}')
  })

  test("a number that the record spells in one way is printed in that way", () => {
    const tree = readJson('{"id":1237649770260463687,"p":[0.50,0.50],"e":1E-5}')
    expect(selected(tree, "id")).toBe("1237649770260463687")
    expect(selected(tree, "p[0]")).toBe("0.50")
    expect(selected(tree, "[id, e]")).toBe("[1237649770260463687,1E-5]")
  })

  test("a short decimal that is spelled in two ways is a plain number", () => {
    expect(selected(readJson('{"a":0.5,"b":0.50}'), "b")).toBe("0.5")
  })

  test("two integers that share one double are never mixed up", () => {
    const tree = readJson('{"a":1237649770260463687,"b":{"id":1237649770260463688}}')
    const failure = failureOf(tree, "a")
    expect(failure.code).toBe("invalid_select")
    expect(failure.message).toContain("select the object")
    expect(failureOf(tree, "b.id").code).toBe("invalid_select")
    expect(selected(tree, "b")).toBe('{"id":1237649770260463688}')
  })

  test("one value written in two ways is no such case", () => {
    expect(select(readJson('{"a":6.022E23,"b":6.022e23}'), "a")).toBe(6.022e23)
  })

  test("what JMESPath would round is refused", () => {
    const tree = readJson('{"id":1237649770260463687,"rows":[{"id":1}]}')
    for (const expression of ["to_string(id)", "rows[?id==`1237649770260463687`]", "sum([id, id])"])
      expect(failureOf(tree, expression).message).toContain("2^53")
    expect(failureOf({ text: "1237649770260463687" }, "to_number(text)").message).toContain("2^53")
  })

  test("where nothing is rounded, nothing is refused", () => {
    expect(select(readJson('{"n":6.022E23,"p":0.50}'), "to_string(n)")).toBe("6.022e+23")
    expect(select({ n: 1e22 }, "sum([n, n])")).toBe(2e22)
  })
})

describe("a failure", () => {
  test.each(["genes[", "genes[0]..x", "foo(genes)", "'x", "`{`", "features[0:5:0]", "", "length(`1`)", '"\\x"'])(
    "%s is an invalid_select with a reason",
    (expression) => {
      const failure = failureOf(RECORD, expression)
      expect(failure.code).toBe("invalid_select")
      expect(failure.message).toStartWith("select is not valid JMESPath: ")
      expect(failure.message).not.toContain("in expression")
      expect(failure.message).not.toContain("\n")
    },
  )

  test.each([
    ["JSONPath", "$.genes[0].geneName.value", "genes[0].geneName.value"],
    ["JSONPath in brackets", "$['genes'][0]", '"genes"[0]'],
    ["the root of JSONPath", "$", "@"],
    ["jq", ".genes[0].score", "genes[0].score"],
    ["a jq pipe", ".genes[] | .score", "genes[].score"],
    ["an index after a point", "genes.0.geneName", "genes[0].geneName"],
    ["an attribute", "@id", '"@id"'],
    ["names with - and :", "a-b.c:d", '"a-b"."c:d"'],
    ["a name with a digit first", "9x", '"9x"'],
    ["a bare number", "features[?length > 100].type", "features[?length >`100`].type"],
    ["a single =", "features[?type = 'Domain']", "features[?type == 'Domain']"],
  ])("shows what %s should be", (_what, expression, corrected) => {
    const failure = failureOf(RECORD, expression)
    expect(failure.message).toEndWith(`try ${corrected}`)
    expect(select(RECORD, corrected)).toBeDefined()
  })

  test("says that it is JMESPath where the mend is not plain", () => {
    expect(failureOf(RECORD, "$..value").message).toContain("JSONPath")
    expect(failureOf(RECORD, ".genes[] | select(.score > 1)").message).toContain("jq")
    expect(failureOf(RECORD, "no-such").message).toContain('"@id"')
  })

  test("a text in double quotes, which silently matches nothing, is one", () => {
    expect(failureOf(RECORD, 'features[?type=="Domain"]').message).toEndWith("try features[?type=='Domain']")
    expect(selected({ rows: [{ a: 1, "b-c": 1 }] }, 'rows[?a=="b-c"].a')).toBe("[1]")
  })
})

test("a field name is quoted where it must be", () => {
  expect(["geneName", "_id", "@id", "a-b", "9x", 'say "x"'].map(fieldName)).toEqual([
    "geneName",
    "_id",
    '"@id"',
    '"a-b"',
    '"9x"',
    '"say \\"x\\""',
  ])
})
