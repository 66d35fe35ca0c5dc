import type { FileHandle } from 'node:fs/promises'
import { headLength } from '@plimsoll/core'

/** A line of a log as it lies in the file. */
export interface ScannedLine {
  readonly offset: number
  /** In bytes, without the end of the line. */
  readonly length: number
  /** The beginning of the line, one character a byte. */
  readonly start: string
}

/** How far a scan came. */
export interface Scanned {
  /** The length of the file as far as it was read. */
  readonly length: number
  /** Whether it ended with the end of a line; an empty file does. */
  readonly isComplete: boolean
}

const chunkLength = 1 << 20
const newline = 0x0a

/** Goes over the lines of a file from an offset at which a line begins, holding no more of them than a chunk. */
export async function scanLines(handle: FileHandle, from: number, visit: (line: ScannedLine) => void): Promise<Scanned> {
  const chunk = Buffer.allocUnsafe(chunkLength)
  let length = from
  // A line that goes on from the chunks before.
  let offset = from
  let start = ''
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, chunkLength, length)
    if (bytesRead === 0) break
    for (let at = 0; at < bytesRead; ) {
      const found = chunk.indexOf(newline, at)
      const isEnd = found >= 0 && found < bytesRead
      const end = isEnd ? found : bytesRead
      if (start.length < headLength) start += chunk.toString('latin1', at, Math.min(end, at + headLength - start.length))
      if (isEnd) {
        visit({ offset, length: length + end - offset, start })
        offset = length + end + 1
        start = ''
      }
      at = end + 1
    }
    length += bytesRead
  }
  if (length > offset) visit({ offset, length: length - offset, start })
  return { length, isComplete: length === offset }
}
