import { isUtf8 } from 'node:buffer'
import { readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { SessionError } from './session-error.ts'

/** Reads lines of an open file by place. Lines that follow one another are read together. Throws once the file is closed. */
export function createLineReader(handle: FileHandle): (offset: number, length: number) => string | null {
  let window: Buffer = Buffer.alloc(0)
  let windowStart = 0
  return (offset, length) => {
    if (offset < windowStart || offset + length > windowStart + window.length) {
      // The number of a closed file may be that of another one by now.
      if (handle.fd < 0) throw new SessionError({ kind: 'closed' })
      window = readBytes(handle.fd, offset, Math.max(length, windowLength))
      windowStart = offset
    }
    const bytes = window.subarray(offset - windowStart, offset - windowStart + length)
    // A window made for one huge line would only be carried along.
    if (window.length > windowLength) window = Buffer.alloc(0)
    if (bytes.length < length || !isUtf8(bytes)) return null
    try {
      return bytes.toString('utf8')
    } catch {
      // Longer than any text can be.
      return null
    }
  }
}

const windowLength = 1 << 16

function readBytes(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let done = 0
  while (done < length) {
    const read = readSync(file, bytes, done, length - done, offset + done)
    if (read === 0) break
    done += read
  }
  return bytes.subarray(0, done)
}
