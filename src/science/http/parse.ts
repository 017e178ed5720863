import type { Json } from "../connector.ts"
import { Failure } from "../failure.ts"
import { readJson } from "../json.ts"
import { decodeText, readXml } from "../xml.ts"
import { isHtml, words } from "./classify.ts"

export type As = "json" | "xml" | "text"

export const ACCEPT: Record<As, string> = {
  json: "application/json, */*;q=0.5",
  xml: "application/xml, text/xml, application/atom+xml, */*;q=0.5",
  text: "text/plain, */*;q=0.5",
}

const FORM: Record<As, string> = { json: "JSON", xml: "XML", text: "text" }

/** A good answer's body in the promised shape, or a `bad_response` with its first words: HTML, a cut-off body, nothing at all. */
export function parse(name: string, as: As, bytes: Uint8Array, contentType: string | null): Json {
  const text = decodeText(bytes, contentType ?? undefined)
  try {
    if (isHtml(text)) throw new SyntaxError("it is an HTML page")
    if (as === "text") return text
    if (text.trim() === "") throw new SyntaxError("it is empty")
    return as === "json" ? readJson(text) : readXml(bytes, contentType ?? undefined)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const began = text.trim() === "" ? "" : `; it began "${words(text)}"`
    throw new Failure(
      "bad_response",
      `${name} did not answer in ${FORM[as]} (${error.message})${began}; try again later.`,
    )
  }
}
