import { closeSync, openSync, readSync, statSync } from 'node:fs'
import type { ConfigProblem } from './config-error.ts'

/** A configuration file's text; absent when there is none. */
export type ConfigFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly problem: ConfigProblem }

/** Nobody writes this much by hand, and a larger file is something else. */
const mostBytes = 65_536

/** Reads a configuration file: UTF-8 and at most 64 KB. Trouble comes back as a value. */
export function readConfigFile(file: string): ConfigFile {
  const unreadable = (message: string): ConfigFile => ({ kind: 'unreadable', problem: { where: file, key: '', message } })
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) return { kind: 'absent' }
    if (!found.isFile()) return unreadable(`expected a file, got ${found.isDirectory() ? 'a folder' : 'something else'}`)
    const bytes = readUpTo(file, mostBytes + 1)
    if (bytes.length > mostBytes) return unreadable(`expected at most ${mostBytes} bytes, got more`)
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' }
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return unreadable('expected text in UTF-8, got other bytes')
    return unreadable(`cannot be read (${code ?? String(error)})`)
  }
}

/** Reads by count and not by the size that the file is said to have, which may be wrong or change. */
function readUpTo(file: string, most: number): Uint8Array {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = new Uint8Array(most)
    let length = 0
    for (;;) {
      const read = readSync(descriptor, bytes, length, most - length, null)
      length += read
      if (read === 0 || length === most) return bytes.subarray(0, length)
    }
  } finally {
    closeSync(descriptor)
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
