import type { ToolResult } from "../tool/context.ts"

export const EXIT = { fine: 0, failure: 1, usage: 2, miss: 3, interrupted: 130 }

/** What a subcommand leaves for `main` to exit with. */
export interface Status {
  code: number
}

/** The reason of the abort that Ctrl-C or a termination signal makes. */
export class Interrupted extends Error {
  override readonly name = "Interrupted"
}

/** A failure of everything that was asked is 1; nothing found is 3; anything found is 0, unless a part of it failed. */
export function exitOf({ metadata }: ToolResult): number {
  if (metadata["error"] !== undefined) return EXIT.failure
  if (Array.isArray(metadata["failed"]) && metadata["failed"].length > 0) return EXIT.failure
  return metadata["count"] === 0 ? EXIT.miss : EXIT.fine
}
