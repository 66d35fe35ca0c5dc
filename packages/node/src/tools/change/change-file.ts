import type { ToolOutcome } from '@plimsoll/core'
import { failed, type ToolContext, told } from '../tool.ts'
import { type Inside, type Refused, refusalOf, resolveInside, shownPath } from '../workspace.ts'
import { writeAtomically } from './atomic-write.ts'
import { diffOf, type FileDiff } from './file-diff.ts'
import { encodeText, readTextToChange, stateOf, type TextFile } from './text-file.ts'

/** What a tool wants to make of a file. */
export interface WantedChange {
  readonly path: string
  /** What the file is to hold, from what it holds; null stands for no file. Or why it cannot be made. */
  readonly make: (before: TextFile | null) => NewText | { readonly problem: string }
  /** What the model is told once it is done. */
  readonly tell: (change: FileChange) => string
  /** How many lines of the changed text are shown. Default: 60. */
  readonly fragmentLines?: number
}

/** What a file is to hold. */
export interface NewText {
  readonly text: string
  readonly hasMark: boolean
  /** How many places change. */
  readonly count: number
}

/** A change that can be made. */
export interface FileChange {
  readonly place: Inside
  /** The place's name as it may stand in a text. */
  readonly name: string
  readonly before: TextFile | null
  readonly after: NewText
  readonly diff: FileDiff
}

/** Changes a file of the workspace, unless the model does not know what it would overwrite. */
export async function changeFile(wanted: WantedChange, context: ToolContext): Promise<ToolOutcome> {
  const change = await planChange(wanted, context)
  if ('reason' in change) return failed(change.reason)
  const { place, name, before, after, diff } = change
  const bytes = encodeText(after.text, after.hasMark)
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
  return told(wanted.tell(change), { path: place.shown, diff: text, added, removed, created: before === null })
}

/** What a person should see before a change: the difference it makes, or why it would fail. */
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
  // Whoever may change files is not by that allowed to run programs, and git runs what its hooks and settings name.
  if (gitsOwn.test(place.shown)) return { reason: `${name} is git's own, and is changed with git's commands alone` }
  const before = place.kind === 'missing' ? null : await readTextToChange(context.root, wanted.path)
  if (before !== null && 'reason' in before) return before
  const after = staleness(before, name, context) ?? wanted.make(before)
  if ('reason' in after) return after
  if ('problem' in after) return { reason: `${name}: ${after.problem}` }
  const { fragmentLines } = wanted
  const diff = await diffOf(name, before?.text ?? null, after.text, fragmentLines === undefined ? {} : { fragmentLines })
  return { place, name, before, after, diff }
}

const gitsOwn = /(?:^|\/)\.git(?:\/|$)/i

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
