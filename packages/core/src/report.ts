import type { Role } from './message.ts'

/** Something in a list of messages that a provider would refuse. */
export interface Problem {
  /** The name of the broken rule. */
  readonly rule: RuleName
  /** The id of the message it was found at. */
  readonly message: string
}

/** The providers' rules, by name. */
export type RuleName =
  /** A message id names one message. */
  | 'unique-message-ids'
  /** Tool calls stand in assistant messages only. */
  | 'calls-in-assistant-messages'
  /** Tool results stand in tool messages only. */
  | 'results-in-tool-messages'
  /** Every call is answered in the tool messages right after it, unless it waits for approval. */
  | 'call-has-result'
  /** Every result answers a call of the assistant message its run of tool messages follows. */
  | 'result-has-call'
  /** A call is answered once. */
  | 'one-result-per-call'

/** A request that is over the line after everything that could give way did. */
export interface Overflow {
  /** The load of the request, and the most it may be. */
  readonly tokens: number
  readonly limit: number
  /** Bytes as JSON, 0 where there is clearly room for them, and images; with what is allowed, null for no limit. */
  readonly bytes: number
  readonly maxBytes: number | null
  readonly images: number
  readonly maxImages: number | null
  /** The largest parts, which cannot get smaller, the largest first. */
  readonly parts: readonly HeavyPart[]
}

/** A part that is in the way. */
export interface HeavyPart {
  /** Null for what stands around the conversation. */
  readonly message: string | null
  readonly part: number
  readonly tool: string | null
  readonly role: Role
  readonly tokens: number
  /** Why it cannot get smaller: one clause for people. */
  readonly why: string
}

/** How much of the window a request takes: the one number that trigger, bar and breakdown share, with how far it may be off. */
export interface Load {
  readonly tokens: number
  /** Between these two the provider's own count is expected. */
  readonly low: number
  readonly high: number
  /** Whether the number continues what the provider counted, or was worked out here alone. */
  readonly source: 'usage' | 'estimate'
  /** What the tokenizer says of the messages and everything around them, uncorrected. */
  readonly estimate: number
  /** What estimates are multiplied by in this conversation, learned from what the provider counted. */
  readonly factor: number
}

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

/**
 * Why what was sent does not count as cached: nothing was sent, another model got it, the model has no cache, the provider has
 * forgotten it, what comes before it has changed, older messages were folded, or the request would not fit and something must go.
 */
export type ColdReason = 'first' | 'model' | 'uncached' | 'idle' | 'prefix' | 'folded' | 'full'

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
