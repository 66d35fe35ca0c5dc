import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Part } from '@plimsoll/core'
import {
  branchOf,
  checkEntry,
  type Entry,
  formatVersion,
  type HeaderEntry,
  type MovedValue,
  parentOf,
  type Replayed,
  type ReplayInput,
  replay,
  type SessionState,
  startReplay,
  wholeOf,
} from '@plimsoll/core/session'
import type { MediaPart, TextPart } from '@plimsoll/core/wire'
import { stringsFor } from '../strings/strings-for.ts'
import { type BlobStore, createBlobStore } from './blob-store.ts'
import { type LogEnd, readLogEnd } from './log-end.ts'
import {
  createLineReader,
  createLogIndex,
  type LineHead,
  type LogIndex,
  lineProblemText,
  readLineText,
  scanLines,
} from './log-index.ts'
import { moveBack, valueOf } from './moved-values.ts'
import type { LineProblem, StoredSession } from './session.ts'
import { SessionError } from './session-error.ts'
import type { SessionPaths } from './session-folder.ts'

export type StoredLog = ReturnType<typeof createStoredLog>

/** A session in an open log file. Nothing is read before `readOn`. */
export function createStoredLog(id: string, paths: SessionPaths, handle: FileHandle) {
  const readText = createLineReader(handle)
  const end = readLogEnd(paths.end)
  const index = createLogIndex(readText, 'end' in end ? end.end : null)
  const blobs = createBlobStore(paths.blobs)
  // The entries of the last state, so that the next one has the same objects.
  let loaded = new Map<string, Entry>()
  let latest: { readonly entries: number; readonly replayed: Replayed<LineHead> } | null = null

  const load = (head: LineHead): Entry | null => loaded.get(head.id) ?? loadEntry(head, readText, index, blobs)

  const keepIn =
    (kept: Map<string, Entry>) =>
    (head: LineHead): Entry | null => {
      const entry = load(head)
      if (entry !== null) kept.set(head.id, entry)
      return entry
    }

  const inputAt = (leaf: number, read: (head: LineHead) => Entry | null): ReplayInput<LineHead> => ({
    header: index.header() ?? lostHeader(id, index),
    path: branchOf(index, leaf),
    load: read,
  })

  /** The last state with the new entries, if all of them continue it; else null. */
  const carriedOn = (entries: number): Replayed<LineHead> | null => {
    if (latest === null || latest.entries === 0) return null
    for (let at = latest.entries; at < entries; at += 1) {
      const parent = parentOf(index, at)
      if (parent.isLost || parent.index !== at - 1) return null
    }
    return latest.replayed.goOn(index.heads.slice(latest.entries), keepIn(loaded))
  }

  const activeState = (): SessionState => {
    const entries = index.heads.length
    if (latest?.entries === entries) return latest.replayed.state
    let replayed = carriedOn(entries)
    if (replayed === null) {
      const kept = new Map<string, Entry>()
      replayed = startReplay(inputAt(entries - 1, keepIn(kept)))
      loaded = kept
    }
    latest = { entries, replayed }
    return replayed.state
  }

  const session: StoredSession = {
    id,
    folder: paths.folder,
    state(leaf) {
      if (leaf === undefined) return activeState()
      const place = index.indexOf(leaf)
      if (place < 0) throw new SessionError({ kind: 'no-entry', id: leaf })
      return place === index.heads.length - 1 ? activeState() : replay(inputAt(place, load))
    },
    heads: () => index.heads,
    entry(wanted) {
      const head = index.heads[index.indexOf(wanted)]
      return head?.id === wanted ? load(head) : null
    },
    read: (head) => load(head as LineHead),
    *messages() {
      for (let at = 0; at < index.heads.length; at += 1) {
        const head = index.heads[at] as LineHead
        const entry = head.type === 'message' ? load(head) : null
        if (entry?.type === 'message') yield entry.message
      }
    },
    whole(part) {
      if (part.blob === undefined) return { part }
      const read = blobs.read(part.blob.sha256)
      if ('trouble' in read) return read
      const { blob, ...rest } = part
      const content = wholeOf(part, read.bytes.toString('utf8'), blob.form ?? 'text')
      const damaged = () => stringsFor(null).session.blobDamaged(join(paths.blobs, blob.sha256))
      return content === null ? { trouble: damaged() } : { part: { ...rest, content } }
    },
    large(part) {
      const { blob } = part
      // In other forms the bytes are not the text itself.
      return blob === undefined || (blob.form ?? 'text') !== 'text' ? null : blobs.large(blob.sha256)
    },
    troubles: () => [...index.troubles(), ...endProblem(end, index, paths.end)],
  }

  return {
    index,
    end,
    session,
    blobs,
    /** Reads the lines from an offset to the end of the file. */
    readOn: (offset: number) => scanLines(handle, offset, index.add),
  }
}

