import { isUtf8 } from 'node:buffer'
import { readSync } from 'node:fs'

/** Reads lines of an open file by place. Lines that follow one another are read together. */
export function createLineReader(file: number): (offset: number, length: number) => string | null {
  let window: Buffer = Buffer.alloc(0)
  let windowStart = 0
  return (offset, length) => {
    if (offset < windowStart || offset + length > windowStart + window.length) {
      window = readBytes(file, offset, Math.max(length, windowLength))
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
