import { checkView } from '@plimsoll/core'
import type { Outcome } from '../files/trouble.ts'
import type { ReadLog } from '../logs/log-reader.ts'
import { onlyReadFormats } from './mend-value.ts'

/** What is still wrong with a copy, as its reader and a provider would say. */
export interface CopyTrouble {
  /** Entries that still cannot be read. */
  readonly unreadable: number
  /** Rules of the providers that the conversation still breaks. */
  readonly problems: number
}

/** Holds a copy against its reader; null where all is well. */
export function troubleInCopy({ value }: Outcome<ReadLog>): CopyTrouble | null {
  if (value === undefined) return { unreadable: 1, problems: 0 }
  const unreadable = value.skipped.length
  // Those of runs whose calls are words come with the format.
  const problems = onlyReadFormats.has(value.format)
    ? 0
    : value.sessions.reduce((sum, { messages }) => sum + checkView(messages).length, 0)
  return unreadable === 0 && problems === 0 ? null : { unreadable, problems }
}
