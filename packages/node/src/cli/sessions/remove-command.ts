import { listSessions, removeSession } from '../../session/list-sessions.ts'
import { SessionError, sessionTroubleText } from '../../session/session-error.ts'
import { CommandError } from '../command-error.ts'
import type { CommandIo } from '../command-io.ts'
import { type SessionOptions, type Speak, sessionContext } from '../session-context.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { wholeIds } from './session-choice.ts'

/** Removes sessions, each named by its whole id. Nothing is removed unless all of them are there. */
export async function removeCommand(
  given: readonly string[],
  options: SessionOptions,
  io: CommandIo,
  speak: Speak,
): Promise<void> {
  const { sessions, strings } = sessionContext(options, io, speak)
  const ids = await wholeIds(sessions, given, strings.sessionCommands)
  const titles = new Map((await listSessions(sessions)).rows.map(({ id, title }) => [id, title]))
  const removed: string[] = []
  for (const id of ids) {
    try {
      await removeSession(sessions, id)
    } catch (error) {
      if (!(error instanceof SessionError) || removed.length === 0) throw error
      const why = `${id}: ${sessionTroubleText(error.trouble, strings.session)}`
      throw new CommandError(`${why} ${strings.sessionCommands.removedBefore(removed.join(', '))}`, 1)
    }
    removed.push(id)
  }
  for (const id of removed) {
    const title = titles.get(id) ?? null
    io.stdout.write(`${strings.sessionCommands.removed(id, title === null ? null : cleanText(title))}\n`)
  }
}
