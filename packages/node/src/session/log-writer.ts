import { fstatSync, statSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { type Entry, headLength, type NewEntry } from '@plimsoll/core/session'
import { codeOf } from '../files/trouble.ts'
import { draftEntries, type EntryDraft } from './draft-entries.ts'
import { writeAll } from './durable-file.ts'
import type { Scanned } from './log-index.ts'
import type { Redact } from './redact-entry.ts'
import { fileError, SessionError } from './session-error.ts'
import type { SessionPaths } from './session-folder.ts'
import type { StoredLog } from './stored-log.ts'

interface LogWriterOptions extends Scanned {
  readonly paths: SessionPaths
  readonly handle: FileHandle
  readonly log: StoredLog
  readonly now: () => number
  readonly redact?: Redact | undefined
}

interface LogWriter {
  readonly append: (entries: readonly NewEntry[]) => Promise<readonly Entry[]>
  /** Waits for what is on its way; nothing more is taken. */
  readonly end: () => Promise<void>
}

/** A clock that goes back by more than this many milliseconds is worth a note. */
const jump = 1000

/**
 * Writes groups of entries, each with one write and one sync. A group that fails leaves the file as it was and can be tried again;
 * when not even that is possible, nothing more is written.
 */
export function createLogWriter({ paths, handle, log, now, redact, ...file }: LogWriterOptions): LogWriter {
  let { length, isComplete } = file
  let clock = log.index.latest()
  let refusal: SessionError | null = null

  const commit = async (calls: readonly (readonly NewEntry[])[]): Promise<readonly Committed<readonly Entry[]>[]> => {
    if (refusal !== null) throw refusal
    await meetOthers()
    const { outcomes, drafts, time } = draftGroup(calls)
    const lines = drafts.map(({ line }) => Buffer.from(`${line}\n`, 'utf8'))
    if (lines.length === 0) return outcomes
    // A line that was cut off stays as it is; ours begins on a new one.
    const lead = isComplete ? Buffer.alloc(0) : Buffer.from('\n')
    await log.blobs.write(drafts.flatMap(({ blobs }) => blobs))
    await write(Buffer.concat([lead, ...lines]))
    let offset = length + lead.length
    for (const line of lines) {
      const start = line.toString('latin1', 0, Math.min(line.length - 1, headLength))
      log.index.add({ offset, length: line.length - 1, start })
      offset += line.length
    }
    length = offset
    isComplete = true
    clock = time
    return outcomes
  }

  /** Lines that another process added are not overwritten but read; a file that lost some is left alone. */
  const meetOthers = async (): Promise<void> => {
    const size = sizeInPlace()
    if (size === length) return
    if (size < length) {
      refusal = new SessionError({ kind: 'changed-behind', file: paths.log })
      throw refusal
    }
    ;({ length, isComplete } = await log.readOn(length))
  }

  /** How long the file is. One that is not in its place any more would take everything and keep nothing. */
  const sizeInPlace = (): number => {
    try {
      // Without waiting: to ask takes microseconds, and to be told later a hundred times as long.
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
        // A log of which nothing is left begins anew.
        has: (id) => ids.has(id) || index.has(id) || (index.heads.length === 0 && id === log.session.id),
        redact,
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
    // A note alone is no reason to write.
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
    append: async (entries) => {
      if (isEnded) throw new SessionError({ kind: 'closed' })
      return Array.isArray(entries) && entries.length === 0 ? [] : queue.add(entries)
    },
    async end() {
      isEnded = true
      await queue.idle()
    },
  }
}

/** A clock may say anything; what is no time is the time before. */
function readClock(now: () => number, before: number): number {
  const time = Math.trunc(now())
  return Number.isSafeInteger(time) && time >= 0 ? time : before
}

type Committed<Result> = { readonly result: Result } | { readonly error: unknown }

/**
 * Commits items in groups, one group at a time: items that arrive while a group is being committed go into the next one, so that they
 * share the price of a commit. An error of the whole group is the error of each of its items.
 */
function createCommitQueue<Item, Result>(commit: (items: readonly Item[]) => Promise<readonly Committed<Result>[]>) {
  let waiting: (PromiseWithResolvers<Result> & { readonly item: Item })[] = []
  let running: Promise<void> | null = null

  const run = async (): Promise<void> => {
    // Calls of the same moment still find their way into the first group.
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
