import { LIMITS, type Limits } from "../../tool/context.ts"

/**
 * What the strictest host known passes on whole: Codex cuts the middle out of more than 10 KiB or 256 lines (openai/codex#6544), its own
 * first lines and the links to saved files included. For a client that is not known this is safe, and only means that more goes to disk.
 */
const STRICTEST: Limits = { bytes: 8_500, lines: 240 }

/** By the name that a client gives itself. Each stays below what was seen to pass, because hosts add words of their own. */
const BY_CLIENT: readonly [RegExp, Limits][] = [
  // 25,000 tokens, then a 2 KB preview (anthropics/claude-code#45770); dense JSON is a token for two to three bytes.
  [/^claude-code/i, { bytes: 40_000, lines: 1_500 }],
  // 40,000 characters; each text block is wrapped.
  [/^gemini-cli/i, { bytes: 36_000, lines: 900 }],
  [/^opencode/i, LIMITS],
]

export const limitsFor = (client = ""): Limits => BY_CLIENT.find(([name]) => name.test(client))?.[1] ?? STRICTEST
