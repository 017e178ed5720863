/**
 * XML to JSON by one mapping, for every database that answers in XML:
 *
 * - the document is an object with one key, the root element's name;
 * - an attribute is the key `@name`, a child element the key `name`, with an array where siblings repeat it (`asArray` reads both);
 * - an element that holds only text is that text: no numbers or booleans are made of it, entities are decoded, CDATA counts as text;
 * - with attributes too, its text is the key `#text`;
 * - text beside elements (`10<sup>5</sup>`), or wrapped whole in text markup (`<i>Homo sapiens</i>`), is mixed content: the inner XML verbatim,
 *   blanks and entities kept, stands where the text would;
 * - an empty element, or one that holds only blanks, is `""`; with attributes it has no `#text`;
 * - prefixes are kept as written (`opensearch:totalResults`); comments, processing instructions and the DOCTYPE are dropped.
 *
 * The order of children of different names is not kept.
 */
import { TextDecoder } from "node:util"
import { XMLParser, XMLValidator } from "fast-xml-parser"
import { decodeEntities } from "./clean.ts"
import { isObject, MAX_DEPTH } from "./json.ts"

/** Throws a SyntaxError when the XML is cut off or otherwise not well formed. */
export function readXml(bytes: Uint8Array, contentType?: string): unknown {
  // A stray control character must not cost the record (the byte 0B inside an abstract: zotero/translators#2959).
  const text = decodeText(bytes, contentType).replace(FORBIDDEN, "").trim()
  const [root, ...others] = parse(withoutDoctype(text)).filter(isElement)
  if (!root || others.length > 0) throw new SyntaxError("not well-formed XML: there must be one root element")
  return { [root.name]: contentOf(root) }
}

/** The text of a body, by the header's charset, else its byte order mark, else its XML prolog, else as UTF-8. */
export function decodeText(bytes: Uint8Array, contentType = ""): string {
  const header = /charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType)?.[1]
  const decoder = decoderFor(header) ?? decoderFor(byteOrderMark(bytes)) ?? decoderFor(prologEncoding(bytes))
  return (decoder ?? new TextDecoder()).decode(bytes)
}

/** Every value of a key that may be absent, single or repeated. */
export function asArray<T>(value: T | T[] | undefined): T[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function decoderFor(label: string | undefined): TextDecoder | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label)
  } catch {
    // A charset that does not exist says nothing.
    return undefined
  }
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8"
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be"
  return undefined
}

function prologEncoding(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 200))
  const encoding = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.-]+)["']/.exec(start)?.[1]
  // A prolog that could be read byte by byte is not in UTF-16, whatever it says.
  return encoding && /^utf-?16/i.test(encoding) ? "utf-8" : encoding
}

