import type { ConversationState, Message, Prepared } from '@plimsoll/core'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import type { TrimMode } from '@plimsoll/core/policies'
import type { Finding } from '../store/finding.ts'
import type { Branch } from '../store/gateway-store.ts'
import type { ConversationPlace } from './conversation-place.ts'
import type { KnownModel } from './model-book.ts'
import type { GatewayEdits } from './planner/gateway-edits.ts'
import type { Plan, RelayedRequest } from './planner.ts'
import type { UnderstoodRequest } from './understand-request.ts'

/** A request about which everything is decided, with all that its answer will be held against. It holds no bytes of the body. */
export interface DecidedRequest {
  readonly request: Omit<RelayedRequest, 'body'>
  readonly tenant: string
  /** The mode in force: a conversation that is left untouched for comparison has the gentlest. */
  readonly mode: TrimMode
  readonly isHeldOut: boolean
  readonly understood: Omit<UnderstoodRequest, 'body' | 'reading'>
  readonly model: KnownModel
  readonly place: ConversationPlace
  /** Where the conversation stood, with the number of the last message of its last request; null where nobody knows it. */
  readonly before: { readonly branch: Branch; readonly last: number } | null
  /** What the engine knew of earlier requests. */
  readonly state: ConversationState
  readonly inForce: GatewayEdits
  /** The parts that were decided about with this request, and when the latest decision that holds was made. */
  readonly claimed: { readonly fresh: ReadonlySet<string>; readonly latest: number }
  /** Whether the store did not answer, so that nothing is known of earlier decisions. */
  readonly isUnavailable: boolean
  /** The request as it goes out. */
  readonly settled: Prepared
  /** The parts of which it shows less than was decided, and which level of it. */
  readonly behind: Readonly<Record<string, number>>
  /** When each message was first seen. */
  readonly firstSeen: readonly number[]
  /** What goes out, message for message. */
  readonly view: readonly Message[]
  /** What took effect with this request, and everything that is in force. */
  readonly newEdits: readonly ReportedEdit[]
  readonly edits: readonly ReportedEdit[]
  /** Tokens of edits that wait. */
  readonly waiting: number
  readonly plan: Plan
  readonly plannedMilliseconds: number
}

/** A request of which nothing is known but why. */
export interface UndecidedRequest {
  readonly request: Omit<RelayedRequest, 'body'>
  readonly findings: readonly Finding[]
  readonly plannedMilliseconds: number
}
