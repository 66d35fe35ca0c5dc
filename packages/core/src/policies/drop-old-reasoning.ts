import { opensRound } from '../compaction/rounds.ts'
import type { Edit, ReplaceEdit } from '../edit.ts'
import { reasonsOf } from '../facts.ts'
import type { Message, Part, ReasoningPart } from '../message.ts'
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
  const known = new WeakMap<Part, ReplaceEdit>()
  return {
    name,
    plan(messages, facts) {
      const ageOf = requestAges(messages)
      const running = messages.findLastIndex(opensRound)
      const pins = new Set(facts.pins)
      const why = reasonsOf(facts).economy.reasoning
      const edits: Edit[] = []
      for (let index = 0; index < messages.length; index += 1) {
        const message = messages[index] as Message
        const thoughts = thoughtsOf(message)
        if (thoughts === null || pins.has(message.id)) continue
        const isOver = index < running
        if (thoughts.isSigned && !isOver) continue
        if (ageOf(index) < (isOver ? rules.reasoningAfter : rules.runningReasoningAfter)) continue
        for (const [part, thought] of thoughts.parts) edits.push(editFor(message.id, part, thought, why))
      }
      return edits
    },
  }

  function editFor(message: string, part: number, thought: ReasoningPart, why: string): ReplaceEdit {
    const before = known.get(thought)
    if (before !== undefined && before.message === message && before.part === part && before.why === why) return before
    const edit: ReplaceEdit = {
      id: `${name}:${message}.${part}`,
      policy: name,
      kind: 'replace',
      message,
      part,
      with: { type: 'reasoning', text: '' },
      why,
    }
    known.set(thought, edit)
    return edit
  }
}

interface Thoughts {
  readonly parts: readonly (readonly [index: number, thought: ReasoningPart])[]
  readonly isSigned: boolean
}

/** The thoughts of an answer that can be left out; null for none. */
function thoughtsOf(message: Message): Thoughts | null {
  if (message.role !== 'assistant') return null
  const known = remembered.get(message)
  if (known !== undefined) return known
  const thoughts = findThoughts(message)
  remembered.set(message, thoughts)
  return thoughts
}

const remembered = new WeakMap<Message, Thoughts | null>()

function findThoughts({ parts }: Message): Thoughts | null {
  const all = parts.flatMap((part, index) => (part.type === 'reasoning' ? [[index, part] as const] : []))
  const isSigned = all.some(([, { providerOptions }]) => providerOptions !== undefined)
  // What is hidden counts for nothing, so that it would never be worth leaving out, and then the rest must stay as well.
  const isHidden = all.some(([, { text, providerOptions }]) => text === '' && providerOptions !== undefined)
  const told = all.filter(([, { text }]) => text !== '')
  // Nothing but thoughts is no answer.
  return told.length === 0 || isHidden || !parts.some(isSaid) ? null : { parts: told, isSigned }
}

function isSaid(part: Part): boolean {
  return part.type === 'text' ? part.text.trim() !== '' : part.type !== 'reasoning'
}
