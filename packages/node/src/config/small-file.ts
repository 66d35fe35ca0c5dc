import { closeSync, constants, openSync, readSync, statSync } from 'node:fs'

const maxBytes = 65_536

/** Reads a text file of at most 64 KB. Returns null if it does not exist, and what is wrong with it as the end of a sentence. */
export function readSmallFile(file: string): string | null | { readonly problem: string } {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) return null
    if (!found.isFile()) return { problem: `expected a file, got ${found.isDirectory() ? 'a folder' : 'something else'}` }
    const bytes = readUpTo(file, maxBytes + 1)
    if (bytes.length > maxBytes) return { problem: `expected at most ${maxBytes} bytes, got more` }
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : null
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { problem: 'expected text in UTF-8, got other bytes' }
    return { problem: `cannot be read (${code ?? String(error)})` }
  }
}

/** The reported size may be wrong or change, and the file may become a pipe without a writer. */
function readUpTo(file: string, limit: number): Uint8Array {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const bytes = new Uint8Array(limit)
    let length = 0
    for (;;) {
      const read = readSync(descriptor, bytes, length, limit - length, null)
      length += read
      if (read === 0 || length === limit) return bytes.subarray(0, length)
    }
  } finally {
    closeSync(descriptor)
  }
}
