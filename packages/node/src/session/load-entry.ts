import { checkEntry, type Entry, type MediaPart, type MovedValue, type Part, readLine, type TextPart } from '@plimsoll/core'
import { stringsFor } from '../strings/strings-for.ts'
import type { BlobStore } from './blob-store.ts'
import type { LineHead, LogIndex } from './log-index.ts'
import { moveBack, valueOf } from './moved-values.ts'

/**
 * Reads the entry behind a head, with everything that was moved out of it back in its place. What cannot be read is reported and
 * gives null; a lost blob is reported and leaves a sentence where its content stood.
 */
export function loadEntry(
  head: LineHead,
  readText: (offset: number, length: number) => string | null,
  index: LogIndex,
  blobs: BlobStore,
): Entry | null {
  const strings = stringsFor(null).session
  const text = readText(head.offset, head.length)
  const read = text === null ? ({ kind: 'torn', reason: 'not UTF-8 text' } as const) : readLine(text)
  switch (read.kind) {
    case 'torn':
      index.report(head, 'torn', strings.lineTorn(head.line, read.reason))
      return null
    case 'foreign':
      index.report(head, 'foreign', strings.lineForeign(head.line, read.reason))
      return null
    case 'newer':
      index.report(head, 'newer', strings.lineNewer(head.line, read.reason))
      return null
    case 'entry':
      break
  }
  const { entry, moved } = read
  if (entry.id !== head.id) {
    index.report(head, 'foreign', strings.lineForeign(head.line, 'it changed since it was first read'))
    return null
  }
  if (moved.length === 0) return entry
  for (const one of moved) {
    const trouble = restore(entry, one, blobs)
    if (trouble !== null) index.report(head, 'blob', trouble)
  }
  const { wrong, newer } = checkEntry(entry)
  const fault = wrong ?? newer
  if (fault === undefined) return entry
  index.report(head, 'foreign', strings.lineForeign(head.line, fault))
  return null
}

function restore(entry: Entry, moved: MovedValue, blobs: BlobStore): string | null {
  const read = blobs.read(moved.sha256)
  if ('bytes' in read) {
    moveBack(entry, moved.path, valueOf(moved, read.bytes))
    return null
  }
  const sentence = `[${moved.bytes} bytes that cannot be had back: blob ${moved.sha256.slice(0, 12)} is lost or damaged]`
  if (!replaceMedia(entry, moved.path, sentence)) moveBack(entry, moved.path, sentence)
  return read.trouble
}

/** A picture without its bytes would be refused by every provider; a text is not. */
function replaceMedia(entry: Entry, path: MovedValue['path'], sentence: string): boolean {
  if (entry.type !== 'message' || path[1] !== 'parts' || typeof path[2] !== 'number') return false
  const part: Part | undefined = entry.message.parts[path[2]]
  const text: TextPart = { type: 'text', text: sentence }
  if (part?.type === 'media') return moveBack(entry, path.slice(0, 3), text)
  if (part?.type !== 'tool-result' || part.content.type !== 'list' || typeof path[5] !== 'number') return false
  const item: TextPart | MediaPart | undefined = part.content.items[path[5]]
  return item?.type === 'media' && moveBack(entry, path.slice(0, 6), text)
}
