export interface PermissionRequest {
  /** What is to be done: `edit` for any write, else a tool's own name. */
  permission: string
  /** What it is to be done to, each: a path relative to the worktree, or `db:id`. */
  patterns: string[]
  /** Patterns that an answer of "always" allows from then on. */
  always: string[]
  /** What a person wants to know before answering: database, id, format, address. */
  metadata: Record<string, unknown>
}

/** Resolves when permission is given, rejects when it is not. */
export type Ask = (request: PermissionRequest) => Promise<void>

export type Answer = "once" | "always" | "reject"

/** Puts a request to a person by whatever the host has for that. */
export type Prompt = (request: PermissionRequest) => Promise<Answer>
