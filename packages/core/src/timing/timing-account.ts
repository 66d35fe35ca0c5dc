import type { ColdReason } from './moment.ts'

/** The numbers behind a decision about waiting edits. Amounts are in tokens of input at its full price. */
export interface TimingAccount {
  /**
   * Nothing waits; all took effect because nothing of it was cached; some took effect because waiting had cost more than changing;
   * they wait because changing costs more; or because what was saved so far does not cover it.
   */
  readonly decision: 'nothing' | 'cold' | 'pays' | 'waits' | 'bank'
  /** Why something that was sent is not cached; null when all of it is. */
  readonly cold: ColdReason | null
  /** Tokens that the waiting edits would take away. */
  readonly waitingTokens: number
  /** What carrying them has cost so far. */
  readonly debt: number
  /** What changing them now would cost, from the place where that pays most. */
  readonly price: number
  /** Tokens that were written again for what took effect. */
  readonly rewritten: number
  /** What was saved so far against sending everything. */
  readonly bank: number
  /** How long the provider is taken to keep a prompt; null when it is not known. */
  readonly lifetimeSeconds: number | null
}
