import type { Message } from '@plimsoll/core'
import type { RecordedSession } from '../record-session.ts'
import { callKind } from './call-texts.ts'
import type { Need, Supplier } from './need.ts'
import { findOccurrences, type Occurrences } from './need-index.ts'
import { pathsIn } from './need-symbols.ts'
import { type Use, usesOf } from './need-uses.ts'

/**
 * Every string that an action used and could only know from a tool or its own earlier call, once for each occurrence.
 * Strings that were said before in the same segment are not needed from a tool, and neither are `common` ones, which many other
 * sessions use.
 */
export function findNeeds(
  session: RecordedSession,
  { common = new Set() }: { readonly common?: ReadonlySet<string> } = {},
): readonly Need[] {
  const uses = usesOf(session)
  const needs: Need[] = []
  for (const [segment, messages] of session.segments.entries()) {
    const steps = session.steps.flatMap((step, index) => (step.segment === segment ? [{ index, length: step.length }] : []))
    const wanted = steps.map(({ index }) => (uses[index] ?? []).filter(({ text }) => !common.has(text)))
    const find = findOccurrences(messages, wanted.flat())
    const counted = new Map<Occurrences, number>()
    for (const [place, { index, length }] of steps.entries()) {
      for (const use of wanted[place] ?? []) {
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

/** The number of places before an answer, which comes after `length` messages. */
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
  // Facts and errors in an answer come from tools, not from the agent's own calls.
  const isFromTools = use.class === 'answer-fact' || use.class === 'error-line'
  // Strings that only reasoning has were made up, and can be again.
  if (!suppliers.some(({ from }) => from === 'result' || (from === 'call' && !isFromTools))) return null
  const doubt = use.isDoubtful === true ? { isDoubtful: true as const } : {}
  return { class: use.class, text: use.text, step, edit: use.edit, ...doubt, suppliers: suppliers.reverse() }
}

/** Users' text and the paths of changed files must be in view at the end of each segment, used or not. */
function findUserRules(session: RecordedSession): readonly Need[] {
  return session.steps.flatMap(({ segment, length }, index) => {
    if (session.steps[index + 1]?.segment === segment) return []
    const messages = (session.segments[segment] ?? []).slice(0, length)
    return [...userTexts(messages, index), ...changedPaths(messages, index)]
  })
}

function userTexts(messages: readonly Message[], step: number): readonly Need[] {
  return messages.flatMap(({ id, role, parts }) =>
    parts.flatMap((part, index): readonly Need[] => {
      if (role !== 'user' || part.type !== 'text' || part.text.trim() === '') return []
      return [ruleOf(part.text, step, [{ message: id, part: index, from: 'user' }])]
    }),
  )
}

function changedPaths(messages: readonly Message[], step: number): readonly Need[] {
  const changes = messages.flatMap(({ id, parts }) =>
    parts.flatMap((part, index) => {
      if (part.type !== 'tool-call' || !['edit', 'write'].includes(callKind(part))) return []
      const supplier: Supplier = { message: id, part: index, from: 'call' }
      return pathsIn(part).map((path) => ({ path, supplier }))
    }),
  )
  const byPath = Map.groupBy(changes, ({ path }) => path)
  return [...byPath].map(([path, list]) => ruleOf(path, step, list.map(({ supplier }) => supplier).reverse()))
}

function ruleOf(text: string, step: number, suppliers: readonly Supplier[]): Need {
  return { class: 'user-rule', text, step, edit: null, suppliers }
}
