import type { Edit } from '@plimsoll/core'
import { getOrMake } from '../shared/get-or-make.ts'

export interface ActiveEdit {
  readonly edit: Edit
  /** Increases in the order in which edits became active. */
  readonly turn: number
  readonly targets: readonly string[]
}

/** The active edits, by id and by the messages they change. */
export function createEditsByMessage() {
  const active = new Map<string, ActiveEdit>()
  const targets = new Map<string, Target>()
  const mixed = new Set<string>()
  let turns = 0

  function note(message: string, target: Target, edit: Edit, times: 1 | -1): void {
    if (edit.kind === 'replace') target.replacing += times
    else if (edit.kind === 'fold' || edit.message.id === message) target.structural += times
    if (target.structural > 0 && target.replacing > 0) mixed.add(message)
    else mixed.delete(message)
  }

  function remove(id: string): void {
    const known = active.get(id)
    if (known === undefined) return
    for (const message of known.targets) {
      const target = targets.get(message)
      if (target?.names.delete(id) === true) note(message, target, known.edit, -1)
    }
    active.delete(id)
  }

  return {
    get: (id: string) => active.get(id),
    /** In the order in which they became active, or were last replaced. */
    all: () => active.values(),
    on(message: string): readonly ActiveEdit[] {
      const names = targets.get(message)?.names
      return names === undefined || names.size === 0 ? none : [...names].flatMap((name) => active.get(name) ?? [])
    },
    /** Activates an edit instead of one of the same id. */
    put(edit: Edit, messages: readonly string[]): void {
      const turn = active.get(edit.id)?.turn ?? (turns += 1)
      remove(edit.id)
      active.set(edit.id, { edit, turn, targets: messages })
      for (const message of messages) {
        const target = getOrMake<string, Target>(targets, message, () => ({ names: new Set(), structural: 0, replacing: 0 }))
        if (target.names.has(edit.id)) continue
        target.names.add(edit.id)
        note(message, target, edit, 1)
      }
    },
    remove,
    /** Messages with more than one edit. */
    *several(): Generator<string> {
      for (const [message, { names }] of targets) if (names.size > 1) yield message
    },
    /** Messages for which the order of edits matters: one edit adds or removes the message, another changes its text. */
    mixed: mixed as ReadonlySet<string>,
  }
}

/** The ids of the edits on one message, and how many of them add or remove it, and change its text. */
interface Target {
  readonly names: Set<string>
  structural: number
  replacing: number
}

const none: readonly ActiveEdit[] = []
