import { perEach } from '../derive.ts'
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
      const all = findThoughts(reasonsOf(facts).economy.reasoning)(messages)
      const edits: Edit[] = []
      for (let index = 0; index < messages.length; index += 1) {
        const thoughts = all[index] ?? null
        if (thoughts === null || pins.has((messages[index] as Message).id)) continue
        const isOver = index < running
        if (thoughts.isSigned && !isOver) continue
        if (ageOf(index) < (isOver ? rules.reasoningAfter : rules.runningReasoningAfter)) continue
        for (const edit of thoughts.edits) edits.push(edit)
      }
      return edits
    },
  }
}

const findThoughts = perEach(({ id, role, parts }: Message, why: string) => {
  if (role !== 'assistant') return null
  const all = parts.flatMap((part, index) => (part.type === 'reasoning' ? [{ part, index }] : []))
  const isSigned = all.some(({ part }) => part.providerOptions !== undefined)
  // Hidden reasoning has no size, so dropping it would never be worth it, and then the rest must stay too.
  const isHidden = all.some(({ part }) => part.text === '' && part.providerOptions !== undefined)
  const told = all.filter(({ part }) => part.text !== '')
  // Reasoning alone is not an answer.
  if (told.length === 0 || isHidden || !parts.some(isSaid)) return null
  return { isSigned, edits: told.map(({ index }) => replaceEdit(name, id, index, noThought, why)) }
})

function isSaid(part: Part): boolean {
  return part.type === 'text' ? part.text.trim() !== '' : part.type !== 'reasoning'
}
