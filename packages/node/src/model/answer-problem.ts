/** Why an answer that began, or should have, is none: it broke off, stood still, was empty, was held back, or holds an error. */
export type AnswerProblemKind = 'broken-off' | 'stalled' | 'empty' | 'filtered' | 'error'

/** What is wrong with an answer that came over a connection that was fine. */
export class AnswerProblem extends Error {
  override readonly name = 'AnswerProblem'
  readonly kind: AnswerProblemKind
  /** What the stream held as an error, whatever that is. */
  readonly told: unknown

  constructor(kind: AnswerProblemKind, message: string, told: unknown = null) {
    super(message)
    this.kind = kind
    this.told = told
  }
}
