import type { BillSums } from './bill/cache-bill.ts'
import type { GateName } from './gates.ts'
import type { OwnAccount } from './own-account.ts'

export interface SessionRun {
  readonly session: string
  readonly requests: number
  /** Whether the simulated cache agreed with the provider's. */
  readonly isCalibrated: boolean
  readonly hasTimes: boolean
  readonly bills: readonly Bill[]
  /** At the session's own prices; only if they are asked for. */
  readonly account?: OwnAccount
  /** Whether they are known; if not, those of the default price row are assumed. */
  readonly isPriced?: boolean
  readonly latencies: readonly number[]
  /** The tokens of each request, for each price row; only if they are wanted. */
  readonly prompts?: readonly (readonly number[])[]
  /** The gates that its views did not pass. With any, its savings do not count. Default: none. */
  readonly brokenGates?: readonly GateName[]
}

export interface Bill extends BillSums {
  /** Dollars for calls that write summaries. */
  readonly summaries: number
  /** Tokens that were cached and had to be written again because the view changed. */
  readonly rewrittenTokens: number
  /** The tokens of the largest request, and of the one that 95 of 100 stay below. */
  readonly peak: number
  readonly peak95: number
  readonly above: readonly [number, number, number]
  readonly retention: Retention
  /** The tokens of tool results, and those of them that were shown, each counted when it was last shown. */
  readonly resultTokens: number
  readonly resultTokensShown: number
}

/**
 * Users' text and changed files must always be in view; they are counted in `classes` only, because they would make the rest look
 * better.
 */
export interface Retention {
  readonly needs: number
  readonly inView: number
  readonly byHandle: number
  readonly byQuery: number
  readonly lost: number
  /** Without the needs that could have been guessed. */
  readonly checked: { readonly needs: number; readonly inView: number }
  readonly edits: number
  readonly editsWhole: number
  readonly recalls: number
  /** Results that were recalled, and those recalled more than once. */
  readonly recalled: number
  readonly recalledAgain: number
  readonly classes: Readonly<Record<string, { readonly needs: number; readonly inView: number }>>
}
