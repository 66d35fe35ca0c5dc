import type { StoreError } from '../store/gateway-store.ts'
import type { Measured, Outcome, Plan, RelayedRequest } from './planner.ts'

/** What the thread is told and asked. */
export type PlannerAsked =
  | { readonly type: 'plan'; readonly number: number; readonly request: RelayedRequest }
  | { readonly type: 'observe'; readonly request: RelayedRequest }
  | { readonly type: 'answered'; readonly outcome: Outcome }
  | { readonly type: 'check' | 'close'; readonly number: number }

/** What it says. */
export type PlannerTold =
  | { readonly type: 'ready' }
  | { readonly type: 'planned'; readonly number: number; readonly plan: Plan }
  /** A request that was only to be measured, or an outcome, has been dealt with. */
  | { readonly type: 'taken'; readonly bytes: number }
  | { readonly type: 'measured'; readonly measured: Measured }
  | { readonly type: 'done'; readonly number: number; readonly trouble: StoreTrouble | null }
  | { readonly type: 'failed'; readonly trouble: StoreTrouble }

/** A store's error as it can be sent. */
export interface StoreTrouble {
  readonly kind: StoreError['kind']
  readonly message: string
}

/** How many bytes of an answer a message to the thread carries. */
export function answerBytes({ answer }: Outcome): number {
  return answer === null ? 0 : answer.head.byteLength + (answer.tail?.byteLength ?? 0)
}
