import type { Edit, FoldEdit } from '../edit.ts'
import type { Message } from '../message.ts'
import type { EditsEntry } from './entry.ts'

export type EditsInForce = { readonly edits: Map<string, Edit>; readonly pins: Set<string>; readonly hides: Set<string> }

/** Whether an edit replaces messages with a summary message. */
export function isStandingFold(edit: Edit | undefined): edit is FoldEdit & { readonly into: Message } {
  return edit?.kind === 'fold' && edit.into !== null && !(edit.first === edit.last && edit.into.id === edit.first)
}

/** Applies one entry. Reverts come first, so that an entry can replace an edit with another of the same id. */
export function takeEffect(
  { apply, withdraw, pin, unpin, hide, unhide }: EditsEntry,
  { edits, pins, hides }: EditsInForce,
): void {
  for (const id of withdraw ?? []) edits.delete(id)
  for (const edit of apply ?? []) {
    // A fold may include other folds: made again, it must come after those it now includes.
    if (isStandingFold(edit)) edits.delete(edit.id)
    edits.set(edit.id, edit)
  }
  for (const id of unpin ?? []) pins.delete(id)
  for (const id of pin ?? []) pins.add(id)
  for (const id of unhide ?? []) hides.delete(id)
  for (const id of hide ?? []) hides.add(id)
}

export function movesFolds({ apply, withdraw }: EditsEntry, { edits }: EditsInForce): boolean {
  return (
    (withdraw ?? []).some((id) => isStandingFold(edits.get(id))) ||
    (apply ?? []).some((edit) => isStandingFold(edit) || isStandingFold(edits.get(edit.id)))
  )
}

export function applicable({ edits }: EditsInForce, shown: ReadonlyMap<string, Message>): readonly Edit[] {
  const inserted = new Map<string, Message>()
  const find = (id: string) => shown.get(id) ?? inserted.get(id)
  const found: Edit[] = []
  for (const edit of edits.values()) {
    if (!applies(edit, find)) continue
    if (edit.kind === 'insert') inserted.set(edit.message.id, edit.message)
    found.push(edit)
  }
  return found
}

function applies(edit: Edit, find: (id: string) => Message | undefined): boolean {
  switch (edit.kind) {
    case 'replace': {
      const message = find(edit.message)
      const part = message?.parts[edit.part]
      // A log may come from someone else: it cannot say what the user wrote.
      return part !== undefined && message?.role !== 'system' && (message?.role !== 'user' || part.type !== 'text')
    }
    case 'fold':
      return !isStandingFold(edit) && find(edit.first) !== undefined && find(edit.last) !== undefined
    case 'insert':
      return (edit.after === null || find(edit.after) !== undefined) && find(edit.message.id) === undefined
  }
}
