import type { AgentError } from '../shared/event.ts'

/** A turn cannot go on. What happened, and what can be done about it, is in `error`. */
export class TurnError extends Error {
  override readonly name = 'TurnError'
  readonly error: AgentError
  /** Whether the `error` event was emitted already. */
  readonly isTold: boolean

  constructor(error: AgentError, { isTold, cause }: { readonly isTold: boolean; readonly cause?: unknown }) {
    super(error.message, { cause })
    this.error = error
    this.isTold = isTold
  }
}
