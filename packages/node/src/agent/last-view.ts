import type { Message } from '@plimsoll/core'
import type { Usage } from '@plimsoll/core/bill'
import type { ToolOffer } from '../model/model-client.ts'
import type { StoredSession } from '../session/session.ts'

/** A request that the provider accepted, as it was sent. */
export interface SentView {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolOffer[]
  /** Ids of the messages up to which the provider was told to keep it. */
  readonly breakpoints: readonly string[]
  /** The last message of the conversation it was made of. */
  readonly last: string | null
  /** Null where the provider said nothing about it. */
  readonly usage: Usage | null
  /** When it was answered, in milliseconds. */
  readonly at: number
}

/** The last request of a session that was accepted in this process; null where there was none. */
export function lastView(session: StoredSession): SentView | null {
  return views.get(session) ?? null
}

/** Remembers what was accepted, so that the next request can say which part of it the provider has cached. */
export function rememberView(session: StoredSession, view: SentView): void {
  views.set(session, view)
}

const views = new WeakMap<StoredSession, SentView>()
