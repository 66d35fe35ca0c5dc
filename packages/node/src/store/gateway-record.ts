import type { Cost, Usage, WindowCategory, WindowFill } from '@plimsoll/core/bill'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import type { TrimMode } from '@plimsoll/core/policies'
import type { Role } from '@plimsoll/core/wire'
import type { CacheBreak } from '../shared/inspection/inspection.ts'
import type { Finding } from './finding.ts'
import type { WireDialect } from './wire-dialect.ts'

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
