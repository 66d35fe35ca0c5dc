import { readFileSync, statSync } from 'node:fs'
import type { ConfigProblem } from './config-error.ts'

/** A configuration file's text; absent when there is none. */
export type ConfigFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly problem: ConfigProblem }

/** No configuration comes near this, and a larger file is probably something else. */
const mostBytes = 1_000_000

/** Reads a configuration file: UTF-8 and at most 1 MB. Trouble comes back as a value. */
export function readConfigFile(file: string): ConfigFile {
  const unreadable = (message: string): ConfigFile => ({ kind: 'unreadable', problem: { where: file, key: '', message } })
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) return { kind: 'absent' }
    if (!found.isFile()) return unreadable(`expected a file, got ${found.isDirectory() ? 'a folder' : 'something else'}`)
    if (found.size > mostBytes) return unreadable(`expected at most ${mostBytes} bytes, got ${found.size}`)
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)) }
  } catch (error) {
    if (isError(error, 'ENOTDIR')) return { kind: 'absent' }
    if (error instanceof TypeError) return unreadable('expected text in UTF-8, got other bytes')
    return unreadable(`cannot be read (${error instanceof Error ? error.message : String(error)})`)
  }
}

function isError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
