import type { NoticeCode } from '@plimsoll/core'

/** Why a model's summary cannot be used, with the code of the sentence that tells the user. */
export class SummaryError extends Error {
  override readonly name = 'SummaryError'
  readonly code: NoticeCode

  constructor(code: NoticeCode, message: string) {
    super(message)
    this.code = code
  }
}