/** Without its end, nothing tells whether the last lines of a log with checksums are there. */
function endProblem(end: LogEnd, index: LogIndex, file: string): readonly LineProblem[] {
  if ('end' in end || (end.trouble === 'missing' && index.end().number === 0)) return []
  const { line = 0, offset = 0 } = index.heads.at(-1) ?? {}
  const strings = stringsFor(null).session
  const message = end.trouble === 'missing' ? strings.endMissing(file) : strings.endDamaged(file)
  return [{ line, offset, kind: 'end', message }]
}

/** For a log whose first line is lost. */
function lostHeader(id: string, index: LogIndex): HeaderEntry {
  return { type: 'header', id, parentId: null, at: index.heads[0]?.at ?? 0, version: formatVersion, session: id }
}

/**
 * Reads the entry of a head, with everything that was moved out of it back in its place. An entry that cannot be read is reported and
 * becomes null; a lost blob is reported and replaced by a sentence.
 */
function loadEntry(
  head: LineHead,
  readText: (offset: number, length: number) => string | null,
  index: LogIndex,
  blobs: BlobStore,
): Entry | null {
  const refuse = (kind: 'torn' | 'foreign' | 'newer', reason: string): null => {
    index.report(head, kind, lineProblemText(kind, head.line, reason))
    return null
  }
  const read = readLineText(readText(head.offset, head.length))
  if (read.kind !== 'entry') return refuse(read.kind, read.reason)
  const { entry, moved } = read
  if (entry.id !== head.id) return refuse('foreign', 'it changed since it was first read')
  if (moved.length === 0) return entry
  for (const one of moved) {
    const trouble = restore(entry, one, blobs)
    if (trouble !== null) index.report(head, 'blob', trouble)
  }
  const { wrong, newer } = checkEntry(entry)
  const fault = wrong ?? newer
  return fault === undefined ? entry : refuse('foreign', fault)
}

function restore(entry: Entry, moved: MovedValue, blobs: BlobStore): string | null {
  const read = blobs.read(moved.sha256)
  if ('bytes' in read) {
    moveBack(entry, moved.path, valueOf(moved, read.bytes))
    return null
  }
  const sentence = `[${moved.bytes} bytes that cannot be recalled: blob ${moved.sha256.slice(0, 12)} is lost or damaged]`
  if (!replaceMedia(entry, moved.path, sentence)) moveBack(entry, moved.path, sentence)
  return read.trouble
}

/** Providers refuse an image without its bytes, but not a text. */
function replaceMedia(entry: Entry, path: MovedValue['path'], sentence: string): boolean {
  if (entry.type !== 'message' || path[1] !== 'parts' || typeof path[2] !== 'number') return false
  const part: Part | undefined = entry.message.parts[path[2]]
  const text: TextPart = { type: 'text', text: sentence }
  if (part?.type === 'media') return moveBack(entry, path.slice(0, 3), text)
  if (part?.type !== 'tool-result' || part.content.type !== 'list' || typeof path[5] !== 'number') return false
  const item: TextPart | MediaPart | undefined = part.content.items[path[5]]
  return item?.type === 'media' && moveBack(entry, path.slice(0, 6), text)
}
