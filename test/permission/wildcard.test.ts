import { describe, expect, test } from "bun:test"
import { matches } from "../../src/permission/index.ts"
import { processorTime } from "../support/processor-time.ts"

const fits: [pattern: string, text: string, why: string][] = [
  ["out/*", "out/a.txt", "a star stands for a name"],
  ["out/*", "out/sub/a.txt", "a star crosses slashes"],
  ["out/*", "out/", "a star stands for nothing too"],
  [".openscience/**", ".openscience/fetch/uniprot/P04637.fasta", "two stars say what one says"],
  ["*", "", "a star alone fits anything"],
  ["out/*", "out/a\nb", "a star crosses line breaks"],
  ["uniprot:*", "uniprot:P04637", "a database's ids fit its name and a star"],
  ["a?.txt", "ab.txt", "a question mark stands for one character"],
  ["out\\*", "out/a.txt", "a rule written with backslashes means slashes"],
  ["out/*", "out\\sub\\a.txt", "a path written with backslashes means slashes"],
  ["a.b+(c)[d]{e}|^$", "a.b+(c)[d]{e}|^$", "what regular expressions reserve stands for itself"],
  ["git *", "git", "a blank and a star at the end fit nothing as well"],
  ["git *", "git status -s", "a blank and a star at the end fit arguments"],
  ["*/out/*", "home/u/proj/out/a.txt", "a star in front takes a path from outside git"],
]

const differs: [pattern: string, text: string, why: string][] = [
  ["out/*", "out", "the slash before a star is needed"],
  ["out/*", "output/a.txt", "a folder's name is not a prefix"],
  ["out/*", "src/out/a.txt", "a pattern fits from the start"],
  ["*.txt", "a.txt.gz", "a pattern fits to the end"],
  ["a?.txt", "a.txt", "a question mark needs a character"],
  ["a?.txt", "abc.txt", "a question mark takes one character only"],
  ["a.txt", "aXtxt", "a dot stands for itself"],
  ["**/a.txt", "a.txt", "the slash after two stars is needed"],
  ["git *", "gitk", "a blank and a star at the end do not fit a longer word"],
  ["/home/u/proj/out/*", "out/a.txt", "an absolute rule does not fit a relative path"],
  ["out/*", "/home/u/proj/out/a.txt", "a relative rule does not fit an absolute path"],
  ["~/out/*", "/home/u/out/a.txt", "a tilde stands for itself"],
]

describe("a pattern fits where", () => {
  test.each(fits)("%p takes %p: %s", (pattern, text) => {
    expect(matches(pattern, text)).toBe(true)
  })
})

describe("a pattern does not fit where", () => {
  test.each(differs)("%p is held against %p: %s", (pattern, text) => {
    expect(matches(pattern, text)).toBe(false)
  })
})

test("stars in a row cost no more time than one", () => {
  const ms = processorTime()
  expect(matches("****x", "a".repeat(400))).toBe(false)
  expect(ms()).toBeLessThan(200)
})
