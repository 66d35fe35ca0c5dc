import { opensRound } from '../compaction/rounds.ts'
import { perItem } from '../derive.ts'
import { type Edit, replaceEdit } from '../edit.ts'
import { reasonsOf } from '../facts.ts'
import type { Message, Part } from '../message.ts'
import type { Policy } from '../policy.ts'
import type { EconomyRules } from './economy/economy-rules.ts'
import { requestAges } from './economy/results-in-use.ts'

const name = 'drop-old-reasoning'

/**
 * Leaves out what the model thought in rounds that are over: no provider asks for it then, and thoughts that lead to the last answer
 * are not even sent once. What was signed goes with all the thoughts of its answer or stays, because none may be altered; in the
 * running round it stays, because several refuse to go on without it.
 */
export function createDropOldReasoning(rules: EconomyRules): Policy {
  return {
    name,
    plan(messages, facts) {
      const ageOf = requestAges(messages)
      const running = messages.findLastIndex(opensRound)
      const pins = new Set(facts.pins)
      const thoughtsOf = findThoughts(reasonsOf(facts).economy.reasoning)
      const edits: Edit[] = []
      for (let index = 0; index < messages.length; index += 1) {
        const message = messages[index] as Message
        const thoughts = message.role === 'assistant' ? thoughtsOf(message) : null
        if (thoughts === null || pins.has(message.id)) continue
        const isOver = index < running
        if (thoughts.isSigned && !isOver) continue
        if (ageOf(index) < (isOver ? rules.reasoningAfter : rules.runningReasoningAfter)) continue
        edits.push(...thoughts.edits)
      }
      return edits
    },
  }
}

/** The thoughts of an answer that can be left out, as edits that do so; null for none. */
const findThoughts = perItem(({ id, parts }: Message, why: string) => {
  const all = parts.flatMap((part, index) => (part.type === 'reasoning' ? [{ part, index }] : []))
  const isSigned = all.some(({ part }) => part.providerOptions !== undefined)
  // What is hidden counts for nothing, so that it would never be worth leaving out, and then the rest must stay as well.
  const isHidden = all.some(({ part }) => part.text === '' && part.providerOptions !== undefined)
  const told = all.filter(({ part }) => part.text !== '')
  // Nothing but thoughts is no answer.
  if (told.length === 0 || isHidden || !parts.some(isSaid)) return null
  return { isSigned, edits: told.map(({ index }) => replaceEdit(name, id, index, { type: 'reasoning', text: '' }, why)) }
})

function isSaid(part: Part): boolean {
  return part.type === 'text' ? part.text.trim() !== '' : part.type !== 'reasoning'
}
