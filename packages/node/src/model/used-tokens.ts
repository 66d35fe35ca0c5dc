import type { Usage } from '@plimsoll/core'

/** What one call to a model took. */
export interface UsedTokens {
  readonly usage: Usage
  /** Whether it was worked out here, because the answer broke off before anybody said it. */
  readonly isEstimated: boolean
  readonly durationMs: number
}

/** How calls beside the conversation are paid for. */
export interface Payment {
  /** Told what a call took, also one that failed after it had begun. The call ends when that is written down. */
  readonly onUsage?: (used: UsedTokens) => Promise<void>
  /** Whether a call may be made that takes no more tokens than these. Default: any may. */
  readonly mayAsk?: (most: Pick<Usage, 'input' | 'output'>) => boolean
}
