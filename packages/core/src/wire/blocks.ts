import { type Message, type Part, type Role, resultText, type ToolResultPart } from '../message.ts'
import type { Piece } from './dialect.ts'
import { vendorPart } from './result-content.ts'

/**
 * Reads the content of one vendor's message, a text or a list of blocks, so that every tool result is a message of its own; runs
 * of other blocks between results stay together. Without results the message stays whole.
 */
export function readContent(
  content: unknown,
  role: Role,
  time: { readonly at?: number },
  readBlock: (block: unknown) => Part,
): readonly Piece[] {
  if (Array.isArray(content)) return splitBlocks((content as readonly unknown[]).map(readBlock), role, time)
  if (content === undefined || content === null) return [{ role, parts: [], origins: [], first: 0, last: 0, ...time }]
  const part: Part = typeof content === 'string' ? { type: 'text', text: content } : vendorPart(content)
  return [{ role, parts: [part], origins: [{ block: 0, path: ['content'] }], first: 0, last: 0, ...time }]
}

/** Whether a message speaks for nobody in the conversation: the system's words, or a summary of what was folded. */
export function isReminder(message: Message): boolean {
  return message.role === 'system' || message.summary === true
}

/**
 * The text of a message nobody said, marked as such for dialects where only the user can bring it. What would end the mark early
 * is written with a backslash, `<\/system-reminder>`; text that has been through this comes out the same. It is never read back as
 * what it was: anybody could write such a text.
 */
export function reminderText(message: Message): string {
  const text = message.parts
    .flatMap((part) => (part.type === 'text' || part.type === 'reasoning' ? [part.text] : []))
    .join('\n\n')
  return `<system-reminder>\n${text.replaceAll(earlyEnd, '<$1\\/')}\n</system-reminder>`
}

// Signs that nobody sees may stand between those that count.
const earlyEnd = /<([\s\p{Cf}]*)\/(?=[\s\p{Cf}]*system-reminder)/giu

/** Whether a result says in its first word that it is an error. */
export function saysError(part: ToolResultPart): boolean {
  return resultText(part).startsWith('Error:')
}

function splitBlocks(parts: readonly Part[], role: Role, time: { readonly at?: number }): readonly Piece[] {
  const pieces: Piece[] = []
  if (!parts.some((part) => part.type === 'tool-result')) return [pieceOf(parts, 0, parts.length, role, time)]
  for (let start = 0; start < parts.length; ) {
    let end = start + 1
    const isResult = parts[start]?.type === 'tool-result'
    if (!isResult) while (end < parts.length && parts[end]?.type !== 'tool-result') end += 1
    pieces.push(pieceOf(parts, start, end, isResult ? 'tool' : role, time))
    start = end
  }
  return pieces
}

function pieceOf(parts: readonly Part[], start: number, end: number, role: Role, time: { readonly at?: number }): Piece {
  const covered = start === 0 && end === parts.length ? parts : parts.slice(start, end)
  const origins = covered.map((_part, index) => ({ block: start + index, path: ['content', start + index] }))
  return { role, parts: covered, origins, first: start, last: Math.max(start, end - 1), ...time }
}
