import type { Message, Policy, Timing } from '@plimsoll/core'
import type { HostRule } from '@plimsoll/core/hosts'
import type { TimingName } from '@plimsoll/core/policies'
import type { Need } from './need.ts'
import type { RecordedSession } from './recorded-session.ts'

/** A way of trimming that is replayed: policies with a timing, or a fixed showing of each message. */
export interface PolicySet {
  readonly name: string
  readonly policies: readonly Policy[]
  readonly timing: TimingName | Timing
  /** What the host forbids, as for `createConversation`. Default: nothing. */
  readonly rules?: readonly HostRule[]
  /** Whether what it shows depends on prices, so that it must be run for each row. */
  readonly dependsOnPrices: boolean
  /** Whether the cache is kept alive while a person is waited for. */
  readonly keepAlive?: true
  /** Whether what it cuts can be had back by handle or search. Default: it cannot, and is made again. */
  readonly canRecall?: true
  /** Requests after which its own rule hides again what had to be had back. Default: it stays until the cache is cold. */
  readonly recallLasts?: number
  /** In place of policies: a showing made with hindsight, for bounds. */
  readonly show?: (session: RecordedSession, needs: readonly Need[]) => (message: Message) => Message
  /** In place of policies: what an outsider makes of the whole list at each request, with whatever it remembers of one session. */
  readonly transform?: () => (messages: readonly Message[], facts: { readonly now: number }) => readonly Message[]
}
