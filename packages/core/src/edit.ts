import type { Message, Part } from './message.ts'

/** A decision about the view. Three kinds, on purpose no fourth: an edit cannot reorder or lose a message. */
export type Edit = ReplaceEdit | FoldEdit | InsertEdit

interface EditBase {
  readonly id: string
  /** The policy that proposed it. */
  readonly policy: string
  /** One sentence for people. */
  readonly why: string
}

/** Shows another part in place of one part of a message. */
export interface ReplaceEdit extends EditBase {
  readonly kind: 'replace'
  readonly message: string
  readonly part: number
  readonly with: Part
}

/** Shows one message, or none, in place of a run of messages. */
export interface FoldEdit extends EditBase {
  readonly kind: 'fold'
  readonly first: string
  readonly last: string
  /** Null removes: only for pair repair and the last resort of fitting the window. */
  readonly into: Message | null
}

/** Shows one more message after another one. */
export interface InsertEdit extends EditBase {
  readonly kind: 'insert'
  /** Null puts it before the first message. */
  readonly after: string | null
  readonly message: Message
}

/** The message an edit begins at, as its id. */
export function placeOf(edit: Edit): string | null {
  switch (edit.kind) {
    case 'replace':
      return edit.message
    case 'fold':
      return edit.first
    case 'insert':
      return edit.after
  }
}

/**
 * Applies edits in order and returns the messages as they would then read. Untouched messages keep their identity, and with no
 * edits the very same array comes back. Throws when an edit names a message or part that is not there.
 */
export function applyEdits(messages: readonly Message[], edits: readonly Edit[]): readonly Message[] {
  let current = messages
  for (let start = 0; start < edits.length; ) {
    let end = start
    while (edits[end]?.kind === 'replace') end += 1
    if (end > start) {
      current = applyReplacements(current, edits, start, end)
      start = end
    } else {
      current = applyStructural(current, edits[start] as FoldEdit | InsertEdit)
      start += 1
    }
  }
  return current
}

// A replaced message is remembered on its edit, so that the same edit gives the same object at every request and whatever was
// learned about the object (tokens, errors) is not learned again.
const replaced = new WeakMap<Edit, { readonly from: Message; readonly to: Message }>()

/** Replacements mostly come in message order: one walk over the list finds them all; stragglers start the walk again. */
function applyReplacements(messages: readonly Message[], edits: readonly Edit[], start: number, end: number): readonly Message[] {
  const result = messages.slice()
  let next = start
  while (next < end) {
    const before = next
    for (let index = 0; index < result.length && next < end; index += 1) {
      while (next < end && (edits[next] as ReplaceEdit).message === (result[index] as Message).id) {
        result[index] = replacePart(result[index] as Message, edits[next] as ReplaceEdit)
        next += 1
      }
    }
    if (next === before) throw new Error(missing(edits[next] as Edit, (edits[next] as ReplaceEdit).message))
  }
  return result
}

function replacePart(message: Message, edit: ReplaceEdit): Message {
  const known = replaced.get(edit)
  if (known?.from === message) return known.to
  if (message.parts[edit.part] === undefined) {
    throw new Error(`${edit.policy}: edit ${edit.id} names part ${edit.part} of message ${message.id}, which has ${message.parts.length} parts`)
  }
  const to: Message = { ...message, parts: message.parts.map((part, index) => (index === edit.part ? edit.with : part)) }
  replaced.set(edit, { from: message, to })
  return to
}

function applyStructural(messages: readonly Message[], edit: FoldEdit | InsertEdit): readonly Message[] {
  const result = messages.slice()
  if (edit.kind === 'insert') {
    const after = edit.after === null ? -1 : indexOf(messages, edit.after, edit)
    result.splice(after + 1, 0, edit.message)
    return result
  }
  const first = indexOf(messages, edit.first, edit)
  const last = indexOf(messages, edit.last, edit)
  if (last < first) throw new Error(`${edit.policy}: fold ${edit.id} ends at message ${edit.last}, before its start ${edit.first}`)
  result.splice(first, last - first + 1, ...(edit.into === null ? [] : [edit.into]))
  return result
}

function indexOf(messages: readonly Message[], id: string, edit: Edit): number {
  const index = messages.findIndex((message) => message.id === id)
  if (index < 0) throw new Error(missing(edit, id))
  return index
}

function missing(edit: Edit, id: string): string {
  return `${edit.policy}: edit ${edit.id} names message ${JSON.stringify(id)}, which is not in the conversation`
}
