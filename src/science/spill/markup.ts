/** What can be told about markup from the two ends of a body. Text is read as latin1 here: marks are ASCII, and bytes stay bytes. */

/** A UTF-8 byte order mark, read as latin1. */
const BYTE_ORDER_MARK = "\xef\xbb\xbf"

/** What may stand before a document: blanks, an XML declaration or another instruction, comments. */
const PROLOG = /^(?:\s|<\?[^]*?\?>|<!--[^]*?-->)+/

const DOCTYPE = /^<!doctype\s+([^\s>[]+)(?:[^>[]*(?:\[[^]*?\]\s*)?>)?/i

/** What may stand after a document besides blanks, by how it ends and begins. */
const EPILOG = { "-->": "<!--", "?>": "<?" }

export function withoutMark(head: string): string {
  const text = head.startsWith(BYTE_ORDER_MARK) ? head.slice(BYTE_ORDER_MARK.length) : head
  return text.trimStart()
}

/** Challenge pages, "503" pages and folder listings come with status 200 and any media type; XHTML ones begin like any XML. */
export function isHtmlPage(head: string): boolean {
  return /^<(?:!doctype\s+html|html|head|body)[\s>/[]/i.test(withoutMark(head).replace(PROLOG, ""))
}

/** Whether a document ends with the closing tag of the element that it begins with; undefined where that cannot be told. */
export function closesRoot(head: string, tail: string): boolean | undefined {
  const name = rootName(withoutMark(head).replace(PROLOG, ""))
  const end = withoutEpilog(tail)
  if (name === undefined || end === undefined) return undefined
  const closing = end.slice(end.lastIndexOf("<"))
  return closing.replace(/\s+/g, "") === `</${name}>` || (closing.endsWith("/>") && tagName(closing) === name)
}

/** Undefined where the tail lies within one long comment. */
function withoutEpilog(tail: string): string | undefined {
  let text = tail.trimEnd()
  for (;;) {
    const [, begin] = Object.entries(EPILOG).find(([end]) => text.endsWith(end)) ?? []
    if (begin === undefined) return text
    const at = text.lastIndexOf(begin)
    if (at < 0) return undefined
    text = text.slice(0, at).trimEnd()
  }
}

/** The DOCTYPE names the root too, and its own list of entities can be longer than the head. */
function rootName(start: string): string | undefined {
  const declared = DOCTYPE.exec(start)
  if (!declared) return tagName(start)
  return tagName(start.slice(declared[0].length).replace(PROLOG, "")) ?? declared[1]
}

function tagName(tag: string): string | undefined {
  return /^<([^\s/>!?<]+)/.exec(tag)?.[1]
}
