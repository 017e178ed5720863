import { describe, expect, test } from "bun:test"
import { clean, clip, decodeEntities, oneLine, plainText } from "../../src/science/clean.ts"
import { processorTime } from "../support/processor-time.ts"

describe("clean", () => {
  test.each([
    ["colours", "\u001B[1;31mred\u001B[0m", "red"],
    ["a one-byte CSI", "\u009B31mred", "red"],
    ["a window title ended by BEL", "a\u001B]0;title\u0007b", "ab"],
    ["a hyperlink ended by ST", "\u001B]8;;https://evil.example\u001B\\link\u001B]8;;\u001B\\", "link"],
    ["a device control string", "a\u001BPdata\u001B\\b", "ab"],
    ["a short sequence", "a\u001B(Bb\u001Bcc", "abc"],
    ["a lone escape", "a\u001B", "a"],
    ["control characters", "a\u0000b\u0007c\u000Bd\u007Fe\u0080f", "abcdef"],
    ["zero-width characters", "p\u200B5\u200C3\u200D\u2060\uFEFF", "p53"],
    ["bidi controls", "a\u202Eb\u202Cc\u2066d\u2069e\u200Ff\u061Cg", "abcdefg"],
    ["tag characters", "hi\u{E0041}\u{E007F}\u{E0100}", "hi"],
  ])("removes %s", (_what, text, cleaned) => {
    expect(clean(text)).toBe(cleaned)
  })

  test("an escape sequence without an end takes nothing with it", () => {
    expect(clean("a\u001B]0;the rest\nstays")).toBe("a0;the rest\nstays")
  })

  test("line breaks and tabs stay, every kind of line break as one", () => {
    expect(clean("a\tb\nc\r\nd\re\u2028f\u0085g")).toBe("a\tb\nc\nd\ne\nf\ng")
  })

  test("text in any script stays as it is", () => {
    const text = "Ångström β-Lactamase – 10⁻⁵ µm, 細胞, שלום, 🧬 e\u0301"
    expect(clean(text)).toBe(text)
  })

  test("half a surrogate pair becomes the replacement character", () => {
    expect(clean("a\uD83Db\uDE00c🧬")).toBe("a\uFFFDb\uFFFDc🧬")
  })

  test("what is left holds no escape sequence that the removal put together", () => {
    expect(clean("\u001B\u200B[31mx\u001B\u001B[0m[0m")).not.toContain("\u001B")
  })
})

test("oneLine collapses blanks of every kind", () => {
  expect(oneLine("  a\n\n  b\u00A0\tc\u2003 ")).toBe("a b c")
})

describe("plainText", () => {
  test.each([
    ["italics", "<i>Escherichia coli</i> K-12", "Escherichia coli K-12"],
    ["superscripts", "10<sup>-5</sup> m", "10^-5 m"],
    ["JATS superscripts", "10<jats:sup>5</jats:sup>", "10^5"],
    ["subscripts", "CO<sub>2</sub> and H<SUB>2</SUB>O", "CO2 and H2O"],
    ["paragraphs", "<jats:title>Abstract</jats:title><jats:p>Text.</jats:p><p>More</p>", "Abstract Text. More"],
    ["line breaks", "one<br>two<br/>three", "one two three"],
    ["attributes", '<a href="x>y" title="&quot;z&quot;" target=_blank>link</a>', "link"],
    ["comments and CDATA", "a<!-- <b> -->b<![CDATA[ c ]]>", "ab c"],
    ["MathML powers", "<mml:math><mml:msup><mml:mn>10</mml:mn><mml:mn>5</mml:mn></mml:msup></mml:math>", "10^5"],
    ["entities", "A&amp;B &lt; &#946;&#x3b2;&beta; caf&eacute; 5&nbsp;&micro;m", "A&B < βββ café 5 µm"],
    ["escaped markup", "&lt;i&gt;E. coli&lt;/i&gt; 10&lt;sup&gt;5&lt;/sup&gt;", "E. coli 10^5"],
  ])("reads %s", (_what, markup, text) => {
    expect(plainText(markup)).toBe(text)
  })

  test.each(["p < 0.05 and q > 0.1", "c.76A<G>T", "if a <b and c> d", "AT&T; R&D", "a<b"])(
    "%s is no markup",
    (text) => {
      expect(plainText(text)).toBe(text)
    },
  )

  test("hidden characters that entities spell are removed too", () => {
    expect(plainText("a&#x202E;b&#27;[31mc&#0;")).toBe("abc")
  })

  test("an entity that does not exist stays, an impossible character is replaced", () => {
    expect(plainText("&nosuch; &#x110000; &#xD800;")).toBe("&nosuch; \uFFFD \uFFFD")
  })

  test("entities are decoded once", () => {
    expect(decodeEntities("&amp;lt;")).toBe("&lt;")
  })

  test("a hostile title takes no time", () => {
    const ms = processorTime()
    for (const text of [
      "<a ".repeat(20_000),
      "<sup".repeat(20_000),
      "&".repeat(50_000),
      "<!--".repeat(20_000),
      "<a b=".repeat(9000),
    ])
      plainText(text)
    expect(ms()).toBeLessThan(2000)
  })
})

describe("clip", () => {
  test("what fits is not touched", () => {
    expect(clip("just enough", 11)).toBe("just enough")
  })

  test("the cut is at a word", () => {
    expect(clip("Cellular tumor antigen p53", 20)).toBe("Cellular tumor…")
    expect(clip("Cellular tumor antigen p53", 15)).toBe("Cellular tumor…")
  })

  test("a long word is cut inside", () => {
    expect(clip("MEEPQSDPSVEPPLSQETFSDLWKLL", 10)).toBe("MEEPQSDPS…")
  })

  test("no character is cut in two", () => {
    for (let max = 1; max < 12; max++) {
      const clipped = clip("🧬🧬e\u0301e\u0301👩‍🔬👩‍🔬", max)
      expect(clipped.length).toBeLessThanOrEqual(max)
      expect(clipped).toMatch(/^(?:🧬)*(?:e\u0301)*(?:👩‍🔬)*…$/u)
    }
  })
})
