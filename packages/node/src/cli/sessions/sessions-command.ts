import { nearest } from '../../config/nearest.ts'
import { isoTime } from '../../files/time-and-size.ts'
import { listSessions, type SessionRow } from '../../session/list-sessions.ts'
import { CommandError } from '../command-error.ts'
import type { CommandIo } from '../command-io.ts'
import { type SessionOptions, type Speak, sayNotices, sessionContext } from '../session-context.ts'
import { writeJson } from '../terminal/json-line.ts'
import { named } from './session-choice.ts'
import { sessionsScreen } from './sessions-screen.ts'

/** The options of `plimsoll sessions` as they were written. */
export interface SessionsOptions extends SessionOptions {
  readonly all?: boolean
}

/** Lists the stored sessions. `rest` is what stands behind the command and is the name of none of its subcommands. */
export async function sessionsCommand(
  rest: readonly string[],
  subcommands: readonly string[],
  options: SessionsOptions,
  io: CommandIo,
  speak: Speak,
): Promise<void> {
  const { sessions, strings, screen } = sessionContext(options, io, speak)
  const [unknown] = rest
  if (unknown !== undefined) {
    const { command } = strings
    const near = nearest(unknown, subcommands)
    const sentences = [
      command.sentence(command.unknownCommand(`sessions ${named(unknown)}`)),
      ...(near === null ? [] : [command.didYouMean(`sessions ${near}`)]),
      command.seeHelp('plimsoll sessions'),
    ]
    throw new CommandError(sentences.join(' '), 2)
  }
  const { rows, unreadable } = await listSessions(sessions)
  if (options.json === true) return writeJson({ sessions: rows.map(jsonRow), unreadable }, sessions, strings, io.stdout)
  const home = io.environment['HOME'] ?? ''
  io.stdout.write(
    sessionsScreen(
      { rows, folder: sessions, home, all: options.all === true || screen.endless },
      strings.sessionCommands,
      screen,
    ),
  )
  if (unreadable.length > 0) sayNotices(io, [strings.sessionCommands.unreadable(unreadable.join(', '))], options)
}

function jsonRow({ first, last, ...row }: SessionRow): Readonly<Record<string, unknown>> {
  return { ...row, first: isoTime(first), last: isoTime(last) }
}
