import { describe, expect, test } from "bun:test"
import { readJson } from "../../src/science/json.ts"
import { outline } from "../../src/science/outline.ts"
import { suggestSelects } from "../../src/science/suggest.ts"
import { select } from "../../src/science/select.ts"
import { RECORD } from "../support/features.ts"

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
