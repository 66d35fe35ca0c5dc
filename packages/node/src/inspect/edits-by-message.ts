import type { Edit } from '@plimsoll/core'

/** An edit in force. */
export interface InForceEdit {
  readonly edit: Edit
  /** In the order they came. */
  readonly turn: number
  /** The messages it is about. */
  readonly targets: readonly string[]
}

/** The edits in force, found by their own names and by the messages they are about. */
export interface EditsByMessage {
  readonly get: (id: string) => InForceEdit | undefined
  /** In the order they came into force, or were last made again. */
  readonly all: () => Iterable<InForceEdit>
  /** Those on a message; none for most. */
  readonly on: (message: string) => readonly InForceEdit[]
  /** Puts one in force, in place of one of the same name. */
  readonly put: (edit: Edit, targets: readonly string[]) => void
  readonly remove: (id: string) => void
  /** Messages with more than one edit on them. */
  readonly several: () => Iterable<string>
  /** Messages of which one edit changes whether they are there and another what they say, so that their order matters. */
  readonly mixed: ReadonlySet<string>
}

/** No edits. */
export function createEditsByMessage(): EditsByMessage {
  const inForce = new Map<string, InForceEdit>()
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
    const known = inForce.get(id)
    if (known === undefined) return
    for (const message of known.targets) {
      const target = targets.get(message)
      if (target?.names.delete(id) === true) note(message, target, known.edit, -1)
    }
    inForce.delete(id)
  }

  return {
    get: (id) => inForce.get(id),
    all: () => inForce.values(),
    on(message) {
      const names = targets.get(message)?.names
      return names === undefined || names.size === 0 ? none : [...names].flatMap((name) => inForce.get(name) ?? [])
    },
    put(edit, messages) {
      const turn = inForce.get(edit.id)?.turn ?? (turns += 1)
      remove(edit.id)
      inForce.set(edit.id, { edit, turn, targets: messages })
      for (const message of messages) {
        let target = targets.get(message)
        if (target === undefined) {
          target = { names: new Set(), structural: 0, replacing: 0 }
          targets.set(message, target)
        }
        if (target.names.has(edit.id)) continue
        target.names.add(edit.id)
        note(message, target, edit, 1)
      }
    },
    remove,
    *several() {
      for (const [message, { names }] of targets) if (names.size > 1) yield message
    },
    mixed,
  }
}

/** The names of edits on one message, and how many of them change whether it is there, and what it says. */
interface Target {
  readonly names: Set<string>
  structural: number
  replacing: number
}

const none: readonly InForceEdit[] = []
