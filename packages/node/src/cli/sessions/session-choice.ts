import { statSync } from 'node:fs'
import type { Message } from '@plimsoll/core'
import { nearest } from '../../config/nearest.ts'
import { branchMessages } from '../../session/branch.ts'
import { listSessions, sessionIds } from '../../session/list-sessions.ts'
import { openSession, readSession, sessionPaths } from '../../session/open-session.ts'
import type { OpenSession, ReadOnlySession, StoredSession } from '../../session/session.ts'
import { isSessionId } from '../../session/session-folder.ts'
import { redactSecrets } from '../../shared/redact/redact.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError, type CommandIo, closing } from '../command-io.ts'
import type { SessionContext } from '../settings.ts'
import { cleanText, grouped, sizeText } from '../terminal/text.ts'

const minLength = 4
const maxNamed = 5

/**
 * Finds the session that a word names: its id, at least four of its first characters or its last six if they are unique, or
 * `last`. Throws `CommandError` if it names none or several.
 */
export async function chooseSession(sessions: string, word: string, strings: Strings['sessionCommands']): Promise<string> {
  if (word === 'last') {
    const [latest] = (await listSessions(sessions)).rows
    if (latest === undefined) throw new CommandError(`${strings.noSessions(sessions)} ${strings.howToImport}`, 1)
    return latest.id
  }
  const ids = await sessionIds(sessions)
  if (ids.includes(word)) return word
  const found = ids.filter((id) => isMeant(id, word))
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  if (first === undefined) throw new CommandError(strings.noSuchSession(named(word), nearest(word, ids)), 1)
  const shown = found.toReversed().slice(0, maxNamed)
  throw new CommandError(strings.severalSessions(named(word), shown.join(', '), found.length - shown.length), 1)
}

/** Reads the session that a word names for some work. */
export async function withStored<Result>(
  word: string,
  { sessions, strings }: SessionContext,
  work: (session: ReadOnlySession) => Result | Promise<Result>,
): Promise<Result> {
  return closing(await readSession(sessions, await chooseSession(sessions, word, strings.sessionCommands)), work)
}

/** Opens the session that a word names for some work that writes to it. */
export async function withOpened<Result>(
  word: string,
  { sessions, strings, io: { now } }: SessionContext,
  work: (session: OpenSession) => Result | Promise<Result>,
): Promise<Result> {
  return closing(await openSession(sessions, await chooseSession(sessions, word, strings.sessionCommands), { now }), work)
}

/** Checks that each word is the full id of an existing session. */
export async function wholeIds(
  sessions: string,
  given: readonly string[],
  strings: Strings['sessionCommands'],
): Promise<readonly string[]> {
  const ids = await sessionIds(sessions)
  for (const word of given) {
    if (isSessionId(word) && ids.includes(word)) continue
    const near = ids.filter((id) => isMeant(id, word)).at(-1) ?? nearest(word, ids)
    throw new CommandError(strings.fullIdsOnly(named(word), near), 1)
  }
  return [...new Set(given)]
}

function isMeant(id: string, word: string): boolean {
  if (word.length < minLength) return false
  return id.startsWith(word) || id.endsWith(`-${word}`)
}

/** Makes a word from the command line safe to show. */
export function named(word: string): string {
  const clean = cleanText(redactSecrets(word)).slice(0, 60)
  return clean.trim() === '' || clean !== word ? JSON.stringify(clean) : clean
}

/** The number is null for a message on another branch and for a summary. */
type ChosenMessage = { readonly message: Message; readonly number: number | null }

/**
 * Finds the message that a word names: its number on the active branch, or an id anywhere in the session, also of a summary.
 * Throws `CommandError` if there is none, or if it cannot be read.
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

/** As `chooseMessage`, on the active branch only. */
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

/** A log of this many bytes takes longer than a second, during which nothing else could be shown. */
const longLog = 20_000_000

/** Works on a session, and shows on a terminal meanwhile that a long one is being read. */
export async function withLongSession<Result>(
  id: string,
  { io, sessions, strings }: Pick<SessionContext, 'sessions' | 'strings'> & { readonly io: Pick<CommandIo, 'stderr'> },
  work: () => Promise<Result>,
): Promise<Result> {
  const found = io.stderr.isTerminal ? statSync(sessionPaths(sessions, id).log, { throwIfNoEntry: false }) : undefined
  const size = found?.size ?? 0
  if (size < longLog) return work()
  io.stderr.write(strings.sessionCommands.reading(`${id} (${sizeText(size)})`))
  try {
    return await work()
  } finally {
    io.stderr.write('\r\u001b[K')
  }
}
