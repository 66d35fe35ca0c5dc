import { open } from 'node:fs/promises'
import { type Entry, formatVersion, type HeaderEntry } from '@plimsoll/core/session'
import { type Blob, createBlobStore } from './blob-store.ts'
import { buildFolder, type CreateOptions, startTime } from './create-session.ts'
import { draftOf } from './draft-entries.ts'
import { writeAll, writeNewFile } from './durable-file.ts'
import { createSealer } from './log-chain.ts'
import { logEndText } from './log-end.ts'
import { readPortableLine } from './moved-values.ts'
import { refuseNewer } from './open-session.ts'
import { newSessionId, type SessionPaths } from './session-folder.ts'

/** A line of a file, counted from 1; without text if it cannot be read. */
export interface NumberedLine {
  readonly line: number
  readonly text?: string
  readonly reason?: string
}

/** The log has content in separate files, so that its lines alone are not the session. */
export class BlobsBesideError extends Error {
  override readonly name = 'BlobsBesideError'
}

export function isLogHeader(line: string): boolean {
  const read = readPortableLine(line)
  return read.kind === 'entry' && read.entry.type === 'header'
}

/**
 * Creates a session from the lines of an exported log: the same entries with the same ids, times and branches. Appears complete or not at
 * all. Throws `BlobsBesideError` for a log that was copied instead of exported, if that lost something.
 */
export async function restoreSession(
  sessions: string,
  lines: AsyncIterable<NumberedLine>,
  { now = Date.now, redact, title }: Pick<CreateOptions, 'now' | 'redact' | 'title'> = {},
) {
  const id = newSessionId(startTime(now))
  const restoring = createRestoring(id, title)
  await buildFolder(sessions, id, async (paths) => {
    const writer = await openWriter(paths)
    try {
      for await (const line of lines) {
        const entry = restoring.take(line)
        if (entry === null) continue
        const draft = draftOf(entry, redact, restoring.strings())
        await writer.add(draft.line, draft.blobs)
      }
      await writer.finish()
    } finally {
      await writer.close()
    }
  })
  return restoring.finish()
}

function createRestoring(id: string, title: string | undefined) {
  const skipped: { readonly line: number; readonly reason: string }[] = []
  const known = new Set<string>()
  let header: HeaderEntry | null = null
  let messages = 0
  // The log's own id is the id of its first entry, and this session's is another.
  const renamed = (name: string) => (name === header?.id ? id : name)

  const placed = (entry: Entry): Entry => {
    if (entry.type === 'header') {
      refuseNewer(entry.version)
      header = entry
      return { ...entry, id, session: id, version: formatVersion, ...(title === undefined ? {} : { title }) }
    }
    const parentId = entry.parentId === null ? id : renamed(entry.parentId)
    return entry.type === 'rewind' ? { ...entry, parentId, left: renamed(entry.left) } : { ...entry, parentId }
  }

  return {
    take({ line, text, reason }: NumberedLine): Entry | null {
      const read = text === undefined ? ({ kind: 'torn', reason: reason ?? '' } as const) : readPortableLine(text)
      if (read.kind === 'beside') throw new BlobsBesideError('content is stored outside the log')
      if (read.kind !== 'entry') {
        skipped.push({ line, reason: read.reason })
        return null
      }
      const { entry } = read
      const isSecond = known.has(entry.id) || (entry.type === 'header' && header !== null) || entry.id === id
      if (isSecond || (header === null && entry.type !== 'header')) {
        skipped.push({ line, reason: isSecond ? 'an entry with this id came before' : 'an entry before the header' })
        return null
      }
      known.add(entry.id)
      if (entry.type === 'message') messages += 1
      return placed(entry)
    },
    strings: () => header?.strings,
    finish: () => ({ id, messages, title: title ?? header?.title ?? null, skipped }),
  }
}

const chunkLength = 1 << 20

/** Writes blobs before the lines that name them. */
async function openWriter({ log, end, blobs: folder }: SessionPaths) {
  const handle = await open(log, 'wx', 0o600)
  const store = createBlobStore(folder)
  const sealer = createSealer()
  let lines: Buffer[] = []
  let length = 0
  let blobs: Blob[] = []
  const flush = async () => {
    await store.write(blobs)
    await writeAll(handle, Buffer.concat(lines))
    lines = []
    length = 0
    blobs = []
    await handle.sync()
  }
  return {
    async add(line: string, more: readonly Blob[]) {
      const sealed = sealer.seal(line)
      lines.push(sealed)
      length += sealed.length
      for (const blob of more) blobs.push(blob)
      const waiting = blobs.reduce((sum, { bytes }) => sum + bytes.byteLength, length)
      if (waiting >= chunkLength) await flush()
    },
    async finish() {
      await flush()
      await writeNewFile(end, logEndText(sealer.end()))
    },
    close: () => handle.close(),
  }
}
