import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { removeLeftovers } from './make-folder.ts'

/** Reads what a program remembered in a file of this user alone; null if there is nothing, or another version wrote it. Never throws. */
export function readMemory(file: string, version: string): unknown {
  try {
    const [first = '', text = ''] = (readOwnFile(file)?.toString('utf8') ?? '').split('\n', 2)
    return first === version ? (JSON.parse(text) as unknown) : null
  } catch {
    return null
  }
}

/** Reads a file that only this user can read and write, because another one could have put something false into it; null if there is none. Never throws. */
export function readOwnFile(file: string): Buffer | null {
  try {
    const handle = openSync(file, 'r')
    try {
      const found = fstatSync(handle)
      const isOwn = process.platform === 'win32' || (found.uid === process.getuid?.() && (found.mode & 0o077) === 0)
      return isOwn && found.isFile() && found.size <= maxBytes ? readFileSync(handle) : null
    } finally {
      closeSync(handle)
    }
  } catch {
    return null
  }
}

const maxBytes = 10_000_000

export function writeMemory(file: string, version: string, value: unknown): void {
  replaceFile(file, `${version}\n${JSON.stringify(value)}\n`)
}

/** Replaces the file, if possible. A reader finds the old content or the new; after a crash it may find neither. */
export function replaceFile(file: string, content: string | Uint8Array): void {
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    removeLeftovers(dirname(file), /\.(\d+)\.[0-9a-z]{5,14}$/)
    writeFileSync(temporary, content, { mode: 0o600, flag: 'wx' })
    renameSync(temporary, file)
  } catch {
    removeIfPossible(temporary)
  }
}

function removeIfPossible(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // There is no such folder, or it cannot be written.
  }
}
