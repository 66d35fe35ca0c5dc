import { type Entry, type MovedValue, type ReadLine, readLine, type ToolResultPart, writeLine } from '@plimsoll/core'
import { moveBack, moveOut, valueOf } from './moved-values.ts'
import type { StoredSession } from './session.ts'

/** A value that only bytes can be, and those bytes as text: the one thing that has no place in JSON. */
interface InlineBytes extends MovedValue {
  readonly data?: string
}

/** An entry as a line that needs no file beside it, without its end. */
export function portableLine(entry: Entry): string {
  const { entry: left, moved, blobs } = moveOut(entry)
  if (!moved.some(({ form }) => form === 'bytes')) return writeLine(entry)
  const inline: InlineBytes[] = []
  for (const [index, value] of moved.entries()) {
    const bytes = Buffer.from(blobs[index]?.bytes ?? [])
    if (value.form === 'bytes') inline.push({ ...value, data: bytes.toString('base64') })
    else moveBack(left, value.path, valueOf(value, bytes))
  }
  return writeLine(left, inline)
}

/** Reads such a line. `beside` stands for an entry whose content lies in a file beside the log it comes from. Never throws. */
export function readPortableLine(line: string): ReadLine | { readonly kind: 'beside' } {
  const read = readLine(line)
  if (read.kind !== 'entry') return read
  for (const value of read.moved as readonly InlineBytes[]) {
    if (typeof value.data !== 'string') return { kind: 'beside' }
    moveBack(read.entry, value.path, valueOf(value, Buffer.from(value.data, 'base64')))
  }
  const { entry } = read
  const isExtract = entry.type === 'message' && entry.message.parts.some((part) => part.type === 'tool-result' && part.blob)
  return isExtract ? { kind: 'beside' } : { kind: 'entry', entry, moved: [] }
}

/** An entry with the complete results in place of extracts. What is lost stays an extract, and is counted. */
export function wholeEntry(entry: Entry, session: StoredSession): { readonly entry: Entry; readonly lost: number } {
  if (entry.type !== 'message') return { entry, lost: 0 }
  let lost = 0
  const whole = (part: ToolResultPart): ToolResultPart => {
    if (part.blob === undefined) return part
    const found = session.whole(part)
    if ('part' in found) return found.part
    lost += 1
    const { blob: _, ...extract } = part
    return extract
  }
  const parts = entry.message.parts.map((part) => (part.type === 'tool-result' ? whole(part) : part))
  const isSame = parts.every((part, index) => part === entry.message.parts[index])
  return { entry: isSame ? entry : { ...entry, message: { ...entry.message, parts } }, lost }
}
