import { modelStrings } from '@plimsoll/core/text'
import type { Patch } from '@plimsoll/core/wire'
import type { Fields } from '../logs/log-reader.ts'
import type { CollectedRows } from './collect-rows.ts'
import type { RowAnswer } from './row.ts'
import type { RowFormat } from './row-format.ts'

/** What a plan does to a list of entries, as patches to that list; `entryAt` gives an entry by its place. */
export function rowPatches(format: RowFormat, collected: CollectedRows, entryAt: (row: number) => Fields): readonly Patch[] {
  const { plan, lateHead, newHead } = collected
  const patches: Patch[] = []
  const moved = new Set<number>(lateHead === null ? [] : [lateHead])
  for (const list of plan.behind.values()) for (const one of list) if ('moved' in one) moved.add(one.moved)
  const changedRows = new Set([...collected.patches.keys(), ...plan.parents.keys(), ...plan.remove.keys(), ...plan.behind.keys()])
  if (newHead !== null) patches.push({ op: 'insert', path: [0], value: newHead })
  if (lateHead !== null) patches.push({ op: 'insert', path: [0], value: entryAt(lateHead) })
  for (const row of plan.drop) patches.push({ op: 'remove', path: [row] })
  for (const row of moved) if (!plan.drop.has(row)) patches.push({ op: 'remove', path: [row] })
  for (const row of changedRows) {
    if (!plan.drop.has(row) && !moved.has(row))
      for (const patch of entryPatches(format, collected, row, entryAt(row)))
        patches.push({ ...patch, path: [row, ...patch.path] })
    for (const one of plan.behind.get(row) ?? []) {
      const value = 'moved' in one ? entryAt(one.moved) : newEntry(format, one, entryAt(one.row))
      if (value !== null) patches.push({ op: 'insert', path: [row + 1], value })
    }
  }
  return patches
}

/** The changes to one entry: its id, its parent, results that go, and answers that are kept with the call. */
export function entryPatches(format: RowFormat, { plan, patches }: CollectedRows, row: number, entry: Fields): readonly Patch[] {
  const parent = plan.parents.get(row)
  const own = patches.get(row) ?? []
  const isHung = plan.parents.has(row) && format.parentPath !== null
  const named = isHung ? own.filter(({ path }) => path.join() !== format.parentPath?.join()) : own
  return [
    ...named,
    ...(isHung && format.parentPath !== null ? [{ op: 'set', path: format.parentPath, value: parent ?? null } as const] : []),
    ...(plan.remove.get(row) ?? []).map((path) => ({ op: 'remove', path }) as const),
    ...(plan.behind.get(row) ?? []).flatMap((one) => ('moved' in one ? [] : (writtenAnswer(format, one, entry).patches ?? []))),
  ]
}

/** The entry that answers a call; null where the answer is kept with the call. */
export function newEntry(format: RowFormat, answer: RowAnswer, entry: Fields): Fields | null {
  return writtenAnswer(format, answer, entry).entry ?? null
}

function writtenAnswer(format: RowFormat, { call, id, parent }: RowAnswer, entry: Fields) {
  return format.answer(entry, call, { id, parent, text: modelStrings.interruptedCall })
}
