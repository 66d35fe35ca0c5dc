import { isUtf8 } from 'node:buffer'
import type { SkipReason } from '@plimsoll/core'

/** A line of a log, or why it has no text. Blank lines are counted and left out. */
export type LogLine =
  | { readonly line: number; readonly text: string; readonly reason?: never }
  | { readonly line: number; readonly reason: SkipReason; readonly text?: never }

/** The longest line that is read; one image or result is far shorter. */
const longestLine = 256_000_000

/** Cuts a stream of bytes into lines as they arrive, so that no more than one line is held. A byte order mark is left out. */
export async function* logLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  longest: number = longestLine,
): AsyncGenerator<LogLine, void> {
  let line = 1
  let pieces: Uint8Array[] = []
  let size = 0
  const take = (piece: Uint8Array) => {
    size += piece.byteLength
    // What is too long is counted and not kept.
    if (size <= longest) pieces.push(piece)
    else pieces = []
  }
  const end = (): LogLine | null => {
    const bytes = size > longest ? null : Buffer.concat(pieces)
    const ended = bytes === null ? { line, reason: 'too-long' as const } : lineOf(bytes, line)
    pieces = []
    size = 0
    line += 1
    return ended
  }
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let start = 0
    for (let newline = bytes.indexOf(newlineByte); newline >= 0; newline = bytes.indexOf(newlineByte, start)) {
      take(bytes.subarray(start, newline))
      start = newline + 1
      const ended = end()
      if (ended !== null) yield ended
    }
    // Whoever sent the chunk may use its memory again.
    if (start < bytes.length) take(Buffer.from(bytes.subarray(start)))
  }
  const last = size > 0 ? end() : null
  if (last !== null) yield last
}

const newlineByte = 0x0a

function lineOf(bytes: Buffer, line: number): LogLine | null {
  if (!isUtf8(bytes)) return { line, reason: 'not-utf8' }
  const text = bytes.toString('utf8')
  const bare = line === 1 && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  return /\S/.test(bare) ? { line, text: bare } : null
}
