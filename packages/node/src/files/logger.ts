import type { LogRecord } from '@plimsoll/core/hosts'
import { escapeUnprintable } from '@plimsoll/core/text'

/** The least level that is written; `silent` writes nothing. */
export type LogLevel = LogRecord['level'] | 'silent'

/** Every level, from the one that lets everything through to the one that lets nothing through. */
export const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'silent']

/** What is written, where, and how. */
export interface LoggerOptions {
  readonly level: LogLevel
  /** Receives one whole line with its end. Never standard output, which belongs to the answer. */
  readonly write: (line: string) => void
  /** How a record becomes a line. Default: one JSON object. */
  readonly format?: (record: LogRecord) => string
}

/** Writes the records that reach a level, one line each. */
export function createLogger({ level, write, format = jsonLine }: LoggerOptions): (record: LogRecord) => void {
  const least = logLevels.indexOf(level)
  return (record) => {
    if (logLevels.indexOf(record.level) >= least) write(`${format(record)}\n`)
  }
}

function jsonLine({ level, event, message, data }: LogRecord): string {
  // A person may well look at these lines in a terminal.
  return escapeUnprintable(JSON.stringify({ level, event, message, ...data }))
}
