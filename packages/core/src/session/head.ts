import { detached } from '../text/detached.ts'
import type { Entry, EntryHead } from './entry.ts'

/** As many characters of a line as are enough to read the head that we write, unless ids are very long. */
export const headLength = 320

/**
 * The head of an entry, read from the beginning of a line of so many bytes without parsing the rest. Null where the line does not
 * begin as we write it or is not as long as it says, or an id has characters that JSON escapes or that take more than a byte: then
 * the whole line has to be parsed.
 */
export function readHead(start: string, length: number): EntryHead | null {
  const found = headPattern.exec(start)
  if (found === null) return null
  const [head, type, id, parentId, at, bytes] = found
  if (head.length + Number(bytes) !== length || (parentId === undefined) !== (type === 'header')) return null
  return {
    type: type as Entry['type'],
    // A piece of the line would keep the line in memory.
    id: detached(id as string),
    parentId: parentId === undefined ? null : detached(parentId),
    at: Number(at),
  }
}

const headPattern =
  /^\{"type":"(header|message|edits|request|usage|failure|note|rewind)","id":"([ !#-[\]-~]{1,120})","parentId":(?:null|"([ !#-[\]-~]{1,120})"),"at":(\d{1,15}),"bytes":(\d{1,12})(?=[,}])/
