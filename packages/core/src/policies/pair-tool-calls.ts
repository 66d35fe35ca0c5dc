import { perPair } from '../derive.ts'
import type { Edit, InsertEdit } from '../edit.ts'
import { type Facts, reasonsOf, stringsOf } from '../facts.ts'
import type { Message, ToolCallPart, ToolResultPart } from '../message.ts'
import type { Policy } from '../policy.ts'
import { hasCalls, isPaired, type OpenCall, type Pairs, pairUp } from '../results/tool-pairs.ts'
import type { ReasonStrings } from '../strings/strings-for.ts'

const name = 'pair-tool-calls'

/**
 * Gives every call its result right after it and every result its call, as all providers demand. A call without a result gets an error as one; a
 * result elsewhere is moved to its call; a result without a call, and a second one for a call, is removed; calls are never invented. A result with no
 * call id, and all results of a log without any calls, stay.
 */
export const pairToolCalls: Policy = {
  name,
  plan(messages, facts) {
    if (isPaired(messages) || !messages.some(hasCalls)) return []
    const pairs = pairUp(messages)
    return [...answers(messages, pairs.open, facts), ...removals(messages, pairs, facts)]
  },
}

/** Puts a result after each call that has none there. Ids derive from the call, so they are stable. */
function answers(messages: readonly Message[], open: readonly OpenCall[], facts: Facts): readonly Edit[] {
  const interrupted = stringsOf(facts).interruptedCall
  const reasons = reasonsOf(facts)
  const ids = new Map(open.length === 0 ? [] : messages.map(({ id }) => [id, 1]))
  let last: { readonly asked: number; readonly id: string } | null = null
  return open.map(({ call, asked, end, strayed }) => {
    const id = unique(ids, `${(messages[asked] as Message).id}:${call.callId}`)
    const after: string = last?.asked === asked ? last.id : (messages[end] as Message).id
    last = { asked, id }
    return strayed === null
      ? answerInterrupted(call, id, after, interrupted, reasons)
      : moveResult(strayed.part, messages[strayed.index] as Message, id, after, reasons)
  })
}

const answerInterrupted = perPair(
  (call: ToolCallPart, id: string, after: string, text: string, reasons: ReasonStrings): InsertEdit =>
    insert(id, after, interruption(id, call, text), reasons.interruptedCall),
)

const moveResult = perPair(
  (part: ToolResultPart, from: Message, id: string, after: string, reasons: ReasonStrings): InsertEdit =>
    insert(id, after, moved(id, part, from), reasons.strayedResult),
)

function insert(id: string, after: string, message: Message, why: string): InsertEdit {
  return { id: `${name}:${id}`, policy: name, kind: 'insert', after, message, why }
}

function interruption(id: string, { callId, tool }: ToolCallPart, text: string): Message {
  return { id, role: 'tool', parts: [{ type: 'tool-result', callId, tool, content: { type: 'text', text }, isError: true }] }
}

function moved(id: string, part: ToolResultPart, from: Message): Message {
  const isAlone = from.parts.every((other) => other === part || other.type !== 'tool-result')
  return { ...from, id, parts: isAlone ? from.parts : [part] }
}

function removals(messages: readonly Message[], pairs: Pairs, facts: Facts): readonly Edit[] {
  const reasons = reasonsOf(facts)
  const whys = { strayed: reasons.strayedResult, doubled: reasons.doubledResult, orphan: reasons.orphanResult }
  return messages.flatMap((message, index): readonly Edit[] => {
    if (message.role !== 'tool') return []
    const standings = message.parts.map((part, partIndex) =>
      part.type === 'tool-result' ? pairs.standing(index, partIndex, part) : null,
    )
    const wrong = standings.find((standing) => standing !== null && standing !== 'answers')
    if (wrong === undefined) return []
    const keeps = standings.includes('answers')
    const parts = message.parts.filter((_part, partIndex) => standings[partIndex] === null || standings[partIndex] === 'answers')
    const into = keeps ? { ...message, parts } : null
    return [
      { id: `${name}:${message.id}`, policy: name, kind: 'fold', first: message.id, last: message.id, into, why: whys[wrong] },
    ]
  })
}

/** `ids` has the last number that was tried for each id. */
function unique(ids: Map<string, number>, wish: string): string {
  let id = wish
  let count = ids.get(wish) ?? 0
  for (; ids.has(id); id = `${wish}:${count}`) count += 1
  ids.set(wish, Math.max(1, count)).set(id, 1)
  return id
}
