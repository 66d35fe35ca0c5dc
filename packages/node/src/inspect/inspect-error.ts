import type { Trouble } from '../files/trouble.ts'

/** Why something about a session cannot be shown. */
export type InspectTrouble =
  | 'no-such-request'
  | 'no-such-edit'
  | 'no-such-session'
  | 'no-such-blob'
  | 'cannot-read'
  | 'cannot-replay'

/** Trouble with a session that somebody looks at; the message is its code. */
export class InspectError extends Error {
  override readonly name = 'InspectError'
  readonly code: InspectTrouble
  /** What was wrong with the file, where it was the file. */
  readonly trouble: Trouble | null

  constructor(code: InspectTrouble, trouble: Trouble | null = null, options?: ErrorOptions) {
    super(code, options)
    this.code = code
    this.trouble = trouble
  }
}
