import { describe, expect, test } from "bun:test"
import { Lines } from "../../src/mcp/lines.ts"
import { paramHeaders } from "../../src/mcp/param-headers.ts"
import { redacted } from "../../src/mcp/redact.ts"
import { describe as describeTool, guideFor } from "../../src/mcp/describe.ts"
import { namesFor } from "../../src/mcp/names.ts"
import { settingsOf } from "../../src/mcp/settings.ts"

const names = (originals: string[], prefix = "s", others: string[] = []) => [
  ...namesFor(prefix, originals, others).values(),
]

describe("names", () => {
  test("are prefix and tool, with what models' services refuse replaced", () => {
    expect(names(["search", "dotted.name", "path/x", "with space", "ünï"])).toEqual([
      "s_search",
      "s_dotted_name",
      "s_path_x",
      "s_with_space",
      "s__n_",
    ])
  })

  test("that would be the same get a hash, but for the one that is spelt so; the order of the list does not matter", () => {
    const [plain, dotted, slashed] = names(["a_b", "a.b", "a/b"])
    expect(plain).toBe("s_a_b")
    expect(dotted).toMatch(/^s_a_b_[0-9a-f]{8}$/)
    expect(slashed).toMatch(/^s_a_b_[0-9a-f]{8}$/)
    expect(slashed).not.toBe(dotted)
    expect(names(["a/b", "a.b", "a_b"])).toEqual([slashed ?? "", dotted ?? "", plain ?? ""])
    expect(new Set(names(["search", "s_search"])).size).toBe(2)
    expect(new Set(names(["a.b", "a/b"])).size).toBe(2)
  })

  test("are cut to 64 characters with a hash, so that two that differ only at the end stay apart", () => {
    const [a = "", b = ""] = names([`${"x".repeat(70)}_a`, `${"x".repeat(70)}_b`])
    expect(a).toHaveLength(64)
    expect(b).toHaveLength(64)
    expect(a).not.toBe(b)
    expect(names(["y".repeat(62)])).toEqual([`s_${"y".repeat(62)}`])
  })

  test("do not double a prefix that is there", () => {
    expect(names(["reactome_search", "search_x"], "reactome")).toEqual(["reactome_search", "reactome_search_x"])
  })

  test("that another server's prefix makes ambiguous get a hash whoever answers first", () => {
    expect(names(["b_c", "c"], "a", ["a_b"])).toEqual([expect.stringMatching(/^a_b_c_[0-9a-f]{8}$/), "a_c"])
  })
})

describe("descriptions", () => {
  const settings = settingsOf("lab", { url: "http://x" }, {})
  const offered = { name: "t", title: "", inputSchema: {} }

  test("say whose words they are, hold nothing that a person would not see, and are bounded", () => {
    const description = `Adds.\u200b\u202e\u001b[31mred\u001b[0m\u0000 ${"word ".repeat(9000)}`
    const text = describeTool(settings, { ...offered, description })
    expect(text).toStartWith("[of the MCP server lab, in its own words] Adds.red word")
    expect(text.length).toBeLessThan(1_600)
    expect(describeTool(settings, { ...offered, description: "" })).toContain("t: not described.")
  })

  test("a guide's lines that name what is not offered are left out, and others take the prefix", () => {
    const guide = "Head\n1. a_one: x\n2. a_two: then a_one\nthe a_b in no tool's name stays not"
    expect(guideFor(guide, "a", "lab", new Set(["lab_one"]))).toBe("Head\n1. lab_one: x")
  })
})

describe("what servers say", () => {
  test("is shown without credentials, ours or theirs", () => {
    const said = "bad credential: Bearer abc-given-1 (token=zzz999secret, sk-probe-0123456789abcdef) at nm000001"
    const shown = redacted(said, ["Bearer abc-given-1"])
    expect(shown).not.toMatch(/abc-given|zzz999|sk-probe/)
    expect(shown).toContain("at nm000001")
    expect(redacted(`x${"y ".repeat(500)}`, []).length).toBeLessThanOrEqual(201)
  })
})

describe("lines of a process", () => {
  test("are put together from pieces, whatever a piece holds, and one without an end is refused", () => {
    const lines = new Lines(10)
    expect(["ab", "c\nd", "\n\n", "é"].map((piece) => lines.push(Buffer.from(piece)))).toEqual([
      [],
      ["abc"],
      ["d", ""],
      [],
    ])
    const [first, second] = [Buffer.from("é\n").subarray(0, 1), Buffer.from("é\n").subarray(1)]
    expect([...lines.push(first), ...lines.push(second)]).toEqual(["éé"])
    expect(() => lines.push(Buffer.alloc(11, "x"))).toThrow("a message of more than 10 bytes")
  })
})

describe("arguments that a schema wants in headers", () => {
  const schema = {
    type: "object",
    properties: { region: { "x-mcp-header": "Region" }, n: { "x-mcp-header": "N" }, plain: {} },
  }

  test("are mirrored, encoded where a header cannot carry them, and left out where there are none", () => {
    expect(paramHeaders(schema, { region: "eu west", n: 3, plain: "x" })).toEqual({
      "Mcp-Param-Region": "eu west",
      "Mcp-Param-N": "3",
    })
    expect(paramHeaders(schema, { region: "süd\n" })).toEqual({ "Mcp-Param-Region": "=?base64?c8O8ZAo=?=" })
    expect(paramHeaders(schema, { region: null, n: {} })).toEqual({})
    expect(paramHeaders({ type: "object" }, { region: "x" })).toEqual({})
  })
})
