import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { openInside } from '../open-inside.ts'
import type { FileState } from '../tool.ts'
import { type Inside, type Refused, refusalOf, shownPath } from '../workspace.ts'

/** A text file of the workspace that may be changed. */
export interface TextFile extends Inside {
  /** Its text, without the mark of its encoding. */
  readonly text: string
  /** Whether it begins with the mark of UTF-8. */
  readonly hasMark: boolean
  readonly state: FileState
  readonly stats: Stats
}

/** Reads a file that is to be changed, or says why it cannot be: only UTF-8 can be put back as it was. */
export async function readTextToChange(root: string, path: string): Promise<TextFile | Refused> {
  const opened = await openInside(root, path)
  if ('reason' in opened) return opened
  const { handle, stats, ...place } = opened
  const name = shownPath(place.shown)
  try {
    if (stats.size > biggestFile)
      return { reason: `${name} is too big to be changed so: ${stats.size} bytes, and ${biggestFile} is the most` }
    const bytes = await handle.readFile()
    const text = decode(bytes)
    if (typeof text !== 'string') return { reason: `${name} ${text.not}` }
    const hasMark = text.startsWith(mark)
    return { ...place, text: hasMark ? text.slice(1) : text, hasMark, state: stateOf(stats, bytes), stats }
  } catch (error) {
    return refusalOf(error, name)
  } finally {
    await handle.close()
  }
}

/** The bytes of a text, with the mark of UTF-8 before it where the file has one. */
export function encodeText(text: string, hasMark: boolean): Buffer {
  return Buffer.from(hasMark ? `${mark}${text}` : text)
}

/** What is remembered of a file whose bytes are at hand. */
export function stateOf({ mtimeMs }: Stats, bytes: Uint8Array): FileState {
  return { mtimeMs, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

const mark = '\ufeff'
const biggestFile = 16 * 1024 * 1024

function decode(bytes: Buffer): string | { readonly not: string } {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return { not: 'is UTF-16 text; only UTF-8 can be changed. Convert it first.' }
  if (bytes.includes(0)) return { not: 'is no text: it holds NUL bytes. Only UTF-8 text can be changed.' }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { not: 'is not UTF-8 text, and could not be put back as it was. Convert it first.' }
  }
}
