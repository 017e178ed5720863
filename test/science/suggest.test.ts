import { describe, expect, test } from "bun:test"
import { readJson } from "../../src/science/json.ts"
import { printRecord } from "../../src/science/print.ts"
import { outline } from "../../src/science/outline.ts"
import { select } from "../../src/science/select.ts"
import { suggestSelects } from "../../src/science/suggest.ts"
import { processorTime } from "../support/processor-time.ts"
import { feature, RECORD } from "../support/features.ts"

describe("suggestSelects", () => {
  test("gives one deep value and a part of the longest array", () => {
    expect(suggestSelects(RECORD)).toEqual(["genes[0].geneName.value", "features[0:5].[type, description]"])
  })

  test.each<[string, unknown]>([
    ["a record", RECORD],
    ["an array", RECORD.features],
    ["a document that was XML", { "a:feed": { "@v": "1", entry: [{ "@id": "x", "#text": "y" }, { "@id": "z" }] } }],
    ["keys with quotes and brackets", { 'a"b': { "c]d.": [{ "e\\f": 1 }, { "e\\f": 2 }] } }],
    [
      "numbers that share a double",
      readJson('{"r":[{"id":1237649770260463687,"n":"a"},{"id":1237649770260463688,"n":"b"}]}'),
    ],
    ["lists of numbers", { data: { x: Array.from({ length: 9999 }, (_, index) => index), y: [[1], [2]] } }],
    ["long texts", { text: "x".repeat(5000), rows: Array(9).fill({ text: "x".repeat(5000), id: "a" }) }],
  ])("for %s each expression works and answers briefly", (_what, tree) => {
    const expressions = suggestSelects(tree)
    expect(expressions.length).toBeGreaterThan(0)
    expect(new Set(expressions).size).toBe(expressions.length)
    for (const expression of expressions) {
      const answer = select(tree, expression)
      expect(answer).toBeDefined()
      expect(printRecord(answer).length).toBeLessThan(2000)
    }
  })

  test("a small array is taken whole, a field that tells the items apart first", () => {
    expect(
      suggestSelects({
        rows: [
          { text: "t", name: "a", id: 1 },
          { name: "b", id: 2 },
        ],
      })[1],
    ).toBe("rows[].[id, name]")
  })

  test("names go before evidence, dates and addresses", () => {
    const tree = { a: { evidenceName: { value: "x" } }, b: { url: { name: "y" } }, c: { protein: { name: "z" } } }
    expect(suggestSelects(tree)[0]).toBe("c.protein.name")
  })

  test("a list of numbers is sliced", () => {
    expect(suggestSelects({ data: { x: [1, 2, 3] } })).toEqual(["data.x[0]", "data.x[0:5]"])
  })

  test("keys that our output would change are left alone", () => {
    expect(suggestSelects({ "a\u202Eb": { c: { d: "e" } } })).toEqual([])
  })

  test.each<[unknown, string[]]>([
    ["text", []],
    [{}, []],
    [[], []],
    [null, []],
    [{ a: 1 }, ["a"]],
    [{ a: { b: "c" }, d: "e" }, ["a.b", "d"]],
  ])("%j has %j", (tree, expressions) => {
    expect(suggestSelects(tree)).toEqual(expressions)
  })

  test("a large record takes no time", () => {
    const tree = { rows: Array.from({ length: 50_000 }, (_, index) => feature(index)) }
    const ms = processorTime()
    suggestSelects(tree)
    outline(tree)
    expect(ms()).toBeLessThan(2000)
  })
})
