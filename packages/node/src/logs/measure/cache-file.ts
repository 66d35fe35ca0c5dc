import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { ifPossible } from '../../files/problem.ts'
import { placeFile, withFile } from '../../session/durable-file.ts'

/** Reads the rows of a file in the cache folder. Damaged rows are missing; a file with another header or of another user is empty. Never throws. */
export async function readCacheFile(file: string, header: string): Promise<readonly unknown[]> {
  const [first, ...lines] = (await ifPossible(readOwn(file), '')).split('\n')
  return first === header ? lines.flatMap(rowOf) : []
}

/** Replaces the file. A disk that cannot be written is no reason to fail: what the file would say can be worked out again. */
export async function writeCacheFile(file: string, header: string, rows: Iterable<unknown>): Promise<void> {
  const lines = [header, ...[...rows].map(lineOf), '']
  const temporary = `${file}.${randomUUID()}`
  await ifPossible(mkdir(dirname(file), { recursive: true, mode: 0o700 }), null)
  await ifPossible(placeFile(file, temporary, Buffer.from(lines.join('\n'))), null)
}

/** An index of more than a terabyte of logs; nothing of ours is larger. */
const maxBytes = 400_000_000

/** The text of a file that no one else may read or write: another user could have put false figures into it. */
async function readOwn(file: string): Promise<string> {
  return withFile(open(file, constants.O_RDONLY), async (handle) => {
    const found = await handle.stat()
    const isOwn = process.platform === 'win32' || (found.uid === process.getuid?.() && (found.mode & 0o077) === 0)
    return isOwn && found.isFile() && found.size <= maxBytes ? handle.readFile('utf8') : ''
  })
}

/** A checksum before each row finds what a disk or another program has changed. */
function lineOf(row: unknown): string {
  const text = JSON.stringify(row)
  return `${checksumOf(text)} ${text}`
}

function rowOf(line: string): readonly unknown[] {
  const text = line.slice(checksumLength + 1)
  if (text === '' || line.slice(0, checksumLength) !== checksumOf(text)) return []
  return [JSON.parse(text) as unknown]
}

const checksumLength = 8

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(checksumLength, '0')
}
