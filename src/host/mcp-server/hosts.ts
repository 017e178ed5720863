import { LIMITS, type Limits } from "../../tool/context.ts"

/** What is known about how a host shows an answer to its model. */
export interface HostTraits {
  /** How much text it passes on whole. Each stays below what was seen to pass, because hosts add words of their own. */
  limits: Limits
  /**
   * What stands in `structuredContent`. Some hosts show it to the model in place of the text: they get none. Those that show the text get
   * what is known about the call; where it is not known which, the text is in it as well, so that nothing is lost either way.
   */
  structured: "none" | "about" | "whole"
}

/**
 * For a client that is not known: what the strictest passes on. Codex cuts the middle out of more than 10 KiB or 256 lines
 * (openai/codex#6544), its own first lines and the links to saved files included. That only means that more goes to disk.
 */
const UNKNOWN: HostTraits = { limits: { bytes: 8_500, lines: 240 }, structured: "whole" }

/** By the name that a client gives itself. */
const KNOWN: readonly [RegExp, HostTraits][] = [
  // 25,000 tokens, then a 2 KB preview (anthropics/claude-code#45770); dense JSON is a token for two to three bytes.
  [/^claude-code/i, { limits: { bytes: 40_000, lines: 1_500 }, structured: "none" }],
  [/^codex/i, { limits: UNKNOWN.limits, structured: "none" }],
  // 40,000 characters.
  [/^gemini-cli/i, { limits: { bytes: 36_000, lines: 900 }, structured: "about" }],
  [/^opencode/i, { limits: LIMITS, structured: "about" }],
]

export const traitsOf = (client = ""): HostTraits => KNOWN.find(([name]) => name.test(client))?.[1] ?? UNKNOWN
