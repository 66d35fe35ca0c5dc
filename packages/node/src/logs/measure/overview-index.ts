import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { cacheFolder } from '../../config/home-folder.ts'
import { ifPossible, type Outcome } from '../../files/problem.ts'
import { placeFile, withFile } from '../../session/durable-file.ts'
import type { LogMeasure } from './measure-log.ts'

/** Raise it with every change of what is measured, or of how: a test compares it with the measures of recorded logs. */
export const measureVersion = 4

export interface IndexPlace {
  readonly file: string
  /** The version of this program. An index that another version wrote is not used. */
  readonly program: string
}

/** The place of the user's index; null without a home folder. */
export function indexPlace(environment: Readonly<Record<string, string | undefined>>, program: string): IndexPlace | null {
  const folder = cacheFolder(environment)
  return folder === null ? null : { file: join(folder, 'overview-index'), program }
}

/** The measure of a log, and the state of its file when it was read. */
export interface IndexRow {
  readonly path: string
  readonly stamp: string
  readonly measured: Outcome<LogMeasure>
}

/** Reads the index by the paths of logs. Damaged rows are missing; an index of another version or of another user is empty. Never throws. */
export async function readIndex({ file, program }: IndexPlace): Promise<ReadonlyMap<string, IndexRow>> {
  const [header, ...lines] = (await ifPossible(readOwn(file), '')).split('\n')
  const rows = header === headerOf(program) ? lines.flatMap(rowOf) : []
  return new Map(rows.map((row) => [row.path, row]))
}

/** Replaces the index. A disk that cannot be written is no reason to fail: the logs are read again next time. */
export async function writeIndex({ file, program }: IndexPlace, rows: Iterable<IndexRow>): Promise<void> {
  const lines = [headerOf(program), ...[...rows].map(lineOf), '']
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

function headerOf(program: string): string {
  return `plimsoll overview ${measureVersion} ${program} ${process.platform}`
}

/** A checksum before each row finds what a disk or another program has changed. */
function lineOf(row: IndexRow): string {
  const text = JSON.stringify(row)
  return `${checksumOf(text)} ${text}`
}

function rowOf(line: string): readonly IndexRow[] {
  const text = line.slice(checksumLength + 1)
  if (text === '' || line.slice(0, checksumLength) !== checksumOf(text)) return []
  return [JSON.parse(text) as IndexRow]
}

const checksumLength = 8

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(checksumLength, '0')
}
