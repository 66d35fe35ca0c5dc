import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { isRecord } from '@plimsoll/core/text'
import { ifPossible } from '../../files/problem.ts'
import { createBlobSink } from '../../session/blob-sink.ts'
import { createBlobStore } from '../../session/blob-store.ts'
import { branchMessages } from '../../session/branch.ts'
import type { StoredSession } from '../../session/session.ts'
import { pathsOf } from '../../session/session-folder.ts'
import { isSaid } from '../../shared/mentions.ts'
import { redactSecrets } from '../../shared/redact/redact.ts'
import type { ChangedFile, SessionAnswers } from '../../shared/server-api.ts'
import type { ToolContext } from '../tool.ts'
import { openInside, resolveInside, shownPath } from '../workspace.ts'
import { removeCarefully, writeAtomically } from './atomic-write.ts'
import { gitsOwn } from './change-file.ts'
import { diffOf } from './file-diff.ts'

/**
 * The files that editing tools changed after a message of the user and before the next one, each compared with the file there is
 * now. Without a message, it is the latest after which a file was changed. Null if there is no such message. Changes nothing.
 */
export async function changedFiles(
  session: StoredSession,
  root: string,
  turn: string | null,
): Promise<SessionAnswers['file-changes'] | null> {
  const found = turn ?? latestTurn(session)
  const files = found === null ? null : await lookAt(session, root, found)
  return found === null || files === null ? null : { turn: found, files: await Promise.all(files.map(withDiff)) }
}

/**
 * Undoes the changes of some of these files, or makes them again if they are undone. A file whose content is not the one that was
 * named is left alone. What a file held is stored in the session first, unless it has secrets that must not be. Null if there is no such
 * message.
 */
export async function undoFiles(
  session: StoredSession,
  root: string,
  turn: string,
  wanted: readonly Pick<ChangedFile, 'path' | 'current'>[],
  { signal, config }: Pick<ToolContext, 'signal' | 'config'>,
): Promise<SessionAnswers['undo-files'] | null> {
  const files = await lookAt(session, root, turn)
  if (files === null) return null
  const blobs = createBlobSink(session)
  const done: string[] = []
  const left: string[] = []
  for (const { path, current } of wanted) {
    const file = files.find((one) => one.path === path)
    const isDone = file?.canChange === true && file.current === current && (await ifPossible(change(file), false))
    if (isDone) done.push(path)
    else left.push(path)
  }
  return { done, left }

  /** Blobs go to the disk past the log, where secrets would have been blanked. */
  function mayStore(bytes: Buffer): boolean {
    if (!config.sessions.redact_secrets) return true
    const text = bytes.toString('utf8')
    return redactSecrets(text) === text
  }

  async function change({ before, target, place }: LookedAt): Promise<boolean> {
    signal.throwIfAborted()
    if (before !== null && mayStore(before.bytes)) await blobs.write(before.bytes)
    if (target === null) return before !== null && removeCarefully(place, before.stats)
    return (await writeAtomically(place, target, { replaces: before?.stats ?? null, signal })) !== null
  }
}

interface FileNow {
  readonly bytes: Buffer
  readonly stats: Stats
}

interface LookedAt extends Omit<ChangedFile, 'diff'> {
  readonly name: string
  /** Its real path. */
  readonly place: string
  /** The file now; null if there is none. */
  readonly before: FileNow | null
  /** What it would hold afterwards; null if it would be removed. */
  readonly target: Buffer | null
}

/** Larger files are not read. */
const maxBytes = 16 * 1024 * 1024

