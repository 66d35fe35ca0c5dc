import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { findLogs, logPlaces } from '../../logs/find-logs.ts'
import { sessionIds } from '../../session/list-sessions.ts'
import { pathsOf } from '../../session/session-folder.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError } from '../command-error.ts'
import { findExample } from '../requests/example.ts'
import type { SessionContext } from '../session-context.ts'
import { chooseSession, named } from '../sessions/session-choice.ts'
import { cleanText } from '../terminal/clean-text.ts'

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
  if (word !== 'last' && !mayBeId.test(word)) throw new CommandError(nothingThere(word, strings.inspect), 1)
  return sessionTarget(sessions, await chooseSession(sessions, word, strings.sessionCommands))
}

/** An id, its beginning, or its last six characters. */
const mayBeId = /^(?:\d{4,8}(?:-[\da-z-]*)?|[\da-z]{6})$/

function nothingThere(word: string, strings: Strings['inspect']): string {
  return strings.nothingThere(named(word))
}

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
