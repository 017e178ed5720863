import { describe, expect, test } from "bun:test"
import { asArray, decodeText, readXml } from "../../src/science/xml.ts"
import { processorTime } from "../support/processor-time.ts"

function read(xml: string): unknown {
  return readXml(new TextEncoder().encode(xml))
}

describe("the mapping", () => {
  test.each<[string, string, unknown]>([
    ["the root element's name is the only key", "<a><b>1</b></a>", { a: { b: "1" } }],
    ["attributes get an @", "<a x=\"1\" y='2'><b/></a>", { a: { "@x": "1", "@y": "2", b: "" } }],
    ["repeated siblings are an array, in order", "<a><b>1</b><c/><b>2</b></a>", { a: { b: ["1", "2"], c: "" } }],
    [
      "text is a string, whatever it looks like",
      "<a><b>007</b><c>true</c><d>1e5</d></a>",
      { a: { b: "007", c: "true", d: "1e5" } },
    ],
    ["text beside attributes is #text", '<a><b x="1">t</b></a>', { a: { b: { "@x": "1", "#text": "t" } } }],
    ["an element with attributes only has no #text", '<a><b x="1"> </b></a>', { a: { b: { "@x": "1" } } }],
    ["an empty element is an empty string", "<a><b/><c></c><d>\n </d></a>", { a: { b: "", c: "", d: "" } }],
    ["blanks between elements are layout", "<a>\n <b>1</b>\n</a>", { a: { b: "1" } }],
    ["blanks inside a text are kept", "<a> x\n y </a>", { a: " x\n y " }],
    ["a no-break space is text", "<a>&#160;</a>", { a: "\u00A0" }],
    [
      "entities are decoded once",
      '<a b="&quot;&#65;">&lt;&amp;lt;&#x3B2;</a>',
      { a: { "@b": '"A', "#text": "<&lt;β" } },
    ],
    ["CDATA is text", "<a>1 <![CDATA[<b> & ]]>2</a>", { a: "1 <b> & 2" }],
    ["prefixes are kept", '<f:a xmlns:f="u"><f:b>1</f:b></f:a>', { "f:a": { "@xmlns:f": "u", "f:b": "1" } }],
    [
      "comments, instructions and the prolog are dropped",
      '<?xml version="1.0"?><!-- c --><?p i?><a>1<!-- c -->2<?p i?>3</a><!-- c -->',
      { a: "123" },
    ],
    [
      "names that objects inherit are names",
      "<a><toString>1</toString><valueOf/></a>",
      { a: { toString: "1", valueOf: "" } },
    ],
  ])("%s", (_rule, xml, tree) => {
    expect(read(xml)).toEqual(tree)
  })
})

describe("mixed content", () => {
  test.each<[string, string, unknown]>([
    [
      "is the inner XML verbatim",
      "<a>10<sup>5</sup> &lt; <i>E.  coli</i></a>",
      { a: "10<sup>5</sup> &lt; <i>E.  coli</i>" },
    ],
    ["is #text beside attributes", '<a L="x">b <i>c</i></a>', { a: { "@L": "x", "#text": "b <i>c</i>" } }],
    [
      "keeps MathML with its attributes and empty elements",
      '<a>x <mml:math display=\'say "in"\'><mml:mi/><mml:mn a="&amp;">2</mml:mn></mml:math></a>',
      { a: 'x <mml:math display=\'say "in"\'><mml:mi/><mml:mn a="&amp;">2</mml:mn></mml:math>' },
    ],
    ["keeps CDATA as it is", "<a><![CDATA[<]]> <i>b</i></a>", { a: "<![CDATA[<]]> <i>b</i>" }],
    [
      "is also a text wrapped whole in markup",
      "<a><b><i>Homo sapiens</i></b></a>",
      { a: { b: "<i>Homo sapiens</i>" } },
    ],
    [
      "is not data that happens to be named like markup",
      "<cell><a>1</a><b>2</b><c>3</c></cell>",
      { cell: { a: "1", b: "2", c: "3" } },
    ],
  ])("%s", (_rule, xml, tree) => {
    expect(read(xml)).toEqual(tree)
  })
})

describe("a DOCTYPE", () => {
  test.each([
    ["public", '<!DOCTYPE a PUBLIC "-//NLM//DTD >//EN" "https://dtd.nlm.nih.gov/x.dtd">'],
    ["with a subset", "<!DOCTYPE a [<!ELEMENT a (#PCDATA)> <!ATTLIST a b CDATA #IMPLIED> <!-- it's ] > --> <?p ]?>]>"],
    ["with an external entity", '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd"> <!ENTITY % y "z">]>'],
    ["with brackets in an entity", "<!DOCTYPE a [<!ENTITY x ']>'>]>"],
  ])("%s is passed over", (_kind, doctype) => {
    expect(read(`<?xml version="1.0"?>\n<!-- c -->${doctype}\n<a>1</a>`)).toEqual({ a: "1" })
  })

  test("its entities are not expanded", () => {
    const laughs = '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;"><!ENTITY c "&b;&b;&b;">'
    expect(read(`<!DOCTYPE r [${laughs}]><r x="&b;">&c;</r>`)).toEqual({ r: { "@x": "&b;", "#text": "&c;" } })
  })
})

