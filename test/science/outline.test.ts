import { describe, expect, test } from "bun:test"
import { readJson } from "../../src/science/json.ts"
import { outline, suggestSelects } from "../../src/science/outline.ts"
import { printRecord } from "../../src/science/print.ts"
import { select } from "../../src/science/select.ts"

const feature = (index: number) => ({
  type: index % 2 ? "Chain" : "Domain",
  location: { start: { value: index }, end: { value: index + 1 } },
  description: `feature number ${index}`,
})

const RECORD = {
  primaryAccession: "P04637",
  organism: { scientificName: "Homo sapiens", taxonId: 9606 },
  genes: [{ geneName: { value: "TP53" }, synonyms: [{ value: "P53" }] }],
  features: Array.from({ length: 1523 }, (_, index) => feature(index)),
  lineage: ["Eukaryota", "Metazoa", "Chordata", "Craniata", "Vertebrata", "Euteleostomi", "Mammalia"],
  matrix: [[1], [2]],
  mixed: [1, "a"],
  sequence: "MEEPQSDPSV".repeat(40),
  none: null,
  nothing: [],
}

describe("outline", () => {
  test("a key, its type, its length or its value stand on each line", () => {
    expect(outline(RECORD)).toEqual([
      'primaryAccession: "P04637"',
      'organism: object {scientificName: "Homo sapiens", taxonId: 9606}',
      "genes: array of 1 {geneName: object {value}, synonyms: array of 1}",
      'genes[0].geneName: object {value: "TP53"}',
      'genes[0].synonyms: array of 1 {value: "P53"}',
      "features: array of 1523 objects {type, location, description}",
      'features[0].type: "Domain"',
      "features[0].location.start: object {value: 0}",
      "features[0].location.end: object {value: 1}",
      'features[0].description: "feature number 0"',
      'lineage: array of 7 strings ["Eukaryota", "Metazoa", "Chordata", "Craniata", …]',
      "matrix: array of 2 arrays",
      "mixed: array of 2 values",
      `sequence: "${"MEEPQSDPSV".repeat(5)}MEEPQSDPS…" (400 characters)`,
      "none: null",
      "nothing: empty array",
    ])
  })

  test("what wraps a whole record is opened, and its lines can be selected", () => {
    const lines = outline({ feed: { "@xmlns": "u", entry: [{ id: "1", title: "One" }, { id: "2" }] } })
    expect(lines).toEqual(['feed."@xmlns": "u"', "feed.entry: array of 2 objects {id, title}"])
    for (const line of lines)
      expect(select({ feed: { "@xmlns": "u", entry: [] } }, line.slice(0, line.indexOf(": ")))).toBeDefined()
  })

  test("a wrapper is opened however many keys it has, a wide object beside others is not", () => {
    const wide = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`key${index}`, index]))
    expect(outline({ wide })).toHaveLength(40)
    expect(outline({ wide, id: 1 })).toHaveLength(2)
  })

  test("an array at the root is described with its first item", () => {
    expect(outline([{ id: 1 }, { id: 2, name: "b" }])).toEqual(["array of 2 objects {id, name}", "[0].id: 1"])
  })

  test("an array with nulls is described by what is not null", () => {
    expect(outline([null, { id: 1 }])).toEqual(["array of 2 objects or nulls {id}", "[1].id: 1"])
    expect(outline([null, null])).toEqual(["array of 2 nulls [null, null]"])
    expect(suggestSelects([null, { id: "a" }, { id: "b" }])).toEqual(["[1].id", "[].id"])
  })

  test("a value alone is one line", () => {
    expect(outline("text")).toEqual(['"text"'])
    expect(outline({})).toEqual([])
    expect(outline([])).toEqual(["empty array"])
  })

  test("numbers keep their digits", () => {
    expect(outline(readJson('{"id":1237649770260463687,"p":[0.50,1E-5]}'))).toEqual([
      "id: 1237649770260463687",
      "p: array of 2 numbers [0.50, 1E-5]",
    ])
  })

  test("it is bounded, and says what was left out", () => {
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key${index}`, "x".repeat(200)]))
    const lines = outline(wide)
    expect(lines.length).toBeLessThanOrEqual(60)
    expect(lines.join("\n").length).toBeLessThanOrEqual(4000)
    expect(lines.at(-1)).toMatch(new RegExp(`^… ${500 - lines.length + 1} more: key${lines.length - 1}, .*…$`))
    expect(outline(wide, { maxLines: 5 })).toHaveLength(5)
    expect(outline(wide, { maxCharacters: 1000 }).join("\n").length).toBeLessThanOrEqual(1000)
  })

  test("hostile keys and values are cleaned", () => {
    const lines = outline({ "a\u202E\nb": "c\u001B[31m\u202E\nd", list: [{ "\u200Bkey": 1, x: "\u0007" }, {}] })
    expect(lines.join("")).not.toMatch(/[\u0000-\u001F\u200B\u202E]/)
  })

  test("keys without end do not make a line without end", () => {
    const lines = outline({ ["k".repeat(10_000)]: { ["n".repeat(10_000)]: [1] }, a: [{ ["m".repeat(10_000)]: 1 }, {}] })
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(500)
  })
})

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
    const start = performance.now()
    suggestSelects(tree)
    outline(tree)
    expect(performance.now() - start).toBeLessThan(2000)
  })
})
