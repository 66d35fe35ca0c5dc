import type { Message } from '@plimsoll/core'
import type { Usage } from '@plimsoll/core/bill'
import type { ToolSet } from 'ai'
import type { ToolOffer } from '../../model/model-client.ts'
import type { LiveRequest } from '../../model/summary-writer.ts'
import type { StoredSession } from '../../session/session.ts'
import type { AskContext } from '../ask-context.ts'

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

/** The last request of a session as its model has it in its cache, for a summary that continues it; null where there is none. */
export async function liveRequest({ session, model, tools }: AskContext): Promise<LiveRequest | null> {
  const last = lastView(session)
  // Asked in text, a model has seen neither these messages nor these tools.
  if (last === null || last.model !== model.name || model.usesText) return null
  const { jsonSchema, tool } = await import('ai')
  const offered: ToolSet = Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [name, tool({ description, inputSchema: jsonSchema(inputSchema) })]),
  )
  return { messages: last.messages, tools: offered }
}
