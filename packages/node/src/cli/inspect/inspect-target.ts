import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { InspectError, type InspectSettings } from '../../inspect/inspect-facts.ts'
import { openInspectedLog } from '../../inspect/inspect-log.ts'
import { openInspectedSession } from '../../inspect/inspect-session.ts'
import { openInspectedUnder } from '../../inspect/inspect-under.ts'
import type { OpenLogged } from '../../inspect/inspected-texts.ts'
import { findLogs, logPlaces } from '../../logs/find-logs.ts'
import { readLog } from '../../logs/read-log.ts'
import { sessionIds } from '../../session/list-sessions.ts'
import { pathsOf } from '../../session/session-folder.ts'
import type { InspectedUnder } from '../../shared/inspection/inspection.ts'
import { CommandError } from '../command-io.ts'
import { findExample } from '../requests/find-conversation.ts'
import { chooseSession, named } from '../sessions/session-choice.ts'
import type { SessionContext } from '../settings.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { troubleText } from '../terminal/trouble-text.ts'

/** What is inspected: a session of ours, or a file with conversations. */
export type NamedTarget =
  | { readonly kind: 'session'; readonly id: string; readonly name: string; readonly path: string }
  | { readonly kind: 'file'; readonly name: string; readonly path: string; readonly isExample: boolean }

/**
 * What a word names: a file, a session by its id, or `last`, the newest session. Without one, whatever was written last on this machine,
 * or the bundled example where there is nothing. Throws `CommandError` where the word names nothing.
 */
export async function findTarget(word: string | undefined, context: SessionContext): Promise<NamedTarget> {
  const { io, sessions, strings } = context
  if (word === undefined) return newest(context)
  const path = resolve(io.folder, word)
  // Resolved against a folder, no name at all would be the folder's.
  if (word !== '' && word !== 'last' && (await timeOf(path)) !== null)
    return { kind: 'file', name: cleanText(word) || JSON.stringify(word), path, isExample: false }
  if (word !== 'last' && !mayBeId.test(word)) throw new CommandError(strings.inspect.nothingThere(named(word)), 1)
  return sessionTarget(sessions, await chooseSession(sessions, word, strings.sessionCommands))
}

/** An id, its beginning, or its last six characters. */
const mayBeId = /^(?:\d{4,8}(?:-[\da-z-]*)?|[\da-z]{6})$/

function sessionTarget(sessions: string, id: string): NamedTarget {
  return { kind: 'session', id, name: id, path: pathsOf(join(sessions, id)).log }
}

async function newest({ io, sessions }: SessionContext): Promise<NamedTarget> {
  const own = (await sessionIds(sessions)).map((id) => sessionTarget(sessions, id))
  const { logs } = await findLogs(logPlaces(io))
  const found = logs.map(({ path }): NamedTarget => ({ kind: 'file', name: cleanText(path), path, isExample: false }))
  let latest: NamedTarget | null = null
  let latestTime = Number.NEGATIVE_INFINITY
  for (const target of [...own, ...found]) {
    const time = await timeOf(target.path)
    if (time === null || time <= latestTime) continue
    latest = target
    latestTime = time
  }
  if (latest !== null) return latest
  const { file } = await findExample()
  return { kind: 'file', name: cleanText(file), path: file, isExample: true }
}

async function timeOf(path: string): Promise<number | null> {
  return (await stat(path).catch(() => null))?.mtimeMs ?? null
}

interface OpenTarget extends OpenLogged {
  /** From 1. */
  readonly number: number
  readonly count: number
}

/**
 * Opens what is to be inspected, with `under` as if that policy set had been in force. Throws `CommandError` where it cannot be read,
 * has no conversation of that number, or cannot be replayed.
 */
export async function openTarget(
  target: NamedTarget,
  wanted: number | null,
  context: SessionContext,
  under: InspectedUnder | null = null,
): Promise<OpenTarget> {
  const { sessions, settings, strings, io } = context
  const { name, path } = target
  const { config, windowSetBy } = settings
  const day = new Date(io.now()).toISOString().slice(0, 10)
  const inspect: InspectSettings = { config, isWindowSet: windowSetBy !== null, day }
  const number = wanted ?? 1
  const missing = (count: number) =>
    new CommandError(troubleText({ kind: 'no-such-conversation', wanted: number, count }, name, strings.trouble), 1)
  if (target.kind === 'session') {
    if (number !== 1) throw missing(1)
    if (under === null) return { ...(await openInspectedSession(sessions, target.id, inspect)), number, count: 1 }
  }
  const { value: log, trouble } = await readLog(path)
  if (log === undefined) throw new CommandError(troubleText(trouble, name, strings.trouble), 1)
  const count = log.sessions.length
  if (number > count) throw missing(count)
  const id = target.kind === 'session' ? target.id : name
  const logged = { path, number: number - 1, id, log }
  if (under === null) return { ...(await openInspectedLog(logged, inspect)), number, count }
  const own = target.kind === 'session' ? { sessions } : {}
  const opened = await openInspectedUnder({ ...logged, ...own, under }, inspect).catch((error: unknown) => {
    throw error instanceof InspectError ? new CommandError(strings.inspect.nothingToReplay, 1) : error
  })
  return { ...opened, number, count }
}
