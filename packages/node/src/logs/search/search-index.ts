import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { cacheFolder } from '../../config/home-folder.ts'
import { ifPossible } from '../../files/problem.ts'
import { placeFile, withFile } from '../../session/durable-file.ts'

/** Raise it with every change of what a filter holds. */
const version = 1

/** The folder of the user's search index; null without a home folder. */
export function searchFolder(environment: Readonly<Record<string, string | undefined>>): string | null {
  const folder = cacheFolder(environment)
  return folder === null ? null : join(folder, 'search')
}

/**
 * Which sequences of three characters a log has, as one bit for each by its hash: a text that is in the log is never missed, and one that is
 * not is rarely taken for one that is. At most a sixteenth of the log, and never more than a megabyte.
 */
export interface SearchFilter {
  readonly add: (text: string) => void
  readonly mayHold: (text: string) => boolean
  readonly bytes: Uint8Array
}

export function createFilter(logBytes: number): SearchFilter {
  const most = Math.max(1024, Math.min(2 ** 20, logBytes / 16))
  return filterOf(new Uint8Array(2 ** Math.floor(Math.log2(most))))
}

function filterOf(bytes: Uint8Array): SearchFilter {
  const shift = 32 - Math.log2(bytes.length * 8)
  return {
    bytes,
    add(text) {
      const lower = text.toLowerCase()
      let before = lower.charCodeAt(0)
      let last = lower.charCodeAt(1)
      for (let index = 2; index < lower.length; index += 1) {
        const next = lower.charCodeAt(index)
        const place = placeOf(before, last, next) >>> shift
        bytes[place >>> 3] = (bytes[place >>> 3] ?? 0) | (1 << (place & 7))
        before = last
        last = next
      }
    },
    mayHold(text) {
      const lower = text.toLowerCase()
      for (let index = 2; index < lower.length; index += 1) {
        const place = placeOf(lower.charCodeAt(index - 2), lower.charCodeAt(index - 1), lower.charCodeAt(index)) >>> shift
        if (((bytes[place >>> 3] ?? 0) & (1 << (place & 7))) === 0) return false
      }
      return true
    },
  }
}

function placeOf(one: number, two: number, three: number): number {
  return Math.imul(Math.imul(Math.imul(one, 0x9e3779b1) ^ two, 0x85ebca6b) ^ three, 0xc2b2ae35) >>> 0
}

/** Reads the filter of a log in a state; null if there is none, it is of another state, or it is damaged. */
export async function readFilter(folder: string, path: string, stamp: string): Promise<SearchFilter | null> {
  return ifPossible(
    withFile(open(fileOf(folder, path)), async (handle) => {
      const { size, mode, uid } = await handle.stat()
      const isOwn = process.platform === 'win32' || (uid === process.getuid?.() && (mode & 0o077) === 0)
      if (!isOwn || size > maxFile) return null
      const content = await handle.readFile()
      const end = content.indexOf(10)
      const bytes = new Uint8Array(content.subarray(end + 1))
      const isWhole = end > 0 && content.toString('latin1', 0, end) === headerOf(stamp, bytes)
      return isWhole && bytes.length >= 1024 && Number.isInteger(Math.log2(bytes.length)) ? filterOf(bytes) : null
    }),
    null,
  )
}

const maxFile = 2 ** 20 + 1000

/** Keeps the filter of a log, for no one else to read. A disk that cannot be written is no reason to fail. */
export async function writeFilter(folder: string, path: string, stamp: string, { bytes }: SearchFilter): Promise<void> {
  await ifPossible(mkdir(folder, { recursive: true, mode: 0o700 }), null)
  const file = fileOf(folder, path)
  const content = Buffer.concat([Buffer.from(`${headerOf(stamp, bytes)}\n`), bytes])
  await ifPossible(placeFile(file, `${file}.${randomUUID()}`, content), null)
}

/** Removes the filters of logs that are gone. */
export async function pruneFilters(folder: string, paths: Iterable<string>): Promise<void> {
  const kept = new Set([...paths].map(nameOf))
  const names = await ifPossible(readdir(folder), [])
  for (const name of names) if (!kept.has(name)) await ifPossible(rm(join(folder, name), { force: true }), null)
}

function headerOf(stamp: string, bytes: Uint8Array): string {
  return `plimsoll search ${version} ${stamp} ${crc32(bytes).toString(16)}`
}

function fileOf(folder: string, path: string): string {
  return join(folder, nameOf(path))
}

function nameOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32)
}
