import type { Message } from '@plimsoll/core'
import type { RecordedSession } from '../record-session.ts'
import { callKind } from './call-texts.ts'
import type { FindNeeds, Need, Supplier } from './need.ts'
import { findOccurrences, type Occurrences } from './need-index.ts'
import { pathsIn } from './need-symbols.ts'
import { type Use, usesOf } from './need-uses.ts'

/**
 * Every string that an action used and can only have from a tool or from an own earlier call, once for each time that it came.
 * What anybody said before, in the same segment, is not needed from a tool; neither is what many other sessions use as well. What
 * people said and which files were changed has to be there at the end of each segment, and is found as well.
 */
export const findNeeds: FindNeeds = (session, { common = nothing } = {}) => {
  const uses = usesOf(session)
  const needs: Need[] = []
  for (const [segment, messages] of session.segments.entries()) {
    const steps = session.steps.flatMap((step, index) => (step.segment === segment ? [{ index, length: step.length }] : []))
    const wanted = steps.flatMap(({ index }) => (uses[index] ?? []).filter(({ text }) => !common.has(text)))
    const find = findOccurrences(messages, wanted)
    const counted = new Map<Occurrences, number>()
    for (const { index, length } of steps) {
      for (const use of uses[index] ?? []) {
        if (common.has(use.text)) continue
        const occurrences = find(use)
        const places = earlier(occurrences, length)
        if (places === 0 || occurrences.spoken < length || (counted.get(occurrences) ?? 0) >= places) continue
        const need = needOf(use, index, occurrences, places)
        if (need === null) continue
        counted.set(occurrences, places)
        needs.push(need)
      }
    }
  }
  for (const rule of findUserRules(session)) needs.push(rule)
  return needs.sort((a, b) => a.step - b.step)
}

const nothing: ReadonlySet<string> = new Set()

/** How many of the places stand before the answer, which comes after so many messages. */
function earlier({ places }: Occurrences, length: number): number {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle]?.index ?? 0) < length) low = middle + 1
    else high = middle
  }
  return low
}

function needOf(use: Use, step: number, { places }: Occurrences, count: number): Need | null {
  const suppliers = places.slice(0, count).map(({ supplier }) => supplier)
  // An answer's facts and errors come from tools; what the agent itself wrote is none.
  const isFromTools = use.class === 'answer-fact' || use.class === 'error-line'
  // What nothing but thoughts hold was thought up, and can be again.
  if (!suppliers.some(({ from }) => from === 'result' || (from === 'call' && !isFromTools))) return null
  return { class: use.class, text: use.text, step, edit: use.edit, suppliers: suppliers.reverse() }
}

/**
 * What must be in view to the end whether it is used or not: everything that people said, and the path of every file that was
 * changed. Asked for at the last step of each segment, where all of it has been said and done.
 */
function findUserRules(session: RecordedSession): readonly Need[] {
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
