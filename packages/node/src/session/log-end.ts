import { closeSync, constants, fdatasyncSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { isRecord, parseJson } from '@plimsoll/core/text'
import { codeOf } from '../files/problem.ts'
import { type ChainEnd, noLines } from './log-chain.ts'

/** Where a log ended when that was last written down; `missing` if it never was. */
export type LogEnd = { readonly end: ChainEnd } | { readonly trouble: 'missing' | 'damaged' }

/** Always this many bytes, so that a new end takes the place of the old one in a single write. */
const length = 64

export function logEndText({ number, own }: ChainEnd): Buffer {
  const text = JSON.stringify({ entries: number, sum: own, check: checkOf(number, own) })
  return Buffer.from(`${text.padEnd(length - 1)}\n`, 'latin1')
}

function checkOf(entries: unknown, sum: unknown): string {
  return crc32(`${String(entries)}-${String(sum)}`)
    .toString(16)
    .padStart(8, '0')
}

// Nothing else may be read or written by this name. Windows has neither flag.
const careful = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Has to be read before the log: the log is written first, so it is never behind. */
export function readLogEnd(path: string): LogEnd {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | careful)
  } catch (error) {
    return { trouble: codeOf(error) === 'ENOENT' ? 'missing' : 'damaged' }
  }
  try {
    const bytes = Buffer.alloc(length + 1)
    const value = parseJson(bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0)))
    if (!isRecord(value)) return { trouble: 'damaged' }
    const { entries, sum, check } = value
    if (!Number.isSafeInteger(entries) || typeof sum !== 'string' || check !== checkOf(entries, sum))
      return { trouble: 'damaged' }
    return { end: { number: entries as number, own: sum } }
  } catch {
    return { trouble: 'damaged' }
  } finally {
    closeSync(file)
  }
}

/**
 * Writes down where a log ends, after each write of the log. Never throws: an end that could not be written is an earlier one, and a log
 * may go further than that.
 */
export function openLogEnd(path: string, known: LogEnd) {
  let file: number | null = null
  let isWritten = false
  try {
    file = openSync(path, constants.O_RDWR | constants.O_CREAT | careful, 0o600)
  } catch {}

  const write = (end: ChainEnd): void => {
    try {
      if (file !== null) writeSync(file, logEndText(end), 0, length, 0)
      isWritten = true
    } catch {}
  }

  // From the first line with a checksum on, a missing file is a loss.
  if ('trouble' in known && known.trouble === 'missing') write(noLines)
  return {
    write,
    close(): void {
      if (file === null) return
      try {
        if (isWritten) fdatasyncSync(file)
      } catch {}
      closeSync(file)
      file = null
    },
  }
}
