import type { Message } from '@plimsoll/core'
import { callKind } from './call-texts.ts'
import type { Need, Supplier } from './need.ts'
import { pathsIn } from './need-paths.ts'
import type { RecordedSession } from './recorded-session.ts'

/**
 * What must be in view to the end whether it is used or not: everything that people said, and the path of every file that was
 * changed. Asked for at the last step of each segment, where all of it has been said and done.
 */
export function findUserRules(session: RecordedSession): readonly Need[] {
  return session.steps.flatMap(({ segment, length }, index) => {
    if (session.steps[index + 1]?.segment === segment) return []
    const messages = (session.segments[segment] ?? []).slice(0, length)
    return [...wordsOfPeople(messages, index), ...changedPaths(messages, index)]
  })
}

function wordsOfPeople(messages: readonly Message[], step: number): readonly Need[] {
  return messages.flatMap(({ id, role, parts }) =>
    parts.flatMap((part, index): readonly Need[] => {
      if (role !== 'user' || part.type !== 'text' || part.text.trim() === '') return []
      return [ruleOf(part.text, step, [{ message: id, part: index, from: 'person' }])]
    }),
  )
}

function changedPaths(messages: readonly Message[], step: number): readonly Need[] {
  const changes = new Map<string, Supplier[]>()
  for (const { id, parts } of messages) {
    for (const [index, part] of parts.entries()) {
      if (part.type !== 'tool-call') continue
      const kind = callKind(part)
      if (kind !== 'edit' && kind !== 'write') continue
      for (const path of pathsIn(part)) {
        const supplier: Supplier = { message: id, part: index, from: 'call' }
        const known = changes.get(path)
        if (known === undefined) changes.set(path, [supplier])
        else known.push(supplier)
      }
    }
  }
  return [...changes].map(([path, suppliers]) => ruleOf(path, step, suppliers.reverse()))
}

function ruleOf(text: string, step: number, suppliers: readonly Supplier[]): Need {
  return { class: 'user-rule', text, step, edit: null, suppliers }
}
