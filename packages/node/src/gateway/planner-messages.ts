import type { StoreError } from '../store/gateway-store.ts'
import type { Measured, Plan, RelayedRequest, RequestOutcome } from './planner.ts'

/** What the thread is told and asked. */
export type PlannerAsked =
  | { readonly type: 'noted'; readonly number: number; readonly notes: readonly PlannerNote[] }
  | { readonly type: 'check' | 'close'; readonly number: number }

/** What it hears of requests, in order: one to be planned, one that is only measured, or what became of one. */
export type PlannerNote =
  | { readonly type: 'plan'; readonly number: number; readonly request: RelayedRequest }
  | { readonly type: 'observe'; readonly request: RelayedRequest }
  | { readonly type: 'answered'; readonly outcome: RequestOutcome }

/** What it says. */
export type PlannerTold =
  | { readonly type: 'ready' }
  | { readonly type: 'planned'; readonly plans: readonly NumberedPlan[] }
  /** So many notes, which carried so many bytes, have been dealt with: those of the bundle of this number. */
  | { readonly type: 'taken'; readonly number: number; readonly notes: number; readonly bytes: number }
  | { readonly type: 'measured'; readonly measured: readonly Measured[] }
  | { readonly type: 'done'; readonly number: number; readonly trouble: StoreTrouble | null }
  | { readonly type: 'failed'; readonly trouble: StoreTrouble }

/** The answer to a question. */
export interface NumberedPlan {
  readonly number: number
  readonly plan: Plan
}

/** A store's error as it can be sent. */
export interface StoreTrouble {
  readonly kind: StoreError['kind']
  readonly message: string
}

/** How many bytes a note carries. */
export function noteBytes(note: PlannerNote): number {
  if (note.type !== 'answered') return note.request.body.byteLength
  const { answer } = note.outcome
  return answer === null ? 0 : answer.head.byteLength + (answer.tail?.byteLength ?? 0)
}
