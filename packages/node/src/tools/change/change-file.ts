import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import type { BlobReference } from '@plimsoll/core/wire'
import { ifPossible } from '../../files/problem.ts'
import type { ToolOutcome } from '../../shared/event.ts'
import { redactSecrets } from '../../shared/redact/redact.ts'
import { type FileState, failed, type ToolContext, told } from '../tool.ts'
import { type Inside, openInside, type Refused, refusalOf, resolveInside, shownPath } from '../workspace.ts'
import { writeAtomically } from './atomic-write.ts'
import { diffOf, type FileDiff } from './file-diff.ts'

export interface WantedChange {
  readonly path: string
  /** The new text, made from the old one (null if there is no file); or why it cannot be made. */
  readonly make: (before: TextFile | null) => NewText | { readonly problem: string }
  readonly tell: (change: FileChange) => string
  /** How many lines of the changed text are shown. Default: 60. */
  readonly fragmentLines?: number
}

interface NewText {
  readonly text: string
  readonly hasMark: boolean
  readonly count: number
}

export interface FileChange {
  readonly place: Inside
  readonly name: string
  readonly before: TextFile | null
  readonly after: NewText
  readonly diff: FileDiff
}

export interface TextFile extends Inside {
  readonly text: string
  readonly hasMark: boolean
  readonly state: FileState
  readonly stats: Stats
}

/** Changes a file of the workspace, unless the model does not know what it would overwrite. */
export async function changeFile(wanted: WantedChange, context: ToolContext): Promise<ToolOutcome> {
  const change = await planChange(wanted, context)
  if ('reason' in change) return failed(change.reason)
  const { place, name, before, after, diff } = change
  const bytes = bytesOf(after)
  const original = before === null ? null : await keepOriginal(before, context)
  try {
    const stats = await writeAtomically(place.path, bytes, { replaces: before?.stats ?? null, signal: context.signal })
    if (stats === null) return failed(`${name} changed just now, while it was to be written. Read it first, then try again.`)
    context.seen.note(place.path, stateOf(stats, bytes))
    context.freshness.wrote(place.shown, stats.mtimeMs)
  } catch (error) {
    context.signal.throwIfAborted()
    return failed(refusalOf(error, name).reason)
  }
  const { text, added, removed } = diff
  const { sha256 } = stateOf({ mtimeMs: 0 }, bytes)
  return told(wanted.tell(change), {
    path: place.shown,
    diff: text,
    added,
    removed,
    created: before === null,
    ...(original === undefined ? {} : { original }),
    written: { sha256, bytes: bytes.length },
  })
}

/** Larger files are not stored, and their changes cannot be undone. */
const maxOriginal = 4 * 1024 * 1024

/** Stores a file as it was, so that its change can be undone. Undefined if that is not possible: the change is made all the same. */
async function keepOriginal(before: TextFile, { blobs, config }: ToolContext): Promise<BlobReference | undefined> {
  if (before.state.size > maxOriginal) return undefined
  // Blobs go to the disk past the log, where secrets would have been blanked.
  if (config.sessions.redact_secrets && redactSecrets(before.text) !== before.text) return undefined
  return ifPossible(blobs.write(bytesOf(before)), undefined)
}

function bytesOf({ text, hasMark }: Pick<NewText, 'text' | 'hasMark'>): Buffer {
  return Buffer.from(hasMark ? `${mark}${text}` : text)
}

export async function previewChange(wanted: WantedChange, context: ToolContext): Promise<string> {
  const change = await planChange(wanted, context)
  return 'reason' in change ? `Error: ${change.reason}` : change.diff.text
}

async function planChange(wanted: WantedChange, context: ToolContext): Promise<FileChange | Refused> {
  context.signal.throwIfAborted()
  const place = await resolveInside(context.root, wanted.path)
  if ('reason' in place) return place
  const name = shownPath(place.shown)
  if (place.kind === 'folder') return { reason: `${name} is a folder` }
  if (gitsOwn.test(place.shown)) return { reason: `${name} is git's own, and is changed with git's commands alone` }
  const before = place.kind === 'missing' ? null : await readTextToChange(context.root, wanted.path)
  if (before !== null && 'reason' in before) return before
  const after = staleness(before, name, context) ?? wanted.make(before)
  if ('reason' in after) return after
  if ('problem' in after) return { reason: `${name}: ${after.problem}` }
  const diff = await diffOf(name, before?.text ?? null, after.text, wanted.fragmentLines)
  return { place, name, before, after, diff }
}

/** The permission to change files is none to run programs, and git runs what its hooks and settings name. */
export const gitsOwn = /(?:^|\/)\.git(?:\/|$)/i

/** Why a file may not be overwritten: the model has not seen what would be lost. An empty one has nothing to lose. */
function staleness(before: TextFile | null, name: string, { seen }: ToolContext): Refused | null {
  if (before === null || before.state.size === 0) return null
  switch (seen.check(before.path, before.state)) {
    case 'same':
      return null
    case 'unseen':
      return { reason: `${name} was not read in this session, and what is in it would be overwritten. Read it first.` }
    case 'changed':
      return { reason: `${name} has changed since it was last read or written here. Read it again first, then try again.` }
  }
}

const mark = '\ufeff'
const maxBytes = 16 * 1024 * 1024

/** Reads a file that is to be changed, or says why it cannot be: only UTF-8 can be written back unchanged. */
export async function readTextToChange(root: string, path: string): Promise<TextFile | Refused> {
  const opened = await openInside(root, path)
  if ('reason' in opened) return opened
  const { handle, stats, ...place } = opened
  const name = shownPath(place.shown)
  try {
    if (stats.size > maxBytes)
      return { reason: `${name} is too big to be changed so: ${stats.size} bytes, and ${maxBytes} is the most` }
    const bytes = await handle.readFile()
    const text = decode(bytes)
    if (typeof text !== 'string') return { reason: `${name} ${text.not}` }
    const hasMark = text.startsWith(mark)
    return { ...place, text: hasMark ? text.slice(1) : text, hasMark, state: stateOf(stats, bytes), stats }
  } catch (error) {
    return refusalOf(error, name)
  } finally {
    await handle.close()
  }
}

function decode(bytes: Buffer): string | { readonly not: string } {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return { not: 'is UTF-16 text; only UTF-8 can be changed. Convert it first.' }
  if (bytes.includes(0)) return { not: 'is not text: it contains NUL bytes. Only UTF-8 text can be changed.' }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { not: 'is not UTF-8 text, and could not be put back as it was. Convert it first.' }
  }
}

function stateOf({ mtimeMs }: Pick<Stats, 'mtimeMs'>, bytes: Uint8Array): FileState {
  return { mtimeMs, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}
