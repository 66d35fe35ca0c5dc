import { nearest } from '../../config/nearest.ts'
import { listSessions, sessionIds } from '../../session/list-sessions.ts'
import { isSessionId } from '../../session/session-folder.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError } from '../command-error.ts'
import { cleanText } from '../terminal/clean-text.ts'

/** So much of an id has to be given. */
const leastLength = 4
const mostNamed = 5

/**
 * The id of the session that a word names: the id itself, four or more of its first characters or its last six where they are
 * unique, or `last` for the one last written to. Throws `CommandError` where it names none or several.
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
  const shown = found.toReversed().slice(0, mostNamed)
  throw new CommandError(strings.severalSessions(named(word), shown.join(', '), found.length - shown.length), 1)
}

/** The ids given, each of which has to be the whole id of a session that is there. */
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
  if (word.length < leastLength) return false
  return id.startsWith(word) || id.endsWith(`-${word}`)
}

/** A word from the command line as it can be shown. */
export function named(word: string): string {
  const clean = cleanText(word).slice(0, 60)
  return clean.trim() === '' || clean !== word ? JSON.stringify(clean) : clean
}
