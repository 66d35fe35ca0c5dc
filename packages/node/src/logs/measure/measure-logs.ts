import type { Message } from '@plimsoll/core'
import type { FoundLog, FoundLogs } from '../find-logs.ts'
import { readLog } from '../read-log.ts'
import { slimMessage } from './measured-part.ts'
import { createOverview, type Overview } from './overview.ts'

/** How far the reading of logs has come. */
export interface ReadingProgress {
  /** Logs that are done, and all of them. */
  readonly files: number
  readonly allFiles: number
  /** About how many bytes are done, and all of them. */
  readonly bytes: number
  readonly allBytes: number
}

/** Reads logs one after the other, each in memory that does not grow with its texts, and adds up what they hold and cost. */
export async function measureLogs(
  { logs, unreadable }: Pick<FoundLogs, 'logs' | 'unreadable'>,
  platform: string,
  progress: (so: ReadingProgress) => void = () => undefined,
): Promise<Overview> {
  const overview = createOverview(platform)
  const allBytes = logs.reduce((sum, { bytes }) => sum + bytes, 0)
  let bytes = 0
  for (const { agent, path, trouble } of unreadable) overview.addUnreadable({ agent, file: path, trouble })
  for (const [files, found] of logs.entries()) {
    const tell = (read: number) => progress({ files, allFiles: logs.length, bytes: bytes + read, allBytes })
    tell(0)
    await measureLog(found, overview, tell)
    bytes += found.bytes
  }
  return overview.finish()
}

async function measureLog(
  found: FoundLog,
  overview: ReturnType<typeof createOverview>,
  tell: (read: number) => void,
): Promise<void> {
  let read = 0
  const take = (message: Message) => {
    // The reader does not say where it is; what it has made of the file is near enough.
    read += lengthOf(message)
    tell(Math.min(read, found.bytes))
    return slimMessage(message)
  }
  const log = await readLog(found.path, { take })
  if (log.trouble === undefined) overview.add(found, log.value)
  // An agent may have removed it since it was found, or only just begun it.
  else if (log.trouble.kind !== 'not-found' && log.trouble.kind !== 'empty')
    overview.addUnreadable({ agent: found.agent, file: found.path, trouble: log.trouble })
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
