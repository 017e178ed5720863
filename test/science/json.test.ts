import { describe, expect, test } from "bun:test"
import { parse } from "lossless-json"
import { losslessTwin, MAX_DEPTH, plain, printJson, readJson } from "../../src/science/json.ts"

/** A generator that gives the same numbers on every run (mulberry32). */
function random(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function numberText(next: () => number): string {
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(next() * 10)).join("")
  const sign = next() < 0.3 ? "-" : ""
  const whole = next() < 0.4 ? "0" : `${1 + Math.floor(next() * 9)}${digits(Math.floor(next() * 20))}`
  const zeros = "0".repeat(Math.floor(next() * 9))
  const fraction = next() < 0.5 ? `.${zeros}${digits(1 + Math.floor(next() * 18))}` : ""
  const exponent =
    next() < 0.2 ? `${next() < 0.5 ? "e" : "E"}${["", "-", "+"][Math.floor(next() * 3)]}${digits(1)}` : ""
  return sign + whole + fraction + exponent
}

describe("reading", () => {
  test.each([
    "1237649770260463687",
    "0.50",
    "1E-5",
    "1e5",
    "0.12345678901234567890",
    "-0",
    "1.0",
    "0.0000001",
    "1e400",
  ])("%s keeps its digits", (number) => {
    expect(printJson(readJson(`{"a":[${number}]}`), 0)).toBe(`{"a":[${number}]}`)
  })

  test("numbers that lose nothing are plain numbers", () => {
    expect(readJson('[0, -1, 0.5, 9007199254740991, 0.000001, "1.0"]')).toEqual([
      0,
      -1,
      0.5,
      9007199254740991,
      0.000001,
      "1.0",
    ])
  })

  test("a number that loses digits is found wherever it stands", () => {
    for (const json of ["1.0", " 1.0 ", "[1.0]", "[1,1.0]", '{"a":1.0}', '{"a" :\n1.0\n}', "[\t1.0\r\n,2]"])
      expect(printJson(readJson(json), 0)).toContain("1.0")
  })

  test("the fast way and the lossless way agree on any number", () => {
    const next = random(20260214)
    for (let round = 0; round < 20_000; round++) {
      const number = numberText(next)
      const json = round % 2 === 0 ? `[${number}]` : `{"a": ${number} }`
      const careful = parse(json, null, {
        parseNumber: (text) => (String(Number(text)) === text ? Number(text) : { digits: text }),
      })
      const expected = JSON.stringify(careful).replace(/\{"digits":"([^"]+)"\}/, "$1")
      expect(printJson(readJson(json), 0)).toBe(expected)
    }
  })

  test("a byte order mark is dropped", () => {
    expect(readJson('\uFEFF{"a":1}')).toEqual({ a: 1 })
  })

  test("raw control characters inside strings are tolerated and kept", () => {
    expect(readJson('{\n"a\u0001":"one\u000Btwo\nthree\\"\u0002",\n"b":"\\\\"}')).toEqual({
      "a\u0001": 'one\u000Btwo\nthree"\u0002',
      b: "\\",
    })
  })

  test("raw control characters do not cost a number its digits", () => {
    expect(printJson(readJson('{"a":"\u0001","b":0.50}'), 0)).toBe('{"a":"\\u0001","b":0.50}')
  })

  test.each([
    "",
    " ",
    "{",
    '{"a":1',
    '{"a":1.0',
    '["a',
    "[1,2",
    "[1,]",
    "<html>",
    "{} {}",
    "nul",
    "[1.0] x",
    "\u0001{}",
  ])("%j is not JSON", (text) => {
    expect(() => readJson(text)).toThrow(SyntaxError)
  })

  test("no beginning of a document reads as a document", () => {
    const json = '{"id":"P04637","score":0.50,"list":[1,{"a":null}],"text":"x\\u0041\\"y"}'
    for (let length = 0; length < json.length; length++)
      expect(() => readJson(json.slice(0, length))).toThrow(SyntaxError)
  })

  test.each(["1", "1.0"])("a key __proto__ is data and changes no prototype, beside %s", (number) => {
    const tree = readJson(`{"__proto__":{"polluted":true},"n":${number}}`)
    expect(Object.keys(Object(tree))).toEqual(["__proto__", "n"])
    expect("polluted" in Object(tree)).toBe(false)
    expect("polluted" in {}).toBe(false)
    expect(printJson(tree, 0)).toBe(`{"__proto__":{"polluted":true},"n":${number}}`)
    expect(Object.keys(Object(plain(tree)))).toEqual(["__proto__", "n"])
    expect("polluted" in Object(plain(tree))).toBe(false)
  })

  test("of a repeated key the last value counts, on either way", () => {
    expect(readJson('{"a":1,"a":{"b":2}}')).toEqual({ a: { b: 2 } })
    expect(printJson(readJson('{"a":1.0,"a":{"b":2.0}}'), 0)).toBe('{"a":{"b":2.0}}')
  })

  test.each(["1", "1.0"])("ten or a hundred thousand levels around %s are refused, not a crash", (number) => {
    for (const depth of [10_000, 100_000])
      expect(() => readJson("[".repeat(depth) + number + "]".repeat(depth))).toThrow(SyntaxError)
    expect(() => readJson(`${'{"a":'.repeat(10_000)}${number}${"}".repeat(10_000)}`)).toThrow("nested")
  })

  test("as many levels as allowed can be read, converted and printed", () => {
    const json = `${"[".repeat(MAX_DEPTH)}1.0${"]".repeat(MAX_DEPTH)}`
    const tree = readJson(json)
    expect(printJson(tree, 0)).toBe(json)
    expect(JSON.stringify(plain(tree))).toBe(json.replace("1.0", "1"))
  })

  test("a megabyte is read within ten times what JSON.parse takes, when no digits are at risk", () => {
    const json = JSON.stringify(
      Array.from({ length: 10_000 }, (_, id) => ({ id, name: `gene ${id}`, tags: ["a", "b"] })),
    )
    const time = (read: () => unknown) => {
      const times = Array.from({ length: 9 }, () => {
        const start = performance.now()
        read()
        return performance.now() - start
      })
      return Math.min(...times)
    }
    expect(time(() => readJson(json))).toBeLessThan(10 * time(() => JSON.parse(json)))
  })
})

describe("plain numbers", () => {
  test("what needs no conversion is the very same object", () => {
    const tree = readJson('{"a":[1,2],"b":{"c":"1.0"}}')
    expect(plain(tree)).toBe(tree)
  })

  test("only what holds a lossless number is copied", () => {
    const same = { c: 1 }
    const tree = { a: readJson("[0.50]"), same }
    const copy = plain(tree)
    expect(copy).toEqual({ a: [0.5], same: { c: 1 } })
    expect(Object(copy).same).toBe(same)
    expect(printJson(tree, 0)).toBe('{"a":[0.50],"same":{"c":1}}')
  })

  test("a copy is known to stand for its original", () => {
    const inner = readJson("[0.50]")
    const tree = { inner }
    const copy = Object(plain(tree))
    expect(losslessTwin(copy)).toBe(tree)
    expect(losslessTwin(copy.inner)).toBe(Object(inner))
    expect(losslessTwin(tree)).toBeUndefined()
  })

  test("a number alone is converted", () => {
    expect(plain(readJson("1.0"))).toBe(1)
  })
})

test("JSON is printed with the indent that is asked for", () => {
  expect(printJson(readJson('{"a":[1.0]}'), 2)).toBe('{\n  "a": [\n    1.0\n  ]\n}')
})
