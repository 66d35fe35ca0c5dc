import type { Message } from '@plimsoll/core'
import type { Outcome } from '../../files/problem.ts'
import type { FoundLog } from '../find-logs.ts'
import type { ReadLog } from '../log-reader.ts'
import { readLog } from '../read-log.ts'
import { measureSession, type SessionMeasure } from './measure-session.ts'
import { slimMessage } from './measured-part.ts'

/** What one log adds to an overview. */
export interface LogMeasure {
  readonly skippedLines: number
  readonly sessions: readonly SessionMeasure[]
}

/** In milliseconds: a report for each message would take longer than measuring it. */
const often = 100

/** Reads a log without holding its texts, and measures it. Reports how many bytes were read so far. */
export async function measureLog(
  { path, bytes }: Pick<FoundLog, 'path' | 'bytes'>,
  platform: string,
  report: (read: number) => void = () => undefined,
): Promise<Outcome<LogMeasure>> {
  let read = 0
  let reported = performance.now()
  const take = (message: Message) => {
    // The reader does not report its position; the length of the messages is close enough.
    read += lengthOf(message)
    if (performance.now() - reported > often) {
      report(Math.min(read, bytes))
      reported = performance.now()
    }
    return slimMessage(message)
  }
  const { value, problem } = await readLog(path, { take })
  return value === undefined ? { problem } : { value: measureRead(value, platform) }
}

export function measureRead({ sessions, skipped }: ReadLog, platform: string): LogMeasure {
  const held = sessions.filter(({ messages }) => messages.length > 0)
  return { skippedLines: skipped.length, sessions: held.map((session) => measureSession(session, platform)) }
}

function lengthOf({ parts }: Message): number {
  let length = 200
  for (const part of parts) {
    if (part.type === 'text' || part.type === 'reasoning') length += part.text.length
    else if (part.type === 'tool-result' && part.content.type === 'text') length += part.content.text.length
    else length += 500
  }
  return length
}
