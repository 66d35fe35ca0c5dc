import type { PeopleStrings, SessionCommandStrings } from '@plimsoll/core'
import { sessionsFolder } from '../session/session-folder.ts'
import type { CommandIo } from './command-io.ts'
import { createPaint, type Paint, wantsColours } from './paint.ts'
import { readSettings, type Settings, type SettingsOptions } from './settings.ts'

/** The options that every command for stored sessions has. */
export interface SessionOptions extends SettingsOptions {
  readonly color?: boolean
}

/** What a command for stored sessions works with. */
export interface SessionContext {
  readonly io: CommandIo
  /** The folder of all sessions. */
  readonly sessions: string
  readonly settings: Settings
  readonly strings: PeopleStrings
  readonly words: SessionCommandStrings
  readonly screen: TextScreen
}

/** What lists and accounts are drawn on. */
export interface TextScreen {
  readonly paint: Paint
  readonly columns: number
  /** Whether lines are read by programs, so that nothing is cut and every row is one line. */
  readonly endless: boolean
}

/** Tells which language is spoken from here on. */
export type Speak = (strings: PeopleStrings) => void

/** Reads the settings, and finds the folder of sessions and how wide the output is. */
export function sessionContext(options: SessionOptions, io: CommandIo, speak: Speak): SessionContext {
  const settings = readSettings(options, io, speak)
  const { strings } = settings
  return {
    io,
    sessions: sessionsFolder(io.environment),
    settings,
    strings,
    words: strings.sessionCommands,
    screen: textScreen(io, io.stdout, options.color === false),
  }
}

/** Writes notices for people, so that what is on standard output is the answer alone. */
export function sayNotices(io: CommandIo, notices: readonly string[], options: SessionOptions): void {
  const { paint } = textScreen(io, io.stderr, options.color === false)
  for (const notice of notices) io.stderr.write(`${paint('dim', notice)}\n`)
}

function textScreen({ environment }: CommandIo, output: CommandIo['stdout'], refused: boolean): TextScreen {
  const { isTerminal } = output
  const given = Number(environment['COLUMNS'] ?? '')
  const wished = Number.isInteger(given) && given > 0 ? given : null
  return {
    paint: createPaint(wantsColours({ isTerminal, environment, refused })),
    columns: Math.min(200, Math.max(30, (isTerminal ? output.columns : null) ?? wished ?? 80)),
    endless: !isTerminal && wished === null,
  }
}
