import { codecs, type Message } from '@plimsoll/core'
import type { NewEntry } from '@plimsoll/core/session'
import type { ReadLog, ReadSession } from '../../logs/log-reader.ts'
import { createWholeSession } from '../../session/create-session.ts'
import type { WriteOptions } from '../../session/open-session.ts'

/** How a conversation becomes a session. */
export interface ImportOptions extends WriteOptions {
  readonly title: string | undefined
  /** Told how many messages are stored. */
  readonly progress: (stored: number) => void
  /** Ends the work; nothing is left of the session then. */
  readonly signal?: AbortSignal | undefined
}

/** A conversation that is now a session. */
export interface ImportedConversation {
  readonly id: string
  readonly title: string | null
  readonly messages: number
  /** How many answers of a provider the log has counts for. */
  readonly usages: number
  readonly abandoned: number
  readonly sidechains: number
}

/** So many messages share one write. */
const groupSize = 200

/**
 * Stores a conversation of a log as a new session: the messages with their ids and times, and as notes where it came from and what
 * the provider counted. Those counts are no requests of ours: what was sent is not in the log, and an estimate set against them
 * would mislead. The session appears whole or not at all.
 */
export async function importConversation(
  sessions: string,
  conversation: ReadSession,
  log: ReadLog,
  { title, progress, signal, ...write }: ImportOptions,
): Promise<ImportedConversation> {
  const { root } = conversation
  const given = title ?? conversation.title ?? undefined
  const options = { ...write, ...(root === undefined ? {} : { root }), ...(given === undefined ? {} : { title: given }) }
  const id = await createWholeSession(sessions, options, async (session) => {
    let group: NewEntry[] = [originNote(conversation, log)]
    let stored = 0
    for (const entry of entriesOf(conversation, log.format)) {
      signal?.throwIfAborted()
      group.push(entry)
      if (entry.type === 'message') stored += 1
      if (group.length < groupSize) continue
      await session.append(group)
      group = []
      progress(stored)
    }
    await session.append(group)
  })
  const { messages, usages, abandoned, sidechains } = conversation
  return { id, title: given ?? null, messages: messages.length, usages: usages.length, abandoned, sidechains }
}

function originNote({ id, model, compactions, sidechains, abandoned }: ReadSession, { format, skipped }: ReadLog): NewEntry {
  const origin = { format, ...(id === null ? {} : { id }), ...(model === undefined ? {} : { model }) }
  return {
    type: 'note',
    code: 'imported',
    data: { ...origin, compactions, sidechains, abandoned, skipped: skipped.length },
  }
}

function* entriesOf({ messages, usages }: ReadSession, format: string): Generator<NewEntry> {
  const reported = new Map(usages.map((usage) => [usage.after, usage]))
  const idOf = createIds(format)
  for (const [index, message] of messages.entries()) {
    const id = idOf(message, index)
    yield { type: 'message', message: id === message.id ? message : { ...message, id } }
    const usage = reported.get(message.id)
    if (usage === undefined) continue
    const data = { message: id, ...(usage.model === null ? {} : { model: usage.model }), usage: usage.usage }
    yield { type: 'note', code: 'reported-usage', data }
  }
}

/** Messages of a request have no ids of their own: they are called by their number. Names that entries of ours get are left to those. */
function createIds(format: string): (message: Message, index: number) => string {
  const isRequest = Object.hasOwn(codecs, format)
  return ({ id }, index) => {
    if (isRequest) return `m${index + 1}`
    return /^e\d+$/.test(id) ? `message-${id}` : id
  }
}
