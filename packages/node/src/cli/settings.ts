import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Policy, policiesNamed } from '@plimsoll/core'
import type { Config } from '@plimsoll/core/policies'
import { ConfigError } from '../config/config-error.ts'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import { type Prompts, readPrompts } from '../config/prompt-files.ts'
import { type LogLevel, logLevels } from '../files/logger.ts'
import type { WriteOptions } from '../session/open-session.ts'
import { sessionsFolder } from '../session/session-folder.ts'
import { redactSecrets } from '../shared/redact/redact.ts'
import { modelLanguage, type Strings, stringsFor } from '../strings/strings-for.ts'
import { CommandError, type CommandIo, environmentLocale, oneOf } from './command-io.ts'
import { type ColourOptions, createTextScreen, paintFor } from './terminal/screen.ts'

/** The configuration that a command runs under, and what follows from it. */
export interface Settings {
  readonly config: Config
  readonly strings: Strings
  readonly policies: readonly Policy[]
  /** Null if `PLIMSOLL_LOG` is not set. */
  readonly logLevel: LogLevel | null
  /** The place that sets each key, or `default`. */
  readonly origins: LoadedConfig['origins']
  /** The place that sets `context_window`; null if it is not set. */
  readonly windowSetBy: string | null
  /** Sentences about settings that are valid but probably a mistake. */
  readonly warnings: readonly string[]
}

export interface SettingsOptions {
  /** A file instead of the project's. */
  readonly config?: string
  /** `spec`, `digests`, `economy`, or names with commas between them. */
  readonly policies?: string
  /** Language of the text inserted for the model. */
  readonly strings?: string | undefined
  /** When edits of cached content take effect. */
  readonly timing?: string | undefined
  /** The project's folder, with its configuration. Default: the current one. */
  readonly root?: string
  /** JSON is in English in any terminal. */
  readonly json?: boolean
}

/**
 * Reads the configuration for a command. Throws `CommandError` if it is invalid. Reports the language once it is known, so that
 * later errors use it.
 */
export async function readSettings(options: SettingsOptions, io: CommandIo): Promise<Settings> {
  const loaded = await loadFor(options, io)
  const locale = loaded.config.locale ?? environmentLocale(io.environment)
  const strings = stringsFor(locale)
  io.speak?.(strings)
  const config: Config = {
    ...loaded.config,
    locale: options.json === true ? loaded.config.locale : locale,
    strings: modelLanguage({ ...loaded.config, locale }),
  }
  const { warnings, origins } = loaded
  const origin = origins['context_window'] ?? 'default'
  const level = io.environment['PLIMSOLL_LOG'] ?? ''
  return {
    config,
    strings,
    policies: policiesNamed(config.policies),
    logLevel: level === '' ? null : oneOf(level, logLevels, strings.command.badLogLevel),
    origins,
    windowSetBy: origin === 'default' ? null : origin,
    warnings,
  }
}

/** Loads the configuration for a command's options. Throws `CommandError` if it is invalid. */
export async function loadFor(
  { config, policies, strings, timing, root }: SettingsOptions,
  { folder, environment }: CommandIo,
): Promise<LoadedConfig> {
  if (policies !== undefined && policiesIn(policies).length === 0)
    throw new CommandError(stringsFor(environmentLocale(environment)).command.noPolicies, 2)
  try {
    return await loadConfig({
      projectFolder: root === undefined ? folder : resolve(folder, root),
      environment,
      ...(config === undefined ? {} : { configFile: resolve(folder, config) }),
      flags: [
        ...(policies === undefined ? [] : [{ flag: '--policies', path: ['policies'], value: policiesIn(policies) }]),
        ...(strings === undefined ? [] : [{ flag: '--strings', path: ['strings'], value: strings }]),
        ...(timing === undefined ? [] : [{ flag: '--timing', path: ['timing'], value: timing }]),
      ],
    })
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(error.message, 2)
    throw error
  }
}

/** Reads the prompt files that count in a project's folder. Throws `CommandError` if one is refused. */
export function promptsFor({ prompts }: Config, root: string, { environment }: CommandIo): Prompts {
  try {
    return readPrompts({ root: existsSync(root) ? realpathSync(root) : root, projects: prompts.projects, environment })
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(error.message, 2)
    throw error
  }
}

function policiesIn(policies: string): Config['policies'] {
  if (policies === 'spec' || policies === 'digests' || policies === 'economy') return policies
  return policies.split(',').flatMap((name) => name.trim() || [])
}

export type SessionOptions = SettingsOptions & ColourOptions

export type SessionContext = Readonly<Awaited<ReturnType<typeof sessionContext>>>

export async function sessionContext(options: SessionOptions, io: CommandIo) {
  const settings = await readSettings(options, io)
  const { strings } = settings
  return {
    io,
    sessions: sessionsFolder(io.environment),
    settings,
    strings,
    screen: createTextScreen(options, io),
  }
}

/** Writes notices to standard error, so that standard output is the answer alone. */
export function sayNotices(io: CommandIo, notices: readonly string[], options: ColourOptions): void {
  const paint = paintFor(io.stderr, options, io)
  for (const notice of notices) io.stderr.write(`${paint('dim', notice)}\n`)
}

/** How the settings want sessions to be written. */
export function writing({ io, settings }: Pick<SessionContext, 'io' | 'settings'>): WriteOptions {
  return { now: io.now, ...(settings.config.sessions.redact_secrets ? { redact: redactSecrets } : {}) }
}
