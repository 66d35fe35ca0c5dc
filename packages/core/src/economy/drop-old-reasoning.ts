import { opensRound } from '../compaction/rounds.ts'
import type { Edit, ReplaceEdit } from '../edit.ts'
import type { Message, Part, ReasoningPart } from '../message.ts'
import { reasonsOf } from '../people.ts'
import type { Policy } from '../policy.ts'
import type { EconomyRules } from './economy-rules.ts'
import { requestAges } from './request-ages.ts'

const name = 'drop-old-reasoning'

/**
 * Leaves out what the model thought in rounds that are over, where nothing was signed: no provider asks for it then, and thoughts
 * that lead to the last answer are not even sent once. In the running round several refuse to go on without them.
 */
export function createDropOldReasoning(rules: EconomyRules): Policy {
  const remembered = new WeakMap<Part, ReplaceEdit>()
  return {
    name,
    plan(messages, facts) {
      const ageOf = requestAges(messages)
      const running = messages.findLastIndex(opensRound)
      const pins = new Set(facts.pins)
      const why = reasonsOf(facts).economy.reasoning
      const edits: Edit[] = []
      for (const [index, message] of messages.entries()) {
        if (!thinks(message) || pins.has(message.id)) continue
        if (ageOf(index) < (index < running ? rules.reasoningAfter : rules.runningReasoningAfter)) continue
        for (const [part, thought] of message.parts.entries())
          if (isDroppable(thought)) edits.push(editFor(message.id, part, thought, why))
      }
      return edits
    },
  }

  function editFor(message: string, part: number, thought: ReasoningPart, why: string): ReplaceEdit {
    const known = remembered.get(thought)
    if (known !== undefined && known.message === message && known.part === part && known.why === why) return known
    const edit: ReplaceEdit = {
      id: `${name}:${message}.${part}`,
      policy: name,
      kind: 'replace',
      message,
      part,
      with: { type: 'reasoning', text: '' },
      why,
    }
    remembered.set(thought, edit)
    return edit
  }
}

/** Whether an answer holds thoughts besides something that was said or asked for; nothing but thoughts is no answer. */
function thinks(message: Message): boolean {
  if (message.role !== 'assistant') return false
  const known = thinking.get(message)
  if (known !== undefined) return known
  const answer = message.parts.some(isDroppable) && message.parts.some(isSaid)
  thinking.set(message, answer)
  return answer
}

const thinking = new WeakMap<Message, boolean>()

function isDroppable(part: Part): part is ReasoningPart {
  return part.type === 'reasoning' && part.text !== '' && part.providerOptions === undefined
}

function isSaid(part: Part): boolean {
  return part.type === 'text' ? part.text.trim() !== '' : part.type !== 'reasoning'
}
