/**
 * Text from databases, made safe and short for a model or a terminal. Text can carry what no reader sees but a model or a terminal obeys:
 * escape sequences, right-to-left overrides, zero-width and tag characters. It is removed from whatever is printed.
 */

/** Escape sequences whole: OSC and its kin up to their terminator, CSI, and the short ones; also in their one-byte (C1) forms. */
const ESCAPE_SEQUENCES =
  /(?:\u001B[\]PX^_]|[\u009D\u0090\u0098\u009E\u009F])[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)|(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|\u001B[ -/]*[0-~]/g

const LINE_BREAKS = /\r\n?|[\u0085\u2028\u2029]/g

/**
 * Characters that show nothing, C0 controls aside: C1 controls, zero-width and bidi controls, interlinear marks, the tags and variation
 * selectors of plane 14. The joiners U+200C and U+200D are among them: in a name they change its look in a few scripts, but they make two
 * ids look alike, and hidden text is spelt with them.
 */
const INVISIBLE =
  "\\u007F-\\u009F\\u061C\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uFEFF\\uFFF9-\\uFFFB\\u{E0000}-\\u{E0FFF}"

/** What a printed record escapes beyond what JSON demands. */
export const INVISIBLE_CHARACTERS = new RegExp(`[${INVISIBLE}]`, "gu")

const NOT_PRINTED = new RegExp(`[\\u0000-\\u0008\\u000B-\\u001F${INVISIBLE}]`, "gu")

const LONE_SURROGATES = /\p{Surrogate}/gu

/** Removes what must not be printed; line breaks and tabs stay. */
export function clean(text: string): string {
  return text
    .replace(ESCAPE_SEQUENCES, "")
    .replace(LINE_BREAKS, "\n")
    .replace(NOT_PRINTED, "")
    .replace(LONE_SURROGATES, "\uFFFD")
}

export function oneLine(text: string): string {
  return clean(text).replace(/\s+/g, " ").trim()
}

/**
 * A title or summary without its markup. Tags go before entities are decoded, so that `p &lt; 0.05` survives, and once more after it, since
 * some databases escape their markup (`&lt;i&gt;E. coli&lt;/i&gt;`).
 */
export function plainText(markup: string): string {
  return oneLine(withoutTags(decodeEntities(withoutTags(markup))))
}

/** At most `max` UTF-16 units, cut at a word where one ends in the latter half, never inside a character. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text
  const edge = graphemes.segment(text).containing(max - 1)?.index ?? 0
  const cut = text.slice(0, edge)
  const word = /\s/.test(text.charAt(edge)) ? edge : cut.lastIndexOf(" ")
  return `${(word > max / 2 ? cut.slice(0, word) : cut).trimEnd()}…`
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

/** Decodes `&name;`, `&#10;` and `&#xA;` once; a name that is not in the table stays as it is. */
export function decodeEntities(text: string, names: Map<string, string> = HTML_ENTITIES): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\dA-Fa-f]{1,6})|(\w+));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return names.get(name) ?? whole
    return character(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
  })
}

function character(codePoint: number): string {
  return codePoint > 0x10ffff ? "\uFFFD" : String.fromCodePoint(codePoint)
}

const COMMENTS = /<!--[\s\S]*?-->/g
const CDATA = /<!\[CDATA\[([\s\S]*?)\]\]>/g
/** Attributes must have a value, else `a <b and c> d` would be a tag. */
const TAG = /<(\/?)(?:[\w.-]+:)?([A-Za-z][\w.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))*)\s*(\/?)>/g
/** The base of a MathML power, without which 10<msup> 5 would read as 105. */
const MATHML_BASE = /(<(?:\w+:)?msup\b[^<>]*>\s*<((?:\w+:)?m\w+)\b[^<>]*>[^<]*<\/\2>)/g
const BLOCKS =
  /^(?:p|br|hr|div|li|ul|ol|d[ltd]|title|sec|section|h\d|t[rdh]|table|list|list-item|label|abstracttext|break)$/i
const UNCLOSED = /^(?:p|br|hr|li|wbr)$/i

function withoutTags(markup: string): string {
  const text = markup.replace(COMMENTS, "").replace(CDATA, "$1").replace(MATHML_BASE, "$1^")
  const closed = new Set(Array.from(text.matchAll(/<\/(?:[\w.-]+:)?([A-Za-z][\w.-]*)\s*>/g), ([, name]) => name))
  return text.replace(TAG, (tag, slash, name, attributes, selfClosed) => {
    // Without a partner it is no markup: `c.76A<G>` and `x<y>z` stay.
    if (!slash && !attributes && !selfClosed && !closed.has(name) && !UNCLOSED.test(name)) return tag
    if (name === "sup" && !slash && !selfClosed) return "^"
    return BLOCKS.test(name) ? " " : ""
  })
}

const HTML_ENTITIES = new Map([
  ...named(0x22, "quot"),
  ...named(0x26, "amp apos"),
  ...named(0x3c, "lt"),
  ...named(0x3e, "gt"),
  // The right half of ISO 8859-1, in order.
  ...named(
    0xa0,
    `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil
    sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute
    Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc
    atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide
    oslash ugrave uacute ucirc uuml yacute thorn yuml`,
  ),
  ...named(0x152, "OElig oelig"),
  ...named(0x160, "Scaron scaron"),
  ...named(0x391, "Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho"),
  ...named(0x3a3, "Sigma Tau Upsilon Phi Chi Psi Omega"),
  ...named(
    0x3b1,
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi",
  ),
  ...named(0x3c7, "chi psi omega"),
  ...named(0x2002, "ensp emsp"),
  ...named(0x2009, "thinsp"),
  ...named(0x2013, "ndash mdash"),
  ...named(0x2018, "lsquo rsquo sbquo"),
  ...named(0x201c, "ldquo rdquo bdquo"),
  ...named(0x2020, "dagger Dagger bull"),
  ...named(0x2026, "hellip"),
  ...named(0x2032, "prime Prime"),
  ...named(0x20ac, "euro"),
  ...named(0x2122, "trade"),
  ...named(0x2190, "larr uarr rarr darr harr"),
  ...named(0x2212, "minus"),
  ...named(0x221e, "infin"),
  ...named(0x223c, "sim"),
  ...named(0x2248, "asymp"),
  ...named(0x2260, "ne equiv"),
  ...named(0x2264, "le ge"),
])

/** Names of consecutive characters. */
function named(first: number, names: string): [string, string][] {
  return names.split(/\s+/).map((name, offset) => [name, String.fromCodePoint(first + offset)])
}
