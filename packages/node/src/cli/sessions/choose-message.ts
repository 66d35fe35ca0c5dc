import type { Message } from '@plimsoll/core'
import { branchMessages } from '../../session/branch.ts'
import type { StoredSession } from '../../session/session.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError } from '../command-error.ts'
import { grouped } from '../terminal/format-number.ts'
import { named } from './session-choice.ts'

/** A message that was asked for. The number is null for one on another branch and for a summary. */
export interface ChosenMessage {
  readonly message: Message
  readonly number: number | null
}

/**
 * The message that a word names: its number on the active branch, or an id anywhere in the session, summaries too. Throws
 * `CommandError` where there is none, or where it cannot be read.
 */
export function chooseMessage(session: StoredSession, word: string, strings: Strings['sessionCommands']): ChosenMessage {
  const messages = branchMessages(session)
  const number = /^#?\d{1,9}$/.test(word) ? Number(word.replace('#', '')) : 0
  const found = messages[number - 1] ?? messages.find(({ head }) => head.id === word)
  const id = found?.head.id ?? word
  const entry = session.entry(id)
  if (entry?.type === 'message') return { message: entry.message, number: found?.number ?? null }
  const summary = found === undefined ? summaryWith(session, word) : null
  if (summary !== null) return { message: summary, number: null }
  const why = found === undefined ? null : session.troubles().find(({ kind }) => kind !== 'blob')?.message
  const count = strings.messages(messages.length, grouped(messages.length))
  throw new CommandError([strings.noSuchMessage(named(word), count), why ?? ''].join(' ').trim(), 1)
}

/** As `chooseMessage`, for one of the active branch alone. */
export function chooseBranchMessage(
  session: StoredSession,
  word: string,
  strings: Strings['sessionCommands'],
): ChosenMessage & { readonly number: number } {
  const { message, number } = chooseMessage(session, word, strings)
  if (number === null) throw new CommandError(strings.notOnBranch(named(word)), 1)
  return { message, number }
}

function summaryWith(session: StoredSession, id: string): Message | null {
  for (const head of session.heads()) {
    const entry = head.type === 'edits' ? session.entry(head.id) : null
    for (const edit of entry?.type === 'edits' ? (entry.apply ?? []) : []) {
      if (edit.kind === 'fold' && edit.into?.id === id) return edit.into
    }
  }
  return null
}
