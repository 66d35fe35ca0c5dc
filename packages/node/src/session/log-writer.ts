import { fstatSync, statSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { type Entry, headLength, type NewEntry } from '@plimsoll/core/session'
import { codeOf } from '../files/problem.ts'
import { draftEntries, type EntryDraft } from './draft-entries.ts'
import { writeAll } from './durable-file.ts'
import { type ChainEnd, sealLine } from './log-chain.ts'
import type { Scanned } from './log-index.ts'
import type { Redact } from './redact-entry.ts'
import { fileError, SessionError } from './session-error.ts'
import type { SessionPaths } from './session-folder.ts'
import type { StoredLog } from './stored-log.ts'

interface LogWriterOptions extends Scanned {
  readonly paths: SessionPaths
  readonly handle: FileHandle
  readonly log: StoredLog
  readonly end: { readonly write: (end: ChainEnd) => void }
  readonly now: () => number
  readonly redact?: Redact | undefined
}

/** If the clock goes back by more milliseconds, a note is written. */
const jump = 1000

/**
 * Writes groups of entries, each with one write and one sync. A group that fails leaves the file unchanged and can be tried again; if the
 * file cannot be restored, nothing more is written.
 */
export function createLogWriter({ paths, handle, log, end, now, redact, ...file }: LogWriterOptions) {
  let { length, isComplete } = file
  let clock = log.index.latest()
  let refusal: SessionError | null = null

  const commit = async (calls: readonly (readonly NewEntry[])[]): Promise<readonly Committed<readonly Entry[]>[]> => {
    if (refusal !== null) throw refusal
    await meetOthers()
    const { outcomes, drafts, time } = draftGroup(calls)
    let last = log.index.end()
    const lines = drafts.map(({ line }) => {
      const sealed = sealLine(line, last)
      last = sealed.sum ?? last
      return sealed
    })
    if (lines.length === 0) return outcomes
    // A line that was cut off stays; ours starts on a new one.
    const lead = isComplete ? Buffer.alloc(0) : Buffer.from('\n')
    await log.blobs.write(drafts.flatMap(({ blobs }) => blobs))
    await write(Buffer.concat([lead, ...lines.map(({ bytes }) => bytes)]))
    end.write(last)
    let offset = length + lead.length
    for (const { bytes, sum } of lines) {
      const start = bytes.toString('latin1', 0, Math.min(bytes.length - 1, headLength))
      log.index.add({ offset, length: bytes.length - 1, start, sum })
      offset += bytes.length
    }
    length = offset
    isComplete = true
    clock = time
    return outcomes
  }

  /** Reads lines that another process added; refuses to write to a file that lost some. */
  const meetOthers = async (): Promise<void> => {
    const size = sizeInPlace()
    if (size === length) return
    if (size < length) {
      refusal = new SessionError({ kind: 'changed-behind', file: paths.log })
      throw refusal
    }
    ;({ length, isComplete } = await log.readOn(length))
  }

  /** The length of the file. Lines written to a file that was moved or removed would be lost. */
  const sizeInPlace = (): number => {
    try {
      // The sync call takes microseconds, the async one a hundred times as long.
      const [open, named] = [fstatSync(handle.fd), statSync(paths.log)]
      if (open.ino === named.ino && open.dev === named.dev) return open.size
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw fileError('cannot-write', paths.log, error)
    }
    throw new SessionError({ kind: 'changed-behind', file: paths.log })
  }

  const draftGroup = (calls: readonly (readonly NewEntry[])[]) => {
    const { index } = log
    const time = readClock(now, clock)
    const at = Math.max(time, index.latest())
    const drafts: EntryDraft[] = []
    const ids = new Set<string>()
    const draft = (entries: readonly NewEntry[]): readonly EntryDraft[] => {
      const made = draftEntries(entries, {
        leaf: drafts.at(-1)?.entry.id ?? index.heads.at(-1)?.id ?? log.session.id,
        at,
        count: index.heads.length + drafts.length,
        has: (id) => ids.has(id) || index.has(id),
        redact,
        strings: index.header()?.strings,
      })
      for (const one of made) {
        drafts.push(one)
        ids.add(one.entry.id)
      }
      return made
    }
    if (time < clock - jump) draft([{ type: 'note', code: 'clock', data: { before: clock, after: time } }])
    const notes = drafts.length
    const outcomes = calls.map((entries): Committed<readonly Entry[]> => {
      try {
        return { result: draft(entries).map(({ entry }) => entry) }
      } catch (error) {
        return { error }
      }
    })
    // A note alone is not written.
    return { outcomes, drafts: drafts.length === notes ? [] : drafts, time }
  }

  const write = async (bytes: Buffer): Promise<void> => {
    try {
      await writeAll(handle, bytes)
      await handle.datasync()
    } catch (error) {
      await cutBack()
      throw fileError('cannot-write', paths.log, error)
    }
  }

  const cutBack = async (): Promise<void> => {
    try {
      await handle.truncate(length)
      await handle.datasync()
    } catch (error) {
      const reason = fileError('cannot-restore', paths.log, error)
      if (reason instanceof SessionError) refusal = reason
      throw reason
    }
  }

  const queue = createCommitQueue(commit)
  let isEnded = false
  return {
    append: async (entries: readonly NewEntry[]): Promise<readonly Entry[]> => {
      if (isEnded) throw new SessionError({ kind: 'closed' })
      return Array.isArray(entries) && entries.length === 0 ? [] : queue.add(entries)
    },
    /** Waits for running writes; no more are accepted. */
    async end(): Promise<void> {
      isEnded = true
      await queue.idle()
    },
  }
}

function readClock(now: () => number, before: number): number {
  const time = Math.trunc(now())
  return Number.isSafeInteger(time) && time >= 0 ? time : before
}

type Committed<Result> = { readonly result: Result } | { readonly error: unknown }

/** Commits items in groups, one at a time: items that arrive meanwhile share the next commit. An error of a group is that of each item. */
function createCommitQueue<Item, Result>(commit: (items: readonly Item[]) => Promise<readonly Committed<Result>[]>) {
  let waiting: (PromiseWithResolvers<Result> & { readonly item: Item })[] = []
  let running: Promise<void> | null = null

  const run = async (): Promise<void> => {
    // Calls of the same moment join the first group.
    await Promise.resolve()
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      try {
        const outcomes = await commit(group.map(({ item }) => item))
        for (const [index, { resolve, reject }] of group.entries()) {
          const outcome = outcomes[index]
          if (outcome === undefined) reject(new Error('a group was committed without one of its items'))
          else if ('error' in outcome) reject(outcome.error)
          else resolve(outcome.result)
        }
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    running = null
  }

  return {
    add(item: Item): Promise<Result> {
      const call = { item, ...Promise.withResolvers<Result>() }
      waiting.push(call)
      running ??= run()
      return call.promise
    },
    idle: async () => running ?? undefined,
  }
}
