import type { Part } from '@plimsoll/core'
import type { Cost, Usage, WindowCategory, WindowFill } from '@plimsoll/core/bill'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import type { Reference, TrimMode } from '@plimsoll/core/policies'
import type { Role } from '@plimsoll/core/wire'
import type { CacheBreak } from '../shared/inspection/inspection.ts'

/** What names the part of a message that a decision is about, whatever conversation it stands in. */
export interface DecisionKey {
  /** The id of the tool's call where it has one, else that of the message. */
  readonly key: string
  readonly part: number
  /** A hash of the part as the client sent it: another content is another matter. */
  readonly original: string
}

/**
 * How one part of a message is shown from its first change on. The first one that was written down holds: whoever meets the same part
 * again, in whatever conversation and through whatever gateway, shows the same bytes.
 */
export interface Decision extends DecisionKey {
  readonly policy: string
  readonly why: string
  /** What is shown in its place. */
  readonly with: Part
  /** The lines of it that say other lines are shown elsewhere. Default: none. */
  readonly refers?: readonly Reference[]
  /** When it was made, in milliseconds. */
  readonly at: number
}

/** Something about a request that its owner should know, in codes: findings hold no text of a conversation. */
export interface Finding {
  readonly code: FindingCode
  /** How often it was found in this request. */
  readonly count: number
}

/**
 * What may be found: what Plimsoll would not touch (`unreadable`, `unsupported`, `history-elsewhere`, `too-large`, `too-late`,
 * `not-applied`), what the provider may refuse (`orphan-result`, `unanswered-call`, `over-window`), what it was asked to do and left
 * to others (`context-management`), what stays because the model signed its thoughts together with it (`bound-thinking`), and results that
 * were shown trimmed before and are not any more because the store has lost what was decided (`decisions-lost`).
 */
export type FindingCode =
  | 'unreadable'
  | 'unsupported'
  | 'history-elsewhere'
  | 'too-large'
  | 'too-late'
  | 'not-applied'
  | 'store-unavailable'
  | 'orphan-result'
  | 'unanswered-call'
  | 'over-window'
  | 'context-management'
  | 'bound-thinking'
  | 'decisions-lost'

/** What a gateway writes down about one request. It holds no text of the conversation. */
export interface GatewayRequest {
  /** What the answer's header called it. */
  readonly id: string
  readonly conversation: string
  /** From 0, in its conversation. */
  readonly number: number
  /** The request that it goes on from, by its id; null where none is known. Default: the one before it. */
  readonly after?: string | null
  readonly at: number
  readonly dialect: WireDialect
  readonly model: string | null
  readonly mode: TrimMode
  /** Whether its conversation was chosen to be left untouched, so that there is something to compare with. */
  readonly isHeldOut: boolean
  /** The status of the upstream's answer; null where none came. */
  readonly status: number | null
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly fill: WindowFill
  /** The ids of its messages in order, as in `GatewayMessage`; those that the request it goes on from began with are left out and counted. */
  readonly sharedMessages: number
  readonly messages: readonly string[]
  /** The edits that took effect with it. */
  readonly edits: readonly ReportedEdit[]
  /** Tokens of edits that wait. */
  readonly waiting: number
  readonly broken: CacheBreak | null
  readonly findings: readonly Finding[]
  readonly usage: Usage | null
  readonly cost: Cost | null
  /** What the request would have cost untrimmed, by the cache model; null where nobody knows. */
  readonly untrimmed: Cost | null
  /** By how many dollars that may be off, because the provider never counted such content as was removed. Default: by little. */
  readonly untrimmedDoubt?: number
  readonly milliseconds: { readonly firstByte: number | null; readonly whole: number | null; readonly planned: number }
}

/** What a gateway writes down about one message, once. */
export interface GatewayMessage {
  readonly id: string
  readonly role: Role
  readonly tokens: number
  readonly category: WindowCategory
  readonly tool: string | null
  /** When it was first seen. */
  readonly at: number
}

/** One conversation that went through a gateway. */
export interface GatewayConversation {
  readonly id: string
  /** A label that the client gave it; null where it gave none. */
  readonly label: string | null
  readonly dialect: WireDialect
  readonly model: string | null
  readonly mode: TrimMode
  readonly isHeldOut: boolean
  readonly first: number
  readonly last: number
  readonly requests: number
  readonly dollars: number
  readonly untrimmedDollars: number
  readonly unpriced: number
}

/** The request formats that a gateway relays; each goes to the upstream of its own. */
export type WireDialect = 'anthropic' | 'openai-chat' | 'openai-responses' | 'gemini'

/** Every dialect of the wire. */
export const wireDialects: readonly WireDialect[] = ['anthropic', 'openai-chat', 'openai-responses', 'gemini']

/** What one request adds to the sums of its conversation. */
interface RequestTotals {
  readonly dollars: number
  readonly untrimmedDollars: number
  readonly unpriced: number
}

/**
 * What one request adds to the sums of its conversation. Where nobody knows what it would have cost untrimmed, nothing was saved; where
 * nobody knows what it cost at all, it counts as unpriced, if an upstream took it.
 */
export function requestTotals({ cost, untrimmed, status }: GatewayRequest): RequestTotals {
  const dollars = cost?.dollars ?? Number.NaN
  if (!Number.isFinite(dollars)) {
    const isTaken = status !== null && status >= 200 && status < 300
    return { dollars: 0, untrimmedDollars: 0, unpriced: isTaken ? 1 : 0 }
  }
  const compared = untrimmed?.dollars ?? dollars
  return { dollars, untrimmedDollars: Number.isFinite(compared) ? compared : dollars, unpriced: 0 }
}
