import type { Part } from '@plimsoll/core'
import type { Cost, Usage, WindowCategory, WindowFill } from '@plimsoll/core/bill'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import type { Reference, TrimMode } from '@plimsoll/core/policies'
import type { Role } from '@plimsoll/core/wire'
import type { CacheBreak } from '../shared/inspection/inspection.ts'

/** Names the part of a message that a decision is about, in any conversation. */
export interface DecisionKey {
  /** The id of the tool call, or else of the message. */
  readonly key: string
  readonly part: number
  /** A hash of the part as the client sent it. */
  readonly original: string
}

/** How one part of a message is shown from its first change on: the first one written down holds for all gateways and conversations. */
export interface Decision extends DecisionKey {
  readonly policy: string
  readonly why: string
  readonly with: Part
  /** The lines of it that refer to lines shown elsewhere. Default: none. */
  readonly refers?: readonly Reference[]
  readonly at: number
}

/** Something that the owner of a request should know, as a code: findings hold no text of a conversation. */
export interface Finding {
  readonly code: FindingCode
  /** How often it was found in this request. */
  readonly count: number
}

/**
 * The first six say why Plimsoll changed nothing, and `orphan-result`, `unanswered-call` and `over-window` what the provider may refuse.
 * `context-management` was asked for and left to others. With `bound-thinking`, content stays until the turn is over, because the model signed its reasoning
 * together with it. With `decisions-lost`, results that were trimmed before are complete again, because the store lost the decisions.
 * With `store-damaged`, rows of the store do not have the content they were written with, and are not used.
 */
export const findingCodes = [
  'unreadable',
  'unsupported',
  'history-elsewhere',
  'too-large',
  'too-late',
  'not-applied',
  'store-unavailable',
  'orphan-result',
  'unanswered-call',
  'over-window',
  'context-management',
  'bound-thinking',
  'decisions-lost',
  'store-damaged',
] as const
export type FindingCode = (typeof findingCodes)[number]

/** A gateway's record of one request. It holds no text of the conversation. */
/** A tool by name, and the tokens of its definition. */
export interface OfferedTool {
  readonly name: string
  readonly tokens: number
}

export interface GatewayRequest {
  /** As in the answer's header. */
  readonly id: string
  readonly conversation: string
  /** From 0, in its conversation. */
  readonly number: number
  /** The id of the request that it continues; null if none is known. Default: the one before it. */
  readonly after?: string | null
  readonly at: number
  readonly dialect: WireDialect
  readonly model: string | null
  readonly mode: TrimMode
  /** Whether its conversation is left untouched for comparison. */
  readonly isHeldOut: boolean
  /** The status of the upstream's answer; null if none came. */
  readonly status: number | null
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly fill: WindowFill
  /** The ids of its messages in order; those at the start that the request it continues had are only counted. */
  readonly sharedMessages: number
  readonly messages: readonly string[]
  /** The edits that took effect with it. */
  readonly edits: readonly ReportedEdit[]
  /** Tokens of pending edits. */
  readonly waiting: number
  readonly broken: CacheBreak | null
  readonly findings: readonly Finding[]
  readonly usage: Usage | null
  readonly cost: Cost | null
  /** The cost of the request untrimmed, by the cache model; null if unknown. */
  readonly untrimmed: Cost | null
  /** By how many dollars that may be off, because the provider never counted such content as was removed. Default: by little. */
  readonly untrimmedDoubt?: number
  /** The tools offered with the first request of a conversation, without those loaded on demand. Default: unknown. */
  readonly tools?: readonly OfferedTool[]
  /** The names of the tools called in `messages`. Default: none. */
  readonly called?: readonly string[]
  /** Whether the gateway sent the prompt of the request before again, so that it stays cached. Default: no. */
  readonly keptAlive?: true
  readonly milliseconds: { readonly firstByte: number | null; readonly whole: number | null; readonly planned: number }
}

/** A gateway's record of one message. */
export interface GatewayMessage {
  readonly id: string
  readonly role: Role
  readonly tokens: number
  readonly category: WindowCategory
  readonly tool: string | null
  /** When it was first seen. */
  readonly at: number
}

export interface GatewayConversation {
  readonly id: string
  /** A label that the client gave it, or null. */
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

/** The request formats that a gateway relays, each to its own upstream. */
export const wireDialects = ['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const
export type WireDialect = (typeof wireDialects)[number]

/**
 * The amounts that one request adds to its conversation. If its untrimmed cost is unknown, nothing was saved; if its cost is unknown, it
 * counts as unpriced, provided that an upstream accepted it.
 */
export function requestTotals({
  cost,
  untrimmed,
  status,
}: GatewayRequest): Pick<GatewayConversation, 'dollars' | 'untrimmedDollars' | 'unpriced'> {
  const dollars = cost?.dollars ?? Number.NaN
  if (!Number.isFinite(dollars)) {
    const isTaken = status !== null && status >= 200 && status < 300
    return { dollars: 0, untrimmedDollars: 0, unpriced: isTaken ? 1 : 0 }
  }
  const compared = untrimmed?.dollars ?? dollars
  return { dollars, untrimmedDollars: Number.isFinite(compared) ? compared : dollars, unpriced: 0 }
}
