import { isUtf8 } from 'node:buffer'
import type { SkipReason } from '../strings/english/view.ts'
import { rawLines } from './raw-lines.ts'

/** A line of a log, or why it has no text. Blank lines are counted and left out. */
export type LogLine =
  | { readonly line: number; readonly text: string; readonly reason?: never }
  | { readonly line: number; readonly reason: SkipReason; readonly text?: never }

/** The lines of a log as they arrive, so that no more than one is held. A byte order mark is left out. */
export async function* logLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  longest?: number,
): AsyncGenerator<LogLine, void> {
  for await (const { line, bytes } of rawLines(chunks, longest)) {
    const read: LogLine | null = bytes === null ? { line, reason: 'too-long' } : lineOf(bytes, line)
    if (read !== null) yield read
  }
}

function lineOf(bytes: Buffer, line: number): LogLine | null {
  if (!isUtf8(bytes)) return { line, reason: 'not-utf8' }
  const text = bytes.toString('utf8')
  const bare = line === 1 && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  return /\S/.test(bare) ? { line, text: bare } : null
}