describe("a body that is not whole", () => {
  const xml = `<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY x "y">]>\n<a x="1 > 0"><!-- c --><b>1</b><b/><c>t <i>u</i><![CDATA[<d/>]]></c></a>`

  test("never reads as a shorter one", () => {
    for (let length = 0; length < xml.length; length++)
      expect(() => read(xml.slice(0, length)), xml.slice(0, length)).toThrow(SyntaxError)
    expect(read(xml)).toEqual({ a: { "@x": "1 > 0", b: ["1", ""], c: "t <i>u</i><![CDATA[<d/>]]>" } })
  })

  test.each([
    "",
    "text",
    "{}",
    "<a><b></a></b>",
    "<a/><b/>",
    "<a></a><b></b>",
    "<a/>text",
    "<a></a>text",
    "<a b=1/>",
    "<a b='1' b='2'/>",
    "<a>&</a>",
    "<a>1 < 2</a>",
    "<!-- only -->",
    "<__proto__/>",
  ])("%s is not well-formed XML", (text) => {
    expect(() => read(text)).toThrow(SyntaxError)
  })

  test("five hundred levels can be read, ten thousand are refused, not a crash", () => {
    expect(read(`${"<a>".repeat(500)}1${"</a>".repeat(500)}`)).toHaveProperty(Array(500).fill("a"), "1")
    expect(() => read("<a>".repeat(10_000) + "</a>".repeat(10_000))).toThrow(SyntaxError)
  })
})

describe("characters", () => {
  const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

  test("the prolog's encoding is used", () => {
    expect(readXml(latin('<?xml version="1.0" encoding="ISO-8859-1"?><a>M\u00FCller</a>'))).toEqual({ a: "Müller" })
  })

  test("the header's charset goes before the prolog's", () => {
    const bytes = new TextEncoder().encode('<?xml version="1.0" encoding="ISO-8859-1"?><a>Müller</a>')
    expect(readXml(bytes, "text/xml; charset=UTF-8")).toEqual({ a: "Müller" })
    expect(readXml(latin("<a>M\u00FCller</a>"), 'text/xml;charset="iso-8859-1"')).toEqual({ a: "Müller" })
  })

  test("a byte order mark is used and dropped", () => {
    const utf16 = Uint8Array.from([0xff, 0xfe, ...Array.from("<a>ü</a>", (c) => [c.charCodeAt(0), 0]).flat()])
    expect(readXml(utf16)).toEqual({ a: "ü" })
    expect(readXml(latin("\u00EF\u00BB\u00BF<a>\u00C3\u00BC</a>"))).toEqual({ a: "ü" })
  })

  test("a charset that does not exist, and a UTF-16 that is none, count for nothing", () => {
    const bytes = new TextEncoder().encode('<?xml version="1.0" encoding="utf-16"?><a>ü</a>')
    expect(readXml(bytes, "text/xml; charset=nonsense")).toEqual({ a: "ü" })
  })

  test("what XML forbids is dropped, raw or as a reference", () => {
    expect(read("<a>one\u000Btwo&#11;\u0000\uFFFE</a>")).toEqual({ a: "onetwo" })
    expect(read("<a>one\u000B <i>two</i></a>")).toEqual({ a: "one <i>two</i>" })
  })

  test("a text body is decoded the same way", () => {
    expect(decodeText(latin("caf\u00E9"), "text/plain; charset=ISO-8859-1")).toBe("café")
    expect(decodeText(new TextEncoder().encode("café"))).toBe("café")
  })

  test("a blank line before the prolog is forgiven", () => {
    expect(read('\n<?xml version="1.0"?><a>1</a>\n')).toEqual({ a: "1" })
  })
})

test("asArray reads what may be absent, single or repeated", () => {
  expect(asArray(undefined)).toEqual([])
  expect(asArray("one")).toEqual(["one"])
  expect(asArray(["one", "two"])).toEqual(["one", "two"])
})

test("half a megabyte is read in well under a second", () => {
  const entry = '<entry id="7157"><name type="x">TP53</name><text>p &lt; 0.05, 10<sup>5</sup></text><empty/></entry>'
  const xml = `<set>${entry.repeat(5000)}</set>`
  const ms = processorTime()
  read(xml)
  expect(ms()).toBeLessThan(1000)
})
