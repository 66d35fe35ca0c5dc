import { type Message, type Part, type Role, resultText, type ToolResultPart } from '../message.ts'
import type { Piece } from './dialect.ts'

/**
 * Splits the blocks of one vendor's message so that every tool result is a message of its own; runs of other blocks between
 * results stay together. Without results the message stays whole.
 */
export function splitBlocks(
  parts: readonly Part[],
  role: Role,
  roleBetween: Role,
  time: { readonly at?: number },
): readonly Piece[] {
  const pieces: Piece[] = []
  if (!parts.some((part) => part.type === 'tool-result')) return [pieceOf(parts, 0, parts.length, role, time)]
  for (let start = 0; start < parts.length; ) {
    let end = start + 1
    const isResult = parts[start]?.type === 'tool-result'
    if (!isResult) while (end < parts.length && parts[end]?.type !== 'tool-result') end += 1
    pieces.push(pieceOf(parts, start, end, isResult ? 'tool' : roleBetween, time))
    start = end
  }
  return pieces
}

/** The text of a message nobody said, marked as such for dialects where only the user can bring it. */
export function reminderText(message: Message): string {
  const text = message.parts
    .flatMap((part) => (part.type === 'text' || part.type === 'reasoning' ? [part.text] : []))
    .join('\n\n')
  return `<system-reminder>\n${text}\n</system-reminder>`
}

/** Whether a result says in its first word that it is an error. */
export function startsWithError(part: ToolResultPart): boolean {
  return resultText(part).startsWith('Error:')
}

function pieceOf(parts: readonly Part[], start: number, end: number, role: Role, time: { readonly at?: number }): Piece {
  const covered = start === 0 && end === parts.length ? parts : parts.slice(start, end)
  const origins = covered.map((_part, index) => ({ block: start + index, path: ['content', start + index] }))
  return { role, parts: covered, origins, first: start, last: Math.max(start, end - 1), ...time }
}
