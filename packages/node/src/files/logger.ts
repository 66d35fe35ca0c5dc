import type { LogRecord } from '@plimsoll/core/hosts'
import { escapeUnprintable } from '@plimsoll/core/text'

/** The minimum level; `silent` writes nothing. */
export type LogLevel = LogRecord['level'] | 'silent'

export const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'silent']

export interface LoggerOptions {
  readonly level: LogLevel
  /** One line with its end. Never standard output, which belongs to the answer. */
  readonly write: (line: string) => void
  readonly format?: (record: LogRecord) => string
}

export function createLogger({ level, write, format = jsonLine }: LoggerOptions): (record: LogRecord) => void {
  const min = logLevels.indexOf(level)
  return (record) => {
    if (logLevels.indexOf(record.level) >= min) write(`${format(record)}\n`)
  }
}

function jsonLine({ level, event, message, data }: LogRecord): string {
  // These lines may be shown in a terminal.
  return escapeUnprintable(JSON.stringify({ level, event, message, ...data }))
}