/** What XML 1.0 allows in no document, not even as a reference. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const PROLOG = /^(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*/
const DOCTYPE =
  /<!DOCTYPE(?:[^"'<>[\]]|"[^"]*"|'[^']*')*(?:\[(?:<!--[\s\S]*?-->|<\?[\s\S]*?\?>|"[^"]*"|'[^']*'|[^\]"'])*\]\s*)?>/y

/** Its entities are never expanded and its files never loaded: both have been used to exhaust or to read a machine. */
function withoutDoctype(xml: string): string {
  const start = PROLOG.exec(xml)?.[0].length ?? 0
  if (!xml.startsWith("<!DOCTYPE", start)) return xml
  DOCTYPE.lastIndex = start
  if (!DOCTYPE.test(xml)) throw new SyntaxError("not well-formed XML: its DOCTYPE has no end")
  return xml.slice(0, start) + xml.slice(DOCTYPE.lastIndex)
}

interface Text {
  kind: "text" | "cdata"
  text: string
}

interface Element {
  kind: "element"
  name: string
  attributes: [name: string, value: string][]
  children: Node[]
}

type Node = Text | Element

/** The library's own mappings lose the place of text among elements; in this form it gives every node in order, its text undecoded. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  textNodeName: "#text",
  cdataPropName: "#cdata",
  ignoreDeclaration: true,
  ignorePiTags: true,
  trimValues: false,
  parseTagValue: false,
  processEntities: false,
  maxNestedTags: MAX_DEPTH,
  jPath: false,
  onDangerousProperty: (name) => name,
})

function parse(xml: string): Node[] {
  const valid = XMLValidator.validate(xml)
  if (valid !== true) throw new SyntaxError(`not well-formed XML: ${valid.err.msg} (line ${valid.err.line})`)
  // The validator does not see text after a root element that closes itself.
  if (!xml.endsWith(">")) throw new SyntaxError("not well-formed XML: text after its end")
  try {
    return nodesOf(parser.parse(xml))
  } catch (error) {
    throw new SyntaxError(`not well-formed XML: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function nodesOf(ordered: unknown): Node[] {
  return asArray(ordered).filter(isObject).map(nodeOf)
}

/** The library's form of a node: one key that is its name, and `:@` for its attributes. */
function nodeOf({ ":@": attributes, ...content }: Record<string, unknown>): Node {
  const [[name, value] = ["#text", ""]] = Object.entries(content)
  if (name === "#text") return { kind: "text", text: String(value) }
  const children = nodesOf(value)
  if (name === "#cdata") return { kind: "cdata", text: children.map(textOf).join("") }
  const pairs = Object.entries(isObject(attributes) ? attributes : {})
  return { kind: "element", name, attributes: pairs.map(([key, text]) => [key, String(text)]), children }
}

function isElement(node: Node): node is Element {
  return node.kind === "element"
}

const XML_ENTITIES = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
])

function decoded(text: string): string {
  return decodeEntities(text, XML_ENTITIES).replace(FORBIDDEN, "")
}

function textOf(node: Node): string {
  if (node.kind === "element") return ""
  return node.kind === "cdata" ? node.text : decoded(node.text)
}

const BLANK = /^[ \t\r\n]*$/

/**
 * Elements of HTML, JATS and MathML that mark up text. One that wraps a whole text is text too, else a title would be an object when it is all
 * in italics. `b` and `u` are not here: data have fields of that name.
 */
const TEXT_MARKUP = /^(?:(?:jats|mml):)?(?:i|em|strong|italic|bold|underline|sub|sup|sc|math)$/

function contentOf({ attributes, children }: Element): unknown {
  const elements = children.filter(isElement)
  const text = children.map(textOf).join("")
  const isText = !BLANK.test(text) || elements.length === 0 || isWrapped(elements)
  const result: Record<string, unknown> = {}
  for (const [name, value] of attributes) result[`@${name}`] = decoded(value)
  if (!isText) return Object.assign(result, byName(elements))

  const whole = elements.length > 0 ? markup(children) : BLANK.test(text) ? "" : text
  if (attributes.length === 0) return whole
  return whole === "" ? result : { ...result, "#text": whole }
}

function isWrapped([only, ...others]: Element[]): boolean {
  return only !== undefined && others.length === 0 && TEXT_MARKUP.test(only.name)
}

function byName(elements: Element[]): Record<string, unknown> {
  const groups = new Map<string, unknown[]>()
  for (const element of elements) {
    const content = contentOf(element)
    const group = groups.get(element.name)
    if (group) group.push(content)
    else groups.set(element.name, [content])
  }
  return Object.fromEntries(Array.from(groups, ([name, group]) => [name, group.length === 1 ? group[0] : group]))
}

function markup(nodes: Node[]): string {
  return nodes.map(nodeMarkup).join("")
}

function nodeMarkup(node: Node): string {
  if (node.kind !== "element") return node.kind === "cdata" ? `<![CDATA[${node.text}]]>` : node.text
  const attributes = node.attributes.map(([name, value]) =>
    value.includes('"') ? ` ${name}='${value}'` : ` ${name}="${value}"`,
  )
  const tag = node.name + attributes.join("")
  return node.children.length === 0 ? `<${tag}/>` : `<${tag}>${markup(node.children)}</${node.name}>`
}