async function lookAt(session: StoredSession, root: string, turn: string): Promise<readonly LookedAt[] | null> {
  const changes = changesIn(session, turn)
  if (changes === null) return null
  const store = createBlobStore(pathsOf(session.folder).blobs)
  const stored = (sha256: string | undefined): Buffer | null => {
    const found = sha256 === undefined ? null : store.read(sha256)
    return found !== null && 'bytes' in found ? found.bytes : null
  }
  // Paths are those of the folder that the session was started in.
  const { root: home } = session.state().header
  const isHere = home === undefined || (await ifPossible(realpath(home), null)) === (await ifPossible(realpath(root), null))

  return Promise.all(
    [...changes].map(async ([path, { original, written }]): Promise<LookedAt> => {
      const isNew = original === null
      const looked = isHere && !gitsOwn.test(path) ? await fileNow(root, path) : null
      const common = { path, name: shownPath(path), isNew, place: looked?.place ?? '', before: looked?.file ?? null }
      const current = looked?.file == null ? null : hashOf(looked.file.bytes)
      const lost = { ...common, state: 'lost', current, target: null, canChange: false } as const
      if (looked === null || original === undefined) return lost
      if (current === (original?.sha256 ?? null)) {
        const target = stored(written?.sha256)
        return { ...common, state: 'undone', current, target, canChange: target !== null }
      }
      const target = stored(original?.sha256)
      if (!isNew && target === null) return lost
      return { ...common, state: current === written?.sha256 ? 'written' : 'changed', current, target, canChange: true }
    }),
  )
}

interface Change {
  /** The file before; null if there was none, undefined if it is not stored. */
  readonly original: { readonly sha256: string } | null | undefined
  readonly written: { readonly sha256: string } | undefined
}

/** The changes of each file, the first and the last of several as one. A log may hold anything. */
function changesIn(session: StoredSession, turn: string): ReadonlyMap<string, Change> | null {
  const messages = branchMessages(session)
  const start = messages.findIndex(({ head }) => head.id === turn)
  if (start < 0) return null
  const changes = new Map<string, Change>()
  for (const { head } of messages.slice(start + 1)) {
    const entry = session.read(head)
    if (entry?.type !== 'message') continue
    if (isSaid(entry.message)) break
    for (const part of entry.message.parts) {
      const found = part.type === 'tool-result' && part.isError !== true ? changeOf(part.metadata) : null
      if (found === null) continue
      const { path, original, written } = found
      const earlier = changes.get(path)
      changes.set(path, { original: earlier === undefined ? original : earlier.original, written })
    }
  }
  return changes
}

function latestTurn(session: StoredSession): string | null {
  let hasChange = false
  for (const { head } of branchMessages(session).toReversed()) {
    const entry = session.read(head)
    if (entry?.type !== 'message') continue
    hasChange ||= entry.message.parts.some(
      (part) => part.type === 'tool-result' && part.isError !== true && changeOf(part.metadata) !== null,
    )
    if (hasChange && isSaid(entry.message)) return head.id
  }
  return null
}

function changeOf(metadata: unknown): (Change & { readonly path: string }) | null {
  if (!isRecord(metadata)) return null
  const { path, diff, created, original, written } = metadata
  if (typeof path !== 'string' || typeof diff !== 'string' || typeof created !== 'boolean') return null
  return { path, original: created ? null : reference(original), written: reference(written) }
}

function reference(value: unknown): { readonly sha256: string } | undefined {
  if (!isRecord(value) || typeof value['sha256'] !== 'string') return undefined
  return { sha256: value['sha256'] }
}

/** Null if the path is not one of a file, leads elsewhere, or cannot be read. */
async function fileNow(root: string, path: string): Promise<{ readonly place: string; readonly file: FileNow | null } | null> {
  const place = await resolveInside(root, path)
  if ('reason' in place || place.shown !== path || place.kind === 'folder') return null
  if (place.kind === 'missing') return { place: place.path, file: null }
  const opened = await openInside(root, path)
  if ('reason' in opened) return null
  const { handle, stats } = opened
  try {
    return stats.size > maxBytes ? null : { place: place.path, file: { bytes: await handle.readFile(), stats } }
  } catch {
    return null
  } finally {
    await handle.close()
  }
}

async function withDiff({ path, state, isNew, current, canChange, name, before, target }: LookedAt): Promise<ChangedFile> {
  const [old, next] = [before === null ? null : textOf(before.bytes), target === null ? '' : textOf(target)]
  const isText = (before === null || old !== null) && next !== null
  const diff = canChange && isText ? (await diffOf(name, old, next)).text : null
  return { path, state, isNew, current, diff, canChange }
}

function textOf(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
