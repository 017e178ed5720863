import type { PermissionRequest } from "../permission/index.ts"

/** How much of a tool's text its host passes on whole. The whole text counts, its first line included. */
export interface Limits {
  bytes: number
  lines: number
}

/** opencode's (its `tool_output` setting): beyond that it cuts whole lines from the head. */
export const LIMITS: Limits = { bytes: 51_200, lines: 2_000 }

/** What a host hands to a tool call. */
export interface ToolContext {
  /** The project directory: everything is written below it. */
  directory: string
  /** What permission patterns are relative to. */
  worktree: string
  signal: AbortSignal
  /** Resolves when it may be done; throws PermissionDenied when a rule forbids it, the host's own error when a person does. */
  ask(request: PermissionRequest): Promise<void>
  limits?: Limits
  /** Whether the host shows a result's images to its model. Where it does not, they are saved like files. */
  showsImages?: boolean
  onProgress?(progress: { id: string; bytes: number; total?: number }): void
}

export interface ToolResult {
  /** A few words for the host's user interface. */
  title: string
  /** All that the model reads. */
  output: string
  /** Images that belong to the output, which names each of them: only where the context says that the host shows them. */
  images?: Image[]
  metadata: Metadata
}

export interface Image {
  mediaType: string
  /** In base64. */
  data: string
}

/** About the call, for hosts and programs; the model never sees it. */
export interface Metadata {
  /** Always set: these tools bound their own output, so a host need not cut it. */
  truncated: boolean
  [key: string]: unknown
}
