import { perBag } from './derive.ts'
import type { Role } from './message.ts'

/** Something in a list of messages that a provider would reject. */
export interface Problem {
  readonly rule: RuleName
  readonly message: string
}

/** The providers' rules, by name. */
export type RuleName =
  | 'unique-message-ids'
  | 'calls-in-assistant-messages'
  | 'results-in-tool-messages'
  | 'call-has-result'
  | 'result-has-call'
  | 'one-result-per-call'

/** A request that is over the limit after all possible trimming. */
export interface Overflow {
  readonly tokens: number
  readonly limit: number
  /** Bytes as JSON (0 if clearly below the limit) and images, with their limits; null for no limit. */
  readonly bytes: number
  readonly maxBytes: number | null
  readonly images: number
  readonly maxImages: number | null
  /** The largest parts that could not be shrunk, the largest first. */
  readonly parts: readonly HeavyPart[]
}

/** A part that could not be shrunk any further. */
export interface HeavyPart {
  /** Null for the system prompt, tool definitions and other overhead. */
  readonly message: string | null
  readonly part: number
  readonly tool: string | null
  readonly role: Role
  readonly tokens: number
  /** Why it cannot be shrunk, for the user. */
  readonly why: string
}

/** How much of the window a request takes, with error bounds. */
export interface Load {
  readonly tokens: number
  /** Bounds of the provider's expected count. */
  readonly low: number
  readonly high: number
  /** Whether the number is based on the provider's count or only estimated. */
  readonly source: 'usage' | 'estimate'
  /** The tokenizer's count of messages and overhead, uncorrected. */
  readonly estimate: number
  /** Correction factor for estimates in this conversation, learned from the provider's counts. */
  readonly factor: number
}

/** Numbers behind a decision about pending edits, in tokens of uncached input. */
export interface TimingAccount {
  /** No edits; all applied because nothing was cached; some worth applying; all wait for the price, or for savings (`bank`). */
  readonly decision: 'nothing' | 'cold' | 'pays' | 'waits' | 'bank'
  /** Why sent content is not cached; null if all of it is. */
  readonly cold: ColdReason | null
  /** Tokens the pending edits would save. */
  readonly waitingTokens: number
  /** Carrying cost so far. */
  readonly debt: number
  /** Cost of applying them now, from the most profitable place on. */
  readonly price: number
  /** Tokens written again for the applied edits. */
  readonly rewritten: number
  /** Saved so far, compared with sending everything. */
  readonly bank: number
  /** Assumed lifetime of a cached prompt; null if unknown. */
  readonly lifetimeSeconds: number | null
}

/** Why sent content is not cached: nothing sent, other model, no cache, expired, changed prefix, compacted, or no room. */
export type ColdReason = 'first' | 'model' | 'uncached' | 'idle' | 'prefix' | 'folded' | 'full'

/** How a view was made: its edits, and what each did to the size and the provider's cache. */
export interface Report {
  /** Tokens of the messages, before and after the edits, by the caller's tokenizer or estimated. */
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** The active edits, and those that wait until they are worth rewriting the cache. */
  readonly edits: readonly ReportedEdit[]
  readonly waiting: readonly ReportedEdit[]
  /** Edits of the last accepted request that were reverted. */
  readonly withdrawn: readonly ReportedEdit[]
  /** Change to the last accepted request; null if the view starts with the same bytes. */
  readonly rewrite: Rewrite | null
  /** Remaining problems a provider would reject. */
  readonly problems: readonly Problem[]
  /** Sums of the active edits, by policy. */
  readonly rules: Readonly<Record<string, { readonly edits: number; readonly tokensSaved: number }>>
  /** Share of tool results cut by their limit, 0 to 1. */
  readonly truncationRate: number
  /** Numbers of the timing decision; null if the timing uses none. */
  readonly timing: TimingAccount | null
  readonly load: Load
  /** Set if the view is over the limit even after the last resort. */
  readonly overflow: Overflow | null
}

/** A change of content that was already sent: everything from its first message on is written to the cache again. */
export interface Rewrite {
  /** Why now: not cached, worth it, paired calls, a reverted edit, a result that the user hid or shows again, another writer's decision, or a timing that never waits. */
  readonly reason: ColdReason | 'pays' | 'repair' | 'withdrawn' | 'hidden' | 'adopted' | 'immediate'
  readonly message: string
  /** Tokens from there on that were sent before. */
  readonly tokens: number
  /** Cost of writing them; null if the price is unknown. */
  readonly dollars: number | null
}

/** An edit with its size before and after, and its reason. */
export interface ReportedEdit {
  readonly id: string
  readonly policy: string
  readonly kind: 'replace' | 'fold' | 'insert'
  readonly message: string
  readonly part: number
  readonly tool: string | null
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly why: string
  /** `rewrite` if it changes cached content. */
  readonly cache: 'free' | 'rewrite'
}

/** Sums a list of reported edits per policy, in the order the policies first appear. */
export function sumRules(edits: readonly ReportedEdit[]): Report['rules'] {
  const sums = sumsOf(edits)
  const names: string[] = []
  for (let at = 0; names.length < sums.size; at += 1) {
    const { policy } = edits[at] as ReportedEdit
    if (!names.includes(policy)) names.push(policy)
  }
  return Object.fromEntries(names.map((name) => [name, sums.get(name) as { edits: number; tokensSaved: number }]))
}

const sumsOf = perBag({
  start: () => new Map<string, { edits: number; tokensSaved: number }>(),
  add: (sums, row: ReportedEdit) => count(sums, row, 1),
  remove: (sums, row) => count(sums, row, -1),
})

function count(sums: Map<string, { edits: number; tokensSaved: number }>, row: ReportedEdit, more: 1 | -1): void {
  const { edits, tokensSaved } = sums.get(row.policy) ?? { edits: 0, tokensSaved: 0 }
  if (edits + more === 0) sums.delete(row.policy)
  else sums.set(row.policy, { edits: edits + more, tokensSaved: tokensSaved + more * (row.tokensBefore - row.tokensAfter) })
}
