/** How a file is laid out, so that what is added looks like the rest. */
export interface Layout {
  eol: string
  indent: string
}

export function layoutOf(text: string): Layout {
  const [, indent = "  "] = /\n([ \t]+)\S/.exec(text) ?? []
  return { eol: text.includes("\r\n") ? "\r\n" : "\n", indent }
}
