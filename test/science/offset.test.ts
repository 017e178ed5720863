import { describe, expect, test } from "bun:test"
import { Failure } from "../../src/science/failure.ts"
import { offsetOf } from "../../src/science/offset.ts"

describe("a cursor that is a place in a list", () => {
  test.each([
    [undefined, 0],
    ["0", 0],
    ["25", 25],
    ["9999", 9999],
  ])("%p is %p", (cursor, place) => {
    expect(offsetOf(cursor, 10_000)).toBe(place)
  })

  test.each(["-1", "1.5", "abc", "", "10000", "2&rows=1", "1e3", "99999999999999999999"])("%p is refused", (cursor) => {
    expect(() => offsetOf(cursor, 10_000)).toThrow(Failure)
    expect(() => offsetOf(cursor, 10_000)).toThrow("no cursor of this search")
  })
})
