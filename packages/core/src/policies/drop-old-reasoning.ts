import { perItem, perList } from '../derive.ts'
import { type Edit, replaceEdit } from '../edit.ts'
import { reasonsOf } from '../facts.ts'
import type { Message, Part } from '../message.ts'
import type { Policy } from '../policy.ts'
import { dropReasoningName as name, noThought, runningFrom } from '../timing/thoughts.ts'
import type { EconomyRules } from './economy/economy-rules.ts'
import { requestAges } from './economy/results-in-use.ts'

/**
 * Drops reasoning of finished rounds, which no provider requires. Signed reasoning is dropped with all reasoning of its answer or kept, because none
 * may be altered; in the running round it stays, because several providers reject requests without it.
 */
export function createDropOldReasoning(rules: EconomyRules): Policy {
  return {
    name,
    plan(messages, facts) {
      const ageOf = requestAges(messages)
      const running = runningFrom(messages)
      const pins = new Set(facts.pins)
      const thoughts = findThoughts(reasonsOf(facts).economy.reasoning)(messages)
      const dropped: Edit[] = []
      for (let at = 0; at < thoughts.length; at += 1) {
        const { index, id, isSigned, edits } = thoughts[at] as Thoughts
        const isOver = index < running
        if ((isSigned && !isOver) || (pins.size > 0 && pins.has(id))) continue
        if (ageOf(index) < (isOver ? rules.reasoningAfter : rules.runningReasoningAfter)) continue
        for (let next = 0; next < edits.length; next += 1) dropped.push(edits[next] as Edit)
      }
      return dropped
    },
  }
}

interface Thoughts {
  readonly index: number
  readonly id: string
  readonly isSigned: boolean
  readonly edits: readonly Edit[]
}

const findThoughts = perList({
  start: (_why: string): Thoughts[] => [],
  add(found, message: Message, index, why) {
    const thoughts = thoughtsOf(why)(message)
    if (thoughts !== null) found.push({ index, ...thoughts })
  },
  change(found, index, _was, is, why) {
    const at = found.findIndex((each) => each.index === index)
    const thoughts = thoughtsOf(why)(is)
    if (thoughts !== null && at >= 0) found[at] = { index, ...thoughts }
    return (thoughts !== null) === at >= 0
  },
  finish: (found): readonly Thoughts[] => found,
})

const thoughtsOf = perItem(({ id, role, parts }: Message, why: string) => {
  if (role !== 'assistant') return null
  const all = parts.flatMap((part, index) => (part.type === 'reasoning' ? [{ part, index }] : []))
  const isSigned = all.some(({ part }) => part.providerOptions !== undefined)
  // Hidden reasoning has no size, so dropping it would never be worth it, and then the rest must stay too.
  const isHidden = all.some(({ part }) => part.text === '' && part.providerOptions !== undefined)
  const told = all.filter(({ part }) => part.text !== '')
  // Reasoning alone is not an answer.
  if (told.length === 0 || isHidden || !parts.some(isSaid)) return null
  return { id, isSigned, edits: told.map(({ index }) => replaceEdit(name, id, index, noThought, why)) }
})

function isSaid(part: Part): boolean {
  return part.type === 'text' ? part.text.trim() !== '' : part.type !== 'reasoning'
}
