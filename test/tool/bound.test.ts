import { describe, expect, test } from "bun:test"
import { z } from "zod"
import { bound, fits } from "../../src/tool/bound.ts"
import { Tool } from "../../src/tool/tool.ts"

const lines = (n: number, length = 10) => Array.from({ length: n }, (_, i) => `${i} `.padEnd(length, "x")).join("\n")

describe("bound", () => {
  test("leaves what fits as it is", () => {
    expect(bound(lines(2000))).toEqual({ text: lines(2000), truncated: false })
    expect(fits(lines(2001))).toBe(false)
  })

  test("cuts whole lines from the end, says how many, and keeps both limits", () => {
    for (const text of [lines(5000), lines(1500, 100), lines(3, 60_000)]) {
      const { text: cut, truncated } = bound(text)
      expect(truncated).toBe(true)
      expect(fits(cut)).toBe(true)
      expect(cut).toMatch(/… [\d]+ more lines were cut: ask for less\.$/)
    }
    expect(bound(lines(5000)).text.split("\n")[1]).toBe(lines(5000).split("\n")[1] ?? "")
  })

  test("counts bytes, not characters, and never cuts a character in two", () => {
    const { text } = bound("ü".repeat(40_000))
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(51_200)
    expect(text).not.toContain("\uFFFD")
  })
})

describe("Tool.define", () => {
  const context = { directory: "/", worktree: "/", signal: new AbortController().signal, ask: async () => undefined }
  const tool = (metadata: Record<string, unknown>) =>
    Tool.define({
      id: "long",
      description: "x",
      readOnly: true,
      parameters: z.object({}),
      execute: async () => ({ title: "", output: lines(5000), metadata: { truncated: false, ...metadata } }),
    })

  test("leaves a result alone that says whether it was truncated", async () => {
    expect((await tool({}).run({}, context)).output).toBe(lines(5000))
  })

  test("bounds one that does not say, and says that it did", async () => {
    const { output, metadata } = await tool({ truncated: undefined }).run({}, context)
    expect(fits(output)).toBe(true)
    expect(metadata.truncated).toBe(true)
  })

  test("lets a bug and an abort through", async () => {
    const broken = Tool.define({
      id: "broken",
      description: "x",
      readOnly: true,
      parameters: z.object({}),
      execute: () => Promise.reject(new TypeError("a bug")),
    })
    await expect(broken.run({}, context)).rejects.toThrow("a bug")
    await expect(tool({}).run({}, { ...context, signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow(
      "enough",
    )
  })
})
