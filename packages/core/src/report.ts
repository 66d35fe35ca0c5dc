import type { Overflow } from './fit/overflow.ts'
import type { Problem } from './invariants.ts'
import type { Load } from './load.ts'
import type { ColdReason } from './timing/moment.ts'
import type { TimingAccount } from './timing/timing-account.ts'

/** How a view came to be: the list of edits itself, with what each did to the size and to the provider's cache. */
export interface Report {
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly edits: readonly ReportedEdit[]
  /** Edits that were proposed and do not pay yet. */
  readonly waiting: readonly ReportedEdit[]
  /** Edits of the last accepted request that are gone: what they changed is shown as it was before them. */
  readonly withdrawn: readonly ReportedEdit[]
  /** What the view changes of the last accepted request; null if it begins with the very same bytes. */
  readonly rewrite: Rewrite | null
  /** What a provider would still refuse about the view. */
  readonly problems: readonly Problem[]
  /** Sums per policy. */
  readonly rules: Readonly<Record<string, { readonly edits: number; readonly tokensSaved: number }>>
  /** The share of tool results whose output was cut by its limit, 0 to 1. */
  readonly truncationRate: number
  /** The numbers behind what took effect and what waits; null where the timing does not go by any. */
  readonly timing: TimingAccount | null
  /** How much of the window the view takes. */
  readonly load: Load
  /** What is in the way where the view is over the line although the last resort ran; else null. */
  readonly overflow: Overflow | null
}

/** A change of what the provider was sent before: everything from its first message on is read and written again. */
export interface Rewrite {
  /**
   * Why now: the cache does not hold it anyway (see `ColdReason`), carrying it has cost as much as changing it (`pays`), the request would
   * not fit (`full`), a call and its result had to be paired (`repair`), an edit was withdrawn (`withdrawn`), another writer had decided
   * (`adopted`), or the timing waits for nothing (`immediate`).
   */
  readonly reason: ColdReason | 'pays' | 'repair' | 'withdrawn' | 'adopted' | 'immediate'
  /** The first message that changed. */
  readonly message: string
  /** Tokens from there on that were sent before and are written again. */
  readonly tokens: number
  /** What writing them costs; null if the price is unknown. */
  readonly dollars: number | null
}

/** An edit with its size before and after, and its reason. */
export interface ReportedEdit {
  readonly id: string
  readonly policy: string
  readonly kind: 'replace' | 'fold' | 'insert'
  /** The message the edit begins at. */
  readonly message: string
  readonly part: number
  readonly tool: string | null
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly why: string
  /** `rewrite` when it changes what the provider has already cached. */
  readonly cache: 'free' | 'rewrite'
}

/** Sums a list of reported edits per policy, in the order the policies first appear. */
export function sumRules(edits: readonly ReportedEdit[]): Report['rules'] {
  const rules = new Map<string, { edits: number; tokensSaved: number }>()
  for (const edit of edits) {
    let sum = rules.get(edit.policy)
    if (sum === undefined) {
      sum = { edits: 0, tokensSaved: 0 }
      rules.set(edit.policy, sum)
    }
    sum.edits += 1
    sum.tokensSaved += edit.tokensBefore - edit.tokensAfter
  }
  return Object.fromEntries(rules)
}
