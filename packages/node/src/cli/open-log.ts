import type { LogRecord } from '@plimsoll/core/hosts'
import { createLogger } from '../files/logger.ts'
import { createTrimLog, type TrimLog } from '../files/trim-log.ts'
import type { CommandIo } from './command-io.ts'
import type { Settings } from './settings.ts'
import { type ColourOptions, paintFor } from './terminal/screen.ts'
import { cleanText, grouped } from './terminal/text.ts'

/** Writes log records to standard error, as `PLIMSOLL_LOG` asks for them; null if it does not. */
export function openLog({ logLevel: level }: Settings, io: CommandIo, options: ColourOptions) {
  if (level === null || level === 'silent') return null
  const format = ({ message }: LogRecord) => paintFor(io.stderr, options, io)('dim', `· ${cleanText(message)}`)
  return createLogger({ level, write: io.stderr.write, ...(io.stderr.isTerminal ? { format } : {}) })
}

/** Whether the log is omitted: its lines would appear in the middle of what something else draws on the terminal. */
export function isLogHidden({ logLevel }: Settings, { stderr }: CommandIo, isDrawn: boolean): boolean {
  return isDrawn && stderr.isTerminal && logLevel !== null && logLevel !== 'silent'
}

interface TrimLogPlace extends ColourOptions {
  /** Whether something else draws on the terminal. */
  readonly isDrawn: boolean
  readonly about?: Readonly<Record<string, string>>
}

/** A log of what requests trim, as `PLIMSOLL_LOG` asks for it; undefined if it does not. */
export function openTrimLog(
  settings: Settings,
  io: CommandIo,
  { isDrawn, about, ...options }: TrimLogPlace,
): TrimLog | undefined {
  const log = isLogHidden(settings, io, isDrawn) ? null : openLog(settings, io, options)
  if (log === null) return undefined
  return createTrimLog({
    log,
    now: io.now,
    totalsText: ({ edits, tokensSaved, results, cut, rate }) =>
      settings.strings.command.trimTotals({
        edits: grouped(edits),
        tokens: grouped(tokensSaved),
        cut: `${grouped(cut)}/${grouped(results)}`,
        rate: (rate * 100).toFixed(1),
      }),
    ...(about === undefined ? {} : { about }),
  })
}
