import { describe, expect, test } from "bun:test"
import { plain, readJson } from "../../src/science/json.ts"
import { printRecord } from "../../src/science/print.ts"

function roundTrip(json: string): void {
  const tree = readJson(json)
  expect(readJson(printRecord(tree))).toEqual(tree)
  expect(JSON.parse(printRecord(tree))).toEqual(plain(tree))
}

describe("printRecord", () => {
  test("what fits a line stays on one", () => {
    expect(printRecord(readJson('{ "id": "P04637", "list": [ 1, 2.0, null ] }'))).toBe(
      '{"id":"P04637","list":[1,2.0,null]}',
    )
  })

  test("what does not fit is broken, each part again on one line where it fits", () => {
    const gene = { name: "TP53", location: "17p13.1", text: "x".repeat(60) }
    const line = JSON.stringify(gene)
    expect(printRecord({ genes: [gene, gene] })).toBe(`{\n "genes":[\n  ${line},\n  ${line}\n ]\n}`)
  })

  test("numbers and short texts fill their lines", () => {
    const lines = printRecord(Array.from({ length: 1000 }, (_, index) => index)).split("\n")
    expect(lines.length).toBeLessThan(40)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(121)
  })

  test("no line is long but for one long string", () => {
    const rows = Array.from({ length: 300 }, (_, id) => ({ id, tags: Array(50).fill("tag"), deep: { a: { b: [id] } } }))
    const printed = printRecord({ rows, sequence: "M".repeat(5000), empty: [], none: {} })
    const long = printed.split("\n").filter((line) => line.length > 130)
    expect(long).toEqual([` "sequence":"${"M".repeat(5000)}",`])
  })

  test("digits are kept", () => {
    expect(printRecord(readJson("[0.50,1237649770260463687,1E-5,-0]"))).toBe("[0.50,1237649770260463687,1E-5,-0]")
  })

  test("it parses back to the same content", () => {
    roundTrip('{"a":{"b":[1,2.50,{"c":[[],{},"",null,true]}]},"__proto__":{"x":"y"},"big":12345678901234567890}')
    roundTrip(JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id, text: `line\n${"é\u202E🧬".repeat(id)}` }))))
    roundTrip('"text"')
    roundTrip("[]")
  })

  test("what shows nothing is escaped, in keys too, and is still there", () => {
    const hostile = "a\u001B[31m\u0085\u009B\u200B\u202E\u2066\uFEFF\u2028\u{E0041}\u007F"
    const printed = printRecord({ [hostile]: hostile })
    expect(printed).toMatch(/^[\n\x20-\x7E]+$/)
    expect(printed).toContain("\\u202e")
    expect(printed).toContain("\\udb40\\udc41")
    expect(JSON.parse(printed)).toEqual({ [hostile]: hostile })
  })

  test("text in any script is not escaped", () => {
    expect(printRecord("β-細胞 🧬 é")).toBe('"β-細胞 🧬 é"')
  })

  test("fields without a value are left out, holes are null", () => {
    expect(printRecord({ a: undefined, b: [undefined, 1] })).toBe('{"b":[null,1]}')
  })

  test("a thousand levels are printed", () => {
    const json = "[".repeat(1000) + "]".repeat(1000)
    expect(printRecord(readJson(json)).replace(/\s/g, "")).toBe(json)
  })
})
