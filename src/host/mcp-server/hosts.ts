import { LIMITS, type Limits } from "../../tool/context.ts"

/** What is known about how a host shows an answer to its model. */
export interface HostTraits {
  /** How much text it passes on whole. Each stays below what was seen to pass, because hosts add words of their own. */
  limits: Limits
  /**
   * Whether an answer has `structuredContent`. Some hosts show it to the model in place of the text (Claude Code, Codex), or both when a
   * call failed (Gemini CLI): the hosts that are known get none.
   */
  structured: boolean
}

/**
 * For a client that is not known: what the strictest passes on. Codex cuts the middle out of more than 10 KiB or 256 lines
 * (openai/codex#6544), its own first lines and the links to saved files included. That only means that more goes to disk.
 */
const UNKNOWN: HostTraits = { limits: { bytes: 8_500, lines: 240 }, structured: true }

/** By the name that a client gives itself. */
const KNOWN: readonly [RegExp, HostTraits][] = [
  // 25,000 tokens, then a 2 KB preview (anthropics/claude-code#45770); dense JSON is a token for two to three bytes.
  [/^claude-code/i, { limits: { bytes: 40_000, lines: 1_500 }, structured: false }],
  [/^codex/i, { limits: UNKNOWN.limits, structured: false }],
  // 40,000 characters.
  [/^gemini-cli/i, { limits: { bytes: 36_000, lines: 900 }, structured: false }],
  [/^opencode/i, { limits: LIMITS, structured: false }],
]

export const traitsOf = (client = ""): HostTraits => KNOWN.find(([name]) => name.test(client))?.[1] ?? UNKNOWN
