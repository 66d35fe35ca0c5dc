import { open } from 'node:fs/promises'
import { readLine } from '@plimsoll/core/session'
import { partText } from '../session/shown-message.ts'

/** Longer lines are looked at no further: their text is a result that nobody searches in a list. */
const longestLine = 4 * 2 ** 20

/** Whether a message of a log has a text, which is given in small letters. A log that cannot be read has none. */
export async function hasWords(log: string, wanted: string, signal: AbortSignal): Promise<boolean> {
  // As the text stands in a line, so that most lines need not be parsed.
  const written = JSON.stringify(wanted).slice(1, -1)
  const handle = await open(log, 'r').catch(() => null)
  if (handle === null) return false
  try {
    for await (const line of linesOf(handle)) {
      if (signal.aborted) return false
      if (line.toLowerCase().includes(written) && holds(line, wanted)) return true
    }
    return false
  } catch {
    return false
  } finally {
    await handle.close()
  }
}

function holds(line: string, wanted: string): boolean {
  const read = line.startsWith('{"type":"message"') ? readLine(line) : null
  return (
    read?.kind === 'entry' &&
    read.entry.type === 'message' &&
    read.entry.message.parts.some((part) => partText(part).toLowerCase().includes(wanted))
  )
}

async function* linesOf(handle: Awaited<ReturnType<typeof open>>): AsyncGenerator<string> {
  let rest = ''
  let isSkipped = false
  for await (const chunk of handle.createReadStream({ encoding: 'utf8', highWaterMark: 2 ** 18, autoClose: false })) {
    const lines = (chunk as string).split('\n')
    for (const [index, piece] of lines.entries()) {
      if (!isSkipped) rest += piece
      if (rest.length > longestLine) {
        rest = ''
        isSkipped = true
      }
      if (index === lines.length - 1) continue
      if (!isSkipped) yield rest
      rest = ''
      isSkipped = false
    }
  }
  if (rest !== '') yield rest
}
