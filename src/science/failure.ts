/**
 * Everything that is not an answer, by its code. Inside `science` a Failure is thrown and travels up to `Science`, which returns it as a
 * value; a miss is never a Failure. The value says whether the same call may work later, so that an agent need not guess.
 */
const CODES = {
  unknown_db: { retryable: false },
  unsupported_format: { retryable: false },
  invalid_id: { retryable: false },
  invalid_query: { retryable: false },
  invalid_select: { retryable: false },
  key_required: { retryable: false },
  rate_limited: { retryable: true },
  unavailable: { retryable: true },
  timeout: { retryable: true },
  bad_response: { retryable: true },
  too_large: { retryable: false },
  forbidden_host: { retryable: false },
  denied: { retryable: false },
  write_failed: { retryable: false },
  offline: { retryable: false },
} as const satisfies Record<string, { retryable: boolean }>

export type FailureCode = keyof typeof CODES

export const FAILURE_CODES = Object.keys(CODES) as FailureCode[]

export interface FailureDetails {
  /** Whether the same call may succeed later; by default what the code says. */
  retryable?: boolean
  /** How long to wait before that, in milliseconds, where the service said so. */
  retryAfterMs?: number
}

/** `message` is one sentence for the reader: what happened and what to do next. It never holds a key. */
export class Failure extends Error {
  override readonly name = "Failure"
  readonly retryable: boolean
  readonly retryAfterMs: number | undefined

  constructor(
    readonly code: FailureCode,
    message: string,
    details: FailureDetails = {},
  ) {
    super(message)
    this.retryable = details.retryable ?? CODES[code].retryable
    this.retryAfterMs = details.retryAfterMs
  }

  /** An Error keeps its message out of JSON; a value that programs print needs it. */
  toJSON() {
    const { code, message, retryable, retryAfterMs } = this
    return { code, message, retryable, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  }
}
