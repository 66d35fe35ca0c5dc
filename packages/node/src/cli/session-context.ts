import type { WriteOptions } from '../session/open-session.ts'
import { sessionsFolder } from '../session/session-folder.ts'
import { redactSecrets } from '../shared/redact/redact.ts'
import type { Strings } from '../strings/strings-for.ts'
import type { CommandIo } from './command-io.ts'
import { readSettings, type Settings, type SettingsOptions } from './settings.ts'
import { type ColourOptions, paintFor } from './terminal/paint.ts'
import { createTextScreen, type TextScreen } from './terminal/screen.ts'

/** The options that every command for stored sessions has. */
export type SessionOptions = SettingsOptions & ColourOptions

/** What a command for stored sessions works with. */
export interface SessionContext {
  readonly io: CommandIo
  /** The folder of all sessions. */
  readonly sessions: string
  readonly settings: Settings
  readonly strings: Strings
  readonly screen: TextScreen
}

/** Tells which language is spoken from here on. */
export type Speak = (strings: Strings) => void

/** Reads the settings, and finds the folder of sessions and how wide the output is. */
export function sessionContext(options: SessionOptions, io: CommandIo, speak: Speak): SessionContext {
  const settings = readSettings(options, io, speak)
  const { strings } = settings
  return {
    io,
    sessions: sessionsFolder(io.environment),
    settings,
    strings,
    screen: createTextScreen(options, io),
  }
}

/** Writes notices for people, so that what is on standard output is the answer alone. */
export function sayNotices(io: CommandIo, notices: readonly string[], options: ColourOptions): void {
  const paint = paintFor(io.stderr, options, io)
  for (const notice of notices) io.stderr.write(`${paint('dim', notice)}\n`)
}

/** How the settings want sessions to be written to. */
export function writing({ io, settings }: Pick<SessionContext, 'io' | 'settings'>): WriteOptions {
  return { now: io.now, ...(settings.config.sessions.redact_secrets ? { redact: redactSecrets } : {}) }
}
